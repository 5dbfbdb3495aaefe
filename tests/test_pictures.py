"""A picture is described once, and put into words in each language."""

from dataclasses import replace

from bot.messages.model import OutgoingMessage, Place
from bot.messages.showing.pictures import NOBODY, Seated, alt, diagram, picture, picture_of_turn, put_into_words
from engine.dice import Dice
from engine.games import GAMES
from tests.table import begun


def test_a_picture_is_told_in_the_language_of_its_reader() -> None:
    match = begun().now
    shown = picture(match.game, match.position, None)
    assert alt(shown, "en").startswith("Tokonoma. White to move. White: Flat on e5,")
    assert alt(shown, "xx").startswith("[.‹Tokonoma›] [ to move.‹White›] [.‹e5 on ‹Flat››, ")


def test_a_picture_read_from_its_description_shows_the_same() -> None:
    table = begun()
    before = table.now
    table.play("c7c5")
    shown = picture_of_turn(before, table.now.plies[-1], NOBODY)
    game = GAMES["tokonoma"]
    position = game.decode(shown.position)
    assert diagram(shown) == game.draw_turn(position, game.read("c7c5", position), None)
    assert "Last move: c7, c5." in alt(shown, "en")


def test_a_match_that_is_over_has_nobody_to_move() -> None:
    match = begun().now
    assert "The game is over." in alt(picture(match.game, match.position, None, seated=Seated(over=True)), "en")


def test_what_a_player_has_staked_is_not_translated() -> None:
    game = GAMES["veney"]
    position = game.decode("W: S@Y6 $@X6 / B: S@X11 $@Y13 / a: ^XY8 / to: W")
    shown = picture(game, position, None, seated=Seated(tokens=(("W", "White"),)))
    assert "(White)" in alt(shown, "xx")


def test_a_picture_is_put_into_words_when_its_message_goes_out_and_stays_as_it_was_told():
    game = GAMES["tokonoma"]
    shown = picture(game, game.setup({}, Dice(bytes(32))), None)
    message = OutgoingMessage("k", Place("web", "hall"), ("words",), picture=shown)
    told = put_into_words(message)
    assert told.picture is not None
    assert told.picture.alt == alt(shown, "")
    assert replace(told.picture, alt="") == shown
    assert (
        put_into_words(replace(message, picture=replace(shown, alt="as it was told"))).picture.alt == "as it was told"
    )
    assert put_into_words(replace(message, picture=None)).picture is None
