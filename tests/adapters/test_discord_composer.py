"""Whole matches on Discord by menus alone: what is offered, what is shown, and what survives."""

import io
import random
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from PIL import Image

from engine.games import GAMES
from render.theme import rgb
from tests.adapters.discord_composing import composed, entries, id_of, match_of, menus, opened, sent, step
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.adapters.discord_screen import pressed, way_to
from tests.discord_standin import Channel, Message, Person
from tests.render.test_golden import MIDGAMES

MINUTE = 60


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben, with calling out."""
    return await room.begun(*room.people, "tokonoma side=white umpire=turn")


# --- whole matches ------------------------------------------------------------------------------------------
HOUSE = "e5e4 c2a2 c7c5 c2b2 e4d4 c1c3 d4d3 b1c1 d3c3 a2b2 c3c2 b2d3 c5c3 d3e2 c2c1"
"""A match of Tokonoma in which Black looks on while a Flat walks into their house."""


async def play_on(room: DiscordRoom, thread: Channel, picks: Sequence[str], *, kills: bool = False) -> None:
    """Whoever is to act makes a turn of these picks; with `kills`, each step meets a process that knows nothing."""
    match = await match_of(room)
    player = match.seats[match.game.to_act(match.position)]
    who = next(person for person in room.people if player == f"discord:{person.id}")
    screen = await opened(room, who, thread)
    for pick in pressed(picks):
        if kills:
            await room.restart()
        screen = await step(who, screen, pick)
    if kills:
        await room.restart()
    await sent(room, who, screen)
    assert (await match_of(room)).next_number == match.next_number + 1
    assert who not in thread.posts[-1].mentions or len(match.sides_to_act) > 1 or match.game.key == "ironclad"


async def test_a_whole_match_of_tokonoma_is_played_by_menus_across_restarts(room: DiscordRoom, thread: Channel) -> None:
    game = GAMES["tokonoma"]
    for number, text in enumerate(HOUSE.split()):
        match = await match_of(room)
        picks = game.picks(game.read(text, match.position), match.position)
        await play_on(room, thread, picks, kills=number in (0, 9))
    board = thread.posts[-1]
    assert board.buttons == ["Call it out", "Let it stand"]
    await room.press(room.people[1], board, "Let it stand")
    assert "House capture" in thread.posts[-1].content
    assert (await match_of(room)).status == "over"


TURNS: dict[str, tuple[str, list[str]]] = {
    "veney": (
        "veney side=white first=white umpire=turn",
        [
            "W5 W6",  # an engagement
            "X13 Y13 Y13 X13",  # a Self and its partner in concert: two words
            "*D W3",  # from the reserve
            "other intend $ X6 go _ B Z9 t",  # an intention with a second half
            "meta a+",
            "other cast L unaimed",
            "X4 ~ X7",  # a special move of the Sword
            "pass",
        ],
    ),
    "tirachen": (
        "tirachen side=red umpire=turn",
        ["P d2", "mobilize", "d2 d3", "e9 d3", "e1 e9", "F a1"],
    ),
    "ironclad": ("ironclad side=white umpire=turn", ["place d5", "robot A1 A2", "slide d5 d6", "fire A2"]),
    "chirality": ("chirality umpire=turn side=red", ["A50 A33", "pass", "muster C12", "B44 A51"]),
}
"""Of each game a match's terms and the picks of its turns, tenable and untenable."""


@pytest.mark.parametrize("game", TURNS)
async def test_a_match_of_each_game_is_played_by_menus_across_restarts_tenable_or_not(
    room: DiscordRoom, game: str
) -> None:
    terms, turns = TURNS[game]
    thread = await room.begun(*room.people, terms)
    for number, picks in enumerate(turns):
        await play_on(room, thread, picks.split(), kills=number == 1)
    resigning = room.people[0].slash(thread, "match resign")
    await room.dealt_with(f"discord:i{resigning.id}")
    await room.press(room.people[0], await resigning.reply(), "Resign")
    assert (await match_of(room)).status == "over"


# --- what is answered in private ----------------------------------------------------------------------------
async def test_a_sealed_setup_is_answered_from_the_thread_on_the_empty_board(room: DiscordRoom) -> None:
    anna, ben = room.people
    thread = await room.begun(anna, ben, "veney side=white setup=concealed")
    assert thread.posts[-1].buttons == ["Answer"]
    hers = await opened(room, anna, thread, "Answer")
    assert "for me alone" in hers.text
    assert hers.attachments
    his = await opened(room, ben, thread, "Answer")
    hers = await composed(anna, hers, ("*S", "*C", "*$", "*B", "W5", "X6", "Y7", "Z8"))
    assert "SC$B 5678" in hers.text
    await room.restart()
    await sent(room, anna, hers)
    assert hers.text == "Your answer is in."
    his = await composed(ben, his, ("*B", "*S", "*C", "*$", "Z12", "Y9", "X9", "W12"))
    await sent(room, ben, his)
    for seen in (*thread.posts, *ben.whispers):
        assert "SC$B" not in str(seen.components) + seen.content + "".join(str(one.alt) for one in seen.attachments)
    assert (await match_of(room)).game.asks((await match_of(room)).position) == ()


async def test_nobody_else_can_answer_and_the_button_goes_when_all_have(room: DiscordRoom) -> None:
    anna, ben = room.people
    thread = await room.begun(anna, ben, "veney side=white first=hands")
    question = thread.posts[-1]
    cleo = room.standin.person("Cleo", room.guild)
    refused = await room.press(cleo, question, "Answer")
    assert refused.whispered
    for who, hand in ((anna, "left"), (ben, "right")):
        await sent(room, who, await step(who, await who.press(question, "Answer").shown(), hand))
    await room.until(lambda: not question.buttons, "the button to go")
    assert "Make the turn" in thread.posts[-1].buttons


# --- a call that gives a reason -----------------------------------------------------------------------------
async def test_a_call_with_a_reason_is_made_of_all_rules_and_pieces_whatever_was_played(room: DiscordRoom) -> None:
    anna, ben = room.people
    offered = []
    for number, turn in enumerate(("c7c5", "c7c9", "e5d4"), start=1):
        thread = await room.begun(anna, ben, "tokonoma side=white umpire=turn callfor=reason")
        await room.say(anna, turn if turn != "c7c9" else "c7d5", thread)
        screen = await opened(room, ben, thread, "Call it out")
        offered.append(menus(screen))
        assert f"turn {1}" in screen.text
        assert number == len(room.channel.threads)
    plain = [[(menu["placeholder"], menu["options"]) for menu in each] for each in offered]
    assert plain[0] == plain[1] == plain[2]
    assert {"flat", "stacking", "arm"} <= set(entries(screen))
    await room.restart()
    named = await ben.select(screen, "flat", custom_id=offered[-1][0]["custom_id"]).shown()
    assert named.buttons == ["Call it out", "Back"]
    called = await room.press(ben, named, "Call it out")
    assert any("is **untenable**" in post.content for post in room.channel.threads[-1].posts)
    assert (await called.shown()).buttons == []


# --- what is offered ----------------------------------------------------------------------------------------
async def test_all_is_offered_where_untenable_turns_stand_and_only_tenable_turns_where_they_are_refused(
    room: DiscordRoom,
) -> None:
    anna, ben = room.people
    for umpire, targets in (("turn", 28), ("refuse", 1)):
        thread = await room.begun(anna, ben, f"tokonoma side=white umpire={umpire}")
        screen = await step(anna, await opened(room, anna, thread), "c7")
        assert len(entries(screen)) == targets


async def test_words_beside_a_preview_call_nothing_a_move_that_is_only_picked(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben = room.people
    await room.say(anna, "c7c5", thread)
    screen = await opened(room, ben, thread)
    assert "Last move: c7, c5." in str(screen.attachments[0].alt)
    for pick, said in (("c2", "Picked so far: c2."), ("d3", "Picked so far: c2, d3.")):
        screen = await step(ben, screen, pick)
        alt = str(screen.attachments[0].alt)
        assert said in alt
        assert "Last move" not in alt


async def test_a_refused_turn_is_told_in_the_composers_place_and_can_be_changed(room: DiscordRoom) -> None:
    anna, ben = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white umpire=refuse")
    screen = await opened(room, anna, thread)
    done = room.fill(anna, await room.form(anna, anna.press(screen, "Type it instead")), "c7d5")
    await room.dealt_with(f"discord:i{done.id}")
    assert "movement" in (await done.shown()).text
    assert (await done.shown()).buttons == ["Change it"]
    form = await anna.press(screen, "Change it").form()
    assert form.data["components"][0]["component"]["value"] == "c7d5"


@pytest.mark.parametrize("game", GAMES)
async def test_every_screen_keeps_discords_limits_and_nothing_is_left_out(room: DiscordRoom, game: str) -> None:
    anna, ben = room.people
    thread = await room.begun(anna, ben, f"{game} side={GAMES[game].names[GAMES[game].sides[0]].lower()} umpire=turn")
    match = await match_of(room)
    who = next(p for p in room.people if match.seats[match.sides_to_act[0]] == f"discord:{p.id}")
    screen = await opened(room, who, thread)
    menu = match.game.menu(match.position, ())
    offered = {*entries(screen), *(label for label in screen.buttons), *(one.split()[0] for one in entries(screen))}
    assert set(menu.sites) <= offered
    assert all(choice.key in offered or str(choice.name) in offered for choice in menu.choices)
    assert screen.flags & 1 << 15
    assert screen.only is who


ORDINARY = {
    "chirality": lambda turn: True,
    "ironclad": lambda turn: True,
    "tirachen": lambda turn: "=" not in turn,
    "tokonoma": lambda turn: True,
    "veney": lambda turn: " " not in turn and "*" not in turn,
}
"""Which turns are: in Tirachen those that win nobody over, in Veney those of one action by one piece."""
CHOSEN, STEPS = 6, 3


@pytest.mark.parametrize("game", sorted(ORDINARY))
async def test_an_ordinary_turn_takes_three_steps_at_most(room: DiscordRoom, game: str) -> None:
    start, side = MIDGAMES[game], GAMES[game].names[GAMES[game].to_act(GAMES[game].decode(MIDGAMES[game]))].lower()
    thread = await room.begun(*room.people, f'{game} side={side} umpire=turn start="{start}"')
    match = await match_of(room)
    rules, position = match.game, match.position
    ordinary = [turn for turn in rules.turns(position) if ORDINARY[game](rules.write(turn, position))]
    for turn in random.Random(1).sample(ordinary, CHOSEN):
        taken, screen = 0, await opened(room, room.people[0], thread)
        for pick in rules.picks(turn, position):
            taken, screen = await counted(room.people[0], screen, pick, taken)
        said = next(label for label in screen.buttons if label.startswith("Play "))
        assert rules.read(said.removeprefix("Play "), position) == turn
        assert taken <= STEPS, rules.write(turn, position)


async def counted(who: Person, screen: Message, pick: str, taken: int) -> tuple[int, Message]:
    """The screen after a pick, and the steps so far: to open a part of the board is one, too."""
    id_, value = way_to(screen.components, pick)
    if not value:
        return taken + 1, await who.press(screen, id_).shown()
    shown = await who.select(screen, value, custom_id=id_).shown()
    return (taken + 1, shown) if value == pick else await counted(who, shown, pick, taken + 1)


async def test_what_was_picked_so_far_stands_in_the_form(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    screen = await composed(anna, await opened(room, anna, thread), ("c7", "c5"))
    form = await anna.press(screen, "Type it instead").form()
    assert form.data["components"][0]["component"]["value"] == "c7c5"


async def test_back_takes_the_last_pick_away_under_an_id_that_discord_has_not_seen(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, _ = room.people
    screen = await opened(room, anna, thread)
    first = menus(screen)[0]["custom_id"]
    back = await anna.press(await step(anna, screen, "c7"), "Back").shown()
    assert "Which piece moves?" in back.text
    assert menus(back)[0]["custom_id"] != first, (
        "a client sends nothing when the same is chosen from the same menu again"
    )


async def test_the_slash_command_alone_opens_the_composer_where_a_turn_is_due(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben = room.people
    screen = await anna.slash(thread, "move").shown()
    assert "turn 1" in screen.text
    assert screen.only is anna
    await sent(room, anna, await composed(anna, screen, ("c7", "c5")))
    assert (await ben.slash(room.channel, "move", match="1").shown()).only is ben


async def test_whoever_may_not_move_gets_no_form_by_a_slash_command_either(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    cleo = room.standin.person("Cleo", room.guild)
    asked = anna.slash(room.channel, "move")
    assert (await asked.form()).title.startswith("Your turn"), "somewhere a turn of hers is due"
    told = {ben: "It is White's turn", cleo: "You have no"}
    for who, words in told.items():
        for where in (thread, room.channel, who.dm):
            asked = who.slash(where, "move")
            assert words in (await asked.reply()).content
            assert asked.modal is None
    asked = anna.slash(thread, "secret")
    assert (await asked.shown()).text
    assert asked.modal is None, "nothing is asked of her in private"


async def test_a_challenge_made_in_the_form_begins_a_match(room: DiscordRoom) -> None:
    anna, ben = room.people
    form = await anna.slash(room.channel, "challenge").form()
    done = anna.submit(form, {"game": "tokonoma", "whom": [str(ben.id)], "umpire": "umpire=turn", "time": "time=5d"})
    await room.dealt_with(f"discord:i{done.id}")
    await room.press(ben, room.channel.posts[-1], "Accept")
    match = await match_of(room)
    assert (match.game.key, match.terms["umpire"], match.terms["time"]) == ("tokonoma", "turn", "5d")


async def test_a_turn_whose_answer_was_lost_is_made_once_and_the_composer_says_so(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, _ = room.people
    screen = await composed(anna, await opened(room, anna, thread), ("c7", "c5"))
    button = id_of(screen, "Play c7c5")
    down = room.standin.fail("POST", "/interactions/**", "503", times=1000)
    lost = anna.forge(button, screen)
    await room.dealt_with(f"discord:i{lost.id}")
    await room.until(lambda: down.hits, "an answer that is lost")
    await room.stop()
    down.left = 0
    await room.start()
    assert "Play c7c5" in screen.buttons
    assert (await anna.press(screen, "Play c7c5").shown()).text == "Turn 1 is made: `c7c5`."
    assert [post.content for post in thread.posts if "played" in post.content] == [thread.posts[-1].content]


async def test_on_a_crowded_board_the_part_that_is_looked_at_is_shown_large(room: DiscordRoom) -> None:
    anna, _ = room.people
    await room.begun(*room.people, 'chirality umpire=turn side=red start="P1: A34 / P2: C19 / res: 3 4 / to: P1"')
    whole = await opened(room, anna, room.channel.threads[-1])
    before = reddish(whole)
    picked = await step(anna, whole, "A34")
    assert reddish(picked) > before * 2, "round the piece that was picked"
    zones = next(menu for menu in menus(picked) if ":z" in menu["custom_id"])
    own = next(option["value"] for option in zones["options"] if option["label"].startswith("A"))
    part = await anna.select(picked, own, custom_id=zones["custom_id"]).shown()
    assert reddish(part) > before * 2, "the part of the board that was opened"
    done = await step(anna, part, "A33")
    assert reddish(done) > before * 2, "round where it goes"


def reddish(screen: Message) -> int:
    """Pixels of a picture in the colour of Red's pieces."""
    with Image.open(io.BytesIO(screen.attachments[-1].data)) as image:
        colours = image.convert("RGB").getcolors(1 << 24) or []
    red = rgb("#b9473c")
    return sum(n for n, colour in colours if max(abs(a - b) for a, b in zip(colour, red, strict=True)) < 20)
