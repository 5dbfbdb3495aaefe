"""From the description of a picture to what it shows: the one way that painter and alt text look at a position."""

from collections.abc import Container, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import dropwhile, islice
from typing import Any, NamedTuple

from bot.messages.catalogue import beside, language
from bot.messages.model import FORMER_NAME, FORMER_PLAYER, WORDS_REMOVED, OutgoingMessage, Picture
from engine.board import Side, Site
from engine.diagram import Diagram, Figure, Link, Mark
from engine.game import AnyGame, Turn
from engine.games import GAMES
from engine.match.state import Match, Ply, encoded
from engine.text import Term, Text
from engine.value import replace, value
from render.alt_text import describe
from render.charts.words import read_aloud
from render.course import plotted
from render.layout.close_up import close_up


def diagram(picture: Picture) -> Diagram:
    """What the picture's viewer may see."""
    return _drawn(_view(picture))


def alt(picture: Picture, code: str) -> str:
    """What the picture shows, in words of this language."""
    say = language(code).say
    if picture.sheet:
        return " ".join([alt(one, code) for one in picture.sheet])
    if picture.chart is not None:
        return beside([say(text) for text in read_aloud(picture.chart)])
    return beside([say(text) for text in _described(_view(picture))])


@value(frozen=True, slots=True)
class Seated:
    """What a picture of a match shows of its players."""

    tokens: tuple[tuple[Side, str], ...] = ()
    players: tuple[tuple[Side, str], ...] = ()
    over: bool = False
    winners: tuple[Side, ...] = ()


NOBODY = Seated()


def in_language(picture: Picture, code: str, theme: str = "") -> Picture:
    """The picture for readers of a language: its words are told in it, and so is what stands for whoever is erased.

    `theme`: its colours, where they are not settled yet.
    """
    theme, former = picture.theme or theme, language(code).say(FORMER_PLAYER)
    if former == FORMER_NAME:
        return replace(picture, theme=theme, language=code)
    chart = picture.chart
    if chart is not None:
        rows = tuple(tuple(former if cell == FORMER_NAME else cell for cell in row) for row in chart.rows)
        title = language(code).say(WORDS_REMOVED) if chart.title == WORDS_REMOVED else chart.title
        chart = replace(chart, rows=rows, title=title)
    players = tuple((side, former if name == FORMER_NAME else name) for side, name in picture.players)
    sheet = tuple(in_language(one, code) for one in picture.sheet)
    return replace(picture, theme=theme, language=code, chart=chart, players=players, sheet=sheet)


def put_into_words(message: OutgoingMessage) -> OutgoingMessage:
    """The message with its picture's words: they follow from what is stored, so they are made when it goes out."""
    shown = message.picture
    if shown is None or shown.alt:
        return message
    return replace(message, picture=replace(shown, alt=alt(shown, shown.language)))


def picture(
    game: AnyGame,
    position: Any,
    viewer: Side | None,
    *,
    text: str = "",
    turn: str = "",
    marks: tuple[Mark, ...] = (),
    seated: Seated = NOBODY,
    theme: str = "",
    labels: str = "none",
    around: Site = "",
    side: Side = "",
) -> Picture:
    """The description of a picture; `text` is the position's, from whoever has it already."""
    made = Picture(
        game.key,
        text or game.encode(position),
        viewer,
        turn,
        marks,
        seated.tokens,
        theme,
        over=seated.over,
        labels=labels,
        around=around,
        side=side,
        players=seated.players,
        winners=seated.winners,
    )
    return _kept(made, position)


def picture_of_turn(match: Match, ply: Ply, seated: Seated) -> Picture:
    """The description of what everybody may see of a turn just made in a match."""
    made = Picture(
        match.game.key,
        encoded(match),
        None,
        ply.text,
        tokens=seated.tokens,
        over=seated.over,
        players=seated.players,
        winners=seated.winners,
    )
    return _kept(made, ply.before, ply.turn, ply.after)


class _View(NamedTuple):
    """What a diagram follows from; equal descriptions lead to equal diagrams."""

    game: AnyGame
    position: str
    viewer: Side | None
    turn: str
    marks: tuple[Mark, ...]
    tokens: tuple[tuple[Side, str], ...]
    players: tuple[tuple[Side, str], ...]
    over: bool
    winners: tuple[Side, ...]
    labels: str
    course: tuple[int, ...]
    around: Site
    side: Side


def _view(of: Picture) -> _View:
    game, who = GAMES[of.game], (of.tokens, of.players, of.over, of.winners)
    return _View(game, of.position, of.viewer, of.turn, of.marks, *who, of.labels, of.course, of.around, of.side)


class _Read(NamedTuple):
    """What the texts of a description say, where somebody has read them already."""

    at: Any = None
    """The position; None = it is still to be decoded."""
    moves: Turn | None = None
    """The turn; None = it is still to be read."""
    after: Any = None
    """The position after the turn; None = it is still to be played."""


def _kept(made: Picture, at: Any, moves: Turn | None = None, after: Any = None) -> Picture:
    """The picture; whoever draws it finds the position at hand."""
    _AT_HAND[_view(made)] = _Read(at, moves, after)
    if len(_AT_HAND) > MOST_AT_HAND:
        with suppress(KeyError, RuntimeError):  # another thread was faster
            del _AT_HAND[next(iter(_AT_HAND))]
    return made


MOST_AT_HAND = 64
UNREAD = _Read()
_AT_HAND: dict[_View, _Read] = {}
"""Views with their positions, the oldest first."""


@lru_cache(maxsize=64)
def _described(view: _View) -> tuple[Text, ...]:
    """Remembered, since one picture goes to several places."""
    return describe(_drawn(view))


@lru_cache(maxsize=64)
def _drawn(view: _View) -> Diagram:
    """Remembered, since what is put into words is painted next."""
    game = view.game
    if view.course:
        return plotted(game, view.course)
    read = _AT_HAND.get(view, UNREAD)
    position = game.decode(view.position) if read.at is None else read.at
    if view.turn:
        turn = game.read(view.turn, position) if read.moves is None else read.moves
        drawn = game.draw_turn(position, turn, view.viewer, read.after)
    else:
        drawn = game.draw(position, view.viewer)
    if view.tokens:
        drawn = replace(drawn, figures=_staked(drawn.figures, game, dict(view.tokens)))
    if view.labels == "all":
        drawn = replace(drawn, labels=frozenset(drawn.board.outlines))
    elif view.labels.startswith("legal"):
        after = game.play(position, turn) if view.turn else position
        drawn = _reaching(drawn, game, after, view.labels.removeprefix("legal").strip())
    if view.over:
        drawn = replace(drawn, to_act=None, winners=frozenset(view.winners))
    if view.players:
        drawn = replace(drawn, players=view.players)
    if view.side:
        drawn = turned(drawn, game, position, view.side)
    drawn = drawn.marked(view.marks)
    return close_up(drawn, view.around) if view.around else drawn


def turned(drawn: Diagram, game: AnyGame, position: Any, side: Side) -> Diagram:
    """A board as it is seen from a side; what is on it stays what its viewer sees."""
    from_there = game.draw(position, side)
    return replace(drawn, turned=from_there.turned, near=from_there.near)


def _reaching(drawn: Diagram, game: AnyGame, position: Any, piece: Site) -> Diagram:
    """With dots where tenable turns end; of one piece alone, with a line to each of them."""
    if piece:
        ends = frozenset(_next_picks(drawn.board.outlines, game, position, piece))
    else:
        ends = frozenset(site for turn in game.turns(position) for site in game.ends(turn, position))
    sites = tuple(site for site in drawn.board.outlines if site in ends)
    lines = tuple(Link(piece, site, style="dash") for site in sites if piece and site != piece)
    marks = (Mark("reach", sites),) if sites else ()
    # Names at the rim, or on every place, are enough; else those that are marked have theirs.
    labels = drawn.labels if drawn.labels or drawn.board.legends else frozenset(sites)
    return replace(drawn, labels=labels, marks=marks, links=(*drawn.links, *lines))


def _next_picks(places: Container[Site], game: AnyGame, position: Any, piece: Site) -> Iterator[str]:
    """What is picked after a piece; what is picked before it is no place, but what is done with it."""
    for way in game.ways(position):
        picks = dropwhile(lambda pick: pick not in places, way)
        if next(picks, "") == piece:
            yield from islice(picks, 1)


def _staked(figures: tuple[Figure, ...], game: AnyGame, staked: dict[Side, str]) -> tuple[Figure, ...]:
    """The pieces, with its side's token on each that bears one."""
    return tuple(
        figure._replace(token=initials(staked[figure.side]), below=Term(f"({staked[figure.side]})"))
        if figure.kind == (game.bearer if figure.side else game.shared_bearer[0]) and figure.side in staked
        else figure
        for figure in figures
    )


def initials(token: str) -> str:
    """At most two letters that stand for a token where there is no room for its name."""
    words = [word for word in token.split() if word[0].isalnum()]
    return "".join(word[0].upper() for word in words[:2])
