"""No true record is called forged: whatever was played, called, taken back and reset, under whatever terms."""

import re
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from engine.dice import commitment, share_hash
from engine.games import GAMES
from engine.match.commands import Add, Answer, Call, CallLate, Challenge, Join, Offer, Play, Reply, Resign
from engine.match.events import Challenged, Event, Refusal
from engine.match.record.read import read_record, replayed
from engine.match.record.write import record_of
from tests.table import Table
from tests.test_bound_dice import NAMES, finished, found

DUEL = "W: S@W1 D@X4 $@W2 C@Y2 / B: S@X14 $@Z16 D@Y12 / a: - / to: W"
PRICES = ("friendly", "time", "turn", "lenient", "absolute", "sudden")


def begun(seed: int, game: str, **terms: str) -> Table | None:
    """A match with shares of its own; None where the terms do not go together."""
    table = Table(seed=Random(seed).randbytes(32))
    players = tuple(NAMES)[: int(terms.get("players", "2"))]
    if isinstance(table.says(Challenge("7", "anna", game, terms, players[1:], "web/lounge/", share="oak")), Refusal):
        return None
    for other in players[1:]:
        if isinstance(table.says(Join(other, share=f"{other}-{seed}")), Refusal):
            return None
    return table


def told(table: Table) -> tuple[str, tuple[str, ...]]:
    """The record of a match, once all have given up, and the hashes of its thread."""
    while table.now.status == "running":
        table.done(Resign(next(table.now.seats[side] for side in table.now.game.playing(table.now.position))))
    challenged = table.events[0]
    assert isinstance(challenged, Challenged)
    posted = (commitment(bytes.fromhex(challenged.seed)), *(map(share_hash, table.now.shares.values())))
    return record_of(table.events, NAMES, None).write(), posted


def some_match(seed: int) -> Table | None:
    """Two or three play sixty times at random: turns, calls soon and late, what they agree on, second halves."""
    chance = Random(seed)
    key = chance.choice(("veney", "veney", "veney", "ironclad", "chirality", "tirachen", "tokonoma"))
    terms = {option.key: chance.choice(option.values) for option in GAMES[key].options if option.values}
    terms = {name: terms[name] for name in chance.sample(sorted(terms), len(terms) // 3)}
    terms |= {"umpire": chance.choice(PRICES), "takeback": "consent", "side": "lot"}
    if key == "veney":
        terms |= {"secondhalf": "on", "throw": chance.choice(("sticks", "coins", "d6", "d20", "guess", "paper6"))}
        terms |= {"start": DUEL} if chance.random() < 0.3 else {}
    if key == "chirality":
        terms |= {"players": chance.choice("23"), "gates": chance.choice(("", "", "2,4,5"))}
    table = begun(seed, key, **terms)
    for _ in range(60 if table else 0):
        assert table is not None
        match = table.now
        if match.status != "running" or match.ending is not None:
            break
        for ask in match.game.asks(match.position):
            table.says(Reply(match.seats[ask.side], "C$SB 5555" if ask.key == "layout" else ask.example))
        _one_act(table, chance)
    return table


def _one_act(table: Table, chance: Random) -> None:
    match = table.now
    mover, last = table.to_act, match.plies[-1].by if match.plies else "anna"
    match chance.choice(("play",) * 7 + ("call", "late", "back", "reset", "add")):
        case "play":
            turns = [match.game.write(turn, match.position) for turn in islice(match.game.turns(match.position), 200)]
            lucky = [turn for turn in turns if "~" in turn or turn.startswith("x")]
            wild = ("DtX13~", "CY11~", "SX9", "~LX8") if match.game.key == "veney" else ()
            chosen = [*(lucky if chance.random() < 0.5 else []), *(wild if chance.random() < 0.3 else [])]
            table.says(Play(mover, chance.choice(chosen or turns or ["pass"])))
        case "call":
            table.says(Call(mover))
        case "late":
            table.says(CallLate(mover, chance.randrange(1, match.next_number + 1)))
        case "add":
            table.says(Add(last, chance.choice(("$X6", "$Y11", "SX5", "eX6"))))
        case what:
            table.says(Offer(last, "takeback" if what == "back" else "reset"))
            for player in table.now.seats.values():
                if player != last and table.now.offers:
                    table.says(Answer(player, True))


@pytest.mark.parametrize("seed", range(24))
def test_the_record_of_any_match_is_found_true(seed: int, tmp_path: Path) -> None:
    table = some_match(seed)
    if table is not None:
        assert found(*told(table), tmp_path) == (False, False), table.now.terms


def duel(**terms: str) -> Table:
    """A throw is to be had at once."""
    table = begun(5, "veney", start=DUEL, side="white", umpire="turn", **terms)
    assert table is not None
    return table


@pytest.mark.parametrize("throw", ["sticks", "coins", "d6", "d8", "d10", "d12", "d20", "guess", "guess-side", "paper6"])
def test_a_throw_is_found_true_however_it_is_decided(throw: str, tmp_path: Path) -> None:
    table = duel(throw=throw)
    table.play("DtX14~")
    for ask in table.now.game.asks(table.now.position):
        table.done(Reply(table.now.seats[ask.side], ask.example))
    assert found(*told(table), tmp_path) == (False, False)


def test_a_cloak_that_is_cut_away_is_no_throw_left_out(tmp_path: Path) -> None:
    table = begun(5, "veney", start="W: S@W1 C@X9 / B: S@Z12 $@Y11 / a: - / to: W", side="white")
    assert table is not None
    table.play("CY11~", "SZ13", "SX1", "$tC~")
    assert found(*told(table), tmp_path) == (False, False)


def test_a_late_call_takes_no_turn_from_what_the_next_throw_hangs_on(tmp_path: Path) -> None:
    table = begun(5, "veney", side="white", umpire="turn", first="white")
    assert table is not None
    table.play("$X9", "SX14", "SY3")
    assert table.done(CallLate("ben", 1)) == ("CalledOut",)
    for ask in table.now.game.asks(table.now.position):
        table.done(Reply(table.now.seats[ask.side], ask.example))
    table.play("~LX8", "~LX8")
    text, posted = told(table)
    assert "late (" in text
    assert "~" in text.split("late (")[1]
    assert found(text, posted, tmp_path) == (False, False)


def test_what_a_call_costs_follows_from_the_terms_of_that_moment(tmp_path: Path) -> None:
    table = begun(5, "tokonoma", umpire="turn", falsecall="turn", side="white")
    assert table is not None
    table.play("d6b5")
    table.done(Offer("anna", "terms", "falsecall=none time=5d"))
    table.done(Answer("ben", True))
    table.play("c2e2", "d6d5")
    table.done(Call("ben"))
    table.play("c2d2")
    text, posted = told(table)
    assert "\nterms time=5d falsecall=none\n" in text
    assert "held 3 against B\n" in text
    assert read_record(text).write() == text
    assert found(text, posted, tmp_path) == (False, False)


def loaded(text: str, seed: str) -> tuple[Event, ...]:
    """A record as `riposte import` loads it: a match of its own, with another number."""
    return tuple(event for event, _ in replayed(read_record(text), 0, "12", "web/lounge/", seed))


@pytest.mark.parametrize("key", ["ironclad", "veney sticks", "veney equal", "chirality drawn", "tokonoma lot"])
def test_a_match_that_was_loaded_has_the_record_that_it_was_loaded_from(key: str, tmp_path: Path) -> None:
    text, posted = finished(key)
    again = record_of(loaded(text, "ab" * 32), NAMES, None).write()
    assert again == text
    assert found(again, posted, tmp_path) == (False, False)


def test_a_loaded_match_that_goes_on_never_has_dice_whose_seed_was_told() -> None:
    text, _ = finished("ironclad")
    running = (
        re.sub(r"^Result: .*\n", "", text, flags=re.MULTILINE).replace("W resigns\n", "").replace("B resigns\n", "")
    )
    challenged = loaded(running, "ab" * 32)[0]
    assert isinstance(challenged, Challenged)
    assert challenged.seed == "ab" * 32
