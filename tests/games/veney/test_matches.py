"""Whole matches of Veney by people who choose at random: they end in every way, and every log and record holds."""

import os
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from engine.games.veney import GAME
from engine.games.veney.action import Turn
from engine.games.veney.position import Position
from engine.games.veney.rules import ENDINGS
from engine.match.commands import Acknowledge, AlarmFired, Answer, Call, Command, Offer, Play, Reply, Resign
from engine.match.decide import decide
from engine.match.events import CalledOut, CallFailed, Refusal
from engine.match.evolve import replay
from engine.match.record.read import read_record, replayed
from engine.match.record.verify import verify
from engine.match.record.write import record_of
from tests.table import DAY, Table, begun

EXAMPLES = int(os.environ.get("RIPOSTE_EXAMPLES", "0"))
"""So many further matches of each kind, by seeds that nobody has chosen."""

CALM = (14, 25, 45, 56, 62, 66, 107, 120, 123, 125, *range(1_000, 1_000 + EXAMPLES))
BOLD = (34, 40, 41, 42, 66, 68, 78, 80, 88, 117, *range(1_000, 1_000 + EXAMPLES))
"""Seeds of matches with tenable turns only, and with untenable ones and calls; together they end in every way."""

UMPIRES = {
    False: ("piece-lenient", "turn", "refuse"),
    True: ("friendly", "time", "turn", "piece-lenient", "piece-absolute", "sudden"),
}

PATIENCE = 24
"""Turns after which somebody gives up, offers a draw or lets the time run out."""

CLOSE = "W: S@Y6 $@X7 D@Z6 B@W6 C@W7 e@X8 e@W5 / B: S@X11 $@Y10 G@W11 B@Z11 C@Z10 e@Y9 e@Z12 / {} / to: W{}"
"""Everybody within reach of everybody."""

RESERVES = "rW: e e G L J R / rB: e e G L J R / a: ^XY8"

STARTS = (
    "",
    CLOSE.format(RESERVES, ""),
    CLOSE.format("rW: e / rB: e D / dW: J L / dB: J L / a: X9", " / flags: shima=W:X9"),
    "W: S@Y6 $@X7 J@W10 e@W5 / B: S@X11 $@Z7 J@W11 e@W9 / a: ^XY8 / to: W",
    "W: S@Y1 $@X4 D@Z2 e@W5 / B: S@X16 $@Y13 D@W15 e@Z12 / rW: L / rB: L / a: X9 / to: W / flags: retW=1 retB=1",
    "W: S@Y6 D@Z6 e@W5 / B: S@X11 D@W11 e@Y9 / dW: $ / dB: $ / a: - / to: B",
)
"""Where matches begin: at the start, and where the rarer ends are near."""


def terms(chosen: Random, seed: int, bold: bool) -> dict[str, str]:
    umpires = UMPIRES[bold]
    start = STARTS[seed % len(STARTS)]
    formal = chosen.random() < 0.5
    if formal and start:
        start += (" " if "flags" in start else " / flags: ") + "formal=1"
    return {
        "start": start,
        "umpire": umpires[seed % len(umpires)],
        "falsecall": chosen.choice(("three", "none", "turn", "time")),
        "retreats": chosen.choice(("0", "1", "2,unlimited")),
        "draw": chosen.choice(("agreement", "hug")),
        "nocontest": chosen.choice(("1", "30")),
        "setup": chosen.choice(("standard", "concealed", "turns")),
    }


class Evening:
    """One match, and two people who answer whatever it asks of them."""

    def __init__(self, seed: int, bold: bool):
        self.chosen = Random(seed)
        self.bold = bold
        self.keenness = self.chosen.choice((0.05, 0.2, 0.5))
        self.table: Table = begun("veney", **terms(self.chosen, seed, bold))

    def play(self) -> Table:
        turns = 0
        while self.table.now.status == "running":
            self._say(self._next(turns))
            turns += 1
            if self.bold and self.table.now.status == "running" and self.chosen.random() < 0.4:
                self.table.says(Call(self.chosen.choice(("anna", "ben"))))
        return self.table

    def _say(self, command: Command) -> None:
        said = self.table.says(command, DAY * 5 if isinstance(command, AlarmFired) else 60_000)
        assert not isinstance(said, Refusal), (command, said)

    def _next(self, turns: int) -> Command:
        match = self.table.now
        position: Position = match.position
        asked = GAME.asks(position)
        if asked:
            ask = self.chosen.choice(asked)
            return Reply(match.seats[ask.side], self._answered(ask.key, ask.example))
        if match.ending is not None:
            last = match.plies[-1].by
            return Acknowledge("anna" if last == "ben" else "ben")
        if turns > PATIENCE:
            return self._enough()
        return Play(self.table.to_act, self._turn(position))

    def _answered(self, key: str, example: str) -> str:
        if key == "hug":
            return self.chosen.choice(("hug", "hug", "betray"))
        if key == "hands":
            return self.chosen.choice(("left", "right"))
        line = list("C$SB")
        if key == "surplus":
            return self.chosen.choice((example, "-"))
        if sorted(example.split(maxsplit=1)[0]) != sorted(line):  # set up once more, with what is left
            return example
        self.chosen.shuffle(line)
        steps = "".join(self.chosen.choice("5678") for _ in range(4))
        return f"{''.join(line)} {steps}"

    def _enough(self) -> Command:
        match, who = self.table.now, self.chosen.choice(("anna", "ben"))
        if match.offers:
            return Answer("anna" if match.offers[0].by == "ben" else "ben", yes=True)
        return self.chosen.choice((Resign(who), Offer(who, "draw"), Offer(who, "draw"), AlarmFired("flag")))

    def _turn(self, position: Position) -> str:
        turns = list(GAME.turns(position))
        keen = [turn for turn in turns if _keen(position, turn)]
        text = GAME.write(
            self.chosen.choice(keen if keen and self.chosen.random() < self.keenness else turns), position
        )
        if self.bold and self.chosen.random() < 0.4:
            blunder = text[:-1] + self.chosen.choice("123456789")
            match, who = self.table.now, self.table.to_act
            if not isinstance(decide(match, Play(who, f"{blunder} sure"), self.table.at, match.dice), Refusal):
                text = blunder
        return f"{text} sure"


def _keen(position: Position, turn: Turn) -> bool:
    """Attacks on Selves and armaments, throws, casts, retreats: what ends games."""
    foes = {"S", "$", "D", "J"}
    return any(
        act.verb in ("throw", "strike", "cast", "retreat", "allow")
        or (act.verb == "move" and _standing(position, act.target) in foes)
        for act in turn
    )


def _standing(position: Position, site: str) -> str:
    figures = {f.site: f.kind for f in GAME.draw(position, None).figures if f.side not in ("", position.mover)}
    return figures.get(site, "")


# --- what holds of each -----------------------------------------------------------------------------------


@cache
def played(seed: int, bold: bool) -> Table:
    return Evening(seed, bold).play()


EVERY = [
    pytest.param(seed, bold, id=f"{'bold' if bold else 'calm'}-{seed}")
    for bold in (False, True)
    for seed in (BOLD if bold else CALM)
]


@pytest.mark.parametrize(("seed", "bold"), EVERY)
def test_the_log_replays_to_the_same_match(seed: int, bold: bool) -> None:
    table = played(seed, bold)
    assert replay(table.events, check=True) == table.now


@pytest.mark.parametrize(("seed", "bold"), EVERY)
def test_the_record_says_the_same_and_its_luck_is_that_of_the_seed(seed: int, bold: bool) -> None:
    table = played(seed, bold)
    record = record_of(table.events, {}, None)
    assert read_record(record.write()) == record
    *_, (_, again) = replayed(record, 0)
    assert again.position == table.now.position
    assert again.result is not None
    assert table.now.result is not None
    assert (again.result.rule, again.result.winners) == (table.now.result.rule, table.now.result.winners)
    assert verify(record) == ()


def test_together_they_end_in_every_way() -> None:
    ends = {played(seed, bold).now.result for bold in (False, True) for seed in (BOLD if bold else CALM)}
    found = {end.rule for end in ends if end is not None}
    assert found >= {rule.ref for rule in ENDINGS.values()} | {"riposte:resign", "riposte:time", "riposte:draw"}


def test_the_bold_are_called_out_and_call_in_vain() -> None:
    heard = {type(event) for seed in BOLD for event in played(seed, True).events}
    assert {CalledOut, CallFailed} <= heard


GUARDS = "W: S@Y4 $@X4 G@X5 G@Z9 e@W5 / B: S@Z16 $@W16 / a: - / to: W"


def test_a_stored_turn_that_could_mean_two_pieces_by_now_is_the_one_that_led_where_it_is_stored_to_have_led() -> None:
    for origin in ("X5", "Z9"):
        table = begun("veney", start=GUARDS, umpire="turn")
        table.play(f"G{origin}-X6")
        *before, played = table.events
        spelled = replay([*before, replace(played, text="GX6")], check=True)
        assert spelled is not None
        assert GAME.encode(spelled.position) == table.position
