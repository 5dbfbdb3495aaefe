"""The silent referee: with one who knows no rule, and whatever somebody hides, every output is the same until a call.

The short form of `python -m tests.differ`.
"""

import os
from collections import Counter
from pathlib import Path

import pytest

from bot.commands.spec import COMMANDS
from engine.games import GAMES
from tests.differ import against, hidden, untenable
from tests.differ.__main__ import AGAINST, due
from tests.differ.platforms import PLATFORMS
from tests.differ.timing import mann_whitney
from tests.parts_of_games import APPRAISED

ADAPTERS = Path(__file__).parent.parent / "bot" / "adapters"

EVENINGS = int(os.environ.get("RIPOSTE_EXAMPLES", "1"))
"""Of each kind, with other turns each time."""


@pytest.mark.parametrize("number", range(EVENINGS))
@pytest.mark.parametrize("key", GAMES)
async def test_a_judge_who_knows_no_rule_would_not_be_noticed(key: str, number: int, tmp_path: Path) -> None:
    found = await untenable.evening(key, number, tmp_path)
    assert found.turns, "without an untenable turn it would show nothing"
    assert not found.unlike, found.unlike[0]


@pytest.mark.parametrize("number", range(EVENINGS))
@pytest.mark.parametrize("key", APPRAISED)
async def test_against_riposte_too_nothing_tells_until_it_calls(key: str, number: int, tmp_path: Path) -> None:
    found = await against.evening(key, number, tmp_path)
    assert not found.unlike, found.unlike[0]


@pytest.mark.parametrize("number", range(EVENINGS))
@pytest.mark.parametrize("kind", hidden.KINDS)
async def test_what_is_hidden_changes_nothing_for_those_who_must_not_know(
    kind: str, number: int, tmp_path: Path
) -> None:
    found = await hidden.evening(kind, number, tmp_path)
    assert not found.unlike, found.unlike[0]


async def test_a_call_is_noticed(tmp_path: Path) -> None:
    """Or nothing else that is compared would show anything."""
    found = await untenable.evening("tokonoma", 0, tmp_path, call=True)
    assert found.unlike


async def test_a_verdict_in_what_the_page_is_sent_would_be_noticed(tmp_path: Path) -> None:
    """In a tab of a player's or a spectator's, by the link of the match, and in the head of its page."""
    found = await untenable.evening("tokonoma", 0, tmp_path, call=True)
    for what in ("sent to a tab for {'heard'", "sent to a tab for {'site'", "sent to a stranger", "head of the page"):
        assert any(f": {what}" in unlike for unlike in found.unlike), what


def test_every_command_is_asked() -> None:
    assert {command.name for command in COMMANDS} == set(untenable.ASKED)


def test_what_every_adapter_makes_of_a_post_is_compared() -> None:
    adapters = {path.parent.name for path in ADAPTERS.glob("*/adapter.py")}
    assert adapters == set(PLATFORMS)


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_a_verdict_in_a_post_would_be_noticed_on_every_platform(platform: str, tmp_path: Path) -> None:
    """Each adapter's own words are held beside their twins': after a call nearly every post differs."""
    found = await untenable.evening("tokonoma", 0, tmp_path, call=True)
    assert any(f": post on {platform}:" in unlike for unlike in found.unlike)


def test_the_shortest_run_has_every_kind_of_evening_and_a_longer_one_ends_with_its_pairs() -> None:
    counts = Counter[str]()
    for kinds in ((*GAMES, *AGAINST), tuple(hidden.KINDS)):
        held = [kind for kind, _ in due(kinds, 1, Counter(tokonoma=1_000_000))]
        assert held == [*kinds]
        assert not [*due(kinds, 0, Counter())], "where only times are asked for"
    for kind, _ in due(("one", "two", "three"), 50, counts):
        counts[kind] += 10
    assert counts == Counter(one=20, two=20, three=10)


def test_ranks_tell_what_differs_from_what_does_not() -> None:
    one, other = [1.1, 2.2, 3.3, 4.4, 5.5, 6.6], [1.2, 2.1, 3.4, 4.3, 5.6, 6.5]
    assert mann_whitney(one, other) == pytest.approx(1.0)
    assert mann_whitney(range(50), range(20, 70)) < 0.001
    assert mann_whitney([1.0] * 5, [1.0] * 5) == 1.0
