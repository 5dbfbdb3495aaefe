"""A picture is described once, and put into words in each language."""

from bot.messages.pictures import NOBODY, Seated, alt, diagram, picture, picture_of_turn
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
