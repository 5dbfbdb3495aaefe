"""Pictures: all decoders read them alike, equal diagrams give equal pixels, and what is remembered changes nothing."""

import io
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace

import pytest
from PIL import Image

from engine.diagram import Figure, Link, Mark, Throw, Tray
from engine.text import Term, Text
from render.compose.display_list import TitleItem, WordItem, display_list
from render.compose.png import FASTEST, STDLIB, Codec
from render.drawing import marks
from render.painter import Painter, paint
from render.theme import THEMES
from render.view import View
from tests.render.handmade import busy_diagram, grid_diagram, hex_diagram, laid_out, rhomb_diagram
from tests.render.png_by_hand import decode
from tests.render.test_golden import midgame

BUSY = busy_diagram()


def pixels(data: bytes) -> tuple[int, int, bytes]:
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    return picture.width, picture.height, picture.tobytes()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("diagram", [BUSY, grid_diagram(), rhomb_diagram()], ids=["hexes", "grid", "rhombs"])
def test_two_decoders_read_the_same_pixels(diagram, theme):
    data = paint(diagram, View(theme))
    assert pixels(data) == decode(data)


def test_a_picture_has_at_most_32_colours_and_the_size_asked_for():
    for size in (0, 512, 1600):
        picture = Image.open(io.BytesIO(paint(BUSY, View(size=size))))
        assert picture.mode == "P"
        assert len(picture.getcolors() or ()) <= 32
        assert abs(max(picture.size) - (size or 1024)) <= 16


def test_the_next_picture_of_a_match_equals_one_painted_afresh():
    match = Painter()
    figures = hex_diagram().figures
    for step in range(len(figures)):
        diagram = hex_diagram(
            figures=(*figures[:step], figures[step]._replace(site="c4"), *figures[step + 1 :]),
            marks=(Mark("moved", (figures[step].site, "c4")),),
            to_act="WB"[step % 2],
        )
        assert pixels(match.paint(diagram)) == pixels(Painter().paint(diagram))


def test_marks_that_go_one_by_one_leave_what_they_leave():
    match = Painter()
    places = ("c3", "c5", "b4", "a5", "e1")
    for left in range(32):
        diagram = hex_diagram(marks=(Mark("moved", tuple(site for i, site in enumerate(places) if left >> i & 1)),))
        assert pixels(match.paint(diagram)) == pixels(Painter().paint(diagram))


def test_a_picture_painted_a_moment_ago_is_given_again_as_it_was():
    painter = Painter()
    first = painter.paint(BUSY)
    painter.paint(hex_diagram())
    assert painter.paint(replace(BUSY, figures=tuple(BUSY.figures))) == first


class Failing:
    """A compressor that has no memory left when told so."""

    full = False

    def __init__(self):
        self._compressor = zlib.compressobj(1, zlib.DEFLATED, -15)
        self.flush = self._compressor.flush

    def compress(self, rows):
        if Failing.full:
            raise MemoryError
        return self._compressor.compress(rows)


def test_after_a_picture_that_could_not_be_painted_the_next_one_is_right():
    painter = Painter(Codec(dict.fromkeys(STDLIB.compressors, Failing), zlib.crc32, zlib.adler32))
    moved = hex_diagram(figures=(*hex_diagram().figures[1:], hex_diagram().figures[0]._replace(site="c4")))
    painter.paint(hex_diagram())
    Failing.full = True
    with pytest.raises(MemoryError):
        painter.paint(moved)
    Failing.full = False
    assert pixels(painter.paint(moved)) == pixels(Painter().paint(moved))
    assert pixels(painter.paint(BUSY)) == pixels(Painter().paint(BUSY))


def test_nothing_is_deflated_but_what_is_shown():
    deflated = []

    def counted(use):
        def begin():
            compressor = zlib.compressobj(6, zlib.DEFLATED, -15)
            return SimpleNamespace(
                compress=lambda rows: deflated.append(use) or compressor.compress(rows), flush=compressor.flush
            )

        return begin

    painter = Painter(Codec({use: counted(use) for use in STDLIB.compressors}, zlib.crc32, zlib.adler32))
    first, *others = BUSY.figures
    later = replace(BUSY, figures=(first._replace(site="c4"), *others), marks=(), links=BUSY.links[:1])
    arrow = Link("e1", "c4", style="arrow")
    painter.paint(replace(BUSY, marks=()))
    deflated.clear()
    painter.paint(replace(later, marks=(Mark("moved", (first.site,)),), links=(*later.links, arrow)))
    assert set(deflated) == {"quick"}
    deflated.clear()
    painter.prepare()
    assert not deflated
    painter.paint(later)
    assert set(deflated) == {"quick"}
    deflated.clear()
    painter.polish()
    assert set(deflated) == {"polished"}


def test_the_mark_of_a_move_is_drawn_for_every_place_before_a_turn_needs_it_there(monkeypatch):
    drawn, painter, sites = [], Painter(), list(BUSY.board.outlines)
    for number in range(len(sites)):
        painter.paint(replace(BUSY, title=Term(f"Match {number}")))
        painter.prepare()
    below = marks.below
    monkeypatch.setattr(marks, "below", lambda *args, **how: drawn.append(args) or below(*args, **how))
    painter.paint(replace(BUSY, marks=(Mark("moved", tuple(sites)),)))
    assert not drawn


def test_polishing_makes_what_lasts_smaller_and_changes_no_pixel():
    polished, rough, moved = Painter(), Painter(), list(hex_diagram().figures)
    for i, site in enumerate(("c4", "a3", "e3", "b3", "d3")):
        moved[i] = moved[i]._replace(site=site)
        diagram = hex_diagram(figures=tuple(moved), marks=())
        here, there = polished.paint(diagram), rough.paint(diagram)
        assert pixels(here) == decode(here) == pixels(there)
        polished.polish()
    assert len(here) < len(there)


def test_what_is_painted_in_another_order_is_painted_anew():
    painter, drawn = Painter(), midgame("chirality")
    here, there = (drawn.figures[0]._replace(site=site, kind="Thick") for site in ("A1", "B1"))
    diagram, other = (replace(drawn, figures=pair) for pair in ((here, there), (there, here)))
    assert Painter().paint(diagram) != Painter().paint(other), "they do not overlap"
    for one in (diagram, other, diagram):
        assert pixels(painter.paint(one)) == pixels(Painter().paint(one))


def test_every_sort_of_mark_and_link_changes_the_picture_in_its_own_way():
    plain = hex_diagram(marks=())
    seen = {paint(plain)}
    for kind in ("moved", "culprit", "blocker", "reach", "zone"):
        seen.add(paint(hex_diagram(marks=(Mark(kind, ("c4",)),))))
    for style in ("string", "arrow", "dash"):
        seen.add(paint(replace(plain, links=(Link("c3", "d4", "W", style=style),))))
    seen.add(paint(replace(plain, figures=(*plain.figures, Figure("c4", "W", "F", Term("Flat"), ghost=True)))))
    seen.add(paint(replace(plain, to_act=None)))
    assert len(seen) == 11


def test_where_only_words_differ_two_pictures_share_their_background_and_nothing_else():
    tall = replace(
        grid_diagram(),
        turned=90.0,
        names={"wh": Term("White"), "bl": Term("Blue")},
        colours={"wh": "white", "bl": "blue"},
    )
    trays = tuple(Tray("wh", Term(f"tray {i}"), (("S", Term("Star"), 2),) * 9) for i in range(4))
    diagrams = [replace(tall, trays=trays[:i], notes=(Text("A note."),) * i) for i in range(5)]
    painter = Painter()
    painted = [pixels(painter.paint(diagram)) for diagram in diagrams]
    assert painted == [pixels(Painter().paint(diagram)) for diagram in diagrams]
    assert len({painter.paint(diagram) for diagram in diagrams}) == 5


def test_more_or_fewer_lines_below_a_board_leave_no_trace_on_it():
    painter = Painter()
    for lines in (1, 4, 0, 2):
        diagram = replace(grid_diagram(), notes=(Text("A note that is long enough to fill most of a line."),) * lines)
        assert pixels(painter.paint(diagram)) == pixels(Painter().paint(diagram))


def test_a_name_is_painted_as_it_is_told_now():
    painter, diagram = Painter(), hex_diagram()
    painter.paint(diagram)
    renamed = replace(diagram, names={"W": Term("Anna"), "B": Term("Ben")})
    assert pixels(painter.paint(renamed)) == pixels(Painter().paint(renamed))


def loud(words: Text | Term) -> str:
    return str(words).upper()


def backwards(words: Text | Term) -> str:
    return str(words)[::-1]


def test_two_languages_never_share_a_picture():
    painter, views = Painter(), (View(), View(say=loud), View(say=backwards))
    # Players' own names are the same in every language.
    named = replace(BUSY, names={"W": Term("ANNA"), "B": Term("OTTO")})
    afresh = [Painter().paint(diagram, view) for diagram in (BUSY, named) for view in views]
    assert len(set(afresh)) == 6
    for _ in range(2):
        painted = [painter.paint(diagram, view) for diagram in (BUSY, named) for view in views]
        assert [*map(pixels, painted)] == [*map(pixels, afresh)]


def test_all_words_on_a_picture_are_in_the_language_of_its_reader():
    heard: list[str] = []

    def say(words: Text | Term) -> str:
        heard.append(str(words))
        return "x"

    told = replace(BUSY, throws=(*BUSY.throws, Throw("die", ("2",))))
    items = display_list(told, *laid_out(told, say))
    title, *others = [item for item in items if isinstance(item, TitleItem | WordItem)]
    assert title == TitleItem("x")
    assert {other.word.text for other in others if other.word.sort in ("name", "label")} == {"x", "–"}
    assert {other.word.text for other in others if other.word.sort == "note"} == {"x", "x · x · x"}
    assert [other.said for other in others if other.said] == ["x"]
    assert set(heard) == {
        *("Tokonoma", "to move", "wins", "White", "Black", "reserve", "throw", "2 passes.", "Shima."),
        str(BUSY.notes[2]),
    }


def test_a_long_word_for_to_move_pushes_trays_aside():
    plain, wide = laid_out(BUSY)[2], laid_out(BUSY, lambda words: str(words).replace("to move", "is to make a move"))[2]
    tray, further = ([word.x for word in flows[-2].words if word.sort == "label"] for flows in (plain, wide))
    assert further > tray


def test_threads_may_share_a_painter():
    painter, diagrams = Painter(), [hex_diagram(to_act=side) for side in ("W", "B", None)] * 4
    with ThreadPoolExecutor(4) as pool:
        painted = list(pool.map(painter.paint, diagrams))
    assert [*map(pixels, painted)] == [pixels(Painter().paint(diagram)) for diagram in diagrams[:3]] * 4


@pytest.mark.parametrize("codec", [STDLIB, FASTEST], ids=["Python's zlib", "the quickest"])
def test_in_a_hurry_and_by_whatever_library_the_pixels_are_the_same(codec):
    usual, painter = Painter(), Painter(codec)
    for diagram in (BUSY, hex_diagram(), replace(BUSY, to_act=None)):
        data = painter.paint(diagram, hurried=True)
        assert pixels(data) == decode(data) == pixels(usual.paint(diagram))
    painter.forget()
    assert pixels(painter.paint(BUSY)) == pixels(usual.paint(BUSY))
