"""The games, or one of them: its goal, how turns are written, a picture, what to read next."""

from bot.commands.context import Context, Effect, reply, reply_lines
from bot.commands.parser import closest
from bot.messages.model import IncomingMessage, Lines, Page
from bot.messages.narrator import Draft
from bot.messages.showing.pictures import picture
from bot.repository import Repository
from engine.dice import Dice
from engine.game import AnyGame
from engine.games import GAMES
from engine.text import Text

WRITTEN = Text("How turns are written:")


async def games(repository: Repository, context: Context) -> Effect:
    """Lists the games, or explains one."""
    message, words = context.message, context.parsed.words
    if not words:
        listed = [(Text("**{game}**:", game=game.name), game.gist) for game in GAMES.values()]
        more = Text("More about one: `games {game}`.", game=next(iter(GAMES)))
        return reply_lines(message, ((Text("The games:"),), *listed, (more,)))
    game = named_game(words[0])
    if game is None:
        return which_game(message, words[0])
    position = game.setup({option.key: option.default for option in game.options}, Dice(bytes(32)))
    lines: Lines = (
        (Text("**{game}**:", game=game.name), game.gist, *game.goal, game.credit),
        *(written(game) or ((Text("A turn looks like this: `{example}`.", example=game.example(position)),),)),
        (
            *page_of(repository, game),
            Text("The rules, word by word: `rules {game}`.", game=game.key),
            *((Text("Step by step: `learn {game}`.", game=game.key),) if game.lessons else ()),
            Text("What can be agreed on: `terms {game}`.", game=game.key),
            Text("A match: `challenge @name {game}`.", game=game.key),
        ),
    )
    return Effect(drafts=(Draft(lines, picture(game, position, None), only=message.who.key, harmless=True),))


def written(game: AnyGame) -> Lines:
    """Returns how a game's turns are written, with examples; nothing where it does not say."""
    told = tuple((Text("`{written}`", written=writing.text), writing.means) for writing in game.writings)
    return ((WRITTEN,), *told) if told else ()


def page_of(repository: Repository, game: AnyGame) -> tuple[Text, ...]:
    """Returns where all rules of a game stand with their pictures; nothing where there is no page for everybody."""
    if not (repository.public and game.scenes):
        return ()
    return (Text("All rules, with pictures: {page}.", page=Page(f"{repository.public}/rules/{game.key}")),)


def which_game(message: IncomingMessage, word: str) -> Effect:
    """Returns the answer to a word that names no game, or to none."""
    close = closest(word, tuple(GAMES)) if word else ""
    return reply(
        message,
        Text("There is no game `{word}`.", word=word[:40]) if word else Text("Which game?"),
        Text("Did you mean `{word}`?", word=close) if close else Text("`games` lists them."),
    )


def named_game(word: str) -> AnyGame | None:
    """Returns the game that a word names."""
    return GAMES.get(word.lower())
