"""How somebody has done in each game: `rating`."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any

from bot.commands.context import Context, Effect, whisper, whisper_lines
from bot.commands.parser import player_named
from bot.messages.model import Person, Picture
from bot.messages.narrator import Draft
from bot.ratings.glicko import Rating
from bot.ratings.results import RATING
from bot.ratings.standings import PROVISIONAL, Record, Standings
from bot.repository import Repository
from engine.chart import Chart, Series
from engine.game import Game
from engine.games import GAMES
from engine.match.commands import Player
from engine.text import Phrase, Term, Text, Value


async def rating(repository: Repository, context: Context) -> Effect:
    """Shows the author's results and ratings, or somebody's; `off` and `on` end and begin being rated.

    Of a game that is named, the course of a rating as a picture.
    """
    message, own = context.message, context.accounts[0]
    words = [word for word in context.parsed.words if word.lower() not in (SEVERAL, *GAMES)]
    said = [word.lower() for word in context.parsed.words]
    game, several = next((word for word in said if word in GAMES), ""), SEVERAL in said
    if words and words[0].lower() in SWITCHES:
        return _switch(context, words[0].lower())
    if not words:
        shown = await repository.person(own)
        if game:
            return await _plotted(repository, context, own, game, several=several)
        return await _show(repository, context, own, shown)
    other = (await repository.accounts(player_named(words[0].removeprefix("@"), message.where.platform)))[0]
    if other != own and await repository.setting(other, RATING):
        return whisper(
            message, Text("{player} is not rated, by their own wish.", player=await repository.person(other))
        )
    if game:
        return await _plotted(repository, context, other, game, several=several)
    return await _show(repository, context, other, await repository.person(other))


FEWEST_POINTS = 2
"""Rated matches that make a line."""


async def _plotted(repository: Repository, context: Context, player: Player, game: str, *, several: bool) -> Effect:
    """The course of somebody's rating in one game."""
    person, name = await repository.person(player), played(GAMES[game], several=several)
    standings = await repository.standings(game, several=several)
    course = standings.records[player].course if player in standings.records else []
    if len(course) < FEWEST_POINTS:
        few = Text("{player} has too few rated matches of {game} for a plot.", player=person, game=name)
        command = f"{game} {SEVERAL}" if several else game
        return whisper(context.message, few, Text("`ladder {game}` lists who has more.", game=command))
    told = Text("**{game}: the rating of {player}**", game=name, player=person)
    plot = Picture(game, "", None, chart=rating_chart(person.name, GAMES[game].name, course, several=several))
    return Effect(drafts=(Draft(((told,),), plot, only=context.message.who.key),))


def rating_chart(name: str, game: Term, course: Sequence[tuple[int, float]], *, several: bool = False) -> Chart:
    """Returns the plot of a rating, match by match, with some of the days on which they ended."""
    points = tuple((float(at), value) for at, (_, value) in enumerate(course, 1))
    step = max(1, len(course) // 5)
    ticks = tuple(
        (float(at), f"{datetime.fromtimestamp(ended / 1000, UTC):%Y-%m-%d}")
        for at, (ended, _) in enumerate(course, 1)
        if (at - 1) % step == 0
    )
    return Chart(name, game, form="line", series=(Series(name, points),), ticks=ticks, unit=UNITS[several])


UNITS = (Term("rating after each match"), Term("rating after each match of three or more"))


SWITCHES = {
    "off": (
        "off",
        Text("You are no longer rated: matches that end from now on change nobody's rating, and no list names you."),
    ),
    "on": ("", Text("You are rated: matches that end from now on count.")),
}


RATED = Text("Rating {rating}.")
EXPLAINED = Text("A ? says that a rating is not sure yet; ± is how far off it may be.")


def _switch(context: Context, word: str) -> Effect:
    value, told = SWITCHES[word]
    effect = whisper(context.message, told)
    return Effect(drafts=effect.drafts, settings=((context.accounts[0], RATING, value),))


async def _show(repository: Repository, context: Context, player: Player, person: Person) -> Effect:
    message, own = context.message, context.accounts[0]
    lines: list[tuple[Text, ...]] = []
    async for name, standings in ways(repository):
        if player not in standings.records:
            continue
        record = standings.records[player]
        line: list[Text] = [Text("**{game}**: {results}.", game=name, results=results(record))]
        if record.rated:
            line.append(Text(RATED.template, rating=shown(record.now(message.at))))
        if player != own and (between := standings.between(own, player)).played:
            line.append(Text("You against them: {results}.", results=results(between)))
        lines.append(tuple(line))
    if not lines:
        return whisper(
            message,
            Text("{player} has finished no match yet.", player=person)
            if player != own
            else Text("You have finished no match yet."),
            Text("`ladder tokonoma` lists who has."),
        )
    rated = any(part.template == RATED.template for line in lines for part in line)
    return whisper_lines(message, (*lines, (EXPLAINED,)) if rated else tuple(lines))


def shown(rating: Rating) -> Value:
    """A rating as people read it: "1623 ± 90", with a ? while it is provisional."""
    points, margin = str(round(rating.points)), str(round(2 * rating.deviation))
    if rating.deviation >= PROVISIONAL:
        return Phrase("{points}? ± {margin}", points=points, margin=margin)
    return Phrase("{points} ± {margin}", points=points, margin=margin)


def results(record: Record) -> Value:
    """Wins, draws and losses as people read them."""
    return Phrase("won {won}, drawn {drawn}, lost {lost}", won=record.won, drawn=record.drawn, lost=record.lost)


SEVERAL = "several"
"""How matches of three and more are asked for."""


async def ways(repository: Repository) -> AsyncIterator[tuple[Value, Standings]]:
    """Yields each game with its name and what its results say, then the same by several where it can be played so."""
    for key, game in GAMES.items():
        yield game.name, await repository.standings(key)
        if by_several(game):
            yield played(game, several=True), await repository.standings(key, several=True)


def by_several(game: Game[Any, Any]) -> bool:
    """Whether three or more can play a game: they have a rating of their own there."""
    return len(game.sides) > 2


def played(game: Game[Any, Any], *, several: bool) -> Value:
    """A game's name, and that it is played by several."""
    return Phrase("{game} for three or more", game=game.name) if several else game.name
