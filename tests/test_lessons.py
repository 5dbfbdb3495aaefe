"""Courses: every step is solved by its own solution and missed by some other turn, and chat leads through them."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.messages.model import Person, Place
from bot.service.dispatch import private
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.teaching.attempt import attempt, offered, rulings_of
from engine.teaching.lessons import Step
from tests.chat_room import HOUR, ChatRoom, open_room

STEPS = [
    (key, f"{number}.{at}", step)
    for key, game in sorted(GAMES.items())
    for number, lesson in enumerate(game.lessons, 1)
    for at, step in enumerate(lesson.steps, 1)
]
EVERY_STEP = pytest.mark.parametrize(
    ("key", "step"), [(k, s) for k, _, s in STEPS], ids=[f"{k} {n}" for k, n, _ in STEPS]
)
AT_LEAST = {"chirality": 8, "ironclad": 8, "tirachen": 8, "tokonoma": 6, "veney": 16}


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


@pytest.mark.parametrize("key", sorted(AT_LEAST))
def test_there_are_lessons_enough(key: str) -> None:
    assert len(GAMES[key].lessons) >= AT_LEAST[key]


@EVERY_STEP
def test_a_step_is_solved_by_its_own_solution(key: str, step: Step) -> None:
    made = attempt(GAMES[key], step, step.solution)
    assert made.done, [str(text) for text in made.says]


@EVERY_STEP
def test_a_step_begins_before_the_end_of_a_game(key: str, step: Step) -> None:
    game = GAMES[key]
    position = game.decode(step.position)
    assert game.outcome(position) is None
    assert game.decode(game.encode(position)) == position


@EVERY_STEP
def test_a_goal_is_missed_by_some_other_turn(key: str, step: Step) -> None:
    game = GAMES[key]
    if step.turn:
        other = "ok" if rulings_of(game, step) else "call"
        assert not attempt(game, step, other).done
        return
    assert any(not attempt(game, step, text).done for text in others(game, step))


def others(game: AnyGame, step: Step) -> Iterator[str]:
    """Tenable turns, as they are written, and the mistakes that the step knows."""
    position = game.decode(step.position)
    for turn in game.turns(position):
        yield game.write(turn, position)


@EVERY_STEP
def test_a_likely_mistake_misses_the_goal_and_is_answered(key: str, step: Step) -> None:
    for mistake in step.mistakes:
        made = attempt(GAMES[key], step, mistake.turn)
        assert not made.done, mistake.turn
        assert mistake.says in made.says


@EVERY_STEP
def test_an_answer_can_be_tapped_among_wrong_ones(key: str, step: Step) -> None:
    if step.turn:
        return
    answers = offered(GAMES[key], step)
    assert 2 <= len(answers) <= 4
    right = attempt(GAMES[key], step, step.solution).turn or step.solution
    assert right in answers
    assert {bool(attempt(GAMES[key], step, one).turn in (one, "")) for one in answers} == {True}, "in one spelling"
    assert [attempt(GAMES[key], step, one).done for one in answers].count(True) == 1
    assert list(answers) == sorted(answers), "their order tells nothing"


@EVERY_STEP
def test_an_answer_that_is_no_turn_is_none(key: str, step: Step) -> None:
    with pytest.raises(NotationError):
        attempt(GAMES[key], step, "good evening everybody")


@pytest.mark.parametrize("key", sorted(AT_LEAST))
async def test_chat_leads_through_a_course_and_a_restart_loses_nothing(key: str, room: ChatRoom) -> None:
    await room.say("anna", f"learn {key}")
    steps = [(number, step) for number, lesson in enumerate(GAMES[key].lessons) for step in lesson.steps]
    for at, (number, step) in enumerate(steps):
        said = len(room.lines)
        told = await room.say("anna", step.solution)
        assert [post.only.name for post in told if post.only] == ["anna"] * len(told), "in private"
        assert "Right." in room.lines[said + 1], room.lines[said:]
        room.restart()
        if at + 1 < len(steps) and steps[at + 1][0] != number:
            await room.say("anna", "learn")
    assert f"You have done all lessons of {GAMES[key].name}." in "\n".join(room.lines)


@pytest.mark.parametrize("key", sorted(AT_LEAST))
async def test_a_course_can_be_gone_through_by_taps(key: str, room: ChatRoom) -> None:
    posts = await room.say("anna", f"learn {key}")
    for lesson in GAMES[key].lessons:
        for step in lesson.steps:
            (taps,) = [[choice.command for choice in post.choices] for post in posts if post.choices]
            made = attempt(GAMES[key], step, step.solution)
            right = f"learn {made.turn or step.solution}"
            assert right in taps
            posts = await room.say("anna", right)
            assert any("Right." in str(post.text) for post in posts)
        if (more := [choice for post in posts for choice in post.choices]) and more[0].command == "learn":
            posts = await room.say("anna", "learn")
    assert f"You have done all lessons of {GAMES[key].name}." in "\n".join(room.lines)


TAUGHT_OF_VENEY = {"throws": "throw", "intentions": "intend", "a bluffed pass": "pass", "when to call": "call"}


@pytest.mark.parametrize("subject", sorted(TAUGHT_OF_VENEY))
def test_veney_s_course_comes_to_throws_intentions_bluffs_and_calls(subject: str) -> None:
    game = GAMES["veney"]
    steps = [step for lesson in game.lessons for step in lesson.steps]
    verbs = {
        move.verb
        for step in steps
        if not step.turn
        for move in game.read(game.split(step.solution)[0], game.decode(step.position))
    }
    passes = {step.solution for step in steps} | {step.turn for step in steps}
    known = {*verbs, *(["pass"] if passes & {"--", "---"} else []), *(["call"] if "call" in passes else [])}
    assert TAUGHT_OF_VENEY[subject] in known


async def test_talk_is_shown_to_the_others_while_a_lesson_is_open_and_a_turn_in_it_is_not(room: ChatRoom) -> None:
    where, anna = Place("web", "lounge"), Person("web", "anna", "anna")
    await room.say("anna", "learn tokonoma")
    assert await private(room.service.repository, anna, where, "c4c3")
    assert not await private(room.service.repository, anna, where, "ok")
    await room.say("anna", "learn tokonoma 6")
    assert not await private(room.service.repository, anna, where, "ok")
    await room.wait(4 * HOUR)
    await room.say("anna", "ok")
    assert "You have no match for that." in room.lines[-1], "after a while it is no answer to the lesson"


async def test_in_a_match_s_thread_a_turn_belongs_to_the_match(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept 1")
    await room.say("anna", "learn tokonoma", "1")
    assert "answer with `learn` before them" in "\n".join(room.lines)
    await room.say("anna", "c7c5", "1")
    assert "**Turn 1**" in "\n".join(room.lines)
    await room.say("anna", "learn c4c3", "1")
    assert "Right." in "\n".join(room.lines[-8:])


@pytest.mark.parametrize("key", sorted(key for key in GAMES if GAMES[key].lessons))
async def test_a_course_begins_with_the_goal_of_the_game_and_how_a_turn_is_written(key: str, room: ChatRoom) -> None:
    await room.say("anna", f"learn {key}")
    said = "\n".join(room.lines)
    assert str(GAMES[key].goal[0]) in said
    assert f"A turn looks like this: `{GAMES[key].writings[0].text}`." in said


async def test_a_lesson_can_be_chosen_looked_at_skipped_and_put_aside(room: ChatRoom) -> None:
    await room.say("anna", "learn tokonoma 2")
    await room.say("anna", "look c4")
    assert "c4: White Flat." in room.lines[-1]
    await room.say("anna", "look")
    assert "White: Flat on c4, Star on c6." in room.lines[-1]
    await room.say("anna", "board text")
    assert "c4 WF" in "\n".join(room.lines[-20:])
    await room.say("anna", "board")
    assert "Take the black Flat there." in "\n".join(room.lines[-8:])
    await room.say("anna", "hint")
    assert room.lines[-1].endswith("Move the Star to where it could go to c3 on its next move.")
    await room.say("anna", "skip")
    assert "One answer was `Sb4`." in "\n".join(room.lines)
    await room.say("anna", "learn tokonoma 99")
    assert "Tokonoma has 6 lessons." in room.lines[-1]
    await room.say("anna", "learn stop")
    await room.say("anna", "skip")
    assert "One answer was" not in room.lines[-1]
    await room.say("anna", "learn tokonoma")
    assert "lesson 2 of 6" in "\n".join(room.lines[-8:]), "it goes on where it was"
