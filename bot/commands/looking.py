"""What `look` tells of a place, a zone or a piece as a match stands: in a chat, and to whoever hears the page."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from bot.messages.catalogue import Language
from engine.board import Side, Site
from engine.dice import Dice
from engine.game import AnyGame, Move
from engine.match.state import Match
from engine.place_text import Striking
from engine.text import Listing, Phrase, Term, Text


def in_english(match: Match, asked: str, viewer: Side | None, language: Language) -> str:
    """What is asked for, by its English name where it is a zone or a piece by its name in the reader's language."""
    drawn = match.game.draw(match.position, viewer)
    names = (*drawn.board.zones, *(figure.name for figure in drawn.figures))
    known = {language.say(name).casefold(): str(name) for name in names if isinstance(name, Term | Phrase)}
    return known.get(asked.strip().casefold(), asked)


def looked_at(match: Match, asked: str, viewer: Side | None) -> tuple[Text, ...]:
    """What a side may know of what is asked for, and who can come there. Raises NotationError where it is nothing."""
    return (*match.game.look(match.position, asked[:40], viewer), *_who_comes(match, asked, viewer))


def _who_comes(match: Match, asked: str, viewer: Side | None) -> tuple[Text, ...]:
    """Who can come to a place, and where what stands there can go: now, and by the turns that follow, were nobody to
    move. Only where untenable turns are refused, so that it is no secret, and of sides that hide nothing."""
    game, position = match.game, match.position
    site = next((site for site in game.board(position).outlines if site.lower() == asked.strip().lower()), None)
    if match.calling or site is None or match.status != "running":
        return ()
    hits = game.hits(position, site) if isinstance(game, Striking) else {}
    told = [
        Text("{side} hits it from {places}.", side=game.names[side], places=Listing(places))
        for side, places in hits.items()
    ]
    heard = set[Side]()
    at = position
    while (side := game.to_act(at)) not in heard and game.outcome(at) is None and not game.asks(at):
        if side == viewer or _hides_nothing(match, side, viewer):
            told += _comes(match, at, site, LATER if heard else NOW)
        heard.add(side)
        at = game.pass_turn(at, Dice(bytes(32)))
    return tuple(told) or (Text("Nobody can come here next."),)


def _hides_nothing(match: Match, side: Side, viewer: Side | None) -> bool:
    """Whether a side sees no more of the position than somebody else: what it can do would tell it."""
    own, seen = (match.game.draw(match.position, one) for one in (side, viewer))
    return replace(own, turned=seen.turned, near=seen.near) == seen


def _comes(match: Match, position: Any, site: Site, told: Mapping[str, Text]) -> Iterator[Text]:
    """What the side to act can do with a place."""
    game = match.game
    trips = dict.fromkeys(trip for turn in game.turns(position) for trip in _trips(turn) if trip[0] != trip[1])
    named = {place: _named(game, place, position) for trip in trips for place in trip}
    origins = dict.fromkeys(named[origin] for origin, target in trips if named[target] == site)
    targets = dict.fromkeys(named[target] for origin, target in trips if named[origin] == site)
    side = game.to_act(position)
    for key, places in (("come", origins), ("go", targets)):
        if places:
            yield Text(told[key].template, side=game.names[side], places=Listing(tuple(places), "or"))
    figures = game.draw(position, None).figures
    if not targets and any(figure.site == site and figure.side == side and not figure.ghost for figure in figures):
        yield Text(told["stay"].template, side=game.names[side])


def _named(game: AnyGame, place: Site, position: Any) -> Site:
    """By the name that the board has for people."""
    (name,) = game.ends((Move("", target=place),), position)
    return name


def _trips(turn: tuple[Any, ...]) -> Iterator[tuple[Site, Site]]:
    """From where and to where a turn's moves take pieces; one that goes on comes from where it stood before."""
    stood: dict[Site, Site] = {}
    for move in turn:
        if move.origin and move.target:
            stood[move.target] = stood.pop(move.origin, move.origin)
            yield stood[move.target], move.target


NOW = {
    "come": Text("{side} can come here from {places}."),
    "go": Text("{side} can go from here to {places}."),
    "stay": Text("{side} can go nowhere from here."),
}
LATER = {
    "come": Text("{side} could come here next, from {places}."),
    "go": Text("{side} could go from here next, to {places}."),
    "stay": Text("{side} could go nowhere from here next."),
}
"""The same for a side that is not to move."""
