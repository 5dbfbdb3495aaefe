"""Results and ratings of two: Glicko-2 as the paper has it, what counts, and what players read of it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.standing.rating import rating_chart
from bot.messages.model import OutgoingMessage
from bot.ratings.glicko import BEGINNER, Rating, Score, rest, update
from bot.ratings.results import Result, read_result, write_result
from bot.ratings.standings import Standings
from engine.dice import Dice
from engine.games import GAMES
from engine.text import Term
from storage import open_store
from tests.chat_room import DAY, START, ChatRoom, transcribe

WEEK = 7 * 24 * 3_600_000


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = ChatRoom(await open_store(tmp_path / "riposte.db"))
    yield room
    await room.store.close()


async def finished(room: ChatRoom, white: str, black: str, loser: str, terms: str = "", turns: int = 2) -> str:
    """A match of Tokonoma that somebody gives up."""
    await room.say(white, f"challenge @{black} tokonoma side=white {terms}")
    number = (await room.store.matches(limit=1))[0].match
    await room.say(black, f"accept {number}")
    for name, turn in [(white, "c7c5"), (black, "e1e3")][:turns]:
        await room.say(name, f"move {number} {turn}")
    await room.say(loser, f"resign {number} yes")
    return number


def said(told: Sequence[OutgoingMessage]) -> str:
    return "\n".join(line for one in told for line in transcribe(one, START))


# --- the arithmetic ---------------------------------------------------------------------------------------
def test_the_paper_s_example() -> None:
    others = ((Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0))
    found = update(Rating(1500, 200, 0.06), [Score(other, points) for other, points in others])
    assert found.points == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


ratings = st.builds(Rating, st.floats(100, 3500), st.floats(30, 350), st.floats(0.03, 0.12))


@given(ratings, ratings, st.sampled_from((0.0, 0.5, 1.0)))
def test_a_result_moves_a_rating_its_own_way(mine: Rating, other: Rating, points: float) -> None:
    after = update(mine, [Score(other, points)])
    assert 0 < after.volatility < 1
    assert after.deviation > 0
    if points != 0.5:
        assert (after.points > mine.points) == (points == 1)


@given(ratings, st.floats(0, 1000))
def test_a_rest_makes_a_rating_less_sure_and_nothing_else(mine: Rating, periods: float) -> None:
    after = rest(mine, periods)
    assert (after.points, after.volatility) == (mine.points, mine.volatility)
    assert min(mine.deviation, 350) <= after.deviation + 1e-9
    assert after.deviation <= BEGINNER.deviation


# --- standings --------------------------------------------------------------------------------------------
def result(number: int, players: str, winners: str, *, rated: bool = True, at: int = 0) -> Result:
    return Result(str(number), at or number, tuple(players), tuple(winners), rated)


def standings(*results: Result, linked: str = "") -> Standings:
    return Standings(results, lambda player: linked[0] if player in linked else player)


def test_both_lose_where_nobody_won() -> None:
    found = standings(result(1, "ab", ""))
    assert found.records["a"].lost == found.records["b"].lost == 1
    assert found.records["a"].rating.points == found.records["b"].rating.points < 1500


def test_a_draw_of_equals_moves_nobody() -> None:
    found = standings(result(1, "ab", "ab"))
    assert found.records["a"].drawn == 1
    assert found.records["a"].rating.points == pytest.approx(1500)
    assert found.records["a"].rating.deviation < 350


def test_what_is_not_rated_counts_as_a_result_alone() -> None:
    found = standings(result(1, "ab", "a", rated=False))
    assert (found.records["a"].won, found.records["a"].rated, found.records["a"].rating) == (1, 0, BEGINNER)
    assert found.best(0) == []


def test_accounts_of_one_person_are_one_player_and_do_not_play_themselves() -> None:
    found = standings(result(1, "ab", "a"), result(2, "cb", "b"), result(3, "ac", "c"), linked="ac")
    assert found.records["a"].played == 2
    assert "c" not in found.records
    assert found.between("a", "b").played == 2


def test_the_order_in_which_results_come_to_hand_does_not_matter() -> None:
    games = [result(1, "ab", "a"), result(2, "bc", "c"), result(3, "ca", "")]
    assert standings(*games).records == standings(*reversed(games)).records


def test_provisional_ratings_stand_behind_all_others() -> None:
    games = [result(number, "ab", "ab"[number % 2]) for number in range(1, 60)]
    found = standings(*games, result(99, "cd", "c"))
    assert [player for player, _, _ in found.best(99)][2:] == ["c", "d"]
    later = found.best(99 + 2000 * WEEK)
    assert all(rating.deviation == 350 for _, _, rating in later), "after forty years nothing is sure"
    assert all(one[2].points >= other[2].points for one, other in pairwise(later))


def test_a_result_is_read_as_it_was_written() -> None:
    one = Result("7", 12, ("web:anna", "web:ben"), ("web:ben",), True, ("web/room",))
    assert read_result(write_result(one)) == one


# --- in a club --------------------------------------------------------------------------------------------
async def test_a_match_of_two_is_rated_when_it_ends(room: ChatRoom) -> None:
    await finished(room, "anna", "ben", loser="ben")
    told = said(await room.say("anna", "rating"))
    assert "**Tokonoma**: won 1, drawn 0, lost 0. Rating 1662? ± 581." in told
    assert "You against them: won 0, drawn 0, lost 1." in said(await room.say("ben", "rating @anna"))
    listed = said(await room.say("cleo", "ladder tokonoma"))
    assert listed.index("1. anna: 1662?") < listed.index("2. ben: 1338?")


async def test_a_match_that_ends_while_the_results_are_read_counts_all_the_same(
    room: ChatRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    await finished(room, "anna", "ben", "ben")
    results, read = room.service.repository, room.store.owners
    has_read, ended = asyncio.Event(), asyncio.Event()

    async def slowly(key: str) -> Sequence[tuple[str, str]]:
        found = await read(key)
        if key == "result tokonoma" and not has_read.is_set():
            has_read.set()
            await ended.wait()
        return found

    results.forget_all()
    monkeypatch.setattr(room.store, "owners", slowly)
    reading = asyncio.create_task(results.standings("tokonoma"))
    await has_read.wait()
    await finished(room, "anna", "cleo", "cleo")
    ended.set()
    await reading
    listed = (await results.standings("tokonoma")).best(room.now)
    assert {player for player, *_ in listed} == {"web:anna", "web:ben", "web:cleo"}


async def test_a_restart_changes_no_rating(room: ChatRoom) -> None:
    for loser in ("ben", "anna", "ben"):
        await finished(room, "anna", "ben", loser)
    before = said(await room.say("anna", "ladder tokonoma"))
    room.restart()
    assert said(await room.say("anna", "ladder tokonoma")).splitlines()[1:] == before.splitlines()[1:]


def test_a_plot_of_many_matches_names_about_five_of_their_days() -> None:
    course = [(day * DAY, 1500.0 + day) for day in range(12)]
    chart = rating_chart("Anna", Term("Tokonoma"), course)
    assert [(at, label[5:]) for at, label in chart.ticks] == [
        (1, "01-01"), (3, "01-03"), (5, "01-05"), (7, "01-07"), (9, "01-09"), (11, "01-11")
    ]  # fmt: skip
    assert [at for at, _ in rating_chart("Anna", Term("Tokonoma"), course[:4]).ticks] == [1, 2, 3, 4]


async def test_a_match_from_a_given_start_is_not_rated(room: ChatRoom) -> None:
    tokonoma = GAMES["tokonoma"]
    start = tokonoma.encode(tokonoma.setup({}, Dice(bytes(32))))
    await finished(room, "anna", "ben", "ben", f'start="{start}"')
    told = said(await room.say("anna", "rating"))
    assert "won 1" in told
    assert "Rating" not in told


async def test_who_does_not_wish_it_is_neither_rated_nor_listed(room: ChatRoom) -> None:
    await finished(room, "anna", "ben", loser="ben")
    assert "no longer rated" in said(await room.say("ben", "rating off"))
    await finished(room, "anna", "ben", loser="ben")
    told = said(await room.say("anna", "rating"))
    assert "won 2" in told
    assert "1662?" in told, "the second changed nobody's rating"
    assert "ben" not in said(await room.say("anna", "ladder tokonoma"))
    assert "is not rated, by their own wish" in said(await room.say("anna", "rating @ben"))
    await room.say("ben", "rating on")
    assert "ben" in said(await room.say("anna", "ladder tokonoma"))


async def test_a_match_against_riposte_is_not_rated(room: ChatRoom) -> None:
    await room.say("anna", "play tokonoma level=1 side=white")
    number = (await room.store.matches(limit=1))[0].match
    await room.say("anna", f"move {number} c7c5")
    await room.say("anna", f"resign {number} yes")
    told = said(await room.say("anna", "rating"))
    assert "lost 1" in told
    assert "Rating" not in told


async def test_a_list_names_those_who_played_here(room: ChatRoom) -> None:
    await finished(room, "anna", "ben", loser="ben")
    elsewhere = said(await room.say("cleo", "ladder tokonoma", channel="77", platform="matrix"))
    assert "Nobody has finished a rated match of Tokonoma here yet." in elsewhere
    assert "1. anna" in said(await room.say("cleo", "ladder tokonoma all", channel="77", platform="matrix"))


async def test_a_match_that_was_called_off_is_no_result(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept 1")
    await room.say("anna", "abort 1 yes")
    assert "finished no match yet" in said(await room.say("anna", "rating"))
