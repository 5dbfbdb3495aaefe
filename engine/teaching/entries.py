"""What a game tells those who learn it, as data: its words, each with a scene, and how turns are written."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, TypeAlias

from engine.board import Site
from engine.teaching.lessons import Lesson
from engine.text import Term, Text

Subject: TypeAlias = Literal["pieces", "play", "devices", "ends", "around"]
"""What an entry is about, in the order in which entries are listed."""

PLACE = "?"
"""Stands in a scene's `way` for each place of the board in turn."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A position in which somebody may go somewhere: how far is drawn by what the judge lets pass. Or a turn."""

    position: str = ""
    """"" = the start."""
    way: str = ""
    """The notation of what is tried, with `PLACE` for where to: `c7?`, `*?`. Without it the turn that is shown:
    one that breaks a rule as it is called out. "" = the position alone."""
    site: Site = ""
    """Where the piece stands; "" = it comes from beside the board, or from anywhere."""
    before: tuple[str, ...] = ()
    """Turns that lead from the position to the one that is shown."""
    options: tuple[tuple[str, str], ...] = ()
    """Of the game, where it is at the start."""
    labels: bool = False
    """Whether all places show their names."""
    around: Site = ""
    """Of a board with many places: those round this one alone are drawn, larger and with their names."""
    title: str = ""
    """What it shows, where no entry says so; in the language of the documents."""

    @property
    def reaches(self) -> bool:
        """Whether it shows how far somebody may go."""
        return PLACE in self.way


@dataclass(frozen=True, slots=True)
class Noted:
    """A turn of a match that is looked at from outside."""

    turn: str
    says: str = ""
    """In the language of the documents."""
    drawn: bool = False
    """Whether the board after it is shown."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of the rulebook and what it means, in our own words."""

    subject: Subject
    name: Term
    says: tuple[Text, ...]
    """One to three sentences."""
    words: tuple[str, ...] = ()
    """Other names of it, in small letters."""
    scene: Scene | None = None
    section: str = ""
    """How the references begin of the rules that a turn breaks here; "" = there are none."""
    about: tuple[str, ...] = ()
    """Words that it explains and that are no names of it: nobody means the piece by them in a turn."""


@dataclass(frozen=True, slots=True)
class Writing:
    """A way to write a turn."""

    text: str
    """An example."""
    means: Text
    position: str = ""
    """Where the example can be read; "" = at the start."""


def listed(words: str) -> tuple[str, ...]:
    """Words that are written one after the other, between commas."""
    return tuple(words.split(", "))


class Taught:
    """The part of a game that teaches it."""

    goal: ClassVar[tuple[Text, ...]] = ()
    """How one wins, in a sentence or two."""
    writings: ClassVar[tuple[Writing, ...]] = ()
    """How turns are written, the usual first."""
    entries: ClassVar[tuple[Entry, ...]] = ()
    """Every piece, concept, device and ending of the rulebook, subject by subject."""
    lessons: ClassVar[tuple[Lesson, ...]] = ()
    """The course, from the first move on."""
    scenes: ClassVar[Mapping[str, Scene]] = {}
    """What else the page of the rules shows, by name: boards, turns that were called out."""
    sample: ClassVar[tuple[Noted, ...]] = ()
    """A whole match with notes."""
    sample_terms: ClassVar[tuple[tuple[str, str], ...]] = ()
    """On which terms it was begun, where these are not the usual ones."""


def found(entries: Iterable[Entry], words: str) -> tuple[Entry, ...]:
    """The entries that a person means by these words: those called so, else those whose names begin or hold them, else
    those called so in another form: "lunging", "hour glass"."""
    wanted = plain(words)
    if not wanted:
        return ()
    known = [(entry, names(entry)) for entry in entries]
    exact = tuple(entry for entry, called in known if wanted in called)
    begun = len(wanted) > 1 and tuple(entry for entry, called in known if f" {wanted}" in _listed(called))
    return exact or begun or tuple(entry for entry, called in known if _root(wanted) in map(_root, called))


def mentioned(entries: Iterable[Entry], words: str) -> tuple[Entry, ...]:
    """The entries whose names stand within these words, of names within names the longest: "Hirakamae stance"."""
    said = f" {plain(words)} "
    known = [(entry, name) for entry in entries for name in names(entry) if len(name) > 2 and f" {name} " in said]
    within = {name for _, name in known for _, other in known if name != other and f" {name} " in f" {other} "}
    return tuple(dict.fromkeys(entry for entry, name in known if name not in within))


def names(entry: Entry) -> tuple[str, ...]:
    """Everything an entry is called, as `plain` leaves it."""
    return _names(entry.name, *entry.words, *entry.about)


@lru_cache(1 << 11)
def _names(*called: str) -> tuple[str, ...]:
    return tuple(plain(name) for name in called)


@lru_cache(1 << 11)
def _listed(called: tuple[str, ...]) -> str:
    """One name after the other, each with a space before it."""
    return "\n".join(f" {name}" for name in called)


def plain(words: str) -> str:
    """Words without what does not tell them from others: capitals, articles, marks, a plural's end."""
    kept = "".join(sign if sign.isalnum() else " " for sign in words.lower().replace("'s", "").replace("’s", ""))
    said = [word for word in kept.split() if word not in ("the", "a", "an")] or kept.split()
    return " ".join(_single(word) for word in said) or words.strip()  # a sign alone: "$"


def _single(word: str) -> str:
    if word.endswith("lves"):  # selves, halves; but moves
        return f"{word[:-3]}f"
    if word.endswith(("ies", "ied")) and len(word) > 4:  # armies, parried
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


@lru_cache(1 << 11)
def _root(name: str) -> str:
    """What forms of the same words have in common, written apart or as one: a deed, and whoever does it."""
    return "".join(_TWICE.sub(r"\1", _ENDING.sub("", _ENDING.sub("", word))) for word in name.split())


_ENDING = re.compile(r"(?<=...)(?:ation|ment|ing|ed|e)$")
_TWICE = re.compile(r"(.)\1$")
