"""Tournaments in a room: announced, joined, played by alarms, organised, and safe from restarts."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from bot.club.state import Tournament
from bot.commands.spec import BY_NAME
from bot.commands.suggestions.forms import fill
from bot.messages.model import OutgoingMessage, Person, Place
from engine.games import GAMES
from engine.match.challenge import uses_luck
from storage import open_store
from tests.chat_room import DAY, MINUTE, START, ChatRoom, transcribe
from tests.faults.kills import swept


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = ChatRoom(await open_store(tmp_path / "riposte.db"))
    yield room
    await room.store.close()


def said(told: Sequence[OutgoingMessage]) -> str:
    return "\n".join(line for one in told for line in transcribe(one, START))


async def stands(room: ChatRoom, number: int = 1) -> Tournament:
    found = await room.service.repository.tournament(f"t{number}")
    assert found is not None
    return found


async def joined(room: ChatRoom, *players: str, number: int = 1) -> str:
    told = [said(await room.say(name, f"join {number}")) for name in players]
    return told[-1] + said(await room.wait(MINUTE))


async def ended(room: ChatRoom, number: str, loser: str = "") -> str:
    """A match of two turns that somebody gives up, whoever sits second if nobody is named."""
    match = await room.service.repository.match(number)
    assert match is not None
    white, black = (player.partition(":")[2] for player in match.seats.values())
    await room.say(white, f"move {number} c7c5")
    await room.say(black, f"move {number} e1e3")
    told = said(await room.say(loser or black, f"resign {number} yes"))
    return told + said(await room.wait(MINUTE))


async def running(room: ChatRoom) -> list[str]:
    return sorted((one.match for one in await room.store.matches(status="running")), key=int)


# --- joining and beginning --------------------------------------------------------------------------------
async def test_it_begins_when_it_is_full_and_its_matches_by_themselves(room: ChatRoom) -> None:
    await room.say("anna", "tournament swiss tokonoma seats=4 rounds=2")
    assert await running(room) == []
    told = await joined(room, "anna", "ben", "carol", "dora")
    assert "round 1" in told
    assert await running(room) == ["1", "2"]
    assert "has begun without you" in said(await room.say("emil", "join 1"))


async def test_whoever_writes_for_the_first_time_is_told_of_by_name(room: ChatRoom) -> None:
    """And not by an id, which on some platforms is a number of eighteen digits."""
    assert "@Anna organises it" in said(await room.say("Anna", "tournament swiss tokonoma seats=4 rounds=2"))
    assert "@Ben joins" in said(await room.say("Ben", "join 1"))


@pytest.mark.parametrize(
    "asked", ["organise 1 begin", "tournament start 1", "tournament 1 begin", "tournament 1 start"]
)
async def test_its_organiser_begins_it_in_whatever_words_they_try(room: ChatRoom, asked: str) -> None:
    told = said(await room.say("anna", "tournament swiss tokonoma seats=8 rounds=2"))
    assert "`organise 1 begin`" in told
    await joined(room, "anna", "ben", "carol", "dora")
    assert "organises this tournament" in said(await room.say("ben", asked))
    assert await running(room) == []
    assert "has begun" in said(await room.say("anna", asked))
    await room.wait(MINUTE)
    assert await running(room) == ["1", "2"]


async def test_the_only_one_of_a_place_is_joined_without_its_number(room: ChatRoom) -> None:
    await room.say("anna", "tournament swiss tokonoma Autumn Cup seats=4 rounds=2")
    assert "joins **Autumn Cup**" in said(await room.say("ben", "join"))
    assert "Which tournament?" in said(await room.say("ben", "withdraw")), "what costs something is named"
    assert "joins **Autumn Cup**" in said(await room.say("carol", "tournament join 1"))
    await room.say("anna", "tournament swiss tokonoma Winter Cup seats=4 rounds=2")
    assert "Which tournament?" in said(await room.say("dora", "join"))
    assert "There is no tournament 9." in said(await room.say("dora", "join 9"))


async def test_it_begins_on_its_day_with_those_who_have_come(room: ChatRoom) -> None:
    await room.say("anna", "tournament knockout tokonoma seats=8 begins=3d")
    await joined(room, "anna", "ben")
    assert (await stands(room)).status == "open"
    await room.wait(3 * DAY)
    assert (await stands(room)).status == "running"
    assert await running(room) == ["1"]


@pytest.mark.parametrize("begins", ["", "by hand", "3d"])
async def test_whoever_is_rated_higher_is_seeded_higher_and_of_equals_who_came_first(
    room: ChatRoom, begins: str
) -> None:
    """However it begins: when it is full, when its organiser says so, or on its day."""
    await room.say("carol", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept 1")
    await ended(room, "1", loser="ben")
    seats = {"": "seats=4", "by hand": "seats=8", "3d": "seats=8 begins=3d"}[begins]
    await room.say("anna", f"tournament swiss tokonoma {seats}")
    await joined(room, "ben", "anna", "dora", "carol")
    if begins == "by hand":
        await room.say("anna", "organise 1 begin")
    elif begins:
        await room.wait(3 * DAY)
    assert (await stands(room)).seeds == ("web:carol", "web:anna", "web:dora", "web:ben")


async def test_on_its_day_with_nobody_there_it_is_off(room: ChatRoom) -> None:
    await room.say("anna", "tournament knockout tokonoma begins=3d")
    await joined(room, "ben")
    assert "is called off" in said(await room.wait(4 * DAY))
    assert (await stands(room)).status == "over"


async def test_accounts_of_one_person_join_once(room: ChatRoom) -> None:
    code = said(await room.say("anna", "account")).split("`account ")[1].split("`")[0]
    await room.say("annie", f"account {code} yes")
    await room.say("anna", "tournament swiss tokonoma seats=4")
    await joined(room, "anna")
    assert "You take part" in said(await room.say("annie", "join 1"))


async def test_who_joins_last_is_told_it_is_full_where_it_waits_for_its_day(room: ChatRoom) -> None:
    await room.say("anna", "tournament swiss tokonoma seats=2 begins=3d")
    await joined(room, "anna", "ben")
    assert "is full" in said(await room.say("carol", "join 1"))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("tournament tokonoma", "How is it to be played"),
        ("tournament swiss", "Which game?"),
        ("tournament swiss tokonoma @ben", "join a tournament by themselves"),
        ("tournament swiss tokonoma seats=1", "from 2 to 64"),
        ("tournament round-robin tokonoma seats=17", "from 2 to 16"),
        ("tournament swiss tokonoma seats=²", "from 2 to 64"),
        ("tournament swiss tokonoma time=none", "need not end"),
        ("tournament swiss tokonoma begins=2020-01-01", "no day to come"),
        ("tournament swiss tokonoma begins=soon", "no day to come"),
        ("tournament swiss tokonoma umpire=nobody", "cannot be"),
        ("tournament swiss veney formality=formal", "for keeps"),
        ("tournament knockout chirality players=3", "Swiss rounds, table by table"),
        ("tournament 99", "no tournament 99"),
        ("join 99", "no tournament 99"),
        ("organise 1 begin", "no tournament 1"),
    ],
)
async def test_what_cannot_be_is_told_and_changes_nothing(room: ChatRoom, text: str, answer: str) -> None:
    assert answer in said(await room.say("anna", text))
    assert await room.service.repository.tournament("t1") is None


@pytest.mark.parametrize("text", ["join us", "withdraw your troops", "climb higher"])
async def test_talk_is_left_alone(room: ChatRoom, text: str) -> None:
    assert await room.say("anna", text) == []


# --- how matches count ------------------------------------------------------------------------------------
async def test_a_match_s_end_and_its_points_are_one_transaction(room: ChatRoom) -> None:
    await room.say("anna", "tournament round-robin tokonoma seats=2")
    await joined(room, "anna", "ben")
    for name, text in (("anna", "c7c5"), ("ben", "e1e3")):
        await room.say(name, f"move 1 {text}")
    before = len(await room.store.load("t1"))
    await room.say("ben", "resign 1 yes")
    assert "web:anna" in await room.store.setting("t1", "result 1.1"), "written with the end itself"
    assert [one.kind for one in await room.store.due(room.now)] == ["result 1.1"]
    assert len(await room.store.load("t1")) == before
    room.restart()
    assert "is over" in said(await room.wait(MINUTE))
    assert await room.store.due(room.now) == []


async def test_whoever_calls_a_match_off_has_lost_it(room: ChatRoom) -> None:
    await room.say("anna", "tournament round-robin tokonoma seats=2")
    await joined(room, "anna", "ben")
    await room.say("ben", "abort 1 yes")
    told = said(await room.wait(MINUTE))
    assert "@anna has won it" in told


async def test_whoever_runs_out_of_time_has_lost(room: ChatRoom) -> None:
    await room.say("anna", "tournament round-robin tokonoma seats=2 time=1d")
    await joined(room, "anna", "ben")
    match = await room.service.repository.match("1")
    assert match is not None
    late = match.seats[match.sides_to_act[0]]
    told = said(await room.wait(2 * DAY))
    assert f"@{'ben' if late == 'web:anna' else 'anna'} has won it" in told
    of = await stands(room)
    assert of.tables[0].decided[1].how == "time"


async def test_who_withdraws_loses_what_has_not_begun(room: ChatRoom) -> None:
    await room.say("anna", "tournament round-robin tokonoma seats=3 atonce=1")
    await joined(room, "anna", "ben", "carol")
    (number,) = await running(room)
    match = await room.service.repository.match(number)
    assert match is not None
    sitting = {player.partition(":")[2] for player in match.seats.values()}
    rests = next(iter({"anna", "ben", "carol"} - sitting))
    told = said(await room.say(rests, "withdraw 1"))
    assert f"@{rests} has withdrawn" in told
    assert told.count("never played") == 2
    assert "is over" in await ended(room, number)


# --- forms ------------------------------------------------------------------------------------------------
async def test_a_knock_out_goes_on_round_by_round(room: ChatRoom) -> None:
    await room.say("anna", "tournament knockout tokonoma seats=4")
    await joined(room, "anna", "ben", "carol", "dora")
    first = await running(room)
    await ended(room, first[0])
    told = await ended(room, first[1])
    assert "round 1 is over" in told
    assert "round 2" in told
    (final,) = await running(room)
    assert "has won it" in await ended(room, final)


async def test_each_pairing_can_be_several_matches_at_once_sides_alternating(room: ChatRoom) -> None:
    await room.say("anna", "tournament knockout tokonoma seats=2 games=2")
    await joined(room, "anna", "ben")
    one, other = [await room.service.repository.match(number) for number in await running(room)]
    assert one is not None
    assert other is not None
    assert list(one.seats.values()) == list(other.seats.values())[::-1]


async def test_chirality_for_three_is_played_by_tables(room: ChatRoom) -> None:
    await room.say("anna", "tournament swiss chirality players=3 seats=6 rounds=1")
    await joined(room, "anna", "ben", "carol", "dora", "emil", "fay")
    matches = [await room.service.repository.match(number) for number in await running(room)]
    assert [len(match.seats) for match in matches if match] == [3, 3]


async def test_two_rooms_play_board_by_board_in_both(room: ChatRoom) -> None:
    async def say(name: str, channel: str, text: str) -> str:
        return said(await room.say(name, text, channel=channel, platform="matrix"))

    await say("anna", "west", "tournament teams tokonoma Derby seats=2")
    for name, channel in (("anna", "west"), ("ben", "west"), ("xeno", "east")):
        assert "joins team" in await say(name, channel, "join 1")
    assert "for each board" in await say("carol", "west", "join 1")
    assert "Two other rooms" in await say("carol", "north", "join 1")
    assert "equal strength" in await say("anna", "west", "organise 1 begin")
    await say("yves", "east", "join 1")
    await room.wait(MINUTE)
    for number in await running(room):
        match = await room.service.repository.match(number)
        assert match is not None
        assert set(match.places) == {"matrix/west/", "matrix/east/"}
        assert {player[7] in "ab" for player in match.seats.values()} == {True, False}


# --- the organiser ----------------------------------------------------------------------------------------
async def test_only_its_organiser_or_a_host_runs_it(room: ChatRoom) -> None:
    await room.say("anna", "tournament swiss tokonoma seats=4")
    await joined(room, "ben", "carol")
    assert "organises this tournament" in said(await room.say("ben", "organise 1 begin"))
    assert "@ben has withdrawn" in said(await room.say("dora", "organise 1 remove @ben", host=True))
    assert "@carol organises" in said(await room.say("anna", "organise 1 hand @carol"))
    assert "organises this tournament" in said(await room.say("anna", "organise 1 cancel"))
    assert "called off" in said(await room.say("carol", "organise 1 cancel"))
    assert (await stands(room)).called_off


async def test_without_its_organiser_it_goes_on_and_hosts_run_it(room: ChatRoom) -> None:
    await room.say("anna", "tournament swiss tokonoma seats=4")
    await joined(room, "anna", "ben")
    assert "Nobody organises" in said(await room.say("anna", "organise 1 leave"))
    assert "hosts of its place" in said(await room.say("anna", "organise 1 begin"))
    assert "has begun" in said(await room.say("dora", "organise 1 begin", host=True))


async def test_an_organiser_who_withdraws_still_organises(room: ChatRoom) -> None:
    await room.say("anna", "tournament swiss tokonoma seats=4")
    await joined(room, "anna", "ben", "carol")
    await room.say("anna", "withdraw 1")
    assert "has begun" in said(await room.say("anna", "organise 1 begin"))


# --- ladders ----------------------------------------------------------------------------------------------
async def test_a_ladder_is_climbed_three_places_at_most_and_kept_when_its_season_is_over(room: ChatRoom) -> None:
    await room.say("host", "tournament ladder tokonoma Season ends=20d")
    await joined(room, "anna", "ben", "carol", "dora", "emil")
    assert "as high as @ben" in said(await room.say("emil", "climb 1 @anna"))
    await room.say("emil", "climb 1 @ben")
    await room.wait(MINUTE)
    assert "one against each" in said(await room.say("emil", "climb 1 @ben"))
    await ended(room, "1", "ben")
    order = [player.partition(":")[2] for player in (await stands(room)).entrants]
    assert order == ["anna", "emil", "carol", "dora", "ben"]
    await room.say("dora", "climb 1 @carol")
    await room.wait(MINUTE)
    assert "is over" in said(await room.wait(20 * DAY))
    kept = (await stands(room)).entrants
    await room.wait(10 * DAY)
    assert (await stands(room)).entrants == kept, "what ends after the season changes nothing"
    assert "is not a running ladder" in said(await room.say("ben", "climb 1"))


# --- killed anywhere --------------------------------------------------------------------------------------
@pytest.mark.slow
def test_killed_at_any_write_point_a_tournament_goes_on_as_if_nothing_had_happened() -> None:
    found = swept(0, processes=1, stories=("tournament_and_ladder",), every=20)
    assert (found.lost, found.twice, found.torn) == ([], [], [])
    assert found.kills >= 60


async def test_a_form_completes_the_number_of_a_tournament_here(room: ChatRoom) -> None:
    await room.say("anna", "tournament swiss tokonoma Autumn Cup seats=4")
    who, where, slot = Person("web", "anna", "anna"), Place("web", "lounge"), BY_NAME["join"].slots[0]
    assert await fill(room.service.repository, who, where, slot, {"number": "autumn"}) == [("1", "1 Autumn Cup")]
    assert await fill(room.service.repository, who, Place("web", "attic"), slot, {}) == []


@pytest.mark.parametrize("game", GAMES)
async def test_matches_of_every_game_begin_on_the_usual_terms(room: ChatRoom, game: str) -> None:
    """Also where a term that is as usual would settle nothing if somebody wrote it."""
    await room.say("Anna", f"tournament swiss {game} Cup seats=2")
    told = await joined(room, "Anna", "Ben")
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.status == "running"
    assert ("Dice sealed: `" in told) == uses_luck(match)
    assert told.count("'s share") == (2 if uses_luck(match) else 0)


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_of_every_game_can_be_wished_for(room: ChatRoom, game: str) -> None:
    await room.say("Anna", f"wish {game}")
    await room.say("Ben", f"wish {game}")
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.status == "running"
