"""The properties that every game must have: what each claims, what finds out, and where to look if it does not hold."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.contract import Problem
from engine.examination import introduction, positions, texts
from engine.examination.journey import Moment
from engine.game import AnyGame
from engine.text import Text

A = TypeVar("A")
"""What is examined: a game, or a moment of one."""


@dataclass(frozen=True, slots=True)
class Property(Generic[A]):
    """Something that must hold of every game."""

    claim: Text
    check: Callable[[A], Iterator[Text]]
    """The facts that speak against it."""
    remedy: Text

    def problems(self, examined: A, position: str = "") -> Iterator[Problem]:
        """What speaks against it."""
        return (Problem(self.claim, because, self.remedy, position) for because in self.check(examined))


OF_GAMES: tuple[Property[AnyGame], ...] = (
    Property(
        Text("A game introduces itself."),
        introduction.introduces_itself,
        Text("See what `engine/game.py` says of the attributes of a game."),
    ),
    Property(
        Text("Every rule has a ref, a title and a gist of its own."),
        introduction.tells_its_rules,
        Text("Write it like `Rule(ref, Term(title), Text(gist))`."),
    ),
    Property(
        Text("The terms on offer make sense."),
        introduction.offers_terms_that_make_sense,
        Text("See `Option` and `Penalty` in `engine/game.py`."),
    ),
    Property(
        Text("Every value of an option gives a position to start from."),
        introduction.starts_under_every_option,
        Text("Look at `setup` and `seats`."),
    ),
    Property(
        Text("The example is a tenable first turn."),
        introduction.has_a_tenable_first_example,
        Text("Let `example` give one at the start."),
    ),
    Property(
        Text("The same dice set up the same position."),
        introduction.sets_up_as_the_dice_say,
        Text("Take all luck from the `dice` that `setup` is given."),
    ),
    Property(
        Text("Blanks around a position mean nothing."),
        introduction.reads_a_position_with_blanks_around_it,
        Text("Let `decode` begin with `text.strip()`."),
    ),
    Property(Text("The board is whole."), introduction.has_a_whole_board, Text("See `Board` in `engine/board.py`.")),
    Property(
        Text("Some turns that people may try are untenable."),
        introduction.has_turns_that_break_its_rules,
        Text("Let `read` take every turn that can be described, and `judge` say what is wrong with it."),
    ),
)

OF_POSITIONS: tuple[Property[Moment], ...] = (
    Property(
        Text("A position is one line of text and comes back from it."),
        positions.comes_back_from_its_text,
        Text("Let `decode` undo what `encode` does, and nothing else."),
    ),
    Property(
        Text("Every tenable turn comes back from its notation."),
        positions.turns_come_back_from_their_notation,
        Text("Let `read` undo what `write` does."),
    ),
    Property(
        Text("Every position has an example that can be read."),
        positions.has_an_example_that_can_be_read,
        Text("Let `example` find a text that `read` accepts there, tenable or not."),
    ),
    Property(
        Text("The turns are the candidates that the judge lets pass."),
        positions.lists_what_the_judge_lets_pass,
        Text("Leave `turns` to the contract, or let it agree with `judge`."),
    ),
    Property(
        Text("A turn that the judge lets pass was listed."),
        positions.lets_pass_what_is_listed,
        Text("Add it to the `candidates`, or let `judge` object to it."),
    ),
    Property(
        Text("A ruling cites a rule of the game in order and points at the board."),
        positions.cites_its_rules_in_order,
        Text("Yield a `Ruling` for each rule that is broken, in the order of `rules`."),
    ),
    Property(
        Text("No throw makes a tenable turn untenable."),
        positions.lets_luck_break_no_rule,
        Text("Let `judge` object to nothing that `roll` writes."),
    ),
    Property(
        Text("An untenable turn can be carried out, written and drawn."),
        positions.carries_out_untenable_turns,
        Text("Let `play` and `write` take whatever `read` returns, and `decode` whatever `play` leaves."),
    ),
    Property(
        Text("Examining a turn is judging, playing and writing it."),
        positions.examines_as_it_judges,
        Text("Leave `examine` to the contract, or let it agree with them."),
    ),
    Property(
        Text("Every penalty can follow an untenable turn."),
        positions.survives_every_penalty,
        Text("Look at `pass_turn`, `remove_piece` and `penalize`."),
    ),
    Property(
        Text("A game goes on while there are turns, and no longer."),
        positions.goes_on_while_there_are_turns,
        Text("Let `outcome` and `turns` agree on when the game is over."),
    ),
    Property(
        Text("A turn taken away leaves a position to play on."),
        positions.goes_on_after_a_lost_turn,
        Text("Look at `pass_turn`."),
    ),
    Property(
        Text("Whoever gives up does not win."),
        positions.lets_nobody_win_by_giving_up,
        Text("Look at `forfeit` and `playing`."),
    ),
    Property(Text("Counting fast is counting right."), positions.counts_right, Text("Leave `perft` to the contract.")),
    Property(
        Text("A stored game is replayed to the same positions."),
        positions.is_replayed_to_the_same_position,
        Text("Let `write` tell all of a turn, its luck included."),
    ),
    Property(
        Text("Everything is said in sentences that can be translated."),
        positions.says_everything_in_sentences,
        Text("Return a `Text`, or `None` where there is nothing to say."),
    ),
    Property(
        Text("Every viewer gets a picture of what stands on the board."),
        positions.draws_for_every_viewer,
        Text("Look at `draw`, `draw_turn` and `marks`."),
    ),
    Property(
        Text("Every turn can be composed of picks."),
        positions.is_composed_of_picks,
        Text("Let `menu` offer all that `read` accepts, and `picks` undo it."),
    ),
    Property(
        Text("What is picked is a turn."),
        positions.offers_picks_that_make_turns,
        Text("Let `menu` offer places of the board, and be complete only where `read` accepts its text."),
    ),
    Property(
        Text("Every place can be looked at."),
        positions.tells_of_every_place,
        Text("Leave `look` to the contract."),
    ),
)

OF_TEXTS: tuple[Property[Moment], ...] = (
    Property(
        Text("Whatever is typed is a turn or gets the fact and a remedy."),
        texts.reads_a_turn_or_says_why_not,
        Text("Let `read` raise nothing but `NotationError`, with both, and let `play` take what it returns."),
    ),
    Property(
        Text("No text but a position is read as one."),
        texts.reads_a_position_or_says_why_not,
        Text("Let `decode` raise `NotationError` for whatever `encode` would not write."),
    ),
)
