"""In a turn of chat the text is read once, the turn judged and played once, and the position encoded once."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.messages.showing.pictures import diagram
from engine.game import AnyGame
from engine.games import GAMES
from tests.chat_room import ChatRoom, open_room
from tools.trace_turn import traced

FIVE = ("tokonoma", "chirality", "ironclad", "tirachen", "veney")

WORK = {
    "read": ("read",),
    "judge": ("judged",),
    "play": ("played",),
    "encode": ("encoded",),
    "examine": ("judged", "played"),
}
"""What each method of a game does; what it calls in turn is part of it."""


class Counted:
    """Wraps methods of a game and counts what they do."""

    def __init__(self, game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
        self.work: Counter[str] = Counter()
        self._inside = 0
        for method, work in WORK.items():
            monkeypatch.setattr(game, method, self._wrapped(getattr(game, method), work), raising=True)

    def _wrapped(self, method: Callable[..., Any], work: tuple[str, ...]) -> Callable[..., Any]:
        def counted(*arguments: Any, **named: Any) -> Any:
            if not self._inside:
                self.work.update(work)
            self._inside += 1
            try:
                done = method(*arguments, **named)
                return iter([*done]) if isinstance(done, Iterator) else done
            finally:
                self._inside -= 1

        return counted


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


@pytest.mark.parametrize("umpire", ["refuse", "turn"])
@pytest.mark.parametrize("game", FIVE)
async def test_a_turn_is_read_judged_played_and_encoded_once(
    room: ChatRoom, game: str, umpire: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.say("anna", f"challenge @ben {game} umpire={umpire}")
    await room.say("ben", "accept 1")
    for _ in range(3):
        match = await room.service.repository.match("1")
        assert match is not None
        text = match.game.write(next(iter(match.game.turns(match.position))), match.position)
        player = match.seats[match.game.to_act(match.position)].partition(":")[2]
        with monkeypatch.context() as patched:
            counted = Counted(GAMES[game], patched)
            posts = await room.say(player, text, "1")
            for post in posts:
                if post.picture is not None:
                    diagram(post.picture)
        after = await room.service.repository.match("1")
        assert after is not None
        assert after.turns_made == match.turns_made + 1
        assert counted.work == {"read": 1, "judged": 1, "played": 1, "encoded": 1}


@pytest.mark.parametrize("game", FIVE)
async def test_dispatch_transaction_and_routing_are_entered_once(game: str, tmp_path: Path) -> None:
    entered = Counter((await traced(game, tmp_path)).walk)
    rooms = ("bot.service.dispatch", "bot.service.transaction", "bot.service.routing")
    assert [entered[room] for room in rooms] == [1, 1, 1]
