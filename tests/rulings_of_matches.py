"""Rulings about what players do to each other, as text that a player can review; each is played in a room of words."""

from dataclasses import dataclass

from bot.messages.model import OutgoingMessage
from engine.match.clock import read_duration
from tests.chat_room import ChatRoom, transcribe
from tests.rulings import blocks

PLAYERS = {"W": "anna", "B": "ben"}


@dataclass(frozen=True)
class Played:
    """One block of a `rulings.txt` that begins with `terms`; what it leaves out is not asked."""

    game: str
    title: str
    terms: str
    """What the challenge says; `-` = nothing."""
    then: str
    """`accepted` or `refused`: whether the match goes on by the last thing said, or begins if nothing was."""
    before: str = ""
    """What the players say before the challenge, joined by ` ; `, with `W` or `B` in front."""
    given: str = ""
    """The position that the match begins with; "" = the usual one."""
    when: str = ""
    """What the players say in their match, joined by ` ; `, with `W` or `B` in front; `wait 3d` lets time pass."""
    after: str = ""
    """The position it leaves, or parts of it joined by `&`."""
    over: str = ""
    """The rule that ended the match and who won; `-` = it goes on."""
    says: str = ""
    """What is told or shown because of the last thing said, joined by `&`."""
    hides: str = ""
    """What nobody is told or shown because of it."""


def played(game: str) -> list[Played]:
    """The rulings of one game that need players, in their order."""
    return [Played(game, title, **values) for title, values in blocks(game) if "terms" in values]


async def hold(told: Played, room: ChatRoom) -> None:
    """Hold a ruling against Riposte."""
    terms = f"side=white {told.terms}" if told.terms != "-" else "side=white"
    start = f' start="{told.given}"' if told.given else ""
    await _say(room, told.before)
    answer = await room.say("anna", f"challenge @ben {told.game} {terms}{start}")
    before, now = 0, await room.store.length("1")
    if now:
        answer, before = await room.say("ben", "accept"), now
    *others, last = told.when.split(" ; ") if told.when else [""]
    await _say(room, " ; ".join(others))
    if last:
        before = await room.store.length("1")
        answer = await _say(room, last)
    done = await room.store.length("1") > before
    words = "\n".join(line for post in answer for line in transcribe(post, room.now))
    assert (told.then == "accepted") is done, words
    for part in filter(None, told.says.split(" & ")):
        assert part in words, words
    for part in filter(None, told.hides.split(" & ")):
        assert part not in words, words
    match = await room.service.repository.match("1")
    if told.after:
        assert match is not None
        position = match.game.encode(match.position)
        assert set(told.after.split(" & ")) <= set(position.split(" / ")), position
    if told.over:
        assert match is not None
        rule, *winners = told.over.split()
        end = match.result
        assert (rule, set(winners)) == (("-", set()) if end is None else (end.rule, set(end.winners)))


async def _say(room: ChatRoom, lines: str) -> list[OutgoingMessage]:
    """What is posted because of the last of these."""
    answer: list[OutgoingMessage] = []
    for line in filter(None, lines.split(" ; ")):
        who, text = line.split(maxsplit=1)
        where = "1" if await room.store.length("1") else ""
        answer = await (room.wait(read_duration(text)) if who == "wait" else room.say(PLAYERS[who], text, where))
    return answer
