"""Letters of several scripts can be written, and Japanese lines are broken where Japanese readers expect it."""

import pytest
from PIL import Image, ImageChops, ImageDraw

from render import lettering
from tools.extract import forms
from tools.languages import SPOKEN, read


@pytest.mark.parametrize("code", SPOKEN)
def test_every_letter_of_a_language_can_be_written(code: str) -> None:
    said = {sign for entry in read(code) for form in forms(entry.string) if entry.id for sign in form}
    assert {sign for sign in said if not lettering.printable(sign)} <= {"\n", "\u200d"}


@pytest.mark.parametrize(
    "name", ["山田 太郎", "さくら", "Ольга Ёлкина", "Ελένη Παπαδοπούλου", "Łukasz Żółć", "佐々木〜1"]
)
def test_names_in_these_scripts_are_no_boxes(name: str) -> None:
    assert lettering.printable(name)
    pictures = [drawn(sign) for sign in dict.fromkeys(name) if sign != " "]
    absent = drawn("\uffff")
    assert all(ImageChops.difference(one, absent).getbbox() for one in pictures)


@pytest.mark.parametrize("name", ["😀", "א", "Anna \U0001f3f4", "안나"])
def test_what_no_font_has_is_known(name: str) -> None:
    assert not lettering.printable(name)


def test_a_line_is_as_wide_as_what_is_written() -> None:
    for text in ("White 山田 to move", "白の番です（3手目）あ", "Ольга 12"):
        box = drawn(text, 900).getbbox()
        assert box is not None
        assert abs(box[2] - lettering.width(text, 40)) < 4


def test_japanese_is_broken_between_letters_but_not_before_what_closes() -> None:
    text = "対局は「先手」の番です。（3手目）Riposte の手番"
    pieces = lettering.breakable(text)
    assert "".join(pieces).split() == text.split()
    assert len(pieces) > 12
    assert [piece for piece in pieces if piece[0] in lettering.CLOSING or piece.strip()[-1] in lettering.OPENING] == []
    assert "Riposte " in pieces


def test_other_languages_are_broken_at_blanks_alone() -> None:
    assert lettering.breakable("White (A1-b2) to move, e.g. c7c5.") == [
        "White ", "(A1-b2) ", "to ", "move, ", "e.g. ", "c7c5. ",
    ]  # fmt: skip
    assert lettering.breakable("") == []
    assert lettering.breakable("、。 」」") != []


def drawn(text: str, wide: int = 80) -> Image.Image:
    picture = Image.new("L", (wide, 60))
    lettering.write(ImageDraw.Draw(picture), (0, 45), text, 255, 40)
    return picture
