"""Which turns, terms, values and reasons begin like what is typed: in a line and in a form alike."""

from collections.abc import Sequence
from itertools import islice

from bot.commands.community import VALUES
from engine.game import AnyGame
from engine.games import GAMES
from engine.match.calls import reasons
from engine.match.commands import Player
from engine.match.state import Match
from engine.match.terms import sheet

MOST = 25
"""Suggestions at once: Discord shows no more."""
MORE = "more"
"""The last suggestion where there are too many; choosing or typing it shows the others."""
MOST_TURNS = 400
"""Turns looked at for suggestions; nobody who is typing waits for thousands."""


def tenable(match: Match | None, accounts: tuple[Player, ...], start: str) -> list[str]:
    """Returns turns that begin like this, where untenable ones are refused anyway; others' turns may hold secrets."""
    if match is None or match.status != "running" or match.calling or match.game.asks(match.position):
        return []
    game, position = match.game, match.position
    if match.seats[game.to_act(position)] not in accounts:
        return []
    texts = (game.write(turn, position) for turn in islice(game.turns(position), MOST_TURNS))
    return list(islice((text for text in texts if text.lower().startswith(start.lower())), MOST))


def terms(game: AnyGame, typed: str) -> list[str]:
    """Returns what was typed with its last term completed; terms named already are left out.

    Too many to choose from are asked for one after the other: first which term, then its value. Where even the terms
    are too many, `MORE` stands for the rest of them.
    """
    last = typed.rpartition(" ")[2].lower()
    stem = typed[: len(typed) - len(last)]
    named = {word.partition("=")[0].lower() for word in stem.split()}
    options = [option for option in sheet(game) if option.key not in named and option.key != "start"]
    all_ = [f"{option.key}={value}" for option in options for value in option.values or (option.default,)]
    usual = [f"{option.key}={option.default}" for option in options]
    if last == MORE:
        return [stem + term for term in usual[MOST - 1 :]]
    hits = [[term for term in some if term.startswith(last)] for some in (all_, usual)]
    found = hits[len(hits[0]) > MOST]
    return [stem + term for term in (found if len(found) <= MOST else [*found[: MOST - 1], MORE])]


def values(what: str, typed: str) -> list[str]:
    """Returns what was typed of a setting's value, completed; terms without a game, by those that all games have."""
    words = typed.lower().split(" ")
    firsts = [value for value in VALUES.get(what, ()) if value.startswith(words[0])] if len(words) == 1 else []
    if what != "terms":
        return firsts
    games = [GAMES[words[0]]] if words[0] in GAMES else list(GAMES.values())
    each = [terms(game, typed) for game in games]
    return firsts + [term for term in each[0] if all(term in others for others in each)]


def nameable(command: str, match: Match | None, accounts: tuple[Player, ...]) -> tuple[tuple[str, ...], ...]:
    """Returns all that a call or a late call can name, whatever was played, in groups."""
    if match is None:
        return ()
    if command == "call" and match.status == "running" and match.calling:
        return reasons(match)
    if command == "late" and set(accounts) & set(match.parties):
        return (tuple(str(ply.number) for ply in match.plies if ply.kind == "turn" and ply.by not in accounts),)
    return ()


def condensed(groups: Sequence[Sequence[str]], start: str, most: int) -> list[str]:
    """Returns the words that begin like this, or, where there are too many, beginnings that lead to each of them.

    Groups that come first are told more fully. The last of several is told only once something is typed.
    """
    found = [begun(group, start) for group in (groups if start else groups[:3])]
    shown = [_stems(hits, len(start) + 1) for hits in found]
    for at, hits in enumerate(found):
        for size in range(len(start) + 2, max(map(len, hits), default=0) + 1):
            finer = _stems(hits, size)
            if sum(map(len, shown)) - len(shown[at]) + len(finer) <= most:
                shown[at] = finer
    return list(dict.fromkeys(word for stems in shown for word in stems))[:most]


def begun(words: Sequence[str], start: str) -> list[str]:
    return [word for word in words if word.lower().startswith(start.lower())]


def _stems(words: Sequence[str], size: int) -> list[str]:
    """Returns what words have in common that share their first letters, the whole word where it is the only one."""
    shared: dict[str, list[str]] = {}
    for word in words:
        shared.setdefault(word[:size], []).append(word)
    return [_common(min(alike), max(alike)) for alike in shared.values()]


def _common(first: str, last: str) -> str:
    apart = (at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    return first[: next(apart, len(first))]
