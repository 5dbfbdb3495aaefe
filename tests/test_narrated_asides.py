"""What a room is told beside turns and results: names, refusals, prompts, stakes, reminders and rings."""

import pytest

from bot.messages.narrator import headline, narrate, refuse
from bot.messages.showing.pictures import diagram
from engine.dice import Dice, commitment, share_hash
from engine.match.clock import DAY
from engine.match.commands import (
    AlarmFired,
    Call,
    Challenge,
    Claim,
    Credit,
    FindContact,
    Join,
    LinkPlace,
    LoseContact,
    Offer,
    Play,
    Reply,
    Resign,
)
from engine.match.decide import decide
from engine.match.events import Refusal
from engine.match.evolve import Decision
from engine.text import Text
from tests.table import MINUTE, SEED
from tests.test_narrator import NAMES, Told, begun, challenged, said


def test_a_headline_tells_who_is_to_act() -> None:
    assert said((headline(challenged().now, NAMES),)) == "**1** Tokonoma: @Anna against @Ben. Not begun."
    playing = "**1** Tokonoma: @Anna (White) against @Ben (Black)."
    assert said((headline(begun().now, NAMES),)) == f"{playing} To act: @Anna; due <3 days>."
    assert said((headline(begun(time="none").now, NAMES),)) == f"{playing} To act: @Anna."


def test_more_than_two_players_stand_in_a_list() -> None:
    challenge = Challenge("1", "anna", "chirality", {"players": "3"}, ("ben", "carol"), "web/lounge/")
    decision = decide(None, challenge, 0, Dice(SEED))
    assert isinstance(decision, Decision)
    assert said((headline(decision.after, NAMES),)) == "**1** Chirality: @Anna, @Ben and @Carol. Not begun."


def test_somebody_whose_name_is_unknown_is_called_by_their_id() -> None:
    match = begun().now
    assert said((headline(match.but(seats={"W": "web:zoe", "B": "ben"}), NAMES),)).startswith(
        "**1** Tokonoma: zoe (White) against @Ben (Black)."
    )


def test_a_refusal_is_the_fact_what_it_can_mean_and_the_remedy() -> None:
    refusal = Refusal(Text("That can mean two turns."), Text("Write one of them."), readings=("a1b1", "a1c1"))
    assert said(refuse(refusal).text) == ("That can mean two turns. It can mean `a1b1` or `a1c1`. Write one of them.")


def test_time_given_back_is_no_news() -> None:
    match = begun().now
    decision = decide(match, Credit(DAY), DAY, match.dice)
    assert isinstance(decision, Decision)
    assert narrate(match, decision, NAMES) == ()


def test_a_new_place_is_told() -> None:
    told = begun()
    heard = told.does(LinkPlace("anna", "web/attic/")).splitlines()
    assert heard[0] == "@Anna links match 1 to one more place."
    assert said(told.drafts[0].opening) == (
        "**Match 1 · Tokonoma** is played here too: @Anna (White) against @Ben (Black)."
    )


def test_who_cannot_be_reached_or_can_again_is_told_with_what_it_does_to_their_time() -> None:
    told = begun(time="3d")
    assert told.does(LoseContact("anna", 2 * MINUTE)) == (
        "No message reaches @Anna any more. Nobody's time runs meanwhile; the match can be claimed <7 days>."
    )
    assert told.does(FindContact("anna")) == "@Anna can be reached again. Time runs again."
    assert told.does(LoseContact("ben", 4 * MINUTE)) == "No message reaches @Ben any more."
    assert told.does(FindContact("ben")) == "@Ben can be reached again."


def test_when_a_match_can_be_claimed_the_others_are_told_how() -> None:
    told = begun(time="3d")
    told.does(LoseContact("anna", 2 * MINUTE))
    told.at += 7 * DAY
    assert told.does(AlarmFired("claim")) == (
        "@Anna could not be reached for 7 days in all. `claim 1` wins the match; or wait on."
    )
    assert told.does(Claim("ben")).splitlines() == [
        "@Ben claims the match: @Anna (White) could not be reached.",
        "@Ben (Black) **wins** on time.",
    ]


def test_among_three_a_claim_takes_whoever_is_absent_out_of_the_match_and_is_told_so() -> None:
    told = Told(Challenge("1", "anna", "chirality", {"players": "3", "time": "3d"}, ("ben", "cleo"), "web/lounge/"))
    told.does(Join("ben"))
    told.does(Join("cleo"))
    awaited, other = (told.now.seats[side] for side in told.now.game.sides[:2])
    told.does(LoseContact(awaited, told.at))
    told.at += 7 * DAY
    assert told.does(AlarmFired("claim")).endswith(
        " `claim 1` takes them out of the match, and the rest play on; or wait on."
    )
    assert "could not be reached and is out of the match." in told.does(Claim(other)).splitlines()[0]
    assert told.now.status == "running"


def of_veney(**terms: str) -> Told:
    return Told(Challenge("1", "anna", "veney", {"side": "white", **terms}, ("ben",), "web/lounge/"))


def test_what_a_game_asks_in_private_is_told_to_each_side_alone() -> None:
    told = of_veney(setup="concealed")
    told.does(Join("ben"))
    assert said(told.drafts[0].text).splitlines()[-1] == ("@Anna and @Ben, send your layouts privately; due <3 days>.")
    questions = told.drafts[1:]
    assert [draft.only for draft in questions] == ["anna", "ben"]
    for draft, ask in zip(questions, told.now.game.asks(told.now.position), strict=True):
        (choice,) = draft.choices
        assert (choice.label, choice.command, choice.blank) == (Text("Answer"), "secret 1", ask.prompt)
        assert said(draft.text) == f"{ask.prompt} Answer privately, for example: `secret 1 {ask.example}`."
    assert told.does(Reply("anna", "C$SB 5555")).splitlines() == [
        "@Anna (White) has answered privately.",
        "@Ben, send your layout privately; due <3 days>.",
    ]
    assert len(told.drafts) == 1


def test_without_a_clock_nothing_is_due() -> None:
    told = of_veney(setup="concealed", time="none")
    assert told.does(Join("ben")).splitlines()[-1] == "@Anna and @Ben, send your layouts privately."
    assert begun(time="none").does(Play("anna", "c7c5")).splitlines()[-1] == "@Ben, your turn."


def test_the_whole_commitment_to_the_dice_is_told_with_the_challenge() -> None:
    challenge = Challenge("1", "anna", "veney", {"side": "white"}, ("ben",), "web/lounge/", share="a")
    told = Told(challenge)
    lines = said(told.drafts[0].text).splitlines()
    sealed = commitment(bytes.fromhex(told.now.seed))
    assert f"Dice sealed: `{sealed}`; @Anna's share: `{share_hash('a')}`." in lines
    lines = told.does(Join("ben", share="b")).splitlines()
    assert f"@Ben's share in the dice: `{share_hash('b')}`." in lines
    assert told.does(Resign("anna")).splitlines()[-1] == f"The seed of the dice was `{told.now.seed}`."


def test_a_game_for_keeps_tells_who_stakes_what_and_who_gets_it() -> None:
    told = Told(
        Challenge("1", "anna", "veney", {"side": "white", "formality": "formal"}, ("ben",), "web/lounge/", "shell")
    )
    assert "@Anna stakes **shell**. @Ben stakes **button**." in told.does(Join("ben", "button")).splitlines()
    assert told.drafts[0].picture is not None
    assert told.drafts[0].picture.tokens == (("W", "shell"), ("B", "button"))
    assert "@Ben's token **button** goes to @Anna." in told.does(Resign("ben")).splitlines()


def test_a_reminder_rings_whoever_is_to_act() -> None:
    told = begun()
    told.at += 5 * DAY // 2
    assert told.does(AlarmFired("nudge")) == "@Anna: match 1 waits for you. Time runs out <3 days>."
    assert told.drafts[0].rings == ("anna",)
    told.at += DAY
    assert told.does(AlarmFired("flag")).splitlines() == [
        "@Anna (White) has run out of time.",
        "@Ben (Black) **wins** on time.",
    ]


def test_who_is_invited_from_another_platform_is_told_directly() -> None:
    told = Told(Challenge("1", "anna", "tokonoma", {}, ("discord:ben",), "web/lounge/"))
    public, private = told.drafts
    assert (public.only, public.channel, public.rings) == (None, True, ("discord:ben",))
    assert (private.only, private.channel, private.rings) == ("discord:ben", False, ())
    assert private.text == public.text


def test_whoever_made_an_offer_is_not_rung_by_it() -> None:
    told = begun()
    told.does(Play("anna", "c7c5"))
    told.does(Offer("ben", "draw"))
    assert told.drafts[0].rings == ("anna",)
    assert [(str(choice.label), choice.command) for choice in told.drafts[0].choices] == [
        ("Accept", "accept 1 @1 draw"),
        ("Decline", "decline 1 @1 draw"),
    ]


@pytest.mark.parametrize("penalty", ["friendly", "turn", "sudden"])
def test_a_callout_is_one_post_with_the_fault_on_the_board_to_go_on_from(penalty: str) -> None:
    told = begun(umpire=penalty)
    told.does(Play("anna", "c7c4"))
    told.does(Call("ben"))
    board, *rest = told.drafts
    assert all(draft.channel for draft in rest)
    assert board.picture is not None
    assert {mark.kind for mark in board.picture.marks} >= {"moved", "culprit"}
    shown = diagram(board.picture)
    assert shown.to_act == {"friendly": "W", "turn": "B", "sudden": None}[penalty]
    assert shown.winners == frozenset("B" if penalty == "sudden" else ())


def test_pictures_name_those_who_play() -> None:
    told = begun()
    told.does(Play("anna", "c7c5"))
    picture = told.drafts[0].picture
    assert picture is not None
    assert diagram(picture).players == (("W", "Anna"), ("B", "Ben"))
