"""What people type on a phone, read as a turn: talk around it, places pulled apart, a piece by another name."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any

from engine.board import Board, Site
from engine.diagram import Figure
from engine.game import AnyGame, NotationError, Turn
from engine.teaching.entries import Entry, found, names, plain
from engine.text import Listing, Text

ONE_LEFT = Text("That does not say everything.")
SEVERAL = Text("That can be read in several ways.")
MOST_READINGS = 8
"""Readings in one question."""
LONGEST = 120
"""Characters that are looked at again; whoever writes more is talking."""

_TALK = (
    "i i'll ill i'd i'm im me my mine own the this that it is",
    "ok okay so well now please pls plz thanks thx ty gg hmm um uh yes then and just",
    "want wanna gonna like will let would square tile field space point piece",
    "move moves moving play plays go goes going make makes run runs advance advances jump jumps hop hops",
    "step steps walk walks march marches travels lunges",
    "from to on onto into at in over towards toward with using up down forward forwards ahead straight across",
)
TALK = frozenset(word for words in _TALK for word in words.split())
"""Words that say nothing about which turn is meant."""
DASHES = str.maketrans(
    {"‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "…": " ", "“": "", "”": "", "„": ""}
)
QUOTES = str.maketrans({"‘": "'", "’": "'", '"': "", "`": "", "*": "*", "\u00a0": " ", "\u202f": " "})
APART = re.compile(r"(?<![A-Za-z])([A-Za-z$]{0,2}[A-Za-z])\s+(\d{1,2})(?![0-9])")
ARROWS = re.compile(r"\s*(?:-+>|=>|→|⇒|➔|➜|➝|➡️?|»|>)\s*")
NUMBER = re.compile(r"^\d+\s*\.+\s*(?=\D)")
"""Of a turn in a record."""
FACES = re.compile("[:;]-?[)(DP](?!\\w)|[\u2600-\u2793\U0001f000-\U0001faff\ufe0f\u200d]")
BETWEEN = re.compile(r"(?<=\d)\s*[/_;:+.]\s*(?=[A-Za-z$])")
"""Signs between two places that no notation has there."""
TOWARD = re.compile(r"(?<=\d)\s+(?:to|onto|into)\s+(?=[A-Za-z]{1,2}\d)", re.IGNORECASE)
PLACED = re.compile(
    r"^(?:(?:add|new|bring|drop|deploy|enter|put|place)\s+(?:an?\s+|one\s+|new\s+)?|[+@]\s*)(?=[A-Za-z])", re.I
)
PASSED = re.compile(r"^(?:pass|skip)(?: turn)?$", re.IGNORECASE)
TAKEN = re.compile(r"^(?:i |i'll )?take (?:my|the) (?=.+ to )", re.IGNORECASE)
"""Into one's hand: "take my arm to c5"."""


def understood(game: AnyGame, text: str, position: Any, *, refusing: bool = False) -> Turn:
    """The turn that somebody means. Raises NotationError where there is none, or several.

    `refusing`: untenable turns are refused at once, so a piece or a place alone means the one tenable turn it has, and
    of several readings those alone count that hold.
    """
    try:
        return _read(game, text, position, refusing=refusing)
    except NotationError as error:
        if len(error.readings) < 2 or not refusing:  # a single one is another spelling, and is asked about
            raise
        read = [game.read(reading, position) for reading in error.readings]
        turns = [turn for turn in read if game.tenable(position, turn)]
        if len(turns) < 2:  # where none holds there is nothing to choose from: why the first does not is told
            return (turns or read)[0]
        raise _several(game, turns, position) if len(turns) < len(read) else error from None


def _read(game: AnyGame, text: str, position: Any, *, refusing: bool) -> Turn:
    """What the game reads, or else the one turn that other spellings of the text can be read as."""
    try:
        return game.read(text, position)
    except NotationError as error:
        if error.readings or len(text) > LONGEST:
            raise
        return _meant(game, text, position, error, refusing=refusing)


def loosened(game: AnyGame, text: str) -> Iterator[str]:
    """The same words in the spellings that a game may read, the nearest first."""
    smooth = ARROWS.sub(" to ", text.translate(DASHES).translate(QUOTES))
    smooth = NUMBER.sub("", FACES.sub(" ", smooth).strip())
    smooth = smooth.strip("() ") if smooth.startswith("(") else smooth
    smooth = APART.sub(r"\1\2", smooth).rstrip(".!,; ")
    smooth = TOWARD.sub("-", BETWEEN.sub(" ", TAKEN.sub("", smooth)))
    bare = " ".join(word for word in smooth.split() if word.strip(".,:!;").lower() not in TALK)
    bare = PASSED.sub("pass", bare)
    called = _called_so(game, bare)
    tight = re.sub(r"\s*([*@~])\s*", r"\1", bare)
    placed = PLACED.sub("place ", called)
    spellings = (smooth, bare, tight, _pairs(bare), called, _pairs(called), bare.lower(), called.lower(), placed)
    yield from dict.fromkeys(spelling for spelling in spellings if spelling and spelling != text)


def _meant(game: AnyGame, text: str, position: Any, first: NotationError, *, refusing: bool) -> Turn:
    """The one turn that the other spellings can be read as."""
    turns: list[Turn] = []
    said = [*loosened(game, text)]
    for spelling in (*said, *(f"place {spelling}" for spelling in (text, *said))):
        if turns and spelling not in said:  # what stands on no board may come onto it, where nothing else is meant
            break
        try:
            turn = game.read(spelling, position)
        except NotationError as error:
            if error.readings and not turns:
                raise
            continue
        if turn not in turns:
            turns.append(turn)
    if len(turns) == 1:
        return turns[0]
    if turns:
        raise _several(game, turns, position)
    alone = _alone(game, text, position, refusing=refusing)
    if alone is None:
        raise first
    return alone


def _alone(game: AnyGame, text: str, position: Any, *, refusing: bool) -> Turn | None:
    """A place or a piece alone: a question, or the only turn that a place can mean where that is no secret.

    None where it is neither.
    """
    said = text, *loosened(game, text)
    sites = _sites(game.board(position))
    site = next((sites[place] for word in said if (place := word.strip().lower()) in sites), "")
    pieces = _pieces(game.key, game)
    entry = next(chain.from_iterable(found(pieces, word) for word in said), None)
    if not site and entry is None:
        return None
    called = {plain(name) for name in names(entry)} if entry else set()
    side = game.to_act(position)
    own = [figure for figure in game.draw(position, side).figures if figure.side == side and not figure.ghost]
    meant = [f for f in own if f.site == site] if site else [f for f in own if plain(f.name) in called]
    if not site and not meant:
        return None
    turns = _leading(game, position, site, meant) if refusing else []
    if site and len(turns) == 1:
        return turns[0]
    if turns:
        raise _several(game, turns, position)
    raise NotationError(_question(site, meant), Text("Write `{example}`, for example.", example=game.example(position)))


def _leading(game: AnyGame, position: Any, site: str, meant: list[Figure]) -> list[Turn]:
    """The tenable turns of those pieces, or to that place; none where there are too many to ask about."""
    origins = {figure.site for figure in meant}
    turns: list[Turn] = []
    for turn in game.turns(position):
        if not turn or not (turn[0].origin in origins if origins else site in game.ends(turn, position)):
            continue
        turns.append(turn)
        if len(turns) > MOST_READINGS:
            return []
    return turns


def _question(site: str, meant: list[Figure]) -> Text:
    if site and not meant:
        return Text("Who is to go to {place}?", place=site)
    places = Listing(tuple(figure.site for figure in meant), "or")
    if len(meant) == 1:
        return Text("Where is the {piece} on {place} to go?", piece=meant[0].name, place=meant[0].site)
    return Text("Which {piece} is to go, that on {places}, and where?", piece=meant[0].name, places=places)


def _several(game: AnyGame, turns: list[Turn], position: Any) -> NotationError:
    readings = tuple(game.write(turn, position) for turn in turns)
    fact = ONE_LEFT if len(readings) == 1 else SEVERAL
    return NotationError(fact, Text("Write `{example}`, for example.", example=readings[0]), readings=readings)


def _pairs(text: str) -> str:
    """`c7 c5` as `c7-c5`, for games that want a sign between."""
    return re.sub(r"(?<=\d)\s*[-, ]\s*(?=[A-Za-z]{1,2}\d)", "-", text)


def _called_so(game: AnyGame, text: str) -> str:
    """The text with pieces by the names that the rulebook has for them."""
    any_name, known = _other_names(game.key, game)
    return any_name.sub(lambda hit: known[hit[0].lower()], text) if known else text


@lru_cache(maxsize=64)
def _sites(board: Board) -> dict[str, Site]:
    """Every place by its name, however that is typed; of two with one name the first."""
    return {site.lower(): site for site in reversed([*board.outlines])}


@lru_cache(maxsize=64)
def _pieces(key: str, game: AnyGame) -> tuple[Entry, ...]:
    """Pieces as they are called; what is said about them is no name here."""
    return tuple(replace(entry, about=()) for entry in game.entries if entry.subject == "pieces")


@lru_cache(maxsize=64)
def _other_names(key: str, game: AnyGame) -> tuple[re.Pattern[str], dict[str, str]]:
    """Other name -> the rulebook's, the longest first, and what finds any; single letters are notation."""
    known = {
        word.lower(): entry.name.lower().removeprefix("the ")
        for entry in game.entries
        if entry.subject == "pieces"
        for word in entry.words
        if len(word) > 1
    }
    longest = sorted(known, key=len, reverse=True)
    any_name = r"(?<![^\W_])(" + "|".join(map(re.escape, longest)) + r")(?![^\W_])"
    return re.compile(any_name, re.IGNORECASE), known
