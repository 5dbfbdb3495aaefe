"""`look` names what the rules need of a place, and takes zones and pieces as well."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.messages.catalogue import language
from engine.dice import Dice
from engine.game import NotationError
from engine.games import GAMES
from engine.place_text import fallen, tray_text
from engine.text import Phrase, Term
from tests.chat_room import ChatRoom, open_room
from tests.parts_of_games import OURS


def look(key: str, asked: str, viewer: str | None = None) -> str:
    game = GAMES[key]
    return " ".join(map(str, game.look(game.setup({}, Dice(bytes(32))), asked, viewer)))


def zones_told(key: str, asked: str) -> list[object]:
    """The zones of which `look` tells the places."""
    game = GAMES[key]
    told = game.look(game.setup({}, Dice(bytes(32))), asked, None)
    return [text.values["zone"] for text in told if "zone" in text.values]


@pytest.mark.parametrize("key", GAMES)
def test_every_place_of_every_board_can_be_looked_at(key: str) -> None:
    game = GAMES[key]
    for place in game.board(game.setup({}, Dice(bytes(32)))).outlines:
        assert look(key, place)


def test_a_place_is_told_with_its_tone_its_zone_and_its_neighbours() -> None:
    assert (
        look("tokonoma", "c7")
        == "c7: White Arm on a Flat. It is of the middle tone. Lies in: White's house. Neighbours: b6, c6, d6."
    )
    assert "Lies in: Red's homeland, Red's deployment area." in look("tirachen", "e1")
    assert "Across a corner: " in look("tirachen", "e1")
    assert "Lies in: measure 1, White's side." in look("veney", "W1")


def test_a_zone_is_told_with_its_places_and_who_stands_there() -> None:
    assert look("tirachen", "Homeland Red") == "Red's homeland: d1, e1, f1. e1: Red general."
    assert look("chirality", "throne") == "Throne: A1, B1, C1, D1, E1. Nobody stands there."
    assert look("chirality", "gate 1").startswith("Gate 1: A44, A45, A50, A51. A44: Red")


def test_a_kind_of_piece_is_told_wherever_it_stands() -> None:
    assert look("tokonoma", "blinds") == (
        "c6: White Blind on a Flat. d6: White Blind on a Flat. b1: Black Blind on a Flat. c2: Black Blind on a Flat."
    )


def test_a_side_s_pieces_are_told_with_or_without_their_kind() -> None:
    assert look("tokonoma", "white blinds") == "c6: White Blind on a Flat. d6: White Blind on a Flat."
    assert look("tirachen", "red") == "e1: Red general."


def test_zones_of_one_sort_are_told_together() -> None:
    assert len(zones_told("chirality", "gate")) == 5
    assert len(zones_told("tirachen", "homeland")) == 2


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_zone_of_a_board_can_be_looked_at(key: str) -> None:
    game = GAMES[key]
    zones = game.board(game.setup({}, Dice(bytes(32)))).zones
    assert all(zone in zones_told(key, str(zone)) for zone in zones)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_what_is_neither_place_nor_zone_nor_piece_is_refused(key: str) -> None:
    with pytest.raises(NotationError):
        look(key, "nowhere")


def test_a_stretch_of_the_board_is_told_in_its_order() -> None:
    assert look("tokonoma", "c5-c7") == "From c5 to c7: c5, c6, c7. c6: White Blind on a Flat. c7: White Arm on a Flat."
    assert look("tokonoma", "C3 to C5") == "From c3 to c5: c3, c4, c5. Nobody stands there."
    assert look("tirachen", "a4-c6") == "From a4 to c6: a4, b5, c6. Nobody stands there."
    assert look("ironclad", "A1..C1").startswith("From A1 to C1: A1, B1, C1. A1: White robot")


def test_a_star_is_known_by_its_short_name() -> None:
    assert look("chirality", "I2").startswith("Moat I2: ")
    assert "Star I2: A14" in look("chirality", "I2")


def told(key: str, position: str, asked: str) -> str:
    game = GAMES[key]
    return " ".join(map(str, game.look(game.decode(position), asked, None)))


def test_the_free_engagement_s_owner_is_told_where_it_stands() -> None:
    field = "W: S@Y4 $@X4 e@Y7 / B: S@X13 $@Y13 C@Y9 e@W10 / a: {} / to: W"
    assert "is White's while" in told("veney", field.format("X8"), "X8")
    assert "is Black's while" in told("veney", field.format("X9"), "x9")
    assert "free engagement" not in told("veney", field.format("X9"), "X8")
    assert "nobody's" in told("veney", field.format("^XY8"), "^XY8")


def test_cover_and_those_in_range_are_told_of_a_robot() -> None:
    field = (
        "rW: A1=1 C4=2 D4=1 / rB: D6=2 A8=1 / sW: d6 e7 / sB: d7 / last: - / mode: full / owner: W / half: - / to: W"
    )
    assert told("ironclad", field, "D6").endswith("3 stones cover it. Robots in range of it: C4.")
    assert "It has no cover." in told("ironclad", field, "A8")


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    made = await open_room(tmp_path)
    yield made
    await made.store.close()


async def heard(room: ChatRoom, terms: str, turns: str, asked: str) -> str:
    """What Anna is told of a place after some turns of a match with Ben."""
    await room.say("Anna", f"challenge @ben {terms}")
    await room.say("Ben", "accept 1")
    for at, turn in enumerate(filter(None, turns.split(", "))):
        await room.say(("Anna", "Ben")[at % 2], turn, "1")
    (post,) = await room.say("Anna", f"look {asked}", "1")
    return str(post.text)


async def test_what_the_other_side_could_do_next_is_told_as_well(room: ChatRoom) -> None:
    told = await heard(room, "veney umpire=refuse side=white", "SX5 SX8, D*X14", "X8")
    assert "Black could come here next, from X14." in told


async def test_who_goes_on_from_a_fire_comes_from_where_they_stand(room: ChatRoom) -> None:
    """Nobody stands there, and a cast mark that is shown no more would be told to whoever asks."""
    start = "W: J@W2 e@X3 $@X4 S@Y4 / B: e@X12 J@W14 $@Z14 S@X15 / rW: C D / rB: C L / dW: L / to: W / flags: fire=W:Y6"
    told = await heard(room, f'veney umpire=refuse side=white start="{start}"', "", "X7")
    assert "White can come here from " in told
    assert "Y4" in told
    assert "Y6" not in told.partition("come here")[2]
    (post,) = await room.say("Anna", "look Y6", "1")
    assert "go from here" not in str(post.text)
    (post,) = await room.say("Anna", "look Y4", "1")
    assert "X7" in str(post.text).partition("go from here")[2]
    assert "Y4" not in str(post.text).partition("go from here")[2], "back again is nowhere"


async def test_who_can_come_is_told_in_the_letters_agreed_on(room: ChatRoom) -> None:
    told = await heard(room, "veney umpire=refuse side=white lines=abcd", "SB5 SB8, D*B14", "B8")
    assert "Black could come here next, from B14." in told


async def test_what_hits_a_tile_is_told_of_both_sides(room: ChatRoom) -> None:
    told = await heard(room, "tokonoma umpire=refuse side=white", "e5e4, e1e3", "e3")
    assert "White hits it from e4." in told
    assert "Black could go from here next, to " in told


async def test_a_piece_that_cannot_go_anywhere_is_said_to_stay(room: ChatRoom) -> None:
    told = await heard(room, "chirality umpire=refuse side=red", "", "A44")
    assert "Red can go nowhere from here." in told


async def test_where_nobody_can_come_is_told(room: ChatRoom) -> None:
    assert "Nobody can come here next." in await heard(room, "tokonoma umpire=refuse side=white", "", "c4")


@pytest.mark.parametrize("asked", ["e3", "e4", "c4"])
async def test_where_untenable_turns_may_stand_nothing_of_it_is_told(asked: str, room: ChatRoom) -> None:
    told = await heard(room, "tokonoma umpire=turn side=white", "e5e4, e1e3", asked)
    assert not any(word in told for word in ("hits", "come here", "from here"))


@pytest.mark.parametrize(
    ("key", "asked", "told"),
    [
        ("tokonoma", "row c", "From c1 to c7: c1, c2"),
        ("tokonoma", "3", "From a3 to e3: a3, b3, c3, d3, e3. Nobody"),
        ("tirachen", "file e", "From e1 to e9: e1, e2"),
        ("ironclad", "column D", "From D1 to D8: D1, D2"),
        ("ironclad", "line d", "From d1 to d9: d1, d2"),
        ("ironclad", "row 3", "From A3 to F3: A3, B3, C3, D3, E3, F3. Nobody stands there. From a3 to g3: a3"),
        ("veney", "step 5", "From W5 to Z5: W5, X5, Y5, Z5. W5: White engagement."),
        ("veney", "line w", "From W1 to W16: W1, W2"),
    ],
)
def test_a_line_of_the_board_is_told_in_its_order(key: str, asked: str, told: str) -> None:
    assert look(key, asked).startswith(told)


def test_a_player_says_mine_and_the_enemy_s() -> None:
    assert look("tokonoma", "my star", "W") == "b6: White Star on a Flat."
    assert look("tokonoma", "enemy star", "W") == look("tokonoma", "my star", "B") == "d1: Black Star on a Flat."
    assert look("veney", "my side", "B").startswith("Black's side: ")
    assert look("tirachen", "my homeland", "W") == look("tirachen", "white homeland")
    assert look("ironclad", "my robots", "B").count("Black robot") == 6
    with pytest.raises(NotationError):
        look("tokonoma", "my star")


def test_a_zone_is_known_in_any_order_of_its_words_and_without_its_side() -> None:
    assert look("tirachen", "red homeland") == look("tirachen", "homeland red")
    assert len(zones_told("tirachen", "deployment area")) == 2
    assert len(zones_told("ironclad", "first row")) == 2
    assert look("chirality", "I2 moat") == look("chirality", "moat I2")


def test_what_waits_beside_the_board_is_told_too() -> None:
    assert look("veney", "my reserve", "W") == "White, reserve: Dagger, Guard, Lantern, Jutsu, Ruin."
    assert look("tirachen", "forts").startswith("Red, pool: fort, commander, 9 pikes, 9 masters.")
    assert look("ironclad", "supply") == "White, supply: 32 stones. Black, supply: 32 stones."


@pytest.mark.parametrize(
    ("key", "first", "turn", "told"),
    [
        ("tokonoma", "f3A+/b+3BS+/fb+2aB+A+/s+3F1/a+3F w q1", "d5d4", {"Black, fallen: Arm."}),
        (
            "ironclad",
            "rW: B1=1 F1=2 E2=3 E3=3 / rB: B6=2 E7=1 A8=1 D8=3 / sW: a3 b3 c3 c4 d4 d5 e5 e6 f7 / "
            "sB: a2 e3 b4 a5 b5 b6 f6 d7 / last: - / mode: full / owner: W / half: - / to: W",
            "xB6(4)",
            {"Black, fallen: robot."},
        ),
        (
            "chirality",
            "P1: A4 A37 A44 A47 D1 D12 D21 E1 / P2: A3 A29 B19 B30 B44 B45 E23 E33 / res: 3 4 / to: P2",
            "A3-A2",
            {"Blue, fallen: one piece."},
        ),
    ],
)
def test_what_has_fallen_since_the_start_is_told_of_each_side(key: str, first: str, turn: str, told: set[str]) -> None:
    game: Any = GAMES[key]
    start = game.decode(first)
    after = game.play(start, game.read(turn, start))
    names = game.names
    assert {str(tray_text(names[tray.side], tray)) for tray in fallen(game, start, after)} == told
    assert not [*fallen(game, start, start)]


@pytest.mark.parametrize("key", GAMES)
def test_nothing_has_fallen_where_nothing_was_taken(key: str) -> None:
    game: Any = GAMES[key]
    dice = Dice(bytes(32))
    start = game.setup({}, dice)
    after = game.play(start, game.roll(start, next(iter(game.turns(start))), dice))
    assert not [*fallen(game, start, after)]


@pytest.mark.parametrize("code", ["de", "es", "ja"])
@pytest.mark.parametrize("key", OURS)
def test_a_zone_has_a_name_in_each_language(key: str, code: str) -> None:
    game = GAMES[key]
    names = game.board(game.setup({}, Dice(bytes(32)))).zones
    told = {language(code).say(name) for name in names if isinstance(name, Term | Phrase)}
    assert len(told) == len(names)
    assert not told & {str(name) for name in names}


@pytest.mark.parametrize("code", ["de", "es", "ja"])
async def test_a_zone_and_a_piece_may_be_named_in_the_reader_s_language(room: ChatRoom, code: str) -> None:
    tirachen = GAMES["tirachen"]
    zone = next(name for name in tirachen.board(tirachen.setup({}, Dice(bytes(32)))).zones if "Red" in str(name))
    told = language(code).say(zone)
    await room.say("Anna", "challenge @ben tirachen side=red")
    await room.say("Ben", "accept 1")
    await room.say("Anna", f"language {code}")
    (named,) = await room.say("Anna", f"look {told.upper()}", "1")
    (typed,) = await room.say("Anna", "look homeland red", "1")
    assert str(named.text) == str(typed.text)
    assert told in str(named.text)
    general = language(code).say(Term("general"))
    (piece,) = await room.say("Anna", f"look {general}", "1")
    assert "e1" in str(piece.text)
