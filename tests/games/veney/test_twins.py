"""Twin matches that differ only in what somebody may not know: word for word and byte for byte the same to them."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.commands.suggestions.lines import complete
from bot.messages.model import OutgoingMessage, Person, Place
from bot.messages.showing.pictures import diagram
from render.painter import paint
from render.view import View
from tests.chat_room import ChatRoom, open_room, transcribe

FALLS_LEFT = 2
"""A seed whose first cast falls one line W-ward of where it was aimed, on the same step."""

APART = "W: S@Y4 $@X4 J@W2 e@X3 / B: S@X14 $@Z14 J@W14 e@X12 / rW: C D L / rB: C L / a: ^XY8 / to: W"
"""Both measures between the Selves can be cast into: 2 is empty."""

QUESTIONS = ("board dark", "board legal", "turns", "export", "look W6", "look X7", "call", "matches")
"""All that somebody can ask about a match without changing it (a call does: it comes when all is said)."""

Told = list[object]


@dataclass(frozen=True)
class Evening:
    """What each reader has been told in a room."""

    ears: dict[str, Told]

    def of(self, name: str) -> Told:
        return self.ears[name]


async def played(lines: list[str], folder: Path, seed: int, asking: tuple[str, ...] = QUESTIONS) -> Evening:
    """A match as its lines tell it, and what each of those who may not know learns when they ask about everything."""
    folder.mkdir(parents=True)
    room = await open_room(folder)
    room.seed = seed
    ears: dict[str, Told] = {"anna": [], "ben": [], "zoe": []}
    try:
        for line in lines:
            name, _, text = line.partition(": ")
            _spread(ears, await room.say(name, text, "" if text.startswith("challenge") else "1"), room)
        for name, told in ears.items():
            for question in asking:
                if question != "call":
                    _spread(ears, await room.say(name, question, "1"), room)
            for typed in ("", "m", "move ", "move C", "C"):
                told.append(await complete(room.service.repository, _person(name), Place("web", "lounge", "1"), typed))
        if "call" in asking:
            _spread(ears, await room.say("ben", "call", "1"), room)
    finally:
        await room.store.close()
    return Evening(ears)


def _person(name: str) -> Person:
    return Person("web", name, name)


def _spread(ears: dict[str, Told], posts: list[OutgoingMessage], room: ChatRoom) -> None:
    for post in posts:
        image = paint(diagram(post.picture), View(post.picture.theme)) if post.picture else b""
        for name, told in ears.items():
            if post.only is None or post.only == _person(name):
                told.append((transcribe(post, room.now), image))


async def twins(one: list[str], other: list[str], folder: Path, seed: int = 7) -> tuple[Evening, Evening]:
    return await played(one, folder / "one", seed), await played(other, folder / "other", seed)


def begun(start: str = APART, terms: str = "umpire=turn") -> list[str]:
    return [f'anna: challenge @ben veney side=white {terms} start="{start}"', "ben: accept"]


# --- cast squares -----------------------------------------------------------------------------------------


MEANWHILE = ["ben: SX15", "anna: JW1", "ben: SX14"]
"""Turns after which nothing of the cast is to be seen any more."""

SIGHT = ("board dark", "board all", "board text", "look X6", "look Y7", "call")
"""Everything that shows the board; `turns` and `export` tell what was cast where: they are the players' memory."""


@pytest.mark.parametrize("piece", ["L", "D"])
async def test_where_a_piece_fell_is_told_to_everybody_and_then_shown_to_nobody(piece: str, tmp_path: Path) -> None:
    lines = [[*begun(), f"anna: ~{piece}:{aim}"] for aim in ("X6", "Y7")]
    one, other = await twins(*lines, tmp_path)
    for name, told in one.ears.items():
        assert told != other.of(name)
    late = [await _after(told, MEANWHILE, tmp_path / str(at)) for at, told in enumerate(lines)]
    assert late[0].ears == late[1].ears


async def test_where_a_cloak_fell_is_told_to_everybody_and_then_shown_to_nobody(tmp_path: Path) -> None:
    lines = [[*begun(), f"anna: ~C:{aim}", "anna: --"] for aim in ("X6", "Y7")]
    late = [await _after(told, MEANWHILE, tmp_path / str(at)) for at, told in enumerate(lines)]
    assert late[0].ears == late[1].ears


async def test_cast_squares_are_shown_to_everybody_where_that_was_agreed_on(tmp_path: Path) -> None:
    lines = [[*begun(terms="umpire=turn castmark=on"), f"anna: ~L:{aim}"] for aim in ("X6", "Y7")]
    late = [await _after(told, MEANWHILE, tmp_path / str(at)) for at, told in enumerate(lines)]
    for name, told in late[0].ears.items():
        assert told != late[1].of(name)


async def _after(lines: list[str], more: list[str], folder: Path) -> Evening:
    """What each learns by looking at the board, once more turns have been made."""
    folder.mkdir(parents=True)
    room = await open_room(folder)
    room.seed = 7
    ears: dict[str, Told] = {"anna": [], "ben": [], "zoe": []}
    try:
        for line in (*lines, *more):
            name, _, text = line.partition(": ")
            last = await room.say(name, text, "" if text.startswith("challenge") else "1")
        _spread(ears, last, room)
        for name in ears:
            for question in SIGHT:
                _spread(ears, await room.say(name, question, "1"), room)
    finally:
        await room.store.close()
    return Evening(ears)


async def test_a_double_move_from_a_cast_square_looks_the_same_where_it_is_untenable(tmp_path: Path) -> None:
    dance = ["ben: SX15", "anna: JW6 JW8", "ben: SX14"]
    lines = [[*begun(), f"anna: ~L:{aim}", *dance] for aim in ("X6", "Y7")]
    held, broken = [
        await _after(
            told,
            [],
            tmp_path / str(at),
        )
        for at, told in enumerate(lines)
    ]
    assert held.ears == broken.ears
    called = [[*told[:-1], "ben: call"] for told in lines]
    held, broken = await twins(*called, tmp_path / "called", FALLS_LEFT)
    assert held.of("ben")[-1] != broken.of("ben")[-1]


# --- answers in private -----------------------------------------------------------------------------------


async def test_a_layout_stays_hidden_until_both_are_there(tmp_path: Path) -> None:
    opening = ["anna: challenge @ben veney side=white setup=concealed", "ben: accept"]
    lines = [[*opening, f"anna: secret {layout}", "ben: secret nonsense"] for layout in ("SC$B 5678", "C$SB 8558")]
    one, other = await twins(*lines, tmp_path)
    assert one.of("ben") == other.of("ben")
    assert one.of("zoe") == other.of("zoe")
    both = [[*told[:-1], "ben: secret C$SB 5555"] for told in lines]
    shown, differing = await twins(*both, tmp_path / "shown")
    assert shown.of("ben") != differing.of("ben")


async def test_a_layout_typed_in_the_open_is_told_to_nobody_else(tmp_path: Path) -> None:
    opening = ["anna: challenge @ben veney side=white setup=concealed", "ben: accept"]
    lines = [[*opening, f"anna: {layout}"] for layout in ("SC$B 5678", "C$SB 8558")]
    one, other = await twins(*lines, tmp_path)
    assert one.of("ben") == other.of("ben")
    assert one.of("zoe") == other.of("zoe")


async def test_the_lot_between_equal_layouts_is_told_to_nobody_before(tmp_path: Path) -> None:
    opening = ["anna: challenge @ben veney side=white setup=concealed", "ben: accept"]
    evenings = [await played(opening, tmp_path / str(seed), seed, ("board dark", "turns")) for seed in (7, 8)]
    before = [[line for line in evening.of("zoe") if "sealed" not in str(line)] for evening in evenings]
    assert before[0] == before[1]


async def test_a_hidden_token_and_a_guess_stay_hidden_until_both_are_there(tmp_path: Path) -> None:
    aimed = "W: S@X6 $@Z6 D@Y6 e@W5 / B: S@Y14 $@Z14 e@W12 / a: ^XY8 / to: W"
    opening = [*begun(aimed, "umpire=turn throw=guess"), "anna: throw"]
    guesses = [[*opening, f"anna: secret {step}"] for step in ("11", "12")]
    one, other = await twins(*guesses, tmp_path)
    assert one.of("ben") == other.of("ben")
    assert one.of("zoe") == other.of("zoe")
    tokens = [[*opening, f"ben: secret {square}"] for square in ("X7", "Y11")]
    one, other = await twins(*tokens, tmp_path / "tokens")
    assert one.of("anna") == other.of("anna")
    assert one.of("zoe") == other.of("zoe")


async def test_a_hug_tells_nobody_what_the_first_to_answer_has_chosen(tmp_path: Path) -> None:
    opening = ["anna: challenge @ben veney side=white draw=hug", "ben: accept", "anna: draw", "ben: accept draw"]
    lines = [[*opening, f"anna: secret {choice}"] for choice in ("hug", "betray")]
    one, other = await twins(*lines, tmp_path)
    assert one.of("ben") == other.of("ben")
    assert one.of("zoe") == other.of("zoe")


async def test_hands_tell_nobody_what_the_first_to_answer_has_chosen(tmp_path: Path) -> None:
    opening = ["anna: challenge @ben veney side=white first=hands", "ben: accept"]
    for answering, others in (("anna", "ben"), ("ben", "anna")):
        lines = [[*opening, f"{answering}: secret {hand}"] for hand in ("left", "right")]
        one, other = await twins(*lines, tmp_path / answering)
        assert one.of(others) == other.of(others)
        assert one.of("zoe") == other.of("zoe")
