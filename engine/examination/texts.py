"""What must hold whatever somebody types: it is read, or answered with the fact and a remedy."""

from collections.abc import Iterator

from engine.dice import Dice
from engine.examination.journey import Moment, comes_back, is_text, tried
from engine.game import NotationError
from engine.text import Text

ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 *#~$^>+=:-/@`\"'.,;!?()[]é\u2028\n\t\0"
LONGEST = 30


def typed(dice: Dice) -> str:
    """Something that somebody might hit upon."""
    return "".join(ALPHABET[dice.roll(len(ALPHABET))] for _ in range(dice.roll(LONGEST + 1)))


def reads_a_turn_or_says_why_not(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    turn = tried(game.read, moment.text, position)
    if not isinstance(turn, NotationError):
        game.play(position, turn)
    elif not is_text(turn.because, turn.remedy):
        yield Text("`{text}` is answered without a fact or a remedy in `Text`.", text=moment.text)


def reads_a_position_or_says_why_not(moment: Moment) -> Iterator[Text]:
    game, text = moment.game, moment.text
    start = game.encode(moment.journey.positions[0])
    cut = moment.dice().roll(len(start) + 1)
    for broken in (text, start[:cut], start[:cut] + text + start[cut:]):
        position = tried(game.decode, broken)
        if isinstance(position, NotationError):
            if not is_text(position.because):
                yield Text("`{text}` is no position, but the fact is not told in a `Text`.", text=broken)
        elif not comes_back(game, position):
            yield Text("`{text}` is read as a position that does not come back from its own text.", text=broken)
