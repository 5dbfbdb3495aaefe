"""Position texts of Veney that cannot be read: what is missing, or could never be played on."""

import pytest

from engine.game import NotationError
from engine.games.veney import GAME

PLAIN = "W: $@X4 S@Y4 / B: S@X13 $@Y13 / a: - / to: W"


@pytest.mark.parametrize(
    "text",
    [
        "W: S@Y4 $@X4 / B: $@Y13 / a: - / to: W",
        "W: $@X4 / B: S@X13 $@Y13 / a: - / to: B",
        "W: S@Y4 $@X4 / B: $@Y13 / a: - / to: B / flags: dying=W@X9",
        "W: S@Y4 $@X4 / B: S@X13 $@Y13 / rB: S / a: - / to: W",
        "W: S@Y4 $@X4 / B: $@Y13 / rB: S / a: - / to: B / flags: dying=B@X9",
        f"{PLAIN} / flags: home=xx;yy",
        f"{PLAIN} / flags: home=S@Y99;",
        f"{PLAIN} / flags: passes={'9' * 5000}",
        f"{PLAIN} / flags: passes=²",
        f"{PLAIN} / flags: throw=d0",
        f"{PLAIN} / flags: ask=setup,W,0,",
        f"{PLAIN} / flags: ask=throw,W,0,rubbish",
        f"{PLAIN} / flags: ask=guess,W,2,SY5",
        f"{PLAIN} / flags: ask=nonsense,W,0,",
        f"{PLAIN} / flags: owed=surplusW:Q",
    ],
)
def test_what_cannot_be_played_on_is_not_read(text: str) -> None:
    with pytest.raises(NotationError):
        GAME.decode(text)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "W: $@X4 S@Y4 / B: $@Y13 / dB: S / a: - / to: B / flags: dying=B@X9",
        "W: $@X4 / B: $@Y13 / dW: S / dB: S / a: - / to: W / flags: dying=B@X9 over=double:",
        "W: / B: / a: ^XY8 / to: W / flags: owed=first:initiative owed=setW:S$CBeeee owed=setB:S$CBeeee"
        " owed=style:concealed",
    ],
)
def test_a_side_may_lack_its_self_where_it_was_touched_or_is_yet_to_be_set_up(text: str) -> None:
    assert GAME.encode(GAME.decode(text)) == text
