"""What people say at a lesson or a puzzle besides an answer, in whatever words: on, the answer, a hint, once more."""

from collections.abc import Mapping

ONWARD, TOLD, HINT, AGAIN, RESTART, STOP, LIST = "skip", "answer", "hint", "again", "restart", "stop", "list"
ASIDES: Mapping[str, str] = {
    word: meant
    for meant, words in (
        (ONWARD, "skip, next, another, other, new, continue, go on, next one, another one, next step"),
        (TOLD, "answer, solution, tell, tell me, show, show me, reveal, give up, i give up, giveup, resign, idk, ?"),
        (HINT, "hint, help, clue, tip, a hint, hint please"),
        (AGAIN, "again, repeat, once more, what, back"),
        (RESTART, "restart, start over, start again, from the start, reset course, begin again"),
        (STOP, "stop, quit, exit, end, close, enough"),
        (LIST, "list, lessons, contents, all"),
    )
    for word in words.split(", ")
}


def aside(said: str) -> str:
    """Which of these it is; "" = none, so it may be an answer."""
    return ASIDES.get(said.strip(" .!`").lower(), "")
