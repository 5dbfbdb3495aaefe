"""What somebody sees of a match on a board that stays: any position of it, and the turn they are composing."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from bot.commands.looking import looked_at
from bot.commands.person import lines
from bot.messages.catalogue import Language
from bot.messages.model import Choice, Person, Place, is_former
from bot.messages.serialization import channel_address, read_address
from bot.messages.showing.match_pictures import made, pointed, position_of, standing
from bot.messages.showing.pictures import diagram, turned
from bot.notices import note_key
from bot.readers import person_language
from bot.repository import Repository
from bot.service.acting import REMATCH, due_choices, further_choices, rematch
from engine.appraisal import Appraising
from engine.board import Side, Site
from engine.composition import Menu, Pick, Ways, previewed
from engine.diagram import Diagram
from engine.game import Ask, NotationError
from engine.match.commands import Player
from engine.match.record.course import Course, Step
from engine.match.state import Match, Ply
from engine.place_text import place_text
from engine.position_text import Unreadable
from engine.search.course import standings
from engine.text import Text


@dataclass(frozen=True, slots=True)
class Board:
    """A match as one person sees it."""

    match: Match
    viewer: Side | None
    players: dict[Side, Person]
    plies: tuple[Ply, ...]
    """The steps that can be looked at."""
    shown: int
    """How many of them have been made in the position shown."""
    diagram: Diagram
    picks: tuple[Pick, ...] = ()
    """Those that still fit."""
    menu: Menu | None = None
    """What may be picked next; None where there is no turn to compose."""
    ask: Ask | None = None
    """What is asked of the viewer in private: then it is the answer that is composed, and no turn."""
    due: tuple[Choice, ...] = ()
    """What else somebody waits for."""
    further: tuple[Choice, ...] = ()
    """What the viewer may do besides."""
    ways: Ways | None = None
    """Of each tenable turn, where all that is offered leads to one."""
    course: Course | None = None
    """Everything that has happened, turn by turn; None = nobody has asked."""
    note: str | None = None
    """What the viewer notes for themselves; None where nobody is known to look."""
    callout: Step | None = None
    """The turn whose callout is shown, instead of a step."""
    prepares: bool = False
    """Whether the viewer can prepare a line by playing it out."""
    line: tuple[str, ...] | None = None
    """The turns of the line that they prepare, those that still fit: what is shown stands behind them. None = none."""
    answers: bool = False
    """Whether the last turn of that line is somebody else's, so that it can be answered."""
    standings: Mapping[Side, tuple[int, ...]] = field(default_factory=dict)
    """Of a match that is over: how its sides stood at the start and after each step (`engine.search.course`)."""
    told: tuple[Text, ...] = ()
    """What `look` tells of the place that was asked for."""

    @property
    def leads(self) -> bool:
        """Whether all that the menu offers leads to a tenable turn: only where untenable ones are refused at once."""
        return self.ways is not None

    def after(self, pick: Pick) -> Menu:
        """What would be offered after one more pick of a turn."""
        return self.match.game.offer(self.match.position, (*self.picks, pick), self.ways)

    def gathers(self, picks: tuple[Pick, ...]) -> bool:
        """Whether the last of some picks of a turn does nothing but gather choices."""
        before = self.match.game.menu(self.match.position, picks[:-1]) if self.ask is None else None
        return before is not None and any(one.gathers and one.key == picks[-1] for one in before.choices)


@dataclass(frozen=True, slots=True)
class Glance:
    """What somebody wants to see of a match: as it stands, with a turn half composed; or a step; or a callout."""

    picks: Sequence[Pick] = ()
    shown: int | None = None
    """After so many steps."""
    called: int | None = None
    """What was shown when this step of the course was called out."""
    side: Side = ""
    """From whose side; "" = the viewer's."""
    line: Sequence[str] | None = None
    """The turns of a line that the viewer prepares, and then the picks are those of its next one."""
    heard: int | None = None
    """How many events are known of already; None = how the sides stood is not asked for."""
    site: Site = ""
    """The place that has the focus: what `look` tells of it is all that is asked for. "" = none."""


async def glanced(repository: Repository, who: Person, where: Place, glance: Glance) -> Board | None:
    """A match in a place where it lives, with its course and the viewer's note; None where there is none."""
    board = await _glanced(repository, who, where, glance)
    if board is None:
        return None
    if glance.site:
        return replace(board, told=await asyncio.to_thread(_told, board, glance.site))
    game, owner = board.match.game, (await repository.accounts(who.key))[0]
    note = await repository.setting(owner, note_key(board.match.id)) if who.id else None
    seen = turned(board.diagram, game, board.match.position, glance.side) if glance.side in game.sides else None
    return replace(board, note=note, diagram=seen or board.diagram)


def _told(board: Board, site: Site) -> tuple[Text, ...]:
    """Of the match as it stands all that `look` tells; of an earlier board, or one with a turn half composed, what is
    seen there."""
    match, ground = board.match, board.match.game.board(board.match.position)
    if site not in ground.outlines:
        return ()
    past = board.callout is not None or board.line is not None or board.shown < len(board.plies)
    if not past and not board.picks:
        return looked_at(match, site, board.viewer)
    seen = place_text(ground, board.diagram, site, board.viewer)
    return () if isinstance(seen, Unreadable) else seen


async def _glanced(repository: Repository, who: Person, where: Place, glance: Glance) -> Board | None:
    board = await board_of(repository, who, where, glance.picks, glance.shown, line=glance.line)
    if board is None:
        return None
    course = await repository.course(board.match)
    if glance.heard is not None and glance.heard < board.match.length:
        board = replace(board, standings=await asyncio.to_thread(_standings, board))
    number = len(course.steps) if glance.called is None else glance.called
    step = course.steps[number] if 0 <= number < len(course.steps) else None
    if step is None or step.callout is None:
        return replace(board, course=course)
    match, callout = board.match, step.callout
    names = {match.seats[side]: person for side, person in board.players.items()}
    marks = pointed(match.game, callout.part, callout.rulings)
    seen = position_of(match, names, callout.part.before, board.viewer, marks)
    past = Board(match, board.viewer, board.players, board.plies, -1, diagram(seen), course=course, callout=step)
    return replace(past, standings=board.standings)


def _standings(board: Board) -> Mapping[Side, tuple[int, ...]]:
    """Nothing while anything can still be called: what Riposte thinks of a position would say something of the turn."""
    match, game, plies = board.match, board.match.game, board.plies
    if match.status != "over" or not plies or not isinstance(game, Appraising):
        return {}
    return standings(
        game, [plies[0].before, *(ply.after for ply in plies)], [side for side in game.sides if side in match.seats]
    )


async def public_board(repository: Repository, number: str, glance: Glance, platform: str) -> Board | None:
    """What everybody may see of a match that lives in an open place of a platform; None where there is none."""
    match = await repository.match(number)
    places = (read_address(place) for place in match.places) if match is not None and not match.private else ()
    where = next((replace(place, thread=number) for place in places if place.platform == platform), None)
    return await glanced(repository, Person(platform, "", ""), where, glance) if where else None


@dataclass(frozen=True, slots=True)
class Reader:
    """How somebody likes to be shown things."""

    theme: str
    spoken: Language


async def reader_of(repository: Repository, player: Player, where: Place, told: str = "") -> Reader:
    """What somebody has chosen for themselves, or is usual where they are; `told`: the language of their app."""
    owner, room = (await repository.accounts(player))[0], channel_address(where)
    usual = await repository.setting(room, "server") or room
    theme = await repository.setting(owner, "theme") or "light"
    return Reader(theme, await person_language(repository, player, usual, told))


async def board_of(
    repository: Repository,
    who: Person,
    where: Place,
    picks: Sequence[Pick] = (),
    shown: int | None = None,
    *,
    line: Sequence[str] | None = None,
) -> Board | None:
    """A match in a place where it lives, after so many steps (None = as it stands); None where there is none."""
    match = await repository.match(where.thread)
    if match is None or match.position is None:
        return None
    if where.channel:
        return await board_for(repository, match, who.key, picks, shown, line=line) if _lives(match, where) else None
    if set(await repository.accounts(who.key)).isdisjoint(match.seats.values()):
        return None  # where somebody is alone they see their own matches, wherever these live
    board = await board_for(repository, match, who.key, picks, shown, line=line)
    again = () if any(map(is_former, match.seats.values())) else (Choice(REMATCH, f"rematch {match.id}"),)
    return replace(board, due=again) if match.status == "over" else board


def _lives(match: Match, where: Place) -> bool:
    return channel_address(where) in match.places


async def board_for(
    repository: Repository,
    match: Match,
    player: Player,
    picks: Sequence[Pick] = (),
    shown: int | None = None,
    *,
    line: Sequence[str] | None = None,
) -> Board:
    """A match as a player or spectator sees it, with what they have picked of their turn."""
    viewer = next((side for key in await repository.accounts(player) if (side := match.side_of(key)) is not None), None)
    players = {side: await repository.person(player) for side, player in match.seats.items()}
    plies = tuple(ply for ply in match.plies if ply.kind != "reply")
    if shown is not None and 0 <= shown < len(plies):
        return Board(match, viewer, players, plies, shown, _past(match, plies, shown, viewer))
    by = match.seats.get(viewer, "") if viewer else ""
    now = Board(
        *(match, viewer, players, plies, len(plies), _standing(match, viewer)),
        due=due_choices(match, by, viewer) or rematch(match, viewer, players),
        further=further_choices(match, by, viewer),
        prepares=isinstance(match.game, Appraising) and lines.prepares(match, viewer),
    )
    if now.prepares and line is not None:
        return _preparing(now, line, picks)
    ask = next((ask for ask in match.game.asks(match.position) if ask.side == viewer), None)
    if match.status == "running" and ask is not None:
        return _answering(now, ask, picks)
    return _composing(now, picks) if _is_due(match, viewer) else now


def _answering(now: Board, ask: Ask, picks: Sequence[Pick]) -> Board:
    match = now.match
    found = match.game.compose_answer(match.position, ask.side, ask.key, picks)
    drawn = previewed(now.diagram, found.menu.shifts)
    return replace(now, diagram=drawn, picks=found.picks, menu=found.menu, ask=ask)


def _composing(now: Board, picks: Sequence[Pick]) -> Board:
    match, game, position = now.match, now.match.game, now.match.position
    ways = None if match.calling else game.ways(position)
    found = game.compose(position, picks, now.viewer, ways)
    drawn = now.diagram
    if found.menu.shifts:  # what the turn before left to see would only be in the way
        drawn = previewed(diagram(position_of(match, {}, position, now.viewer)), found.menu.shifts)
    return replace(now, diagram=drawn, picks=found.picks, menu=found.menu, ways=ways)


def _preparing(now: Board, line: Sequence[str], picks: Sequence[Pick]) -> Board:
    """A line played out on what the viewer may see: notation alone is read, and nothing tells what is tenable."""
    match, game = now.match, now.match.game
    assert now.viewer is not None
    assert isinstance(game, Appraising), "whoever prepares sees what their side may see"
    position, fitting, answers = game.seen_by(match.position, now.viewer), list[str](), False
    with suppress(NotationError):
        for step, (by, after) in zip(line, lines.followed(match, position, line), strict=False):
            position, answers = after, by != now.viewer
            fitting.append(step)
    drawn = diagram(position_of(match, {}, position, now.viewer))
    now = replace(now, due=(), further=(), line=tuple(fitting), answers=answers, diagram=drawn)
    if game.asks(position) or game.outcome(position, 1) is not None or len(fitting) >= lines.LONGEST_LINE:
        return now
    found = game.compose(position, picks, now.viewer)
    return replace(now, diagram=previewed(drawn, found.menu.shifts), picks=found.picks, menu=found.menu)


def _is_due(match: Match, viewer: Side | None) -> bool:
    """Whether the viewer has a turn to make; an end that only waits for a word, and a private answer, are none."""
    return (
        match.status == "running"
        and viewer in match.sides_to_act
        and viewer == match.game.to_act(match.position)
        and match.ending is None
        and not match.game.asks(match.position)
    )


def _standing(match: Match, viewer: Side | None) -> Diagram:
    """The position as it stands, with what the last turn left to see."""
    return diagram(standing(match, {}, viewer))


def _past(match: Match, plies: tuple[Ply, ...], shown: int, viewer: Side | None) -> Diagram:
    last = plies[shown - 1] if shown else None
    if last is not None and last.kind == "turn" and not match.game.fades(last.turn, last.before):
        return diagram(made(match, {}, last, viewer, over=False))
    return diagram(position_of(match, {}, plies[shown].before, viewer))
