"""A hint in a match whose terms allow it: which piece, and, asked once more, which turn."""

import asyncio
import hashlib

from bot.commands.context import Effect, MatchContext, not_begun, whisper
from bot.repository import Repository
from engine.appraisal import Appraising
from engine.match.commands import Player
from engine.match.state import Match
from engine.search.partner import earnest, think
from engine.search.values import Task
from engine.text import Text

GIVEN = "hint"
"""The setting that says for which turn of which match somebody has been given the first hint."""
LEVEL = 3
"""At which level Riposte looks for one."""


async def hint(repository: Repository, context: MatchContext) -> Effect:
    """Tells the piece that Riposte would move; asked again, the turn."""
    match, message = context.match, context.message
    if match.position is None:
        return not_begun(context)
    if match.terms.get("hints") != "on":
        return whisper(
            message,
            Text("The terms of match {match} allow no hints.", match=match.id),
            Text("Agree on them before the next one: `challenge @name {game} hints=on`.", game=match.game.key),
        )
    side = match.side_of(context.who)
    if match.status != "running" or side is None or side != match.game.to_act(match.position):
        return whisper(message, Text("It is not your turn."), Text("A hint is for whoever is to act."))
    text, told = await asyncio.to_thread(_thought, match, side)
    if not text:
        return whisper(message, Text("Riposte has found nothing to play here."))
    owner: Player = context.accounts[0]
    now = f"{match.id} {match.stamp}"
    if await repository.setting(owner, GIVEN) == now:
        return whisper(message, Text("Riposte would play `{turn}`.", turn=text))
    effect = whisper(message, told, Text("`hint` once more tells the turn."))
    return Effect(drafts=effect.drafts, settings=((owner, GIVEN, now),))


def _thought(match: Match, side: str) -> tuple[str, Text]:
    """The turn that Riposte would make, and a word about its piece; the same however often it is asked for."""
    game = match.game
    assert isinstance(game, Appraising), "others have no such term"
    seed = hashlib.sha256(f"hint|{match.id}|{match.stamp}".encode()).digest()
    turn = think(Task(game, side), match.position, earnest(game, LEVEL), seed).turn
    if turn is None:
        return "", Text("Riposte has found nothing to play here.")
    origin = next((move.origin for move in turn if move.origin), "")
    figures = game.draw(match.position, side).figures
    standing = next((figure for figure in figures if figure.site == origin and not figure.ghost), None)
    written = game.write(turn, match.position)
    if standing is None:
        return written, Text("Think of something else than moving a piece.")
    return written, Text("Look at the {piece} on {place}.", piece=standing.name, place=origin)
