"""Dice that bind: the host cannot choose a throw, a seat or a lot, and no player throws again.

Every cheat below is played on the record of a real match: `riposte verify` and the stand-alone script must find it.
"""

import hashlib
import hmac
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from engine.dice import commitment, share_hash
from engine.game import NotationError
from engine.match.commands import Amend, Answer, Call, Challenge, Join, Offer, Play, Reply, Resign
from engine.match.events import Challenged, Started
from engine.match.evolve import replay
from engine.match.record.read import read_record
from engine.match.record.verify import verify
from engine.match.record.write import record_of
from tests.table import Table

SCRIPT = Path(__file__).parent.parent / "docs" / "verify.py"


NAMES = {"anna": "Anna", "ben": "Ben", "cleo": "Cleo"}


COVERED = (
    "rW: C4=3 D5=3 E5=2 / rB: C6=2 D7=2 F8=3 / sW: c4 c6 d9 d7 / sB: f3 d8 / last: - / "
    "mode: full / owner: W / half: - / to: W"
)


MATCHES: dict[str, tuple[str, int, dict[str, str]]] = {
    "ironclad": ("ironclad", 2, {"side": "lot", "start": COVERED}),
    "veney sticks": ("veney", 2, {"start": "W: S@W1 D@X4 $@W2 / B: S@X14 $@Z16 / a: - / to: W"}),
    "veney coins": ("veney", 2, {"throw": "coins", "start": "W: S@W1 D@X4 $@W2 / B: S@X14 $@Z16 / a: - / to: W"}),
    "veney d10": ("veney", 2, {"throw": "d10", "start": "W: S@W1 D@X4 $@W2 / B: S@X14 $@Z16 / a: - / to: W"}),
    "veney d20": ("veney", 2, {"throw": "d20", "start": "W: S@W1 D@X4 $@W2 / B: S@X14 $@Z16 / a: - / to: W"}),
    "veney donkey": ("veney", 2, {"donkey": "each", "start": "W: S@W1 N@X4 $@W2 / B: S@X14 $@Z16 / a: - / to: W"}),
    "veney drawn": ("veney", 2, {"side": "lot"}),
    "veney concealed": ("veney", 2, {"setup": "concealed", "first": "random", "side": "black"}),
    "veney equal": ("veney", 2, {"setup": "concealed"}),
    "veney in turns": ("veney", 2, {"setup": "turns", "first": "random"}),
    "tirachen drawn": ("tirachen", 2, {"first": "drawn"}),
    "chirality drawn": ("chirality", 3, {"players": "3", "first": "drawn"}),
    "tokonoma lot": ("tokonoma", 2, {"side": "lot"}),
}
"""By what is drawn: game, players, terms."""


def begun(key: str, seed: int = 1, challenger: str = "anna", **more: str) -> Table:
    game, players, terms = MATCHES[key]
    first, *others = sorted(tuple(NAMES)[:players], key=lambda name: name != challenger)
    table = loaded(seed)
    table.done(
        Challenge(
            "7", first, game, {"takeback": "consent", **terms, **more}, tuple(others), "web/lounge/", share=f"{first}'s"
        )
    )
    for other in others:
        table.done(Join(other, share=f"{other}'s"))
    return table


def loaded(seed: int) -> Table:
    """A table whose match will have this seed."""
    return Table(seed=seed.to_bytes(32, "big"))


def throwing(table: Table) -> str:
    """A turn that brings luck, if there is one; else any."""
    game, position, dice = table.now.game, table.now.position, table.now.dice
    turns = list(islice(game.turns(position), 400))
    lucky = (turn for turn in turns if game.rolls(game.roll(position, turn, dice)))
    return game.write(next(lucky, turns[len(turns) // 2]), position)


@cache
def finished(key: str, seed: int = 1, challenger: str = "anna") -> tuple[str, tuple[str, ...]]:
    """The record of a match of twenty turns, and the hashes that stood in its thread."""
    table = begun(key, seed, challenger, umpire="turn")
    answers = {"layout": "C$SB 5555"}
    for number in range(20):
        game = table.now.game
        for ask in game.asks(table.now.position):
            table.done(Reply(table.now.seats[ask.side], answers.get(ask.key, ask.example)))
        if table.now.ending is not None or table.now.status != "running":
            break
        table.done(Play(table.to_act, throwing(table)))
        if table.now.status != "running":
            break
        if number % 5 == 3:
            last = table.now.plies[-1].by
            table.done(Offer(last, "takeback"))
            for player in table.now.seats.values():
                if player != last and table.now.offers:
                    table.done(Answer(player, True))
        elif number % 5 == 4 and table.now.ending is None:
            caller = next(player for player in table.now.seats.values() if player != table.now.plies[-1].by)
            table.says(Call(caller))
    while table.now.status == "running":
        table.done(Resign(next(table.now.seats[side] for side in table.now.game.playing(table.now.position))))
    challenged = table.events[0]
    assert isinstance(challenged, Challenged)
    posted = (
        commitment(bytes.fromhex(challenged.seed)),
        *(f"{player}={share_hash(share)}" for player, share in table.now.shares.items()),
    )
    return record_of(table.events, NAMES, None).write(), posted


def found(text: str, posted: tuple[str, ...], tmp_path: Path) -> tuple[bool, bool]:
    """Whether `riposte verify` and the script find something wrong."""
    try:
        ours = bool(verify(read_record(text), posted))
    except NotationError:
        ours = True
    file = tmp_path / "record.txt"
    file.write_text(text, "utf-8")
    told = subprocess.run(
        [sys.executable, str(SCRIPT), str(file), *posted], capture_output=True, text=True, check=False
    )
    return ours, told.returncode != 0


@pytest.mark.parametrize("key", MATCHES)
def test_a_true_record_is_found_true(key: str, tmp_path: Path) -> None:
    for seed in range(1, 5):
        assert found(*finished(key, seed), tmp_path) == (False, False)


def test_every_kind_of_luck_is_in_those_records() -> None:
    texts = {key: "".join(finished(key, seed)[0] for seed in range(1, 5)) for key in MATCHES}
    assert re.search(r"x..\(\d\)", texts["ironclad"])
    assert re.search(r"~\([WB]{2,5}\)", texts["veney sticks"])
    assert re.search(r"~\([WB]{2,5}\)", texts["veney coins"])
    assert re.search(r"~\([+-]\d+\)", texts["veney d10"])
    assert re.search(r"N~\S+\([WB]{5}\)", texts["veney donkey"])
    assert "\nlots 2:" in texts["veney concealed"]
    assert "\nlots 2:" in texts["veney equal"]
    assert re.search(r"\*\S+\([WB]\)", texts["veney in turns"])
    assert "called " in "".join(texts.values()) or "held " in "".join(texts.values())
    assert "taken back from" in texts["ironclad"]


def another_throw(text: str) -> Iterator[str]:
    for thrown in re.finditer(r"\((\d)\)", text):
        yield text[: thrown.start(1)] + str(int(thrown[1]) % 6 + 1) + text[thrown.end(1) :]
    for thrown in re.finditer(r"\(([WB]+)\)", text):
        turned = thrown[1].translate({ord("W"): "B", ord("B"): "W"})
        yield text[: thrown.start(1)] + turned + text[thrown.end(1) :]


def other_seats(text: str) -> Iterator[str]:
    players = re.findall(r"^Player .*$", text, re.MULTILINE)
    whose = [line.split(" ", 3) for line in players]
    if len({tuple(one[:3]) for one in whose}) > 1:
        lines = [" ".join((*one[:3], *other[3:])) for one, other in zip(whose, whose[1:] + whose[:1], strict=True)]
        swapped = text
        for old, new in zip(players, lines, strict=True):
            swapped = swapped.replace(old, new)
        yield swapped


def other_lots(text: str) -> Iterator[str]:
    """Of an answer: it falls otherwise, or is of as many faces as it takes for that."""
    for lot in re.finditer(r"^lots 2:(\d)$", text, re.MULTILINE):
        for faces in range(2, 6):
            yield text[: lot.start()] + f"lots {faces}:{1 - int(lot[1])}" + text[lot.end() :]


def another_first_gate(text: str) -> Iterator[str]:
    """All Gates moved on by one."""
    gates = re.search(r"(?<= / gates: )[1-5 ]+", text)
    if gates is not None:
        yield text.replace(gates[0], " ".join(str(int(gate) % 5 + 1) for gate in gates[0].split()))


def other_shares(text: str) -> Iterator[str]:
    for share in re.finditer(r"^Share: \S+ (\S+)$", text, re.MULTILINE):
        yield text[: share.start(1)] + "chosen" + text[share.end(1) :]


def another_order(text: str) -> Iterator[str]:
    shares = re.findall(r"^Share: .*\n", text, re.MULTILINE)
    yield text.replace("".join(shares), "".join(reversed(shares)))


def whose_shares(text: str) -> Iterator[str]:
    """The host says of every player that it was another: all that is drawn stays the same."""
    players = re.findall(r"^Share: (\S+)", text, re.MULTILINE)
    others = dict(zip(players, players[1:] + players[:1], strict=True))
    yield re.sub(r"^(Share: |Player \S+: \S )(\S+)", lambda line: line[1] + others[line[2]], text, flags=re.MULTILINE)


def exchanged_shares(text: str) -> Iterator[str]:
    """Two players have each other's share."""
    one, two = re.findall(r"^Share: \S+ (.*)$", text, re.MULTILINE)[:2]
    others = {one: two, two: one}
    yield re.sub(r"^(Share: \S+ )(.*)$", lambda line: line[1] + others.get(line[2], line[2]), text, flags=re.MULTILINE)


def exchanged_keys(text: str) -> Iterator[str]:
    """Two players have each other's share and place in the order, but their own seats."""
    one, two = re.findall(r"^Share: (\S+)", text, re.MULTILINE)[:2]
    others = {one: two, two: one}
    yield re.sub(r"^(Share: )(\S+)", lambda line: line[1] + others.get(line[2], line[2]), text, flags=re.MULTILINE)


def the_share_of_a_stranger(text: str) -> Iterator[str]:
    for share in re.finditer(r"^Share: (\S+)", text, re.MULTILINE):
        yield text[: share.start(1)] + "mallory" + text[share.end(1) :]


def shares_cut_elsewhere(text: str) -> Iterator[str]:
    """Two shares whose line is the same, joined by commas."""
    one, two = re.findall(r"^Share: \S+ (.*)$", text, re.MULTILINE)[:2]
    joined = re.sub(rf"^(Share: \S+) {one}$", rf"\1 {one},{two[0]}", text, flags=re.MULTILINE)
    yield re.sub(rf"^(Share: \S+) {two}$", rf"\1 {two[1:]}", joined, flags=re.MULTILINE)


def another_seed(text: str) -> Iterator[str]:
    """One that was searched for, with its own hash: only the thread knows better."""
    for number in range(2, 6):
        seed = number.to_bytes(32, "big")
        forged = re.sub(r"^Seed: .*", f"Seed: {seed.hex()}", text, flags=re.MULTILINE)
        yield re.sub(r"^Commitment: .*", f"Commitment: {commitment(seed)}", forged, flags=re.MULTILINE)


def the_old_scheme(text: str) -> Iterator[str]:
    """Counted numbers from an offset that suits: what the first version could not find."""
    for offset in range(3):
        yield text.replace("Luck: 3\n", f"Rolls: {offset}\n")


def the_scheme_before(text: str) -> Iterator[str]:
    if re.search(r"\(([WB]{3,}|\d)\)", text):
        yield text.replace("Luck: 3\n", "Luck: 2\n")


def another_match(text: str) -> Iterator[str]:
    if re.search(r"\(([WB]{3,}|\d)\)", text):
        yield text.replace("Match: 7\n", "Match: 9\n")


def a_throw_left_out(text: str) -> Iterator[str]:
    """Of Veney; whether a shot of Ironclad needs a die is for those to say who know its rules."""
    for thrown in re.finditer(r"(?<=~)\([WB]+\)|(?<=~)\([+-]\d+\)", text):
        if re.search(r"t\w+~$", text[: thrown.start()]):
            yield text[: thrown.start()] + text[thrown.end() :]


CHEATS = (
    another_throw,
    a_throw_left_out,
    other_seats,
    other_lots,
    another_first_gate,
    other_shares,
    another_order,
    whose_shares,
    exchanged_shares,
    exchanged_keys,
    the_share_of_a_stranger,
    shares_cut_elsewhere,
    another_seed,
    the_old_scheme,
    the_scheme_before,
    another_match,
)


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.__name__)
def test_the_host_who_cheats_is_found_out(cheat: object, tmp_path: Path) -> None:
    assert callable(cheat)
    tried = 0
    for key in MATCHES:
        text, posted = finished(key)
        for forged in cheat(text):
            if forged != text:
                tried += 1
                assert found(forged, posted, tmp_path) == (True, True), f"{key}: {forged}"
    assert tried >= (1 if cheat is another_first_gate else 4)


def erased(text: str, posted: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """A record as `export` writes it once Ben is erased, and the hashes of its thread, whose second is his."""
    text = text.replace(" ben Ben\n", " former:2 former player\n").replace("\nShare: ben ", "\nShare: former:2 ")
    return text, tuple(one.replace("ben=", "former:2=") for one in posted)


@pytest.mark.parametrize("cheat", [whose_shares, exchanged_shares, exchanged_keys, another_throw, other_seats])
def test_the_host_is_found_out_where_a_player_was_erased(cheat: Callable[[str], Iterator[str]], tmp_path: Path) -> None:
    for key in ("ironclad", "veney d20", "chirality drawn"):
        text, posted = erased(*finished(key))
        assert not re.search(r"\b[Bb]en\b(?!'s)", text), "only his share still says so"
        assert found(text, posted, tmp_path) == (False, False)
        for forged in cheat(text):
            assert found(forged, posted, tmp_path) == (True, True), f"{key}: {forged}"


@pytest.mark.parametrize("key", [key for key in MATCHES if MATCHES[key][1] == 2])
def test_a_host_who_takes_another_for_the_challenger_is_found_out(key: str, tmp_path: Path) -> None:
    """Everything is drawn for the other order of the same shares, and told so; only the thread knows better."""
    _, posted = finished(key)
    dealt, told = finished(key, 1, "ben")
    assert found(dealt, told, tmp_path) == (False, False)
    assert found(dealt, posted, tmp_path) == (True, True)


def test_a_turn_that_a_throw_was_due_for_cannot_be_told_without_it() -> None:
    text, posted = finished("ironclad")
    silent = re.sub(r"\(\d\)", "", text, count=1)
    assert silent != text
    try:
        assert verify(read_record(silent), posted)
    except NotationError:
        return


def test_the_seed_comes_with_the_challenge_and_every_share_counts() -> None:
    def lots(*shares: str) -> list[str]:
        seats = []
        for number in range(1, 30):
            table = loaded(number)
            table.done(Challenge("7", "anna", "tokonoma", {"side": "lot"}, ("ben",), "web/lounge/", share=shares[0]))
            assert table.now.seed == number.to_bytes(32, "big").hex()
            table.done(Join("ben", share=shares[1]))
            seats.append(table.now.seats["W"])
        return seats

    assert len({tuple(lots(*shares)) for shares in (("a", "b"), ("c", "b"), ("a", "c"))}) == 3


def test_the_draw_is_the_one_that_the_page_describes() -> None:
    table = loaded(5)
    table.done(Challenge("7", "anna", "tokonoma", {"side": "lot"}, ("ben",), "web/lounge/", share="a"))
    table.done(Join("ben", share="b"))
    message = f"a,b|7|0|0.0|{hashlib.sha256(b'').hexdigest()}"
    signed = hmac.digest((5).to_bytes(32, "big"), message.encode(), "sha256")
    second = "ben" if int.from_bytes(signed[:8], "big") % 2 else "anna"
    assert table.now.seats == ({"W": "anna", "B": "ben"} if second == "ben" else {"W": "ben", "B": "anna"})


def test_a_lot_for_equal_initiative_is_drawn_when_the_layouts_are_there_and_nobody_knows_it_before() -> None:
    starts, starters = set(), set()
    for seed in range(1, 12):
        table = begun("veney equal", seed)
        started = next(event for event in table.events if isinstance(event, Started))
        starts.add(started.position)
        table.done(Reply("anna", "C$SB 5555"))
        table.done(Reply("ben", "C$SB 5555"))
        starters.add(table.now.game.to_act(table.now.position))
        replayed = replay(table.events, check=True)
        assert replayed is not None
        assert replayed.position == table.now.position
    assert len(starts) == 1, "before the layouts, all matches are alike"
    assert starters == {"W", "B"}


def test_equal_layouts_put_down_in_turns_are_decided_by_a_lot_of_that_moment() -> None:
    first = set()
    for seed in range(1, 12):
        text, _ = finished("veney in turns", seed)
        first.add(re.search(r"\*\S+\(([WB])\)", text)[1])  # type: ignore[index]
    assert first == {"W", "B"}


@pytest.mark.parametrize("side", ["white", "black", "lot"])
def test_the_challenger_s_share_comes_first_whoever_agreed_first(side: str, tmp_path: Path) -> None:
    for seed in range(1, 5):
        table = loaded(seed)
        table.done(Challenge("7", "anna", "ironclad", {"side": side}, ("ben",), "web/lounge/", share="a"))
        table.done(Amend("ben", {"time": "5d"}, "b"))
        table.done(Join("anna", share="c"))
        table.done(Resign("ben"))
        text = record_of(table.events, NAMES, None).write()
        assert re.findall(r"^Share: (.*)$", text, re.MULTILINE) == ["anna c", "ben b"]
        posted = (commitment(seed.to_bytes(32, "big")), f"anna={share_hash('c')}", f"ben={share_hash('b')}")
        assert found(text, posted, tmp_path) == (False, False)
