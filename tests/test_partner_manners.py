"""How Riposte behaves as an opponent: it gives up what is lost, offers and takes draws, bluffs, and says a word."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.messages.model import PARTNER
from bot.partner.seat import WORDS
from engine.appraisal import WEAKEST, Appraising
from engine.dice import Dice
from engine.games import GAMES
from engine.search.callout import BLUFFS
from engine.search.job import LONG, Decided, Job, decide
from tests.chat_room import open_room
from tests.test_partner import SEED, TWINS, job_in, silent, told


def test_what_was_found_hopeless_is_given_up_and_nothing_else() -> None:
    lost = decide(
        Job("1", 1, "tirachen", "W", "R: G@e1 C@a5 A@c5 S@g5 / W: G@a9 / T: x / pR: - / pW: - / mob: RW / to: W", "00")
    )
    assert lost.resigns
    assert decide(Job("1", 1, "tokonoma", "W", TWINS["tokonoma"][0], "00")) != Decided(resigns=True)


EVEN_GAME = "f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w"
AHEAD = "f4/6/3A1AF/1B1S2/F4 w"


def decisions(position: str, turns: int, count: int = 60) -> list[Decided]:
    """What is decided in a position of Tokonoma with unlike luck."""
    return [
        decide(Job("1", 1, "tokonoma", "W", position, f"{number:064x}", WEAKEST, turns=turns))
        for number in range(count)
    ]


def test_a_draw_is_offered_now_and_then_in_a_long_match_unless_riposte_stands_better() -> None:
    assert 0 < sum(decided.draw for decided in decisions(EVEN_GAME, LONG)) < 30
    assert not any(decided.draw for decided in decisions(EVEN_GAME, LONG - 1))
    assert not any(decided.draw for decided in decisions(AHEAD, LONG))


async def test_a_draw_is_taken_by_whoever_stands_worse(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    await room.say("anna", f'play tokonoma side=white start="{AHEAD}"')
    await room.say("anna", "draw", "1")
    assert "**Draw** by agreement." in told(room)
    await room.store.close()


async def test_an_offered_draw_comes_with_the_turn_and_can_be_accepted(tmp_path: Path) -> None:
    room = await silent(tmp_path, "play tokonoma side=white level=1", "c7c5")
    job = await job_in(room)
    await room.seat.decided(job, replace(decide(job), draw=True), room.now)
    match = await room.service.repository.match("1")
    assert match is not None
    assert job.turns == 1
    assert [(offer.what, offer.by) for offer in match.offers] == [("draw", PARTNER)]
    assert match.plies[-1].by == PARTNER
    await room.deliver()
    assert "Last move: " in told(room).rpartition("[picture: ")[2], "the offer hides nothing of the turn"
    await room.say("anna", "accept", "1")
    assert "**Draw** by agreement." in told(room)
    await room.store.close()


@pytest.mark.parametrize("offered", [True, False])
async def test_where_a_draw_means_that_both_have_lost_riposte_neither_offers_nor_takes_it(
    offered: bool, tmp_path: Path
) -> None:
    start = "W: S@Y4 $@X4 G@Z4 B@W4 L@W3 e@X5 / B: S@Y13 $@X13 e@X12 / a: - / to: W / flags: shima=W@X8"
    room = await silent(tmp_path, f'play veney side=white level=1 start="{start}"', "eX6")
    job = await job_in(room)
    if offered:
        await room.seat.decided(job, replace(decide(job), draw=True), room.now)
    else:
        await room.service.receive(room.message("anna", "draw", "1"))
        await room.seat.job("1", room.now)
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.status == "running"
    assert match.offers == ()
    await room.store.close()


async def test_a_word_of_the_game_is_said_now_and_then_and_never_more_than_a_line(tmp_path: Path) -> None:
    moods = [decided.mood for decided in decisions(AHEAD, 1, 100)]
    assert 0 < 100 - moods.count("") < 25
    assert {*moods} == {"", "ahead"}
    assert all(len(text.template) < 60 and "\n" not in text.template for texts in WORDS.values() for text in texts)
    room = await silent(tmp_path, "play tokonoma side=white level=1", "c7c5")
    job = await job_in(room)
    await room.seat.decided(job, replace(decide(job), mood="even"), room.now)
    await room.deliver()
    lines = [text.template.replace("{side}", "Black") for text in WORDS["even"]]
    said = [line for line in lines if line in told(room)]
    assert len(said) == 1
    assert room.lines[-1].endswith(said[0])
    await room.store.close()


def test_riposte_bluffs_an_intention_now_and_then_and_breaks_no_rule_by_it() -> None:
    game = GAMES["veney"]
    start = "W: S@Y6 $@X5 e@W5 e@Z7 / B: S@X13 $@Z13 C@X11 e@Z12 / a: - / to: W"
    position = game.decode(start)
    seen = []
    for number in range(100):
        decided = decide(Job("1", 1, "veney", "W", start, f"{number:064x}", WEAKEST))
        turn = game.read(decided.turn, position)
        assert game.tenable(position, turn), decided.turn
        if "!" in decided.turn:
            assert "int=W:" in game.encode(game.play(position, turn)), decided.turn
            seen.append(decided.turn.partition("!")[2])
    assert 0 < len(seen) < 4 * BLUFFS
    assert len({*seen}) > 1


@pytest.mark.parametrize("said", ["", "--"])
def test_to_pass_and_to_refuse_a_pass_are_thought_about_like_any_turn(said: str) -> None:
    game = GAMES["veney"]
    assert isinstance(game, Appraising)
    position = game.setup({}, Dice(SEED))
    if said:
        position = game.play(position, game.read(said, position))
    assert "--" in {game.write(turn, position) for turn in game.likely(position)}
