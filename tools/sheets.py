"""Sheets of a game's pictures as wide as a phone, each in three themes side by side, to be looked at.

`python -m tools.sheets GAME [FOLDER]` draws the scenes of its rules and whatever else a picture of it can hold: found
in random matches, in what would be called out there, and in what `board legal` shows.
"""

import io
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image

from bot.messages.showing.pictures import Seated, diagram, picture
from engine.diagram import Diagram, Mark
from engine.dice import Dice
from engine.game import AnyGame
from engine.games import GAMES
from engine.teaching.scenes import scenes
from render.painter import Painter
from render.scene import pictured
from render.theme import THEMES
from render.view import View

WIDE, GAP, HIGH = 390, 8, 1300
"""Pixels of a phone's width, between pictures, and the height from which on a sheet is full."""
MATCHES, PLIES, TRIED, MOST_PICKS = 4, 150, 40, 8
"""Random matches and their length; turns of each position that are judged in search of untenable ones, and of how many
picks these are made up."""
NAMES = ("Maximiliane-Theodora von Hohenstein", "黒川健太郎", "Clara", "Dora", "Emil")


def main(key: str, folder: str = "out/sheets") -> None:
    """Write the sheets of a game."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    painter, sheets = Painter(), 0
    names: list[str] = []
    rows: list[list[Image.Image]] = []
    for name, shown in (*pictures(GAMES[key]), ("", None)):
        if shown is None or sum(row[0].height for row in rows) > HIGH:
            path = Path(folder) / f"{key}-{(sheets := sheets + 1)}.png"
            _sheet(rows).save(path)
            print(f"{path}: {', '.join(names)}")
            names, rows = [], []
        if shown is not None:
            names.append(name)
            rows.append([_as_wide_as_a_phone(painter.paint(shown, View(theme))) for theme in THEMES])


def pictures(game: AnyGame, matches: int = MATCHES) -> Iterator[tuple[str, Diagram]]:
    """The scenes of the rules, and each position after a turn that holds something not seen before, with its name."""
    seen: set[tuple[object, ...]] = set()
    for name, scene in scenes(game).items():
        shown = pictured(game, scene)
        seen |= held(shown)
        yield name, shown
    for seed in range(matches):
        for name, shown in _of_match(game, seed):
            if not held(shown) <= seen:
                seen |= held(shown)
                yield name, shown


def held(shown: Diagram) -> set[tuple[object, ...]]:
    """What a picture holds: kinds of pieces, marks, lines, throws, trays, notes; who has won, who looks on."""
    return {
        *(("figure", one.kind, one.ghost, bool(one.badge), len(one.under)) for one in shown.figures),
        *(("mark", mark.kind, mark.side, mark.name) for mark in shown.marks),
        *(("link", link.style, link.name) for link in shown.links),
        *(("throw", throw.kind) for throw in shown.throws),
        *(("tray", tray.label, bool(tray.pieces)) for tray in shown.trays),
        *(("note", note.template) for note in shown.notes),
        ("side", shown.near, len(shown.winners), len(shown.names)),
    }


def _of_match(game: AnyGame, seed: int) -> Iterator[tuple[str, Diagram]]:
    """Each position of a random match, what `board legal` shows there, and a turn that would be called out."""
    chosen, dice = random.Random(seed), Dice(bytes([seed]) * 32)  # noqa: S311 (positions to look at, no secret)
    position: Any = game.setup({}, dice)
    viewers = (None, *game.names)
    for ply in range(PLIES):
        turns = list(game.turns(position))
        if game.outcome(position, 1) is not None or not turns:
            return
        turn = game.roll(position, chosen.choice(turns), dice)
        after = game.play(position, turn)
        ended = game.outcome(after, 1)
        players = tuple(zip(game.names, NAMES, strict=False))
        seated = Seated((), players, ended is not None, tuple(ended.winners) if ended else ())
        text, viewer = game.write(turn, position), viewers[ply % len(viewers)]
        yield f"turn {text}", diagram(picture(game, position, viewer, turn=text, seated=seated))
        start = next((pick for pick in game.picks(turn, position) if pick in game.board(position).outlines), "")
        for piece in ("", start):
            yield f"legal {piece}", diagram(picture(game, position, viewer, labels=f"legal {piece}", seated=seated))
        for tried in filter(None, (described(game, position, chosen) for _ in range(TRIED))):
            if marks := fault(game, position, tried):
                yield f"fault {game.write(tried, position)}", diagram(picture(game, position, viewer, marks=marks))
        position = after


def described(game: AnyGame, position: Any, chosen: random.Random) -> Any:
    """A turn picked at random from all that can be described, tenable or not; None where picks lead nowhere."""
    picks: tuple[str, ...] = ()
    for _ in range(MOST_PICKS):
        menu = game.menu(position, picks)
        if menu.complete:
            return game.read(menu.text, position)
        offered = (*menu.sites, *(choice.key for choice in menu.choices))
        if not offered:
            return None
        picks = (*picks, chosen.choice(offered))
    return None


def fault(game: AnyGame, position: Any, turn: Any) -> tuple[Mark, ...]:
    """What a callout of a turn points at; nothing where the turn is tenable."""
    found = tuple(mark for ruling in game.judge(position, turn) for mark in ruling.marks)
    moved = (mark for mark in game.marks(turn, position) if mark.kind == "moved")
    return (*moved, *found) if found else ()


def _sheet(rows: list[list[Image.Image]]) -> Image.Image:
    """Pictures below one another, each in the three themes."""
    sheet = Image.new("RGB", (len(THEMES) * (WIDE + GAP), sum(row[0].height + GAP for row in rows)), "#888888")
    top = 0
    for row in rows:
        for number, image in enumerate(row):
            sheet.paste(image, (number * (WIDE + GAP), top))
        top += row[0].height + GAP
    return sheet


def _as_wide_as_a_phone(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png)).convert("RGB")
    return image.resize((WIDE, round(image.height * WIDE / image.width)), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main(*sys.argv[1:])
