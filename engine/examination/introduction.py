"""What must hold of what a game says about itself, its terms, its board and its start."""

import re
from collections.abc import Iterator, Mapping
from typing import get_args

from engine.board import Site
from engine.diagram import TINTS, Colour
from engine.dice import Dice
from engine.examination.journey import Moment, comes_back, journey, same
from engine.game import AnyGame, Penalty
from engine.text import Text

NO_DICE = bytes(32)


def introduces_itself(game: AnyGame) -> Iterator[Text]:
    if not re.fullmatch("[a-z]+", game.key):
        yield Text("The key `{key}` is not one word in small letters.", key=game.key)
    for text in (str(game.name), str(game.gist), str(game.credit)):
        if not text or text.strip() != text or "\n" in text:
            yield Text("This is not one line of text: `{text}`.", text=text)
    if game.version < 1:
        yield Text("The version is {version}; the first is 1.", version=game.version)
    if len(set(game.sides)) != len(game.sides) or len(game.sides) < 2:
        yield Text("There have to be two sides or more, each with a key of its own.")
    for side in game.sides:
        if not game.names.get(side):
            yield Text("The side `{side}` has no name.", side=side)
        if game.colours.get(side) not in get_args(Colour):
            yield Text("The side `{side}` has no colour that the themes know.", side=side)
    if len(set(game.names.values())) != len(game.names):
        yield Text("Two sides have the same name.")


def tells_its_rules(game: AnyGame) -> Iterator[Text]:
    if not game.rules:
        yield Text("There are no rules.")
    for rule in game.rules:
        if not rule.ref or not rule.title or not str(rule.gist).endswith("."):
            yield Text("The rule `{rule}` lacks a ref, a title, or a gist that is a sentence.", rule=rule.ref)
    for texts in ([rule.ref for rule in game.rules], [str(rule.gist) for rule in game.rules]):
        if len(set(texts)) != len(texts):
            yield Text("Two rules have the same ref or the same gist.")


def offers_terms_that_make_sense(game: AnyGame) -> Iterator[Text]:
    if not set(game.penalties) <= set(get_args(Penalty)):
        yield Text("There is a penalty that Riposte does not know.")
    if game.umpire not in {"refuse", *game.penalties}:
        yield Text("`umpire` is neither `refuse` nor one of the penalties.")
    names = [name for option in game.options for name in (option.key, *option.aliases)]
    if len(set(names)) != len(names):
        yield Text("Two options have the same name.")
    for option in game.options:
        if not re.fullmatch(r"[A-Z`].*\.", str(option.gist)):
            yield Text("The gist of the option `{option}` is no sentence.", option=option.key)
        if option.values and option.default not in option.values:
            yield Text("The default of the option `{option}` is not one of its values.", option=option.key)
        low, high = option.low, option.high
        number = int(option.default) if option.default.isdecimal() else None  # or a word for what follows from others
        if number is not None and ((low is not None and low > number) or (high is not None and high < number)):
            yield Text("The default of the option `{option}` is not between its bounds.", option=option.key)


def starts_under_every_option(game: AnyGame) -> Iterator[Text]:
    for option in game.options:
        for value in option.values:
            if not comes_back(game, game.setup({option.key: value}, Dice(NO_DICE))):
                yield Text("The start under `{term}` does not come back.", term=f"{option.key}={value}")
            if not set(game.seats({option.key: value})) <= set(game.sides):
                yield Text("A side takes part under `{term}` that there is not.", term=f"{option.key}={value}")


def has_a_tenable_first_example(game: AnyGame) -> Iterator[Text]:
    start = game.setup({}, Dice(NO_DICE))
    example = game.example(start)
    if not game.tenable(start, game.read(example, start)):
        yield Text("The example at the start, `{example}`, is untenable.", example=example)


def sets_up_as_the_dice_say(game: AnyGame) -> Iterator[Text]:
    if not same(game, game.setup({}, Dice(NO_DICE)), game.setup({}, Dice(NO_DICE))):
        yield Text("The same dice gave two starts.")


def reads_a_position_with_blanks_around_it(game: AnyGame) -> Iterator[Text]:
    start = game.setup({}, Dice(NO_DICE))
    if not same(game, game.decode(f"  {game.encode(start)}\n"), start):
        yield Text("The start was read as another position.")


def has_a_whole_board(game: AnyGame) -> Iterator[Text]:
    board = game.board(game.setup({}, Dice(NO_DICE)))
    places = set(board.outlines)
    if not all(board.outlines.values()):
        yield Text("There is a place without an outline.")
    for near in (board.edges, board.corners):
        yield from _neighbours(near, places)
    for zone, sites in board.zones.items():
        if not sites <= places:
            yield Text("The zone `{zone}` has places that the board has not.", zone=zone)
    if not set(board.tones) <= places or not set(board.tones.values()) <= {*range(5)}:
        yield Text("`tones` gives places of the board 0, 1, 2, 3 or 4, and nothing else.")
    if not set(board.tints) <= set(board.zones) or not set(board.tints.values()) <= set(TINTS):
        yield Text("`tints` gives zones of the board one of the names in `diagram.TINTS`.")


def _neighbours(near: Mapping[Site, tuple[Site, ...]], places: set[Site]) -> Iterator[Text]:
    if not set(near) <= places:
        yield Text("There are neighbours of places that the board has not.")
    for site, others in near.items():
        for other in others:
            if site not in near.get(other, ()):
                yield Text("{site} touches {other}, but {other} does not touch {site}.", site=site, other=other)


def has_turns_that_break_its_rules(game: AnyGame) -> Iterator[Text]:
    followed = journey(game, 0)
    moments = (Moment(game, followed, ply, ply) for ply in range(len(followed.turns)))
    if not any(next(moment.untenable(), None) for moment in moments):
        yield Text("Whatever was tried in a whole random game was tenable or could not be read.")
