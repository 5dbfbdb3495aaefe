"""Forms as Discord's documentation describes them: labels throughout, and limits kept in every language."""

from typing import Any

import discord
import pytest

from bot.adapters.discord import limits
from bot.adapters.discord.interactions.buttons import Signer
from bot.adapters.discord.interactions.forms import challenge_form, form
from bot.commands.spec import COMMANDS
from bot.messages.catalogue import language
from engine.games import GAMES
from engine.text import Text
from tools.languages import COMPLETE

SIGNER = Signer(b"0" * 32)
LABEL, TEXT, MENU, USERS = 18, 4, 3, 5
"""Types of components: what may stand in a form, and within a label."""
LANGUAGES = ["en", *COMPLETE]


def forms(code: str) -> list[discord.ui.Modal]:
    """Each that can be opened: a line behind a command, with a short, a long and no question; a challenge."""
    spoken = language(code)
    lines = [
        form(f"{command.name} 123456", said, SIGNER, spoken=spoken, given=given)
        for command in COMMANDS
        for said in ("", "Your turn", spoken.say(Text("What is untenable: a piece, a place or a rule")) * 2)
        for given in ("", "c7c5")
    ]
    names = {key: game.name for key, game in GAMES.items()}
    return lines + [challenge_form("challenge", SIGNER, names, spoken, named=named) for named in (False, True)]


@pytest.mark.parametrize("code", LANGUAGES)
async def test_every_field_of_every_form_stands_in_a_label(code: str) -> None:
    for modal in forms(code):
        told: dict[str, Any] = modal.to_dict()
        limits.check("modal", told)
        assert len(told["title"]) <= 45
        assert len(told["custom_id"]) <= 100
        assert 1 <= len(told["components"]) <= 5
        for row in told["components"]:
            assert row["type"] == LABEL, "a field in a row of its own is of before"
            assert 1 <= len(row["label"]) <= 45
            assert len(row.get("description") or "") <= 100
            assert row["component"]["type"] in (TEXT, MENU, USERS)
            assert not row["component"].get("label"), "a field in a label has none of its own"
            assert row["component"].get("max_length", 1) <= 4000
            options = row["component"].get("options", [])
            assert len(options) <= 25
            assert all(len(option["label"]) <= 100 for option in options)
        fields = [row["component"]["custom_id"] for row in told["components"]]
        assert len(set(fields)) == len(fields)


async def test_what_was_written_stands_in_the_form_again() -> None:
    (field,) = form("move 12", "", SIGNER, given="c7c5").to_dict()["components"]
    assert field["component"]["value"] == "c7c5"
