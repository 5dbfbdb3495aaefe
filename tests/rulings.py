"""Rulings as text that a player can review: each a sentence, a position, turns, and what becomes of them."""

from dataclasses import dataclass
from pathlib import Path

from bot.cli.judge import Answer, Request, judge

FOLDER = Path(__file__).parent / "games"


@dataclass(frozen=True)
class Told:
    """One block of a `rulings.txt`; what it leaves out is not asked."""

    game: str
    title: str
    given: str
    when: str
    then: str
    """`tenable`, `unreadable`, or `untenable` and the refs of the rules that are broken."""
    near: str = ""
    """The refs of the rules that a tenable turn only just keeps."""
    after: str = ""
    """The position it leaves, or parts of it joined by `&`."""
    over: str = ""
    """The rule that ended the game and who won; `-` = it goes on."""

    @property
    def broken(self) -> set[str]:
        """The refs of the rules that the last turn breaks."""
        return set(self.then.split()[1:])

    @property
    def kept(self) -> set[str]:
        """The refs of the rules that the last turn only just keeps."""
        return set(self.near.split())

    @property
    def ended_by(self) -> set[str]:
        """The ref of the rule that ends the game."""
        return {self.over.split()[0]} - {"-"} if self.over else set()


def blocks(game: str) -> list[tuple[str, dict[str, str]]]:
    """All blocks of one game: what it says, and the values by their keys."""
    text = (FOLDER / game / "rulings.txt").read_text("utf-8")
    found = ([line for line in block.splitlines() if not line.startswith("#")] for block in text.split("\n\n"))
    return [(title, dict(line.split(maxsplit=1) for line in lines)) for title, *lines in filter(None, found)]


def rulings(game: str) -> list[Told]:
    """The rulings of one game about turns, in their order."""
    return [Told(game, title, **values) for title, values in blocks(game) if "terms" not in values]


def check(told: Told) -> None:
    """Hold a ruling against the game."""
    answer = judge(Request(told.game, told.when, told.given))
    assert isinstance(answer, Answer), answer
    word = "unreadable" if not answer.readable else "tenable" if answer.tenable else "untenable"
    assert (word, set(answer.rules)) == (told.then.split()[0], told.broken), answer.because
    if told.after:
        assert answer.after is not None
        assert answer.after == told.after or set(told.after.split(" & ")) <= set(answer.after.split(" / ")), (
            answer.after
        )
    if told.over:
        end = answer.outcome
        rule, *winners = told.over.split()
        assert (rule, set(winners)) == (("-", set()) if end is None else (end.rule, set(end.winners)))
