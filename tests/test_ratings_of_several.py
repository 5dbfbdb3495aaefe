"""Ratings of three and more: the model as its paper has it, what holds of every match, and what players read of it.

`databases/0.2.0-several.db` (key: `test.key`) was written by a version that rated several by Glicko-2, through its own
commands, by a room as in `chat_room.py`. Of Chirality Anna has won match 1 and Ben match 2, both of three; Cleo has
won match 3, of her and Anna, and match 4, of three, runs. There all had one rating: Anna's was 1367, Ben's 1658.
"""

import math
import shutil
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import BradleyTerryFull

from bot.cli.check import examined
from bot.cli.migrate import migrate
from bot.messages.model import OutgoingMessage
from bot.ratings import several
from bot.ratings.glicko import BEGINNER, SCALE, Rating, Score
from bot.ratings.results import Result, read_result
from bot.ratings.standings import PROVISIONAL, Standings
from storage.postgres.store import PostgresStore
from storage.sqlite.store import SqliteStore
from tests.chat_room import START, ChatRoom, transcribe
from tests.stores import Server

DATABASES = Path(__file__).parent / "databases"
CLOSED, HEARD = 1_800_001_680_000, 28
"""When the old database was closed, and how many messages its room had heard."""

ratings = st.builds(Rating, st.floats(300, 2700), st.floats(40, 350))
rivals = st.lists(ratings, min_size=2, max_size=4)


def said(told: Sequence[OutgoingMessage]) -> str:
    return "\n".join(line for one in told for line in transcribe(one, START))


# --- the arithmetic ---------------------------------------------------------------------------------------
def test_the_first_match_of_three_by_hand() -> None:
    # Algorithm 1 of the paper, sigma = 350 and tau = 3.5 for all, beta = 122.837, gamma = 1:
    # c = sqrt(2 * (350^2 + 3.5^2) + 2 * 122.837^2) = 524.597; each expects 1/2 of each pair.
    # A win is worth 122512.25 / 524.597 * 1/2 = 116.768, and takes (122512.25 / 524.597^2) * 1/4 = 0.111294 of sigma^2.
    beginner = BEGINNER
    won = several.update(beginner, [Score(beginner, 1.0), Score(beginner, 1.0)])
    assert won.points == pytest.approx(1500 + 2 * 116.768, abs=0.01)
    assert won.deviation == pytest.approx(math.sqrt(122512.25 * (1 - 2 * 0.111294)), abs=0.01)
    lost = several.update(beginner, [Score(beginner, 0.0)])
    assert lost.points == pytest.approx(1500 - 116.768, abs=0.01)
    assert lost.deviation == pytest.approx(math.sqrt(122512.25 * (1 - 0.111294)), abs=0.01)


def test_the_library_s_own_example_of_two() -> None:
    # https://openskill.me: two beginners at 25 +- 25/3, and the first wins.
    model = BradleyTerryFull()
    (won,), (lost,) = model.rate([[model.rating()], [model.rating()]])
    assert (won.mu, won.sigma) == pytest.approx((27.635, 8.066), abs=0.001)
    assert (lost.mu, lost.sigma) == pytest.approx((22.365, 8.066), abs=0.001)


def paper(mine: Rating, scores: Sequence[Score]) -> tuple[float, float]:
    """Algorithm 1 of Weng and Lin, line by line; strengths are less sure before a match, as openskill has it."""
    variance = mine.deviation**2 + several.TAU**2
    omega = delta = 0.0
    for score in scores:
        c = math.sqrt(variance + score.against.deviation**2 + several.TAU**2 + SCALE**2)
        expected = 1 / (1 + math.exp((score.against.points - mine.points) / c))
        omega += variance / c * (score.points - expected)
        delta += variance / c**2 * expected * (1 - expected)
    return mine.points + omega, math.sqrt(variance * max(1 - delta, 0.0001))


@given(ratings, rivals, st.lists(st.sampled_from((0.0, 0.5, 1.0)), min_size=4, max_size=4))
def test_every_match_is_as_the_paper_has_it(mine: Rating, others: list[Rating], points: list[float]) -> None:
    scores = [Score(other, one) for other, one in zip(others, points, strict=False)]
    after = several.update(mine, scores)
    strength, deviation = paper(mine, scores)
    assert after.points == pytest.approx(strength)
    assert after.deviation == pytest.approx(min(deviation, BEGINNER.deviation))
    assert after.volatility == mine.volatility


@given(ratings, rivals)
def test_who_has_won_rises_who_has_lost_falls_and_both_are_surer(mine: Rating, others: list[Rating]) -> None:
    won = several.update(mine, [Score(other, 1.0) for other in others])
    assert won.points > mine.points
    for points in (0.0, 1.0):
        after = several.update(mine, [Score(other, points) for other in others])
        assert 0 < after.deviation <= math.hypot(mine.deviation, several.TAU)
    assert several.update(mine, [Score(others[0], 0.0)]).points < mine.points
    assert several.update(mine, [Score(other, 0.0) for other in others]).points < mine.points


# --- standings --------------------------------------------------------------------------------------------
def result(number: int, players: str, winners: str) -> Result:
    return Result(str(number), number, tuple(players), tuple(winners), rated=True)


def standings(*results: Result) -> Standings:
    return Standings(results, lambda player: player, by_several=True)


def points(of: Standings) -> dict[str, float]:
    return {player: record.rating.points for player, record in of.records.items()}


past = st.lists(
    st.tuples(st.permutations("abcde"), st.integers(3, 5), st.integers(0, 5)).map(
        lambda drawn: ("".join(drawn[0][: drawn[1]]), "".join(drawn[0][: min(drawn[2], drawn[1])]))
    ),
    max_size=6,
)


def played(matches: Sequence[tuple[str, str]]) -> list[Result]:
    return [result(number, players, winners) for number, (players, winners) in enumerate(matches, 1)]


@given(past)
def test_the_order_in_which_players_sit_does_not_matter(matches: list[tuple[str, str]]) -> None:
    found = points(standings(*played(matches)))
    turned = [(players[::-1], "".join(sorted(winners))) for players, winners in matches]
    assert points(standings(*played(turned))) == pytest.approx(found)


@given(past, st.permutations("abcde"), st.integers(3, 5))
def test_the_winner_rises_and_all_others_fall_whatever_was_before(
    matches: list[tuple[str, str]], seats: list[str], count: int
) -> None:
    players = "".join(seats[:count])
    before, after = (points(standings(*played(some))) for some in (matches, [*matches, (players, players[0])]))
    for player in players:
        assert (after[player] > before.get(player, 1500)) == (player == players[0])
    assert {player: after[player] for player in before if player not in players} == {
        player: before[player] for player in before if player not in players
    }


@given(past, st.permutations("abcde"), st.integers(3, 5))
def test_where_nobody_won_everybody_falls(matches: list[tuple[str, str]], seats: list[str], count: int) -> None:
    players = "".join(seats[:count])
    before, after = (points(standings(*played(some))) for some in (matches, [*matches, (players, "")]))
    assert all(after[player] < before.get(player, 1500) for player in players)


def test_a_draw_of_equals_moves_nobody_and_makes_them_surer() -> None:
    found = standings(result(1, "abc", "abc"))
    assert {record.rating.points for record in found.records.values()} == {1500}
    assert {record.drawn for record in found.records.values()} == {1}
    assert all(record.rating.deviation < 350 for record in found.records.values())


def test_two_who_win_have_beaten_the_third_and_drawn_with_each_other() -> None:
    found = standings(result(1, "abc", "ab"))
    assert found.records["a"].rating == found.records["b"].rating
    assert found.records["a"].rating.points > 1500 > found.records["c"].rating.points
    only = standings(result(1, "abc", "a")).records["a"].rating.points
    assert found.records["a"].rating.points < only, "who shares a win gains less than who wins alone"


def test_all_players_of_equals_are_treated_alike() -> None:
    for seats in permutations("abc"):
        found = points(standings(result(1, "".join(seats), "b")))
        assert found == pytest.approx({"a": 1383.23, "b": 1733.54, "c": 1383.23}, abs=0.01)


def test_matches_of_two_and_of_several_are_told_apart() -> None:
    games = [result(1, "ab", "a"), result(2, "abc", "c")]
    two, three = Standings(games, lambda player: player), standings(*games)
    assert set(two.records) == {"a", "b"}
    assert two.records["a"].rating.points > 1500 > three.records["a"].rating.points
    assert (two.met("a"), three.met("a")) == ({"b": 1}, {"b": 1, "c": 1})


def test_a_rating_is_provisional_for_some_thirty_matches_and_again_after_a_long_rest() -> None:
    games = [result(number, "abc", "abc"[number % 3]) for number in range(1, 61)]
    found = standings(*games)
    rated = [rating for _, _, rating in found.best(61)]
    assert all(rating.deviation < PROVISIONAL for rating in rated)
    early = standings(*games[:15]).best(16)
    assert all(rating.deviation > PROVISIONAL for _, _, rating in early)
    later = found.best(1 << 42)
    assert all(rating.deviation == 350 for _, _, rating in later)
    assert all(one[2].points >= other[2].points for one, other in pairwise(later))


# --- in a club --------------------------------------------------------------------------------------------
@pytest.fixture
async def room(tmp_path: Path, each_database: str, request: pytest.FixtureRequest) -> AsyncIterator[ChatRoom]:
    """A room that goes on with the old database: the file itself, or all that was in it in a PostgreSQL."""
    file, key = tmp_path / "riposte.db", tmp_path / "riposte.key"
    shutil.copy(DATABASES / "0.2.0-several.db", file)
    shutil.copy(DATABASES / "test.key", key)
    store: SqliteStore | PostgresStore
    if each_database == "postgresql":
        server: Server = request.getfixturevalue("postgres")
        url = await server.database(tmp_path / "new.db", empty=True)
        await migrate(str(file), url, tmp_path)
        store = await PostgresStore.open(url, key, tmp_path / "riposte.erased")
    else:
        store = await SqliteStore.open(file)
    room = ChatRoom(store, now=CLOSED, heard=HEARD)
    yield room
    await room.store.close()


async def test_what_an_earlier_version_has_kept_is_rated_by_both(room: ChatRoom) -> None:
    told = said(await room.say("anna", "rating"))
    assert "**Chirality**: won 0, drawn 0, lost 1. Rating 1338? ± 581." in told
    assert "**Chirality for three or more**: won 1, drawn 0, lost 1. Rating 1601?" in told
    assert "**Chirality**" not in said(await room.say("ben", "rating")), "he has met nobody alone"
    results = [read_result(value) for _, value in await room.store.owners("result chirality")]
    anew = Standings(results, lambda player: player, by_several=True)
    kept = await room.service.repository.standings("chirality", several=True)
    assert kept.records == anew.records
    assert [str(finding) async for finding in examined(room.store) if finding.state == "FAULT"] == []


async def test_a_match_of_three_that_ends_is_rated_by_several_alone_and_a_restart_changes_nothing(
    room: ChatRoom,
) -> None:
    two = said(await room.say("anna", "ladder chirality"))
    before = said(await room.say("anna", "ladder chirality several"))
    for name in ("ben", "anna"):
        await room.say(name, "resign 4 yes")
    listed = said(await room.say("anna", "ladder chirality several"))
    assert "**Chirality for three or more, the rated players**" in listed
    assert listed != before
    assert listed.index("cleo: ") < listed.index("ben: "), "she has won the last one"
    assert said(await room.say("anna", "ladder chirality")) == two
    room.restart()
    assert said(await room.say("anna", "ladder chirality several")) == listed
    assert [str(finding) async for finding in examined(room.store) if finding.state == "FAULT"] == []


async def test_profile_and_plot_show_the_rating_by_several(room: ChatRoom) -> None:
    told = said(await room.say("cleo", "profile @anna"))
    assert "**Chirality for three or more**: won 1, drawn 0, lost 1. Rating 1601?" in told
    assert "Against @cleo: 1 won, 0 drawn, 2 lost." in told, "of two and of three together"
    (plot,) = await room.say("anna", "rating chirality several")
    assert plot.picture is not None
    assert plot.picture.chart is not None
    assert [round(value) for _, value in plot.picture.chart.series[0].points] == [1734, 1601]
    few = said(await room.say("anna", "rating chirality"))
    assert "too few rated matches of Chirality for a plot" in few
    few = said(await room.say("dora", "rating chirality several"))
    assert "too few rated matches of Chirality for three or more for a plot. `ladder chirality several` lists" in few


async def test_who_does_not_wish_it_is_in_neither_list(room: ChatRoom) -> None:
    await room.say("ben", "rating off")
    listed = said(await room.say("anna", "ladder chirality several"))
    assert "anna" in listed
    assert "ben" not in listed


async def test_a_game_for_two_has_no_list_by_several(room: ChatRoom) -> None:
    told = said(await room.say("anna", "ladder tokonoma several"))
    assert "Tokonoma is played by two. `ladder tokonoma` lists its rated players." in told
    none = said(await room.say("zoe", "ladder chirality several", channel="77", platform="matrix"))
    assert "Nobody has finished a rated match of Chirality for three or more here yet." in none
