"""The languages are complete where they are said to be, right in what they say, and never break a message."""

import gettext
import io
import re
import struct
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from structlog.testing import capture_logs

from bot.messages import catalogue
from bot.messages.catalogue import Language, beside, language, languages
from engine.text import Duration, Phrase, Term, Text, plural
from tools import chunks
from tools.extract import as_mo, collected, forms
from tools.glossary import PAGE, glossary
from tools.languages import COMPLETE, SPOKEN, differences, faults, file_of, mistakes, read, updated, wrong

MOVES = "{player} moves the {piece}: `move {match}`."
SEATS = ("{count} seat is free.", "{count} seats are free.")


def catalog(code: str, *entries: tuple[str | tuple[str, str], str | tuple[str, ...]]) -> Catalog:
    """A catalogue with these entries, all of them sentences."""
    made = Catalog(code, fuzzy=False)
    for template, told in entries:
        made.add(template, told, auto_comments=["sentence"])
    return made


def spoken(made: Catalog) -> Language:
    """The same as it is read at run time."""
    return Language(str(made.locale), gettext.GNUTranslations(io.BytesIO(as_mo(made))))


# --- the files --------------------------------------------------------------------------------------------
def test_a_complete_language_lacks_nothing() -> None:
    wanted = collected()
    assert {code: [*faults(read(code), wanted)] for code in COMPLETE} == {code: [] for code in COMPLETE}


@pytest.mark.parametrize("code", SPOKEN)
def test_what_is_translated_is_right(code: str) -> None:
    assert [*mistakes(read(code))] == []


@pytest.mark.parametrize("code", SPOKEN)
def test_the_compiled_file_says_what_the_translators_wrote(code: str) -> None:
    with file_of(code).with_suffix(".mo").open("rb") as file:
        compiled = {forms(one.id): forms(one.string) for one in read_mo(file) if one.id}
    expected = {
        forms(one.id): forms(one.string) for one in read(code) if one.id and all(forms(one.string)) and not one.fuzzy
    }
    assert compiled == expected, "run `make texts`"


@pytest.mark.parametrize("code", SPOKEN)
def test_every_language_with_a_file_can_be_chosen(code: str) -> None:
    assert code in languages()
    assert language(f"{code}-XX").code == code


def test_the_glossary_is_made_of_the_catalogues() -> None:
    if COMPLETE:  # before that it would have to be made anew with every noun
        assert PAGE.read_text("utf-8") == glossary(), "run `make texts`"


# --- what is found ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("{player} zieht: {piece} (`move {match}`).", []),
        ("{player} zieht: {stück} (`move {match}`).", ["values"]),
        ("{player} zieht (`move {match}`).", ["values"]),
        ("{player zieht {piece} `move {match}`.", ["unexpected '{'"]),
        ("{player} zieht: {piece} (`ziehe {match}`).", ["code spans"]),
        ("{player} zieht: {piece} (move {match}).", ["code spans"]),
        ("{player} **zieht** {piece} (`move {match}`).", ["bold words"]),
        ("{player} zieht: {piece} (`move {match}`)", ["one of"]),
        (" {player} zieht: {piece} (`move {match}`).", ["blanks"]),
        ("{player} zieht:\n{piece} (`move {match}`).", ["line breaks"]),
    ],
)
def test_differences_that_must_not_be_are_found(told: str, found: list[str]) -> None:
    said = [*differences(MOVES, told)]
    assert [fault for fault, expected in zip(said, found, strict=True) if not fault.startswith(expected)] == []


def test_words_to_type_stay_english_outside_code_too() -> None:
    assert [*differences("Terms such as time=5d.", "Bedingungen wie time=5d.")] == []
    assert [*differences("Terms such as time=5d.", "Bedingungen wie zeit=5d.")] != []


@pytest.mark.parametrize(
    ("code", "told", "fine"),
    [
        ("de", ("{count} Platz ist frei.", "{count} Plätze sind frei."), True),
        ("de", ("{count} Platz ist frei.", ""), False),
        ("de", ("{count} Platz ist frei.",), False),
        ("ja", ("空席が{count}つあります。",), True),
        ("ja", ("空席が{count}つあります。", "空席が{count}つあります。"), False),
    ],
)
def test_a_plural_has_as_many_forms_as_its_language(code: str, told: tuple[str, ...], fine: bool) -> None:
    made = catalog(code, (SEATS, told))
    found = [fault for entry in made if entry.id for fault in wrong(made, entry)]
    assert (found == []) is fine


def test_missing_doubtful_and_unused_entries_are_found() -> None:
    wanted = catalog("en", ("One.", ""), ("Two.", ""), ("Three.", ""))
    made = catalog("de", ("One.", "Eins."), ("Two.", "Zwei."), ("Four.", "Vier."))
    two = made.get("Two.")
    assert two is not None
    two.flags.add("fuzzy")
    assert sorted((fault.template, fault.what) for fault in faults(made, wanted)) == [
        ("Four.", "unused"), ("Three.", "missing"), ("Two.", "fuzzy"),
    ]  # fmt: skip


# --- at run time ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("told", ["{player} zieht.", "{player} zieht {x}: {piece} {match}", "{player", "{}", "}{"])
def test_a_broken_translation_is_told_in_english_with_one_line_in_the_log(told: str) -> None:
    german = spoken(catalog("de", (MOVES, told), ("Yes.", "Ja.")))
    text = Text(MOVES, player="anna", piece=Term("Arm"), match="12")
    with capture_logs() as logged:
        for _ in range(3):
            assert german.say(Text(MOVES, **text.values)) == "anna moves the Arm: `move 12`."
            assert "".join(map(str, german.spans(text)[:1])) == "anna moves the Arm: "
        assert german.say(Text("Yes.")) == "Ja."
    assert [(line["language"], line["template"]) for line in logged] == [("de", MOVES)]


def test_a_broken_plural_or_noun_is_told_in_english_too() -> None:
    german = spoken(catalog("de", (SEATS, ("{count} Platz.", "Plätze.")), ("{side} piece", "Stein {seite}")))
    assert german.say(plural(*SEATS, 1)) == "1 Platz."
    assert german.say(plural(*SEATS, 2)) == "2 seats are free."
    assert german.say(Text("{what}", what=Phrase("{side} piece", side="White"))) == "White piece"
    assert german.texts([SEATS]) == {
        SEATS[0]: "{count} Platz.",
        SEATS[1]: SEATS[1],
        f"one|{SEATS[1]}": "{count} Platz.",
        f"other|{SEATS[1]}": SEATS[1],
    }


def test_in_japanese_no_blank_stands_between_sentences_nor_before_a_unit() -> None:
    japanese = spoken(catalog("ja", ("One.", "一つ。"), ("Two, {span}.", "二つ、{span}。"), ("Three", "三つ")))
    two = Text("Two, {span}.", span=Duration(3 * 86_400_000))
    assert japanese.lines(((Text("One."), two, Text("Three"), Text("One.")),)) == ("一つ。二つ、3日。三つ 一つ。",)
    assert beside(map(japanese.say, (Text("One."), two, Text("Three"), Text("One.")))) == "一つ。二つ、3日。三つ 一つ。"
    assert japanese.instant(10 * 86_400_000, 0).startswith("10日後")


def test_a_language_with_one_form_says_the_number_that_english_leaves_out() -> None:
    waits = ("One more waits.", "{count} more wait.")
    japanese = spoken(catalog("ja", (waits, ("あと{count}局が待っています。",))))
    assert [japanese.say(plural(*waits, count)) for count in (1, 2)] == [
        "あと1局が待っています。",
        "あと2局が待っています。",
    ]


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: b"",
        lambda whole: whole[: len(whole) // 2],
        lambda whole: b"\0" * 40,
        lambda whole: whole[:8] + struct.pack("<I", 1 << 30) + whole[12:],
        lambda whole: whole.replace(b"plural=(n != 1)", b"plural=exit(666)"),
        lambda whole: whole.replace("Größe".encode(), b"Gr\xff\xff\xff\xffe"),
    ],
    ids=["empty", "half", "zeros", "count", "plural", "letters"],
)
def test_a_damaged_language_file_is_english_with_one_line_in_the_log(
    damage: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    assert callable(damage)
    whole = as_mo(catalog("de", ("Size.", "Größe."), (SEATS, ("{count} Platz.", "{count} Plätze."))))
    code, file = request.node.callspec.id, tmp_path / "riposte.mo"
    file.write_bytes(damage(whole))
    monkeypatch.setattr(catalogue, "_catalogues", lambda: {code: file})
    with capture_logs() as logged:
        for _ in range(3):
            assert language(code).say(Text("Size.")) == "Size."
            assert language(code).say(plural(*SEATS, 2)) == "2 seats are free."
    assert [line["language"] for line in logged] == [code]


def test_labels_of_commands_stay_as_short_as_discord_wants_them() -> None:
    made = Catalog("de", fuzzy=False)
    made.add("Show the board.", "Zeigt " + "sehr " * 20 + "das Brett.", locations=[("bot/commands/spec/play.py", 0)])
    assert [fault.what for entry in made if entry.id for fault in wrong(made, entry)] == ["at most 100 characters"]


# --- the translator's lists -------------------------------------------------------------------------------
def test_a_list_goes_out_and_its_answer_comes_in_but_for_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.languages.LOCALES", tmp_path)
    monkeypatch.setattr("tools.chunks.ORDER", ("first.py",))
    source = Catalog("en", fuzzy=False)
    source.add(MOVES, locations=[("second.py", 0)], auto_comments=["sentence"])
    source.add(SEATS, locations=[("first.py", 0)], auto_comments=["sentence"])
    source.add("Arm", locations=[("third.py", 0)], auto_comments=["noun"])
    for user in ("tools.languages", "tools.chunks"):
        monkeypatch.setattr(f"{user}.collected", lambda: source)
    assert chunks.main(["out", "de", str(tmp_path / "lists")]) == 0
    given = (tmp_path / "lists" / "001.txt").read_text("utf-8")
    numbered = [line for line in given.splitlines() if line[:1].isdigit()]
    assert numbered == ["1 Arm", f"2 {SEATS[0]}", f"2+ {SEATS[1]}", f"3 {MOVES}"]

    answer = tmp_path / "lists" / "001.de.txt"
    answer.write_text("1 Arm\n2 {count} Platz ist frei.\n2+ Plätze sind frei.\n3 {player} zieht.\n9 Nichts.\n", "utf-8")
    assert chunks.main(["in", "de", str(answer)]) == 1
    assert "1 taken, 3 refused, 2 lacking" in capsys.readouterr().out
    answer.write_text("1 Arm\n1 Bein\n9 Nichts.\n", "utf-8")
    assert chunks.main(["in", "de", str(answer)]) == 1
    out = capsys.readouterr().out
    assert "001.de.txt:1: answered twice: Arm | Bein" in out
    assert "001.de.txt:9: there is no such number in 001.txt" in out
    stray = tmp_path / "lists" / "mine.de.txt"
    stray.write_text("1 Arm\n", "utf-8")
    assert chunks.main(["in", "de", str(stray), str(answer.with_name("002.de.txt"))]) == 1
    out = capsys.readouterr().out
    assert "mine.de.txt: refused, for an answer to lists/001.txt is lists/001.de.txt, beside it" in out
    assert "002.de.txt: refused" in out
    told = f"2 {{count}} Platz ist frei.\n2+ {{count}} Plätze sind frei.\n3 {MOVES}\n"
    answer.write_text(told, "utf-8")
    assert chunks.main(["in", "de", str(answer)]) == 0
    assert [*faults(read("de"), source)] == []
    assert updated("de").get(SEATS).string == ("{count} Platz ist frei.", "{count} Plätze sind frei.")  # type: ignore[union-attr]


# --- one word for one thing -------------------------------------------------------------------------------
PIECES = {"chirality": "Stein", "ironclad": "Stein", "tirachen": "Figur", "tokonoma": "Figur", "veney": "Figur"}
"""What is moved is called in German; the sentences that all games share say Figur."""
OTHER = {"Stein": re.compile(r"\bFigur(en)?\b"), "Figur": re.compile(r"\bStein(e|en|s)?\b")}


def test_each_game_has_one_german_word_for_its_pieces() -> None:
    mixed = []
    for entry in read("de"):
        files = [file for file, _ in entry.locations]
        games = {parts[2] for file in files if (parts := file.split("/"))[:2] == ["engine", "games"] and len(parts) > 3}
        words = {PIECES[game] for game in games} or {"Figur"}
        told = " ".join(forms(entry.string))
        mixed += [told for word in words if OTHER[word].search(told)]
    assert mixed == []
