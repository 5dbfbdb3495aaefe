"""The rated players of a game, best first, by two or by several: `ladder`."""

from bot.commands.context import Context, Effect, community_address, reply, reply_lines
from bot.commands.learning.games import named_game, which_game
from bot.commands.standing.rating import SEVERAL, by_several, played, results, shown
from bot.messages.model import PARTNER
from bot.ratings.results import RATING
from bot.repository import Repository
from engine.text import Text

MOST = 20
"""Players in one list."""


async def ladder(repository: Repository, context: Context) -> Effect:
    """Lists those who have played the game here, or `all`, by rating; never those who do not wish it."""
    message = context.message
    words = [word.lower() for word in context.parsed.words]
    everywhere, several = "all" in words, SEVERAL in words
    name = next((word for word in words if word not in ("all", SEVERAL)), "")
    game = named_game(name)
    if game is None:
        return which_game(message, name)
    if several and not by_several(game):
        two = Text("{game} is played by two.", game=game.name)
        return reply(message, two, Text("`ladder {game}` lists its rated players.", game=game.key))
    shown_name, place = played(game, several=several), "" if everywhere else community_address(message)
    standings = await repository.standings(game.key, several=several)
    lines: list[tuple[Text, ...]] = []
    for player, record, rating in standings.best(message.at, place):
        if len(lines) < MOST and player != PARTNER and not await repository.setting(player, RATING):
            line = Text(
                "{rank}. {player}: {rating}; {results}.",
                rank=len(lines) + 1,
                player=(await repository.person(player)).name,
                rating=shown(rating),
                results=results(record),
            )
            lines.append((line,))
    if not lines:
        none = Text("Nobody has finished a rated match of {game} here yet.", game=shown_name)
        return reply(message, none, Text("`challenge {game}` begins one.", game=game.key))
    return reply_lines(message, ((Text("**{game}, the rated players**", game=shown_name),), *lines))
