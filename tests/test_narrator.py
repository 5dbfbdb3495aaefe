"""What a room is told of a match, in whole sentences."""

import pytest

from bot.messages.catalogue import language
from bot.messages.model import Lines, Person, Strong
from bot.messages.narrator import Draft, headline, narrate
from bot.messages.sentences import result
from bot.messages.terms_text import terms_line
from engine.dice import Dice
from engine.match.clock import DAY
from engine.match.commands import (
    Abort,
    Amend,
    Answer,
    Call,
    Challenge,
    Command,
    Decline,
    Join,
    Offer,
    Play,
    Resign,
)
from engine.match.decide import decide
from engine.match.events import Ended, Refusal
from engine.match.evolve import Decision, follow
from engine.match.state import Match
from engine.text import Code, Instant
from tests.table import MINUTE, SEED

NAMES = {name: Person("web", name, name.capitalize()) for name in ("anna", "ben", "carol")}


class Told:
    """A match, and what is said of it; times are told from its beginning."""

    def __init__(self, challenge: Challenge) -> None:
        self.match: Match | None = None
        self.at = 0
        self.drafts: tuple[Draft, ...] = ()
        self.does(challenge)

    def does(self, command: Command) -> str:
        """A command, and the first message that follows."""
        self.at += MINUTE
        dice = self.now.dice if self.match is not None and self.match.seed else Dice(SEED)
        decision = decide(self.match, command, self.at, dice)
        assert not isinstance(decision, Refusal), decision
        return self.narrated(decision)

    def narrated(self, decision: Decision) -> str:
        self.drafts = narrate(self.match, decision, NAMES)
        self.match = decision.after
        return said(self.drafts[0].text)

    @property
    def now(self) -> Match:
        assert self.match is not None
        return self.match


def challenged(**terms: str) -> Told:
    return Told(Challenge("1", "anna", "tokonoma", {"side": "white", **terms}, ("ben",), "web/lounge/"))


def begun(**terms: str) -> Told:
    told = challenged(**terms)
    told.does(Join("ben"))
    return told


def said(lines: Lines) -> str:
    """Lines as a reader of English sees them; `<3 days>` is an instant so long after the beginning."""
    return "".join(
        f"@{span.name}"
        if isinstance(span, Person)
        else f"`{span.text}`"
        if isinstance(span, Code)
        else f"**{span.text}**"
        if isinstance(span, Strong)
        else f"<{round(span.at / DAY)} days>"
        if isinstance(span, Instant)
        else str(span)
        for span in language().lines(lines)
    )


def test_a_challenge_tells_the_game_the_terms_and_how_to_answer() -> None:
    told = challenged(takeback="none", time="20d+1d")
    assert said(told.drafts[0].text).splitlines() == [
        "@Anna challenges @Ben to a match of Tokonoma.",
        f"**Match 1** · Tokonoma. {told.now.game.gist}",
        "Terms: 20 days in all and 1 day more after each turn, White for the challenger, `takeback=none`. "
        "Untenable turns are refused.",
        "@Ben: `accept 1`, `decline 1`, or `counter 1 time=5d` to propose other terms.",
    ]
    assert [str(choice.label) for choice in told.drafts[0].choices] == ["Accept", "Decline"]


def test_a_challenge_to_nobody_in_particular_counts_the_free_seats() -> None:
    challenge = Challenge("1", "anna", "tokonoma", {}, (), "web/lounge/")
    decision = decide(None, challenge, 0, Dice(SEED))
    assert isinstance(decision, Decision)
    lines = said(narrate(None, decision, NAMES)[0].text).splitlines()
    assert lines[0] == "@Anna challenges whoever accepts first to a match of Tokonoma."
    assert lines[-2:] == ["1 seat is free: `accept 1`.", "Without an answer it is off <14 days>."]


def test_other_terms_and_a_declined_challenge_are_told() -> None:
    told = challenged()
    assert told.does(Amend("ben", {"time": "none"})).splitlines()[::2] == [
        "@Ben proposes other terms: `time` 3d → none.",
        "Terms: no time limit, White for the challenger. Untenable turns are refused.",
    ]
    assert told.does(Decline("ben")) == "**Match 1**: @Ben declines the challenge."
    told = challenged()
    assert told.does(Decline("anna")) == "**Match 1**: @Anna withdraws the challenge."


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("none", "no time limit"),
        ("3d", "3 days a turn"),
        ("1d12h", "1 day, 12 hours a turn"),
        ("hourglass10d", "an hourglass of 10 days, half of it for each at the start"),
        ("5/10d", "5 turns in each 10 days"),
        ("20d+1d<30d", "20 days in all and 1 day more after each turn, at most 30 days"),
        ("20d+1d", "20 days in all and 1 day more after each turn"),
    ],
)
def test_every_clock_is_told_in_words(time: str, expected: str) -> None:
    assert str(terms_line(begun(time=time).now)[0]) == f"Terms: {expected}."


def test_every_price_of_an_untenable_turn_has_its_sentence() -> None:
    told = begun()
    for umpire in ("refuse", "friendly", "time", "turn", "piece", "piece-lenient", "piece-absolute", "sudden"):
        match = told.now.but(terms={**told.now.terms, "umpire": umpire})
        assert str(terms_line(match)[1]).startswith("Untenable turns ")
    assert str(terms_line(told.now.but(terms={**told.now.terms, "umpire": "piece-lenient"}))[1]) == (
        "Untenable turns stand until called out; then the turn is lost and the piece discarded, "
        "unless that would end the game."
    )


def test_the_start_tells_who_plays_what_and_how_a_turn_is_written() -> None:
    told = begun()
    example = told.now.game.example(told.now.position)
    assert said(told.drafts[0].text).splitlines() == [
        "@Ben accepts.",
        "**Match 1: Tokonoma** · @Anna (White) against @Ben (Black).",
        "Terms: 3 days a turn. Untenable turns are refused.",
        f"@Anna, your turn; due <3 days>. Write it here, for example `{example}`.",
    ]
    assert said(told.drafts[0].opening) == "**Match 1 · Tokonoma** has begun: @Anna (White) against @Ben (Black)."
    assert [str(choice.blank) for choice in told.drafts[0].choices] == [f"For example: {example}"]


def test_a_turn_is_told_with_who_is_next() -> None:
    assert begun().does(Play("anna", "c7c5")).splitlines() == [
        "**Turn 1** · @Anna (White) played `c7c5`.",
        "@Ben, your turn; due <3 days>.",
    ]


@pytest.mark.parametrize("turn", ["c7c5", "c7c4"])
def test_the_buttons_below_a_turn_are_the_same_whether_it_is_tenable_or_not(turn: str) -> None:
    told = begun(umpire="turn")
    told.does(Play("anna", turn))
    assert [(str(choice.label), choice.command) for choice in told.drafts[0].choices] == [
        ("Make the turn", "move 1 @2"),
        ("Call it out", "call 1 @1"),
    ]
    assert len(told.drafts) == 1


def test_an_advisory_umpire_tells_the_mover_alone_what_the_turn_breaks() -> None:
    told = begun(umpire="turn", judge="advisory")
    told.does(Play("anna", "c7c4"))
    public, private = told.drafts
    assert "breaks" not in said(public.text)
    assert "untenable" not in said(public.text).lower()
    assert private.only == "anna"
    match = told.now
    broken = next(match.game.judge(match.plies[-1].before, match.plies[-1].turn)).rule.title
    assert said(private.text) == (
        f"Only you see this. That turn breaks: {broken}. You can call it out yourself: `call 1`."
    )


def test_an_open_umpire_tells_everybody_that_a_turn_is_untenable() -> None:
    assert "played `c7c4`. That turn is untenable.\n" in begun(umpire="turn", judge="open").does(Play("anna", "c7c4"))
    assert "untenable" not in begun(umpire="turn", judge="open").does(Play("anna", "c7c5"))


@pytest.mark.parametrize(
    ("penalty", "expected"),
    [
        ("friendly", "The turn is taken back; @Anna plays again."),
        ("turn", "The turn is taken back and lost."),
        ("sudden", "That loses the game."),
    ],
)
def test_a_callout_tells_the_fact_the_rule_and_the_price(penalty: str, expected: str) -> None:
    told = begun(umpire=penalty)
    told.does(Play("anna", "c7c4"))
    first, broken, price, *_ = told.does(Call("ben")).splitlines()
    assert first == "@Ben calls out White's turn 1: `c7c4` is **untenable**."
    assert ". Rule: " in broken
    assert price == expected


def test_whoever_calls_out_their_own_turn_is_told_so() -> None:
    told = begun(umpire="turn")
    told.does(Play("anna", "c7c4"))
    assert told.does(Call("anna")).splitlines()[0] == ("@Anna calls out their own turn 1: `c7c4` is **untenable**.")


@pytest.mark.parametrize(
    ("falsecall", "price"),
    [("once", ""), ("time", "The call costs a tenth of the time. "), ("turn", "The call costs a turn. ")],
)
def test_a_wrong_call_tells_what_it_costs(falsecall: str, price: str) -> None:
    told = begun(umpire="turn", falsecall=falsecall)
    told.does(Play("anna", "c7c5"))
    heard = told.does(Call("ben")).splitlines()[0]
    assert heard == f"@Ben called out turn 1, but it breaks no rule. {price}Play goes on."


def test_an_offer_and_each_answer_to_it_have_a_sentence() -> None:
    told = begun()
    told.does(Play("anna", "c7c5"))
    assert told.does(Offer("anna", "draw")) == "@Anna (White) offers a draw."
    assert told.drafts[0].rings == ("ben",)
    assert told.does(Answer("ben", yes=False)) == "@Ben declines the draw."
    told.does(Offer("anna", "draw"))
    assert told.does(Answer("anna", yes=False)) == "@Anna withdraws the offer of a draw."
    told.does(Offer("anna", "draw"))
    assert told.does(Answer("ben", yes=True)).splitlines() == ["@Ben accepts the draw.", "**Draw** by agreement."]
    assert said(told.drafts[1].text) == ("**Match 1**: @Anna (White) against @Ben (Black). **Draw** by agreement.")


def test_turns_that_are_taken_back_are_counted() -> None:
    told = begun()
    for player, turn in (("anna", "c7c5"), ("ben", "c1c3"), ("anna", "e5e4")):
        told.does(Play(player, turn))
    assert told.does(Offer("anna", "takeback")) == "@Anna (White) asks to take back turn 3."
    assert told.does(Answer("ben", yes=False, what="takeback")) == "@Ben declines the takeback."
    assert told.does(Offer("ben", "takeback")) == "@Ben (Black) asks to take back turns 2 and 3."
    assert told.does(Answer("anna", yes=True, what="takeback")).splitlines()[:2] == [
        "@Anna agrees to the takeback.",
        "Turns 2 and 3 are taken back.",
    ]


@pytest.mark.parametrize(
    ("rule", "title", "winners", "expected"),
    [
        ("riposte:draw", "Agreement", ("W", "B"), "**Draw** by agreement."),
        ("riposte:resign", "Resignation", ("B",), "@Ben (Black) **wins** by resignation."),
        ("riposte:time", "Time", ("W",), "@Anna (White) **wins** on time."),
        ("riposte:sudden", "Sudden death", ("W",), "@Anna (White) **wins**: an untenable turn was called out."),
        ("riposte:abort", "Aborted", (), "**Called off**; nobody wins."),
        ("a rule of old", "Stalemate", ("W",), "@Anna (White) **wins**: Stalemate."),
        ("a rule of old", "Stalemate", ("W", "B"), "**Draw**: Stalemate."),
        ("a rule of old", "Stalemate", (), "**Everybody has lost**: Stalemate."),
    ],
)
def test_every_ending_is_one_sentence(rule: str, title: str, winners: tuple[str, ...], expected: str) -> None:
    told = begun()
    assert told.narrated(follow(told.match, Ended(0, rule, title, winners))) == expected
    assert said((headline(told.now, NAMES),)) == f"**1** Tokonoma: @Anna (White) against @Ben (Black). {expected}"


def test_a_draw_among_those_who_are_left_names_them() -> None:
    challenge = Challenge("1", "anna", "chirality", {"players": "3"}, ("ben", "carol"), "web/lounge/")
    table = Told(challenge)
    for player in ("ben", "carol"):
        table.does(Join(player))
    winners = tuple(table.now.seats)[:2]
    first, second = (NAMES[table.now.seats[side]].name for side in winners)
    sides = [table.now.game.names[side] for side in winners]
    pair = f"@{first} ({sides[0]}) and @{second} ({sides[1]})"
    agreed, other = Ended(0, "riposte:draw", "Agreement", winners), Ended(0, "a rule of old", "Stalemate", winners)
    assert said((result(table.now, agreed, NAMES),)) == f"**Draw** by agreement between {pair}."
    assert said((result(table.now, other, NAMES),)) == f"**Draw** between {pair}: Stalemate."


def test_the_end_by_a_rule_of_the_game_is_told_by_the_title_that_the_rule_has_now() -> None:
    told = begun()
    rule = told.now.game.rules[-1]
    told.narrated(follow(told.match, Ended(0, rule.ref, "What it was called once", ("W",))))
    assert said(told.drafts[0].text) == f"@Anna (White) **wins**: {rule.title}. {rule.gist}"


def test_resigning_and_calling_off_say_who_did_it() -> None:
    assert begun().does(Resign("anna")).splitlines() == [
        "@Anna (White) resigns.",
        "@Ben (Black) **wins** by resignation.",
    ]
    assert begun().does(Abort("anna")) == "**Called off** by @Anna; nobody wins."
