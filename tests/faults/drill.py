"""The drill of a standby: the machine is lost after a copy was made, and what people see is as if it were not."""

from collections.abc import Awaitable, Callable

from bot.messages.model import IncomingMessage
from tests.faults.evening import Evening
from tests.faults.history import broken, read


async def lives_on(evening: Evening, lose: Callable[[], Awaitable[None]]) -> None:
    """Play on after a copy, have `lose` put the copy in the machine's place, and go on from an outbox that is older."""
    since: list[IncomingMessage] = []
    say, data = evening.say, evening.folder

    async def remembered(message: IncomingMessage) -> None:
        since.append(message)
        await say(message)

    evening.say = remembered  # type: ignore[method-assign]
    chance = evening.chance.getstate()
    await evening.play(8)
    await evening.rest()
    seen = (data / "wall").read_text()
    await evening.stop()
    await lose()
    assert len(read(data).posted) < len(seen.splitlines()), "the outbox is older than the world"
    evening.say = say  # type: ignore[method-assign]
    evening.chance.setstate(chance)  # the host's luck is in no copy; here it is the same again
    await evening.start()
    for message in since:  # the platform has kept what was written
        await evening.receive(message)
    await evening.rest()
    assert (data / "wall").read_text() == seen
    await evening.play(6)
    await evening.rest()
    await evening.stop()
    assert broken(data) == []
