"""What the composer shows: made anew at each press from the match as it stands and the picks in the id."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import discord
import structlog

from bot.adapters.discord import limits
from bot.adapters.discord.composer.menus import Entry, Shelf, offer
from bot.adapters.discord.composer.screen import Options, Press, Screen
from bot.adapters.discord.composer.state import Draft
from bot.adapters.discord.interactions.buttons import ASK, SAY, Signer
from bot.adapters.discord.markup import escaped, render
from bot.commands.parser import write_command
from bot.commands.spec import BY_NAME
from bot.messages.catalogue import Language, beside
from bot.messages.model import Place
from bot.messages.prompts import CALL, MAKE_TURN, turn_choices
from bot.service.composing import Board, Reader
from engine.board import Site
from engine.composition import Menu, Pick
from engine.diagram import Diagram
from engine.match.calls import named_pieces
from engine.match.state import open_to_call
from engine.text import Text
from render.alt_text import describe
from render.layout.close_up import CROWDED, close_up, part_of
from render.painter import paint
from render.view import View

log = structlog.get_logger(__name__)

PLAY, SEND, BACK, TYPED = Text("Play {turn}"), Text("Send it"), Text("Back"), Text("Type it instead")
OPEN: Final = Text("**Match {match}** · turn {number}")
ASKED: Final = Text("**Match {match}** · for me alone")
SO_FAR: Final = Text("So far: `{turn}`")
READY: Final = Text("`{turn}` is ready: play it, or go back.")
READY_ANSWER: Final = Text("`{answer}` is ready: send it, or go back.")
DROPPED: Final = Text("The match has changed meanwhile: what no longer fits was dropped.")
LONGEST_ENTRY: Final = len("other intend")
TOO_LONG: Final = Text("A turn as long as this one is finished by hand: press the button.")
MADE: Final = Text("Turn {number} is made: `{turn}`.")
SENT: Final = Text("Your answer is in.")
GONE_ON: Final = Text("Match {match} has gone on since, so nothing was done.")
OVER: Final = Text("Match {match} is over.")
NO_MATCH: Final = Text("There is no match {match} any more.")
NOT_NOW: Final = Text("Nothing is awaited of you in match {match} now.")
WHICH_RULE: Final = Text("Which rule does turn {number} break?")
WHICH_PIECE: Final = Text("Or which piece is it about?")
NAMED: Final = Text("Call turn {number} out, for this: `{reason}`?")


class Boards(Protocol):
    """Shows matches as people see them."""

    async def board(self, player: str, match: str, picks: Sequence[Pick] = ()) -> Board | None:
        """A match with a turn, or an answer, as far as it has been picked; None where there is none."""

    async def reader(self, player: str, where: Place, told: str = "") -> Reader:
        """How somebody likes to be shown things in a place; `told` is the language of their app."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Who looks at the composer."""

    player: str
    spoken: Language
    screen: int
    """A number of its own for each screen."""
    theme: str = "light"


class Composer:
    """Makes screens, and knows nothing between them."""

    def __init__(self, boards: Boards, signer: Signer):
        self._boards = boards
        self._signer = signer

    async def reader(self, player: str, where: Place, told: str, screen: int) -> Asked:
        """Who looks, as they like to be shown things; `told` is the language of their app."""
        liked = await self._boards.reader(player, where, told)
        return Asked(player, liked.spoken, screen, liked.theme)

    async def due(self, asked: Asked, draft: Draft) -> Board | None:
        """The match with this draft; None where it is not due, or not any more."""
        board = await self._boards.board(asked.player, draft.match, draft.picks)
        return board if board is not None and board.menu is not None and _number(board) == draft.number else None

    async def awaits(self, player: str, match: str) -> bool:
        """Whether somebody has a turn to make there, or an answer to give."""
        board = await self._boards.board(player, match)
        return board is not None and board.menu is not None

    async def opened(self, asked: Asked, match: str) -> Screen:
        """The first screen of the turn or answer that is due now; without one, why there is none."""
        board = await self._boards.board(asked.player, match)
        if board is None or board.menu is None:
            return self._closed(asked, board, Draft(match, 0))
        return await self._drawn(asked, board, Draft(match, _number(board)))

    async def screen(self, asked: Asked, draft: Draft, zone: int | None = None, *notices: Text) -> Screen:
        """The screen for a draft; where the match has gone on, what has become of it."""
        board = await self._boards.board(asked.player, draft.match, draft.picks)
        if board is None or board.menu is None or _number(board) != draft.number:
            return self._closed(asked, board, draft)
        if board.picks != draft.picks:
            draft, notices = replace(draft, picks=board.picks), (*notices, DROPPED)
        return await self._drawn(asked, board, draft, zone, *notices)

    async def after(self, asked: Asked, draft: Draft) -> Screen:
        """What is shown once a turn or an answer has been sent; if there is another to make, its first screen."""
        board = await self._boards.board(asked.player, draft.match)
        if board is None or board.menu is None:
            return self._closed(asked, board, draft)
        if _number(board) == draft.number:  # it has not been taken, or one answer follows another
            return await self.screen(asked, draft)
        return await self._drawn(asked, board, Draft(draft.match, _number(board)), None, *_became(board, draft))

    def sent(self, board: Board, draft: Draft) -> str:
        """The command that makes the turn, or gives the answer, of a draft; "" where it is not complete."""
        if board.menu is None or not board.menu.complete or board.picks != draft.picks:
            return ""
        if board.ask is not None:
            return write_command(BY_NAME["secret"], {"match": draft.match, "answer": board.menu.text})
        return write_command(BY_NAME["move"], {"match": draft.match, "turn": board.menu.text}, draft.number)

    def blank(self, board: Board) -> Text:
        """What is to be typed instead."""
        if board.ask is not None:
            return board.ask.prompt
        return next(choice.blank for choice in turn_choices(board.match) if choice.blank is not None)

    # --- a call -------------------------------------------------------------------------------------------------
    async def reasons(self, asked: Asked, draft: Draft) -> Screen:
        """What a call can name: every rule and piece, in an order that tells nothing of what was played."""
        board = await self._boards.board(asked.player, draft.match)
        if board is None or draft.number not in [ply.number for ply in open_to_call(board.match)]:
            return self._closed(asked, board, draft)
        say = asked.spoken.say
        if draft.picks:
            line = f"call {draft.match} @{draft.number} {draft.picks[0]}"
            rows = (
                Press(self._signer.sign(SAY, line), say(CALL), discord.ButtonStyle.danger),
                Press(draft.back().id(self._signer, "reason", asked.screen), say(BACK)),
            )
            words = Text(NAMED.template, number=draft.number, reason=draft.picks[0])
            return Screen(_said(asked, (words,)), (rows,))
        rules = tuple(Entry(rule.ref.rpartition(":")[2], rule.title) for rule in board.match.game.rules)
        pieces = tuple(Entry(kind, name) for kind, name in named_pieces(board.match).items())
        shelves = (*_shelves(rules, Text(WHICH_RULE.template, number=draft.number)), *_shelves(pieces, WHICH_PIECE))
        menus = tuple(
            self._menu(asked, shelf, draft.id(self._signer, "reason", asked.screen, number))
            for number, shelf in enumerate(shelves)
        )
        typed = Press(self._signer.sign(ASK, f"call {draft.match} @{draft.number}"), say(TYPED))
        return Screen(_said(asked, (Text(WHICH_RULE.template, number=draft.number),)), (*menus, (typed,)))

    # --- a screen -----------------------------------------------------------------------------------------------
    async def _drawn(self, asked: Asked, board: Board, draft: Draft, zone: int | None = None, *notices: Text) -> Screen:
        assert board.menu is not None, "there is something to compose"
        say, menu = asked.spoken.say, board.menu
        room = draft.picking("0" * LONGEST_ENTRY).fits()
        drawn = board.diagram
        found = offer(menu if room else Menu(menu.prompt), drawn, board.viewer, zone, board.after)
        named = {legend.text for legend in drawn.board.legends}
        listed = (entry.value for shelf in found.shelves if not shelf.opens_zone for entry in shelf.entries)
        # What the board's edge tells is not printed on the places as well.
        labels = frozenset(value for value in listed if value in drawn.board.outlines and value[:1] not in named)
        menus = tuple(
            self._menu(
                asked, shelf, draft.id(self._signer, "zone" if shelf.opens_zone else "pick", asked.screen, number)
            )
            for number, shelf in enumerate(found.shelves)
        )
        ways = tuple(
            Press(draft.picking(*one.value.split()).id(self._signer, "show", asked.screen), say(one.label))
            for one in found.buttons
        )
        shown = _close(replace(drawn, labels=labels), found.part, draft)
        image = await _painted(shown, View(asked.theme, 0, say))
        described = describe(board.diagram, preview=bool(menu.shifts))
        alt = limits.cut(beside(map(say, described)), limits.ALT)
        text = _said(asked, (*self._words(board, draft), *notices, *(() if room else (TOO_LONG,))))
        return Screen(
            text if image is not None else f"{text}\n{escaped(alt)}",
            (*menus, *((ways,) if ways else ()), tuple(self._presses(asked, board, draft, zone))),
            image,
            alt,
        )

    def _words(self, board: Board, draft: Draft) -> Iterator[Text]:
        menu = board.menu
        assert menu is not None, "there is something to compose"
        yield Text((ASKED if board.ask else OPEN).template, match=draft.match, number=draft.number)
        if board.ask and not draft.picks:
            yield board.ask.prompt
        yield menu.prompt
        if menu.complete and board.ask:
            yield Text(READY_ANSWER.template, answer=menu.text)
        elif menu.complete:
            yield Text(READY.template, turn=menu.text)
        elif menu.text:
            yield Text(SO_FAR.template, turn=menu.text)

    def _presses(self, asked: Asked, board: Board, draft: Draft, zone: int | None) -> Iterator[Press]:
        say, menu, signer, screen = asked.spoken.say, board.menu, self._signer, asked.screen
        assert menu is not None, "there is something to compose"
        if menu.complete:
            label = SEND if board.ask else Text(PLAY.template, turn=menu.text)
            yield Press(draft.id(signer, "play", screen), say(label), discord.ButtonStyle.success)
        if draft.picks or zone is not None:
            to = draft if zone is not None else draft.back(board.gathers)
            yield Press(to.id(signer, "show", screen, 1), say(BACK))
        yield Press(draft.id(signer, "type", screen), say(TYPED))

    def _menu(self, asked: Asked, shelf: Shelf, id_: str) -> Options:
        say = asked.spoken.say
        return Options(id_, say(shelf.heading), tuple((one.value, say(one.label)) for one in shelf.entries))

    def _closed(self, asked: Asked, board: Board | None, draft: Draft) -> Screen:
        """A draft has come to its end: what has become of it, and the next thing to do, if there is one."""
        if board is None:
            return Screen(_said(asked, (Text(NO_MATCH.template, match=draft.match),)))
        words = _became(board, draft)
        if board.menu is None:
            return Screen(_said(asked, words))
        verb = "secret" if board.ask else "move"
        line = f"{verb} {draft.match}" + ("" if board.ask else f" @{board.match.next_number}")
        press = Press(self._signer.sign(ASK, line), asked.spoken.say(MAKE_TURN), discord.ButtonStyle.primary)
        return Screen(_said(asked, words), ((press,),))


def _close(drawn: Diagram, part: tuple[Site, ...], draft: Draft) -> Diagram:
    """Of a board with many places the part that was opened, or what surrounds the place picked last."""
    places = drawn.board.outlines
    last = next((pick for pick in reversed(draft.picks) if pick in places), None)
    if len(places) <= CROWDED or not (part or last):
        return drawn
    return part_of(drawn, part) if part else close_up(drawn, last or "")


async def _painted(drawn: Diagram, view: View) -> bytes | None:
    """The picture; without one the menus, and the position in words, must still be there."""
    try:
        return await asyncio.to_thread(paint, drawn, view)
    except Exception:
        log.exception("a picture of the composer cannot be painted")
        return None


def _number(board: Board) -> int:
    """Of the turn that is due; answers have none, since others' answers come in between."""
    return 0 if board.ask is not None else board.match.next_number


def _became(board: Board, draft: Draft) -> tuple[Text, ...]:
    """What has become of a draft."""
    match = board.match
    made = next((ply for ply in board.plies if ply.number == draft.number and ply.side == board.viewer), None)
    if made is not None and made.kind == "turn":
        text = match.game.show(made.turn, made.before, board.viewer)
        return (Text(MADE.template, number=draft.number, turn=text),)
    if not draft.number and any(ply.kind == "reply" and ply.side == board.viewer for ply in match.plies):
        return (SENT,)
    closed = OVER if match.status == "over" else GONE_ON if draft.number not in (0, match.next_number) else NOT_NOW
    return (Text(closed.template, match=match.id),)


def _shelves(entries: Sequence[Entry], heading: Text) -> Iterator[Shelf]:
    """Menus for all of them, in their order; of several, each says where it begins and ends."""
    unique = tuple({entry.value: entry for entry in entries}.values())
    parts = [unique[at : at + limits.OPTIONS] for at in range(0, len(unique), limits.OPTIONS)]
    for part in parts:
        spread = Text("{first} to {last}", first=part[0].label, last=part[-1].label)
        yield Shelf(heading if len(parts) == 1 else spread, part)


def _said(asked: Asked, lines: Sequence[Text]) -> str:
    return render(asked.spoken.lines(tuple((line,) for line in lines)), spoken=asked.spoken)
