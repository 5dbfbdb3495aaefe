"""Tournaments on a real homeserver, from their announcement to their end, as those who play in them read them."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from itertools import count
from pathlib import Path

import pytest

from bot.adapters.matrix import Wording
from bot.messages.catalogue import language
from engine.match.state import Match
from tests.adapters.matrix_room import PREFIX, Bot, Enter, club, transcript
from tests.adapters.pseudo_match import NAMES, faults
from tests.adapters.test_pseudo_language import FILE, plain
from tests.synapse.player import Player
from tests.synapse.server import Homeserver
from tools.languages import COMPLETE

NUMBERS = count(1)


class Evening:
    """People in rooms with Riposte, whose every line is dealt with before the next."""

    def __init__(self, bot: Bot, players: Sequence[Player]):
        self.bot = bot
        self.players = players

    async def say(self, player: Player, room: str, text: str, thread: str = "") -> None:
        event = await player.say(room, text if thread else f"{PREFIX} {text}", thread=thread)
        while f"matrix:{event}" not in self.bot.dealt_with:
            await asyncio.sleep(0.02)
        await self.calm()

    async def calm(self) -> None:
        """Wait until nothing is due and everything has arrived."""
        while await self.bot.store.due(self.bot.now()) or await self.bot.store.waiting(1 << 60):
            await asyncio.sleep(0.02)

    async def running(self) -> list[Match]:
        running = await self.bot.store.matches(status="running")
        found = [await self.bot.service.repository.match(one.match) for one in running]
        return sorted((match for match in found if match), key=lambda match: int(match.id))

    def seat(self, match: Match, side: str) -> Player:
        return next(player for player in self.players if match.seats[side] == f"matrix:{player.user}")

    async def play(self, match: Match, room: str) -> None:
        """Two turns in the match's thread; then whoever comes later in the club gives up."""
        white, black = (self.seat(match, side) for side in ("W", "B"))
        thread = next(
            seen.thread
            for seen in white.read(room)
            if seen.thread and seen.content.get("org.riposte.match") == match.id
        )
        await self.say(white, room, "c7c5", thread)
        await self.say(black, room, "e1e3", thread)
        loser = max(white, black, key=self.players.index)
        await self.say(loser, room, "resign yes", thread)

    async def play_all(self, room: str) -> None:
        """Rounds, until nothing runs any more."""
        while running := await self.running():
            for match in running:
                await self.play(match, room)


async def evening(bot: Bot, people: Enter, *names: str, code: str = "") -> tuple[Evening, str]:
    players = [await people(name) for name in names]
    return Evening(bot, players), await club(bot, *players, language=code)


def told(evening: Evening, room: str, reader: int = 0) -> str:
    """What somebody reads in a room, by the names that they were let in with."""
    text = re.sub("[\u2068\u2069]", "", transcript(evening.players[reader], room))  # marks around names
    for player in (*evening.players,):
        local = player.user[1:].partition(":")[0]
        text = text.replace(player.user, local).replace(local, local.rpartition("-")[0])
    return text


@pytest.fixture
async def bot(synapse: Homeserver, tmp_path: Path) -> AsyncIterator[Bot]:
    bot = await Bot.enter(synapse, tmp_path / "bot", f"riposte-cup-{next(NUMBERS)}")
    yield bot
    await bot.stop()


async def test_a_swiss_tournament_is_played_from_its_announcement_to_its_end(bot: Bot, people: Enter) -> None:
    club_night, room = await evening(bot, people, "anna", "ben", "carol", "dora")
    anna, *_ = club_night.players
    await club_night.say(anna, room, "tournament swiss tokonoma Autumn Cup seats=4 rounds=2")
    for player in club_night.players:
        await club_night.say(player, room, "join 1")
    assert len(await club_night.running()) == 2
    await club_night.say(anna, room, "tournament 1")
    await club_night.play_all(room)
    await anna.see(room, "Autumn Cup is over")
    text = told(club_night, room)
    print(text)
    for words in (
        "Autumn Cup · tournament 1. Tokonoma, Swiss",
        "dora joins Autumn Cup: 4 so far.",
        "Autumn Cup has begun.",
        "round 1 is over.",
        "Autumn Cup is over. anna has won it.",
    ):
        assert words in text
    # The standings at the beginning, after the first round and at the end.
    await anna.see(room, lambda seen: bool(seen.picture) and not seen.thread, count=3)
    pictures = [seen for seen in anna.read(room) if seen.picture and not seen.thread]
    for seen in pictures:
        assert (await anna.save_picture(seen)).startswith(b"\x89PNG")


async def test_a_knock_out_is_played_to_its_final(bot: Bot, people: Enter) -> None:
    club_night, room = await evening(bot, people, "anna", "ben", "carol")
    anna, *_ = club_night.players
    await club_night.say(anna, room, "tournament knockout tokonoma Winter Cup seats=3")
    for player in club_night.players:
        await club_night.say(player, room, "join 1")
    await club_night.play_all(room)
    await anna.see(room, "Winter Cup is over")
    text = told(club_night, room)
    print(text)
    assert "Winter Cup is over. anna has won it." in text


async def test_two_rooms_meet_board_by_board(bot: Bot, people: Enter) -> None:
    club_night, west = await evening(bot, people, "anna", "ben")
    xeno, yves = await people("xeno"), await people("yves")
    club_night.players = (*club_night.players, xeno, yves)
    east = await club(bot, xeno, yves)
    anna, ben, *_ = club_night.players
    await club_night.say(anna, west, "tournament teams tokonoma Derby seats=2")
    for player, room in ((anna, west), (ben, west), (xeno, east), (yves, east)):
        await club_night.say(player, room, "join 1")
    running = await club_night.running()
    assert len(running) == 2
    for match in running:
        assert set(match.places) == {f"matrix/{room}/" for room in (west, east)}
        loser = next(player for player in (xeno, yves) if f"matrix:{player.user}" in match.seats.values())
        await club_night.say(loser, east, f"resign {match.id} yes")
    await anna.see(west, "Derby is over")
    await xeno.see(east, "Derby is over")
    for text in (told(club_night, west), told(club_night, east, 2)):
        print(text)
        assert "yves joins team B of Derby." in text
        assert "Derby is over. Team A: 2. Team B: 0." in text


@pytest.mark.slow
@pytest.mark.parametrize("code", COMPLETE)
async def test_a_tournament_is_told_in_the_room_s_language(
    code: str, synapse: Homeserver, people: Enter, tmp_path: Path
) -> None:
    def wording(code: str) -> Wording:
        spoken = language(code)
        return Wording(spoken.say, spoken.instant)

    bot = await Bot.enter(synapse, tmp_path / "bot", f"riposte-cup-{code}-{next(NUMBERS)}", wording=wording)
    try:
        club_night, room = await evening(bot, people, "anna", "ben", "carol", code=code)
        anna, *_ = club_night.players
        await club_night.say(anna, room, "tournament knockout tokonoma Pokal seats=3")
        for player in club_night.players:
            await club_night.say(player, room, "join 1")
        await club_night.say(anna, room, "tournament 1")
        await club_night.play_all(room)
        tournament = await bot.service.repository.tournament("t1")
        assert tournament is not None
        assert tournament.status == "over"
        await club_night.calm()
        last = await anna.say(room, "the last word")
        await anna.see_own(last)
        posts = [seen for seen in anna.read(room) if seen.sender == bot.user]
        texts = [words for seen in posts for words in (seen.text, plain(seen.html)) if words != FILE]
        print(told(club_night, room))
        assert len(texts) > 20
        assert faults(texts, (*NAMES, "Pokal", *(player.user for player in club_night.players)), code) == []
    finally:
        await bot.stop()
