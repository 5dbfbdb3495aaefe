"""Kills the bot while it answers somebody on Discord whose press took long, and looks at what they saw in the end.

A whisper that follows such a press has no key by which Discord would know it again, and cannot be looked for there.

    python -m tests.faults.platforms.presses [TIMES]
"""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.adapters.discord.interactions import incoming
from bot.messages.model import IncomingMessage, Receive
from tests.discord_standin.interactions import DEFER_UPDATE
from tests.faults.platforms.kills import Heard, be_the_bot, warm
from tests.faults.platforms.menus import ComposerKills
from tests.faults.platforms.servers import Discord

SOON = 0.01
"""Seconds after which a press is a slow one here."""
FOLLOWING = "/webhooks/**"


class PressKills(ComposerKills):
    """One bot, a stand-in for Discord, and Ben, who presses though it is Anna's turn."""

    def __init__(self, server: Discord, folder: Path):
        super().__init__(server, folder, 1)
        self._heard: Heard = _at_once

    def begun(self) -> None:
        """A match between Anna, who is to move, and Ben; nobody's press was slow yet."""
        self._begin()
        self.discord.say("Anna", "challenge @Ben tokonoma side=white umpire=turn", written=True)
        offer = self._shown(lambda post: "Accept" in post["buttons"], "the challenge")
        self._tap("Ben", offer, "press", button="Accept")
        self._shown(lambda post: "Make the turn" in post["buttons"], "the turn")
        self._rest()
        self._end()

    def presses(self, *, answered: bool, after: int = -1) -> str:
        """Ben presses, and is heard once that is acknowledged, or not at all; the number of his press.

        With `after` the bot dies by itself when so many messages have been accepted.
        """
        self._heard = self._once_acknowledged if answered else _never
        self._begin(after)
        post = self._shown(lambda post: "Make the turn" in post["buttons"], "the turn")
        return str(self.discord.ask("do/press", who="Ben", message=post["id"], button="Make the turn")["id"])

    def acknowledged(self, number: str) -> None:
        """Wait until a press is."""
        self._until(lambda state: self.pressed(state, number)["answer"] == DEFER_UPDATE, "an acknowledgement")

    def begins(self) -> None:
        """The bot comes back."""
        self._heard = _at_once
        self._begin()

    def gone(self) -> None:
        """Wait until the bot has died by itself."""
        os.waitpid(self._child, 0)
        self._child = 0

    def answering(self) -> None:
        """Wait until an answer waits in the outbox."""
        self._until(lambda _: self._ask("SELECT 1 FROM letters WHERE done IS NULL"), "an answer")

    def followers(self, number: str) -> list[str]:
        """What Ben has been told in answer to a press, where he has pressed."""
        return [one["text"] for one in self.pressed(self.discord.ask("state"), number)["replies"]]

    def private(self) -> list[str]:
        """What Ben has been told in direct messages."""
        channels = self.discord.ask("state")["channels"]
        return [one["text"] for channel in channels if channel["recipient"] == "Ben" for one in channel["messages"]]

    def back(self, number: str) -> None:
        """The bot comes back, and Ben is told what he is to be told about a press."""
        known = len(self.private())
        self.begins()
        self._until(lambda _: self.followers(number) or self.private()[known:], "an answer")
        self._rest()

    def dies(self) -> None:
        """The bot is killed, if it lives."""
        if self._child:
            self._end()

    def follows(self, number: str) -> None:
        """Wait until a whisper has arrived, of which the bot has not been answered yet."""
        self._until(lambda state: self.pressed(state, number)["replies"], "a whisper")

    @staticmethod
    def pressed(state: Any, number: str) -> Any:
        """An interaction."""
        return next(one for one in state["interactions"] if one["id"] == number)

    def _begin(self, after: int = -1) -> None:
        self._ends_itself = after > 0
        self._child = os.fork()
        if not self._child:
            if self._heard is not _at_once:
                incoming.SOON = SOON  # type: ignore[misc]
            be_the_bot(self.server, self.folder, after, 0, self._heard)
        self._until(lambda state: state["connected"] and any(state["commands"].values()), "the bot")

    def _once_acknowledged(self, hear: Receive) -> Receive:
        def silent(number: str) -> bool:
            return bool(self.pressed(self.discord.ask("state"), number)["answer"] == DEFER_UPDATE)

        async def heard(message: IncomingMessage) -> bool:
            while message.id.startswith("discord:i") and not await asyncio.to_thread(silent, message.id[9:]):
                await asyncio.sleep(0.005)
            return await hear(message)

        return heard


def _at_once(hear: Receive) -> Receive:
    return hear


def _never(_hear: Receive) -> Receive:
    async def heard(_: IncomingMessage) -> bool:
        await asyncio.Event().wait()
        raise AssertionError

    return heard


# --- the moments at which it is killed --------------------------------------------------------------------------
def taken(kills: PressKills) -> str:
    """Discord has taken the whisper; the bot does not know."""
    number = kills.presses(answered=True)
    kills.discord.ask("do/fail", method="POST", pattern=FOLLOWING, trouble="slow", after=True)
    kills.follows(number)
    return number


def marked(kills: PressKills) -> str:
    """Discord has taken the whisper and said so; the bot has not written that down."""
    number = kills.presses(answered=True, after=1)
    kills.gone()
    return number


def refused(kills: PressKills) -> str:
    """Discord takes no whisper, and has not yet."""
    kills.discord.ask("do/fail", method="POST", pattern=FOLLOWING, trouble="503", times=1000)
    number = kills.presses(answered=True)
    kills.answering()
    return number


def unheard(kills: PressKills) -> str:
    """The press is acknowledged, and was not dealt with."""
    number = kills.presses(answered=False)
    kills.acknowledged(number)
    return number


def told(kills: PressKills) -> str:
    """The next process has told of that, and is killed as well: Discord has taken it, and the bot does not know."""
    number = unheard(kills)
    kills.dies()
    kills.discord.ask("do/fail", method="POST", pattern=FOLLOWING, trouble="slow", after=True)
    kills.begins()
    kills.follows(number)
    return number


MOMENTS: tuple[Callable[[PressKills], str], ...] = (taken, marked, refused, unheard, told)


def main(times: int = 1) -> dict[str, list[list[str]]]:
    """By moment, what has followed Ben's press, each time; and what he was told in private."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Discord(folder)
        try:
            warm("tokonoma")
            kills, pressed = PressKills(server, folder), list[tuple[str, str]]()
            kills.begun()
            known = len(kills.private())
            for moment in MOMENTS * times:
                number = moment(kills)
                kills.dies()
                server.ask("do/release")
                kills.back(number)
                kills.dies()
                pressed.append((moment.__name__, number))
            found: dict[str, list[list[str]]] = {moment.__name__: [] for moment in MOMENTS}
            for what, number in pressed:  # at last: a second answer may come late
                found[what].append(kills.followers(number))
            return found | {"in private": [kills.private()[known:]]}
        finally:
            server.close()


if __name__ == "__main__":
    json.dump(main(*map(int, sys.argv[1:])), sys.stdout)
