"""What can be made up on Discord without typing: throws, pictures of what is about to be played, several opponents."""

import random
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.discord.composer.menus import Offer, offer
from engine.dice import Dice
from engine.games import GAMES
from tests.adapters.discord_composing import composed, entries, match_of, menus, opened, sent, step
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.adapters.discord_screen import Component, parts, pressed
from tests.discord_standin import Channel, Message
from tests.discord_standin.components import walk
from tests.parts_of_games import COMPOSED
from tests.render.test_golden import midgame_text


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben", "Cleo") as room:
        yield room


# --- what Discord's documentation allows ---------------------------------------------------------------------
MOST_ENTRIES, MOST_COMPONENTS, MOST_TEXT, LONGEST_ID, LONGEST_LABEL = 25, 40, 4000, 100, 100


def held_to(screen: Message) -> None:
    """A screen of the composer keeps to the limits of a message of components."""
    all_parts = list(walk(screen.components))
    assert len(all_parts) <= MOST_COMPONENTS
    assert sum(len(part.get("content", "")) for part in all_parts) <= MOST_TEXT
    ids = [part["custom_id"] for part in all_parts if "custom_id" in part]
    assert len(set(ids)) == len(ids)
    assert max(map(len, ids)) <= LONGEST_ID
    for menu in menus(screen):
        assert 1 <= len(menu["options"]) <= MOST_ENTRIES
        values = [option["value"] for option in menu["options"]]
        assert len(set(values)) == len(values)
        assert all(1 <= len(option["label"]) <= LONGEST_LABEL for option in menu["options"])


def first_of(menu: Component) -> list[str]:
    """What the places of a menu begin with."""
    return [option["value"][0] for option in menu["options"]]


@pytest.mark.parametrize("umpire", ["turn", "refuse"])
@pytest.mark.parametrize("game", COMPOSED)
async def test_every_step_of_a_turn_keeps_discords_limits_and_leads_on(
    room: DiscordRoom, game: str, umpire: str
) -> None:
    rules, begun_at = GAMES[game], midgame_text(game)
    position = rules.decode(begun_at)
    side = rules.names[rules.to_act(position)].lower()
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, f'{game} side={side} umpire={umpire} start="{begun_at}"')
    for turn in random.Random(5).sample(list(rules.turns(position)), 2):
        screen = await opened(room, anna, thread)
        held_to(screen)
        for pick in pressed(rules.picks(turn, position)):
            screen = await step(anna, screen, pick)
            held_to(screen)
            for menu in menus(screen):
                begun = first_of(menu)
                if menu["options"][0]["value"] in rules.board(position).outlines:
                    assert begun == sorted(begun, key=list(dict.fromkeys(begun)).index), "a zone stands together"
        assert any(label.startswith("Play ") for label in screen.buttons)


# --- how many steps it takes ---------------------------------------------------------------------------------
BESIDE = ("a+", "a-", "aw", "az", "a=", "LfJ~", "BfJ~")
"""Words of Veney that are said beside what a piece does."""


def is_ordinary(game: str, turn: str) -> bool:
    """One piece does one thing, wins nobody over and announces nothing; in Veney, if it is no special move, throw, cast
    or trade of places, the free engagement is adjusted before it, or a glare follows."""
    if game != "veney":
        return "=" not in turn
    words = turn.split()
    moves = [word for word in words if word not in BESIDE]
    plain = not moves or "~" not in moves[0]
    return len(moves) <= 1 and "!" not in turn and len(words) <= 1 + plain


def screens(game: str, position: Any, picks: Sequence[str], *, calling: bool) -> Iterator[Offer]:
    """What is offered at each pick of a turn."""
    rules = GAMES[game]
    viewer = rules.to_act(position)
    drawn, ways = rules.draw(position, viewer), None if calling else rules.ways(position)
    begun: tuple[str, ...] = ()
    for press in pressed(picks):
        menu = rules.offer(position, begun, ways)
        yield offer(menu, drawn, viewer, None, lambda pick, begun=begun: rules.offer(position, (*begun, pick), ways))
        begun = (*begun, *press.split())


def steps(game: str, position: Any, picks: Sequence[str], *, calling: bool) -> int:
    """How often something is pressed until the turn is complete: opening a part of the board counts, too."""
    at_hand = (
        {entry.value for shelf in found.shelves if not shelf.opens_zone for entry in shelf.entries}
        | {button.value for button in found.buttons}
        for found in screens(game, position, picks, calling=calling)
    )
    return sum(1 if pick in offered else 2 for pick, offered in zip(pressed(picks), at_hand, strict=True))


@pytest.mark.parametrize(
    ("picks", "most"),
    [
        ("meta a+", 1),
        ("meta a+ X4 X5", 3),
        ("other cast L unaimed", 3),
        ("other intend $ X6 go", 4),
        ("X13 Y13 Y13 X13", 4),
    ],
)
def test_what_veney_gathers_is_opened_at_once(picks: str, most: int) -> None:
    position = GAMES["veney"].setup({"first": "black" if "13" in picks else "white"}, Dice(bytes(32)))
    assert steps("veney", position, picks.split(), calling=True) == most


@pytest.mark.parametrize("calling", [True, False])
@pytest.mark.parametrize("game", COMPOSED)
def test_an_ordinary_turn_takes_three_steps_at_most_wherever_a_match_stands(game: str, calling: bool) -> None:
    rules: Any = GAMES[game]
    chosen, looked_at = random.Random(11), 0
    for seed in range(3):
        dice = Dice(bytes([seed]) * 32)
        position = rules.setup({}, dice)
        for ply in range(40):
            turns = list(rules.turns(position))
            if not turns or rules.outcome(position, 1) is not None:
                break
            ordinary = [turn for turn in turns if is_ordinary(game, rules.write(turn, position))]
            for turn in chosen.sample(ordinary, min(4, len(ordinary))) if ply % 4 == seed % 4 else ():
                picks = rules.picks(turn, position)
                assert steps(game, position, picks, calling=calling) <= 3, rules.write(turn, position)
                looked_at += 1
            position = rules.play(position, rules.roll(position, chosen.choice(turns), dice))
    assert looked_at > 50


# --- what is seen before it is played ------------------------------------------------------------------------
ABOUT_TO_BE_PLAYED = {
    "tokonoma": ("c7 c5", "Arm on c5"),
    "ironclad": ("place d5", "stone on d5"),
    "tirachen": ("e1 e4", "general on e4"),
    "chirality": ("A50 A33", "D45 and A33"),
    "veney": ("X4 Z6", "Sword on Z6"),
}
"""Picks of the first turn, and what the picture then tells; most of them describe untenable turns."""


@pytest.mark.parametrize("game", COMPOSED)
async def test_the_picture_shows_what_is_about_to_be_played_and_back_takes_it_away(
    room: DiscordRoom, game: str
) -> None:
    anna, ben, _ = room.people
    first = " first=white" if game == "veney" else ""
    rules = GAMES[game]
    thread = await room.begun(anna, ben, f"{game} side={rules.names[rules.sides[0]].lower()}{first} umpire=turn")
    picks, told = ABOUT_TO_BE_PLAYED[game]
    screen = await opened(room, anna, thread)
    before = screen.attachments[-1]
    assert told not in str(before.alt)
    screen = await composed(anna, screen, picks.split())
    (shown,) = screen.attachments
    assert told in str(shown.alt)
    assert shown.data != before.data
    gallery = next(part for part in walk(screen.components) if part["type"] == 12)
    assert gallery["items"][0]["description"] == shown.alt
    assert (await match_of(room)).next_number == 1, "nothing is played before it is confirmed"
    for _ in picks.split():
        assert "Back" in screen.buttons
        screen = await anna.press(screen, "Back").shown()
    assert (screen.attachments[-1].data, screen.attachments[-1].alt) == (before.data, before.alt)
    assert "Back" not in screen.buttons


async def test_an_answer_is_composed_on_the_empty_board_as_its_own_side_fills_it(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "veney side=white setup=concealed")
    hers, his = await opened(room, anna, thread, "Answer"), await opened(room, ben, thread, "Answer")
    match = await match_of(room)
    empty = match.game.draw(match.position, None)
    assert not [figure for figure in empty.figures if figure.side]
    for screen in (hers, his):
        assert "Sword" not in str(screen.attachments[-1].alt).partition("reserve")[0]
        assert "engagement on" not in str(screen.attachments[-1].alt).replace("free engagement on", "")
    hers = await composed(anna, hers, ("*S", "*C"))
    assert "Self on W4, Cloak on X4" in str(hers.attachments[-1].alt), "in the order in which they are picked"
    his = await ben.press(his, "Type it instead").form() and his
    assert "on W4" not in str(his.attachments[-1].alt)


# --- throws --------------------------------------------------------------------------------------------------
THROWER = "W: S@W9 D@X10 $@W2 / B: S@Z12 $@Z16 L@W16 / a: - / to: W"


@pytest.mark.parametrize("answer", ["allow", "distract"])
async def test_a_throw_and_the_answer_to_it_are_made_by_menus(room: DiscordRoom, answer: str) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, f'veney side=white umpire=turn start="{THROWER} / flags: asked=1"')
    thrown = await composed(anna, await opened(room, anna, thread), ("X10", "throw", "Z12"))
    assert "Play DX10-tZ12~" in thrown.buttons
    await room.restart()
    await sent(room, anna, thrown)
    match = await match_of(room)
    assert match.seats[match.game.to_act(match.position)] == f"discord:{ben.id}", "he may let it happen, or distract"
    screen = await opened(room, ben, thread)
    choices = {*entries(screen), *(part["custom_id"].split()[-1] for part in parts(screen.components))}
    assert "allow" in choices
    way = ("allow",) if answer == "allow" else next(_ways(match))
    await sent(room, ben, await composed(ben, screen, way))
    after = await match_of(room)
    assert after.next_number > match.next_number
    assert any(post.attachments for post in thread.posts[-2:]), "the throw is shown"


def _ways(match: Any) -> Iterator[tuple[str, ...]]:
    """How the side to act can answer otherwise than by letting it happen."""
    for turn in match.game.turns(match.position):
        picks = match.game.picks(turn, match.position)
        if picks != ("allow",):
            yield picks


# --- a challenge, and a composer whose match has gone on ------------------------------------------------------
async def test_a_challenge_to_several_made_in_the_form_begins_a_match_of_all(room: DiscordRoom) -> None:
    anna, ben, cleo = room.people
    form = await anna.slash(room.channel, "challenge").form()
    named = {"game": "chirality", "whom": [str(ben.id), str(cleo.id)], "umpire": "umpire=turn"}
    done = anna.submit(form, named)
    await room.dealt_with(f"discord:i{done.id}")
    offered = room.channel.posts[-1]
    assert {ben, cleo} <= set(offered.mentions)
    await room.press(ben, offered, "Accept")
    assert (await room.service.repository.match("1")).status == "open", "not all have accepted"  # type: ignore[union-attr]
    await room.press(cleo, offered, "Accept")
    match = await match_of(room)
    assert match.status == "running"
    assert set(match.seats.values()) == {f"discord:{who.id}" for who in room.people}
    assert match.terms["umpire"] == "turn"


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben, with calling out."""
    anna, ben, _ = room.people
    return await room.begun(anna, ben, "tokonoma side=white umpire=turn")


async def test_a_composer_of_a_match_that_has_ended_says_so_and_plays_nothing(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben, _ = room.people
    ready = await composed(anna, await opened(room, anna, thread), ("c7", "c5"))
    await room.say(ben, "resign yes", thread)
    closed = await anna.press(ready, "Play c7c5").shown()
    assert closed.text == "Match 1 is over."
    assert (closed.buttons, closed.attachments) == ([], [])
    assert (await match_of(room)).turns_made == 0


async def test_a_composer_whose_turn_was_taken_back_meanwhile_says_so_and_plays_nothing(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben, _ = room.people
    await room.say(anna, "c7c5", thread)
    ready = await composed(ben, await opened(room, ben, thread), ("e1", "e3"))
    await room.say(anna, "takeback", thread)
    await room.press(ben, next(post for post in reversed(thread.posts) if "Accept" in post.buttons), "Accept")
    assert (await match_of(room)).next_number == 1
    closed = await ben.press(ready, "Play e1e3").shown()
    assert closed.text == "Match 1 has gone on since, so nothing was done."
    assert (closed.buttons, closed.attachments) == ([], [])
    assert (await match_of(room)).next_number == 1
