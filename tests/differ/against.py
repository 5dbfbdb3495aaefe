"""Matches against Riposte itself, which sees what is untenable, beside themselves under a judge who objects to nothing.

Its calls are left out: until it calls, nothing may tell. Whether a turn was noticed is drawn elsewhere.
"""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from random import Random

from bot.messages.model import OutgoingMessage
from engine.games import GAMES
from engine.match.commands import Play
from engine.match.decide import decide as decide_match
from engine.match.events import Refusal
from engine.search.job import decide
from storage import open_store
from tests.chat_room import ChatRoom
from tests.differ.blind import blind, sighted
from tests.differ.noticed import PEOPLE, Found, Noticed, Watch, found
from tests.differ.untenable import Line, aside, spoilt
from tests.table import SEED

TURNS = 4
ASIDE = 4
"""Commands between two turns."""
PLAYER = "web:anna"


class Discreet(ChatRoom):
    """A room in which Riposte plays as it would, and calls nothing out."""

    async def think(self) -> list[OutgoingMessage]:
        """Riposte knows the rules, whoever judges in the room."""
        told: list[OutgoingMessage] = []
        while (job := await self.seat.job("1", self.now)) is not None:
            with sighted(job.game):
                decided = replace(decide(job), call="")
            await self.seat.decided(job, decided, self.now)
            told += await self.deliver()
        return [*told, *await self.deliver()]


async def evening(key: str, number: int, folder: Path) -> Found:
    """A match played twice, once under a judge who objects to nothing; all that could be noticed is compared."""
    chance, game = Random(f"Riposte {key} {number}"), GAMES[key]
    penalty, level = chance.choice(game.penalties), chance.choice((1, 2))
    sheet = f"side={game.names[game.sides[0]].lower()} umpire={penalty} time=5d level={level}"
    beginning = f"challenge @riposte {key} {sheet}" + " first=white" * (key == "veney")
    lines: list[Line] = []
    real, broken = await _noticed(key, beginning, lines, folder / "real", number, chance)
    with blind(key):
        unseeing, _ = await _noticed(key, beginning, lines, folder / "blind", number)
    return found(("", *lines), real, unseeing, broken)


async def _noticed(
    key: str, beginning: str, lines: list[Line], folder: Path, number: int, chance: Random | None = None
) -> tuple[list[list[Noticed]], int]:
    """All that anybody could have noticed, and how many untenable turns stand; with chance, the lines are made up."""
    folder.mkdir(parents=True)
    room = Discreet(await open_store(folder / "riposte.db"), folder)
    room.seed = int.from_bytes(SEED, "big")
    watch, offering = Watch(room, twin=chance is None), Random(number)
    try:
        told = [await watch.says("anna", beginning, "")]
        while True:
            at = len(told) - 1
            if chance is not None and (line := await _next(room, at, chance)) is not None:
                lines.append(line)
            if at == len(lines):
                break
            who, text = lines[at]
            with sighted(key) if text.startswith("rules") else nullcontext():  # it draws a scene of its own
                told.append(await watch.says(who, text))
            if at % (ASIDE + 1) == 0:
                told[-1] += await watch.offered(offering, text)
        match = await room.service.repository.match("1")
        assert match is not None
        return told, sum(not match.game.tenable(ply.before, ply.turn) for ply in match.plies if ply.kind == "turn")
    finally:
        await room.store.close()


async def _next(room: ChatRoom, at: int, chance: Random) -> Line | None:
    """What is said next: a turn, mostly an untenable one, then whatever people say meanwhile; None = enough."""
    match = await room.service.repository.match("1")
    assert match is not None
    due = match.status == "running" and match.ending is None
    if at >= TURNS * (ASIDE + 1) or not due:
        return None
    game, last = match.game, match.plies[-1].text if match.plies else ""
    if at % (ASIDE + 1):
        return chance.choice(PEOPLE), aside(game, match.position, last, chance)
    for ask in game.asks(match.position):
        return "anna", f"secret 1 {ask.example}"
    dice = room.service.repository.dice(match)
    for text in spoilt(game, match.position, chance):
        if not isinstance(decide_match(match, Play(PLAYER, text), room.now, dice), Refusal):
            return "anna", text
    return None
