"""Kills the bot while two people on Discord play whole matches by menus alone, and looks at what became of them.

    python -m tests.faults.platforms.menus [KILLS [SEED [GAME …]]]

Each person goes by what they see: the button of the last post opens the composer, each pick is chosen from its menus,
and Play is pressed. In each match the bot's process is killed so many times, at moments that the seed draws: between
two steps, just after one was pressed, or when Discord has accepted a post and the bot could not write that down. The
same private message must lead on when the bot is back. In the end each turn was made once, each match has the end that
its turns lead to, and every post stands in its place once and in order.
"""

import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

from engine.match.state import Match
from tests.adapters.discord_screen import parts, pressed, way_to
from tests.faults.platforms.kills import HANDED, Findings, Sweep, be_the_bot, warm
from tests.faults.platforms.servers import CALM, Discord
from tests.whole_matches import WholeMatch, short, whole

BETWEEN, PRESSED = "between two steps", "just after a press"
SOON = 0.15
"""Seconds after a press within which the bot is killed."""
FAILED = 6.0
"""Seconds after which a press has failed; Discord tells so after three, on machines that are less busy."""
NOT_OFFERED = 409
"""How the stand-in says that a client would not let anybody do this."""


class ComposerKills(Sweep):
    """One bot, a stand-in for Discord, and two people who only tap."""

    def __init__(self, server: Discord, folder: Path, seed: int):
        super().__init__(server, folder, random.Random(seed))
        self.discord = server
        self.carried = 0
        """Steps that another process took than the one that had made their screen."""
        self._made: dict[str, int] = {}
        """By message, the process that has made it as it stands."""
        self._plan: dict[int, str] = {}
        self._presses = 0
        self._thread = ""

    def play(self, matches: Sequence[WholeMatch], kills: int) -> Findings:
        """Play these matches one after the other, with so many kills in each, then look."""
        self._begin()
        try:
            for one in matches:
                self._plan, self._presses = self._drawn(one, kills), 0
                self._play_whole(one)
            self._rest()
            self._look()
        finally:
            self._end()
        return self.found

    # --- the bot ------------------------------------------------------------------------------------------------
    def _begin(self, after: int = -1) -> None:
        """The bot comes back; with `after` it dies by itself when so many posts have been accepted."""
        self._ends_itself = after > 0
        self._child = os.fork()
        if not self._child:
            be_the_bot(self.server, self.folder, after, 0)
        self._until(lambda state: state["connected"] and any(state["commands"].values()), "the bot")

    def _end(self) -> None:
        os.kill(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)

    def _kill(self, how: str) -> None:
        self._end()
        self.found.kills[how] += 1
        self._begin()

    def _gone(self) -> bool:
        """Whether the bot has died by itself; then it is back."""
        ended, status = os.waitpid(self._child, os.WNOHANG)
        if not ended:
            return False
        if self._ends_itself and os.WIFSIGNALED(status):
            self.found.kills[HANDED] += 1
        else:
            self.found.broken.append(f"the bot ended by itself with status {status}")
        self._begin()
        return True

    def _drawn(self, one: WholeMatch, kills: int) -> dict[int, str]:
        """By press, how the bot is killed then."""
        presses = len(one.turns) * 3
        moments = self.chance.sample(range(2, presses), min(kills, presses - 2))
        return {moment: (BETWEEN, PRESSED, HANDED)[number % 3] for number, moment in enumerate(moments)}

    # --- the people ---------------------------------------------------------------------------------------------
    def _play_whole(self, one: WholeMatch) -> None:
        known = len(self._matches())
        self.discord.say("Anna", f"challenge @Ben {one.asked()} umpire=turn", written=True)
        offer = self._shown(lambda post: "Accept" in post["buttons"], "the challenge")
        self._tap("Ben", offer, "press", button="Accept")
        match = self._at(known, lambda match: match.status == "running")
        self._thread = self._until(lambda state: _thread(state, known + 1), "the thread")
        for number, turn in enumerate(one.turns, 1):
            self._turn(match, turn)
            match = self._at(known, partial(_past, number))
        while (match := self._at(known)).status != "over":  # an end waits for whoever could call it out
            stand = self._shown(lambda post: "Let it stand" in post["buttons"], "the last word")
            loser = "Ben" if stand["pinged"] != ["Anna"] else "Anna"
            self._tap(loser, stand, "press", button="Let it stand")
        end = match.game.outcome(match.position)
        made = [ply.turn for ply in match.plies if ply.kind == "turn"]
        if end is None or match.turns_made != len(one.turns):
            self.found.broken.append(f"match {match.id} ends as {end} after {len(made)} turns, not {len(one.turns)}")

    def _turn(self, match: Match, text: str) -> None:
        """Whoever is to act makes this turn by menus, whatever becomes of the bot meanwhile."""
        game, position = match.game, match.position
        player = match.seats[game.to_act(position)]
        state = self.discord.ask("state")
        who = next(name for name, number in state["people"].items() if player == f"discord:{number}")
        picks = pressed(game.picks(game.read(text, position), position))
        made = match.next_number
        screen, picked = None, 0
        ended = time.monotonic() + CALM
        while self._at(int(match.id) - 1).next_number == made:
            assert time.monotonic() < ended, f"turn {made} of match {match.id} cannot be made"
            if screen is None or not _menu_is_open(screen):
                screen, picked = self._opened(who), 0
            elif picked < len(picks):
                id_, value = way_to(screen["components"], picks[picked])
                if value:
                    seen = self._tap(who, screen, "select", labels=[value], custom_id=id_)
                else:
                    seen = self._tap(who, screen, "press", button=id_)
                picked += seen is not None and value in ("", picks[picked])
                screen = seen or self._unchanged(screen)
            else:
                play = next((label for label in screen["buttons"] if label.startswith("Play ")), "")
                if not play:  # an answer that came late, to a press given up on: the picks so far are not all in it
                    screen = None
                    continue
                screen = self._tap(who, screen, "press", button=play) or self._unchanged(screen)

    def _unchanged(self, screen: Any) -> Any:
        """The screen, if it still stands as it was; None where an answer came late, so that it is opened anew."""
        return next((one for one in self.discord.ask("state")["whispers"] if _stands(one) == _stands(screen)), None)

    def _opened(self, who: str) -> Any:
        """The composer that the last post opens; None where that came to nothing."""
        post = self._shown(lambda post: "Make the turn" in post["buttons"], "the turn", self._thread)
        return self._tap(who, post, "press", button="Make the turn")

    def _tap(self, who: str, message: Any, what: str, **how: Any) -> Any:
        """Tap, and see what comes of it: the message that is new or has changed; None where that has failed."""
        self._presses += 1
        doom = self._plan.pop(self._presses, "")
        if doom == BETWEEN and not _menu_is_open(message):  # at the next step of a turn, then
            self._plan.setdefault(self._presses + 1, BETWEEN)
            doom = ""
        if doom == BETWEEN:
            self._kill(BETWEEN)
        elif doom == HANDED:
            self._end()
            self._begin(self.chance.randint(1, 2))
        born = self._child
        try:
            tapped = self.discord.ask(f"do/{what}", who=who, message=message["id"], **how)
        except HTTPError as refused:
            if refused.code != NOT_OFFERED:
                raise
            return None  # it has changed under their finger
        if doom == PRESSED:
            time.sleep(self.chance.uniform(0, SOON))
            self._kill(PRESSED)
        ended = time.monotonic() + FAILED
        while True:
            state = self.discord.ask("state")
            for one in (*state["whispers"], *_posts(state)):
                if one["id"] == message["id"] and _stands(one) != _stands(message):
                    self.carried += born != self._made.get(message["id"], born)
                    self._made[one["id"]] = self._child
                    return one
            found = next(one for one in state["interactions"] if one["id"] == tapped["id"])
            new = [one for one in found["replies"] if one["id"] != message["id"]]
            if new and not found["loading"]:
                self._made[new[-1]["id"]] = self._child
                return new[-1]
            if self._gone() or time.monotonic() > ended:
                return None
            time.sleep(0.005)

    # --- what is seen -------------------------------------------------------------------------------------------

    def _shown(self, fits: Callable[[Any], bool], what: str, where: str = "") -> Any:
        """The last post that fits."""

        def newest(state: Any) -> Any:
            posts = [post for post in _posts(state) if where in ("", post["channel_id"])]
            return next((post for post in reversed(posts) if fits(post)), None)

        return self._until(newest, what)

    def _until(self, sought: Callable[[Any], Any], what: str) -> Any:
        ended = time.monotonic() + CALM
        while not (found := sought(self.discord.ask("state"))):
            self._gone()
            assert time.monotonic() < ended, f"waited in vain for {what}"
            time.sleep(0.005)
        return found

    def _at(self, number: int, fits: Callable[[Match], bool] = lambda _match: True) -> Match:
        """A match by its place among all, once it is so."""
        ended = time.monotonic() + CALM
        while not (len(matches := self._matches()) > number and fits(matches[number])):
            self._gone()
            assert time.monotonic() < ended, f"match {number + 1} does not get there"
            time.sleep(0.005)
        return matches[number]


def _past(number: int, match: Match) -> bool:
    return match.next_number > number


def _posts(state: Any) -> list[Any]:
    return [post for channel in state["channels"] for post in channel["messages"]]


def _thread(state: Any, number: int) -> str:
    named = [one["id"] for one in state["channels"] if one["parent"] and f"{number}" in one["name"]]
    return named[-1] if named else ""


def _stands(message: Any) -> Any:
    return message["text"], message["components"]


def _menu_is_open(screen: Any) -> bool:
    """Whether there is something to pick, or to play, and not only what has become of it."""
    return any(part["custom_id"].startswith("rc") for part in parts(screen["components"]))


def main(kills: int = 30, seed: int = 1, *games: str) -> tuple[Findings, int]:
    """Play one match of each game, short ones where there are few kills; what was found, and the steps carried on."""
    known = short() if kills < WHOLE else whole()
    matches = [one for one in known if one.game in games or not games]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Discord(folder)
        try:
            warm(*(one.game for one in matches))
            sweep = ComposerKills(server, folder, seed)
            return sweep.play(matches, kills), sweep.carried
        finally:
            server.close()


WHOLE = 20
"""Kills in a match from which on long ones are played, each from its first turn."""

if __name__ == "__main__":
    found, carried = main(*map(int, sys.argv[1:3]), *sys.argv[3:])
    told = {name: getattr(found, name) for name in Findings.__slots__}
    json.dump(told | {"carried on": carried}, sys.stdout)
