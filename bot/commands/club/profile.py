"""Somebody's games, opponents and calls: `profile`."""

from collections import Counter

from bot.commands.context import Context, Effect, whisper, whisper_lines
from bot.commands.parser import player_named
from bot.commands.standing.rating import results, shown, ways
from bot.ratings.results import OVERDUE, RATING
from bot.repository import Repository
from engine.match.commands import Player
from engine.text import Text, plural

MOST_OPPONENTS = 8
"""Those with whom somebody has played most."""


async def profile(repository: Repository, context: Context) -> Effect:
    """Shows the author's profile or somebody else's, from finished matches only."""
    message, own = context.message, context.accounts[0]
    name = next((word.removeprefix("@") for word in context.parsed.words), "")
    player = (await repository.accounts(player_named(name, message.who.platform)))[0] if name else own
    person = await repository.person(player)
    if player != own and await repository.setting(player, RATING):
        return whisper(message, Text("{player} shows no profile, by their own wish.", player=person))
    lines: list[tuple[Text, ...]] = []
    met: Counter[Player] = Counter()
    eye: Counter[str] = Counter()
    async for way, standings in ways(repository):
        if player not in standings.records:
            continue
        record = standings.records[player]
        line = [Text("**{game}**: {results}.", game=way, results=results(record))]
        line += [Text("Rating {rating}.", rating=shown(record.now(message.at)))] if record.rated else []
        lines.append(tuple(line))
        met += standings.met(player)
        eye.update(upheld=record.upheld, wrong=record.wrong, missed=record.missed)
    if not lines:
        return whisper(message, Text("{player} has finished no match yet.", player=person))
    title = (Text("**{player}**", player=person),)
    return whisper_lines(
        message, (title, *lines, *_eye(eye), *await _against(repository, player, met), *await _late(repository, player))
    )


def _eye(eye: Counter[str]) -> tuple[tuple[Text, ...], ...]:
    """Their calls, and the share of others' untenable turns that they called."""
    if not eye.total():
        return ()
    made = eye["upheld"] + eye["wrong"]
    calls = plural(
        "{count} call: {upheld} upheld, {wrong} wrong.",
        "{count} calls: {upheld} upheld, {wrong} wrong.",
        made,
        upheld=eye["upheld"],
        wrong=eye["wrong"],
    )
    faults = eye["upheld"] + eye["missed"]
    seen = Text(
        "Of {faults} untenable turns of others they have seen {percent} %.",
        faults=faults,
        percent=round(100 * eye["upheld"] / faults) if faults else 0,
    )
    return ((calls, *((seen,) if faults else ())),)


async def _against(repository: Repository, player: Player, met: Counter[Player]) -> tuple[tuple[Text, ...], ...]:
    """Results against those with whom they have played most, all games together."""
    lines = []
    for other, _ in met.most_common(MOST_OPPONENTS):
        won = drawn = lost = 0
        async for _, standings in ways(repository):
            between = standings.between(player, other)
            won, drawn, lost = won + between.won, drawn + between.drawn, lost + between.lost
        values = {"won": won, "drawn": drawn, "lost": lost}
        lines.append(
            (
                Text(
                    "Against {other}: {won} won, {drawn} drawn, {lost} lost.",
                    other=await repository.person(other),
                    **values,
                ),
            )
        )
    return tuple(lines)


async def _late(repository: Repository, player: Player) -> tuple[tuple[Text, ...], ...]:
    count = int(await repository.setting(player, OVERDUE) or 0)
    if not count:
        return ()
    return ((plural("Time run out in {count} match.", "Time run out in {count} matches.", count),),)
