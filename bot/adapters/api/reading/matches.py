"""What a program may read: its owner's matches and those that everybody may read, as their owner sees them."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from bot.adapters.api import shapes
from bot.messages.model import FORMER_PLAYER, Person, is_former
from bot.messages.sentences import result
from bot.notices.programs import WEBHOOK, mailbox
from bot.repository import Repository
from bot.service.composing import Board, Glance, board_for, public_board, reader_of
from engine.games import GAMES
from engine.match.alarms import deadline
from engine.match.state import Match
from engine.text import Term, Text
from render.alt_text import describe
from render.taken import show_taken
from storage.store import Summary

Told: TypeAlias = Callable[[Text | Term], str]
"""Puts a sentence into its reader's language."""
LISTED: Final = 50
"""Matches in a list, unless more are asked for."""
OPEN_TO_ALL: Final = "web"
"""The platform whose matches everybody may read."""


class Reading:
    """Nothing here changes anything."""

    def __init__(self, repository: Repository):
        self._repository = repository

    async def told(self, who: Person) -> Told:
        """Returns what puts sentences into somebody's language."""
        spoken = (await reader_of(self._repository, who.key, mailbox(who.key))).spoken
        return spoken.say

    async def me(self, who: Person) -> shapes.Me:
        """Returns whose key it is."""
        accounts = await self._repository.accounts(who.key)
        hook = (await self._repository.setting(who.key, WEBHOOK)).partition(" ")[0]
        return shapes.Me(named(who, str), list(accounts), hook)

    async def games(self, who: Person) -> shapes.Games:
        """Returns the games."""
        told = await self.told(who)
        return shapes.Games([shapes.Game(game.key, told(game.name), told(game.gist)) for game in GAMES.values()])

    async def matches(self, who: Person, status: str, limit: int) -> shapes.Matches:
        """Returns somebody's matches, last changed first."""
        accounts = await self._repository.accounts(who.key)
        return shapes.Matches([_listed(one) for one in await self._repository.matches_of(accounts, status, limit)])

    async def match(self, who: Person, number: str, shown: int | None) -> shapes.Match | None:
        """Returns a match as somebody may see it; None for one that they may not read, and for none."""
        told = await self.told(who)
        if (board := await self._board(who, number, (), shown)) is not None:
            return _match(board, told)
        found = await self._repository.match(number)
        mine = found is not None and not set(await self._repository.accounts(who.key)).isdisjoint(found.parties)
        return _open(found) if found is not None and mine else None

    async def menu(self, who: Person, number: str, picks: Sequence[str]) -> shapes.Menu | None:
        """Returns what somebody may pick next; None where they may not read the match."""
        told = await self.told(who)
        board = await self._board(who, number, picks, None)
        menu = board.menu if board else None
        if board is None or menu is None:
            return None if board is None else shapes.Menu("", [], [], [], "", complete=False, reach=[])
        return shapes.Menu(
            told(menu.prompt),
            list(board.picks),
            list(menu.sites),
            [shapes.Pick(choice.key, told(choice.name)) for choice in menu.choices],
            menu.text,
            complete=menu.complete,
            reach=sorted(menu.offered) if board.leads else [],
        )

    async def _board(self, who: Person, number: str, picks: Sequence[str], shown: int | None) -> Board | None:
        match = await self._repository.match(number)
        if match is None or match.position is None:
            return None
        accounts = await self._repository.accounts(who.key)
        if not set(accounts).isdisjoint(match.parties):
            return await board_for(self._repository, match, who.key, picks, shown)
        return await public_board(self._repository, number, Glance((), shown), OPEN_TO_ALL)


def named(who: Person, told: Told) -> shapes.Person:
    """Returns somebody as a program reads them."""
    return shapes.Person(who.key, told(FORMER_PLAYER) if is_former(who.key) else who.name)


def _listed(one: Summary) -> shapes.Listed:
    return shapes.Listed(one.match, one.game, one.status, list(one.players), list(one.to_act), one.due, one.updated)


def _match(board: Board, told: Told) -> shapes.Match:
    match, drawn = board.match, show_taken(board.diagram)
    names = {match.seats[side]: person for side, person in board.players.items()}
    return shapes.Match(
        match=match.id,
        game=match.game.key,
        status=match.status,
        stamp=match.stamp,
        terms=_terms(match),
        you=board.viewer or "",
        sides=[_side(board, side, told(name), told) for side, name in drawn.names.items()],
        to_act=list(match.sides_to_act) if match.status == "running" else [],
        asked=told(board.ask.prompt) if board.ask else "",
        turns=[
            shapes.Turn(ply.number, ply.side, match.game.show(ply.turn, ply.before, board.viewer))
            for ply in board.plies
            if ply.kind == "turn"
        ],
        shown=board.shown,
        words=[told(sentence) for sentence in describe(board.diagram)],
        pieces=[
            shapes.Piece(one.site, one.side, str(one.kind), told(one.name), told(one.below))
            for one in drawn.figures
            if not one.ghost
        ],
        can=[shapes.Choice(told(one.label), one.command) for one in (*board.due, *board.further)],
        result=" ".join(map(told, result(match, match.result, names))) if match.result else "",
    )


def _open(match: Match) -> shapes.Match:
    """A match that has not begun."""
    return shapes.Match(
        match=match.id,
        game=match.game.key,
        status=match.status,
        stamp=match.stamp,
        terms=_terms(match),
        you="",
        sides=[],
        to_act=[],
        asked="",
        turns=[],
        shown=0,
        words=[],
        pieces=[],
        can=[],
        result="",
    )


def _terms(match: Match) -> dict[str, str]:
    return {key: value for key, value in match.terms.items() if value}


def _side(board: Board, side: str, name: str, told: Told) -> shapes.Side:
    match, player = board.match, board.players.get(side)
    runs = match.status == "running" and side in match.sides_to_act
    stands = match.status == "running" and match.clock.kind != "none"
    return shapes.Side(
        side,
        name,
        named(player, told) if player else None,
        runs,
        match.time_left.get(side) if stands else None,
        deadline(match) if runs else None,
    )
