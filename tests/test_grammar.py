"""What is taken for a command, and what for talk or a turn."""

import pytest

from bot.grammar import BY_NAME, COMMANDS, Bare, Said, is_secret, read


@pytest.mark.parametrize("command", COMMANDS, ids=[command.name for command in COMMANDS])
def test_every_example_is_what_it_says(command: object) -> None:
    meant = next(c for c in COMMANDS if c is command)
    said = read(meant.example)
    assert isinstance(said, Said)
    assert said.command is meant


@pytest.mark.parametrize("text", ["no way", "ok thanks", "yes indeed", "undo your shoelaces", "b c4", "log in, please"])
def test_a_sentence_that_begins_with_a_short_word_is_talk(text: str) -> None:
    assert read(text) == Bare(text)


@pytest.mark.parametrize("text", ["call me later", "draw me a sheep", "accept the invitation", "resign? never"])
def test_a_command_followed_by_words_it_does_not_know_is_not_carried_out(text: str) -> None:
    said = read(text)
    assert isinstance(said, Bare)
    assert said.typo_of is not None


def test_behind_a_command_s_sign_words_too_many_are_asked_about() -> None:
    assert read("!no way") == Bare("!no way", BY_NAME["decline"], addressed=True)


def test_what_cannot_be_seen_is_not_heard() -> None:
    assert read("\u202eaccept\x00 1\u2066") == Said(BY_NAME["accept"], "1")
    assert read("\ud800") == Bare("")


def test_a_misspelt_secret_is_still_for_the_bot_s_ears_only() -> None:
    assert is_secret("secret 1 X4 $ Y4 S")
    assert is_secret("secrte 1 X4 $ Y4 S")
    assert not is_secret("c7c5")
