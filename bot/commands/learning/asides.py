"""What people say at a lesson, a puzzle or a board of their own besides a turn, in whatever words."""

from collections.abc import Mapping

ONWARD, TOLD, HINT, AGAIN, BACK = "skip", "answer", "hint", "again", "back"
RESTART, STOP, LIST, ASK = "restart", "stop", "list", "ask"
ASIDES: Mapping[str, str] = {
    word: meant
    for meant, words in (
        (ONWARD, "skip, next, another, other, new, continue, go on, next one, another one, next step"),
        (TOLD, "answer, solution, tell, tell me, show, show me, reveal, give up, i give up, giveup, resign, idk, ?"),
        (HINT, "hint, help, clue, tip, a hint, hint please"),
        (AGAIN, "again, repeat, once more, what"),
        (BACK, "back, undo, take back, takeback, take it back, one back, back up"),
        (RESTART, "restart, start over, start again, from the start, reset course, begin again"),
        (STOP, "stop, quit, exit, end, close, enough"),
        (ASK, "ask, ask riposte, ask you, best move, best turn, evaluate, who is better, what now"),
        (LIST, "list, lessons, contents, all"),
    )
    for word in words.split(", ")
}


def aside(said: str) -> str:
    """Which of these it is; "" = none, so it may be an answer."""
    return ASIDES.get(said.strip(" .!`").lower(), "")
