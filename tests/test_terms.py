"""Terms that settle nothing beside others are refused where somebody writes them, and stand where nobody did."""

from pathlib import Path

import pytest

from engine.text import Code
from tests.chat_room import open_room


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("chirality setup=long sides=opposite", ("sides=opposite", "setup=long")),
        ("chirality setup=quick sides=opp", ("sides=opposite", "setup=quick")),
        ("veney delayed_reset=on umpire=sudden", ("delayed_reset=on", "umpire=sudden")),
        ("ironclad swap=on", ("swap=on", "mode=full")),
    ],
)
async def test_a_term_that_settles_nothing_beside_another_is_refused(
    wanted: str, told: tuple[str, str], tmp_path: Path
) -> None:
    room = await open_room(tmp_path)
    (answer,) = await room.say("Anna", f"challenge @ben {wanted}")
    await room.store.close()
    first, second = told
    assert [span for span in answer.text if isinstance(span, Code)] == [Code(first), Code(second)]
    assert "settles nothing with" in str(answer.text)


@pytest.mark.parametrize(
    "wanted",
    [
        "chirality setup=long",
        "chirality setup=standard sides=opposite",
        "veney delayed_reset=off umpire=sudden",
        "ironclad mode=discourse swap=on",
    ],
)
async def test_terms_that_fit_are_taken(wanted: str, tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    (challenge,) = await room.say("Anna", f"challenge @ben {wanted}")
    await room.store.close()
    assert "Match 1" in str(challenge.text)


async def test_what_nobody_wrote_stands_in_no_way_when_terms_are_changed_or_played_on_again(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    await room.say("Anna", "challenge @ben chirality")
    (other,) = await room.say("Ben", "counter 1 setup=long")
    assert "setup=long" in str(other.text)
    await room.say("Anna", "accept 1")
    await room.say("Anna", "resign 1 yes")
    (again, *_) = await room.say("Anna", "rematch 1")
    await room.store.close()
    assert "Match 2" in str(again.text)
