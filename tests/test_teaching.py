"""What games tell learners: every word of the rules is known, and every picture is what the judge says."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.dice import Dice
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.teaching.entries import PLACE, Entry, found, names, plain
from engine.teaching.reach import reached
from tests.chat_room import ChatRoom, open_room

GAMES_TAUGHT = sorted(GAMES)
DRAWN = [(key, entry) for key in GAMES_TAUGHT for entry in GAMES[key].entries if entry.scene and entry.scene.reaches]
WORDS_OF_THE_RULEBOOKS = {
    "tokonoma": "flat arm hand blind star tall stack stacking movement attack house stalemate repetition forward tone",
    "tirachen": "general fort commander pike pikeman traitor pool deploy mobilize homeland capture hunter mage king",
    "ironclad": "robot stone negation circularity forfeit cover fire string sliding placing breakthrough swap",
    "chirality": "thick thin star moat gate throne garrison muster remote attack capture elimination reserve",
    "veney": "self sword dagger guard ward lantern jutsu cloak balance shadow engagement ruin rien donkey persistence "
    "concert feign shift deflection cavazione opposition flail glare presence control intention strike throw "
    "distraction sever retreat reset placing withdraw disarm pass hirakamae casting chaos shima impasse hug "
    "measure initiative range token untenable",
}


def start(game: AnyGame) -> object:
    return game.setup({}, Dice(bytes(32)))


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


async def answer(room: ChatRoom, text: str) -> str:
    before = len(room.lines) + 1
    await room.say("anna", text)
    return "\n".join(room.lines[before:])


@pytest.mark.parametrize("key", GAMES_TAUGHT)
def test_every_word_of_the_rulebook_is_known(key: str) -> None:
    unknown = [word for word in WORDS_OF_THE_RULEBOOKS[key].split() if not found(GAMES[key].entries, word)]
    assert unknown == []


@pytest.mark.parametrize("key", GAMES_TAUGHT)
def test_every_piece_on_the_board_and_in_a_tray_is_known(key: str) -> None:
    game = GAMES[key]
    drawn = game.draw(start(game), None)
    said = {figure.name for figure in drawn.figures} | {tray.label for tray in drawn.trays}
    said |= {name for tray in drawn.trays for _, name, _ in tray.pieces}
    assert [name for name in sorted(said) if not found(game.entries, name)] == []


@pytest.mark.parametrize("key", GAMES_TAUGHT)
def test_no_name_belongs_to_two_entries_of_one_subject(key: str) -> None:
    seen: dict[tuple[str, str], str] = {}
    for entry in GAMES[key].entries:
        for name in {*names(entry)}:
            assert seen.setdefault((entry.subject, name), entry.name) == entry.name, name


@pytest.mark.parametrize("key", GAMES_TAUGHT)
def test_every_section_that_an_entry_names_holds_rules(key: str) -> None:
    game = GAMES[key]
    empty = [
        entry.section
        for entry in game.entries
        if entry.section and not any(rule.ref.startswith(entry.section) for rule in game.rules)
    ]
    assert empty == []


@pytest.mark.parametrize(("key", "entry"), DRAWN, ids=[f"{key} {entry.name}" for key, entry in DRAWN])
def test_a_picture_shows_what_the_judge_lets_pass_and_nothing_else(key: str, entry: Entry) -> None:
    game = GAMES[key]
    assert entry.scene is not None
    shown = reached(game, entry.scene)
    places = {*shown.open, *shown.taken}
    assert places
    for place in game.board(shown.position).outlines:
        try:
            turn = game.read(entry.scene.way.replace(PLACE, place), shown.position)
        except NotationError:
            assert place not in places
            continue
        if place in places:
            assert [*game.judge(shown.position, turn)] == []
        elif place != entry.scene.site and place in (game.ends(turn, shown.position) or {place}):
            assert [*game.judge(shown.position, turn)] != []


@pytest.mark.parametrize("key", GAMES_TAUGHT)
def test_every_example_of_notation_can_be_read_where_it_is_said_to(key: str) -> None:
    game = GAMES[key]
    assert game.goal
    assert len(game.writings) >= 2
    for writing in game.writings:
        position = game.decode(writing.position) if writing.position else start(game)
        for part in game.split(writing.text):
            game.read(part, position)


@pytest.mark.parametrize("key", GAMES_TAUGHT)
async def test_chat_knows_every_entry_option_and_title_of_a_rule(key: str, room: ChatRoom) -> None:
    game = GAMES[key]
    asked = {entry.name for entry in game.entries} | {option.key for option in game.options}
    asked |= {rule.title for rule in game.rules}
    for word in sorted(asked):
        room.now += 60_000
        said = await answer(room, f"rules {key} {word}")
        assert said, word
        assert "has no rule" not in said, word


def test_plain_words_forgive_capitals_articles_and_plurals() -> None:
    assert plain("The Masters of Arms") == plain("master of arm")
    assert plain("Selves") == plain("self")
    assert plain("the Self's lunge") == "self lunge"
