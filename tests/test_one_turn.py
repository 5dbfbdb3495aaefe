"""In a turn of chat the text is read once, the turn judged and played once, and the position encoded once."""

import importlib
import inspect
import pkgutil
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import bot.commands
import bot.messages
import bot.repository
import bot.service
import engine
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


THROWS = (
    (
        "ironclad",
        "rW: C4=3 D5=1 / rB: C6=2 F8=1 / sW: c6 c7 d9 / sB: d6 / last: - / "
        "mode: full / owner: W / half: stones / to: B",
        "ben: xC6",
    ),
    ("veney", "W: S@X6 $@Z6 D@Y6 e@W5 / B: S@Y14 $@Z14 e@W12 / a: ^XY8 / to: W", "anna: throw"),
    ("veney", "W: S@Y4 $@X4 J@W2 e@X3 / B: S@X14 $@Z14 / rW: C D L / a: ^XY8 / to: W", "anna: ~L:X6"),
)
"""A position, and a turn that throws dice there."""


@pytest.mark.parametrize("umpire", ["refuse", "turn"])
@pytest.mark.parametrize(("game", "start", "said"), THROWS, ids=["shot", "throw", "cast"])
async def test_a_turn_that_throws_dice_is_judged_and_played_once_too(
    room: ChatRoom, game: str, start: str, said: str, umpire: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.say("anna", f'challenge @ben {game} side=white umpire={umpire} start="{start}"')
    await room.say("ben", "accept 1")
    name, _, turn = said.partition(": ")
    with monkeypatch.context() as patched:
        counted = Counted(GAMES[game], patched)
        await room.say(name, turn, "1")
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.turns_made == 1
    assert match.game.rolls(match.plies[-1].turn), "dice were thrown"
    assert counted.work == {"read": 1, "judged": 1, "played": 1, "encoded": 1}


@pytest.mark.parametrize("game", FIVE)
async def test_dispatch_transaction_and_routing_are_entered_once(game: str, tmp_path: Path) -> None:
    entered = Counter((await traced(game, tmp_path)).walk)
    rooms = ("bot.service.dispatch", "bot.service.transaction", "bot.service.routing")
    assert [entered[room] for room in rooms] == [1, 1, 1]


PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"


def told(row: str) -> list[int]:
    """The figures of today in a row of the page's table: of Tokonoma, then of Veney."""
    (line,) = (line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {row}"))
    return [int(figure) for figure in line.split("|")[3].split(";")]


async def test_the_page_tells_how_many_rooms_a_turn_passes_to_within_a_tenth(tmp_path: Path) -> None:
    for number, game in enumerate(("tokonoma", "veney")):
        (folder := tmp_path / game).mkdir()
        walk = (await traced(game, folder)).walk
        modules, steps = told("modules that a turn")[number], told("steps from one module")[number]
        assert len(set(walk)) == pytest.approx(modules, rel=0.1)
        assert len(walk) - 1 == pytest.approx(steps, rel=0.1)


# --- nothing hidden ---------------------------------------------------------------------------------------
def remembering() -> Iterator[Any]:
    """Each function of the rules that remembers what it has found."""
    for package in (engine, bot.commands, bot.messages, bot.repository, bot.service):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(found.name)
            yield from (one for one in vars(module).values() if hasattr(one, "cache_info"))


def test_no_function_remembers_a_match_or_a_position() -> None:
    looked_at = set(remembering())
    assert len(looked_at) > 30
    known = {
        f"{one.__module__}.{one.__name__}"
        for one in looked_at
        for kind in inspect.get_annotations(one.__wrapped__, eval_str=False).values()
        if re.search(r"\b(Match|Position|StoredPly|Iterator|Generator)\b", str(kind))
    }
    assert known == set()
