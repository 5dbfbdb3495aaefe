"""What a program may read of the club: tournaments with everything that was played in them, and ratings."""

from collections.abc import Callable

from bot.adapters.api import shapes
from bot.adapters.api.reading.matches import Reading, named
from bot.club.standings import BREAKS, standings
from bot.club.state import Table, Tournament
from bot.commands.club.tournaments import HERE
from bot.commands.context import community_of
from bot.messages.model import PARTNER, Person, Place
from bot.ratings.results import RATING
from bot.ratings.standings import PROVISIONAL
from bot.repository import Repository
from engine.match.commands import Player


class Club:
    """Nothing here changes anything; all of it can be read in chat by anybody."""

    def __init__(
        self, repository: Repository, reading: Reading, now: Callable[[], int], *, lobby: Place, community: str
    ):
        self._repository = repository
        self._reading = reading
        self._now = now
        self._place = community_of(lobby, community)

    async def tournaments(self, limit: int) -> shapes.Tournaments:
        """Returns the room's tournaments, latest first."""
        numbers = (await self._repository.setting(self._place, HERE)).split()[-limit:]
        found = [await self._repository.tournament(f"t{number}") for number in reversed(numbers)]
        return shapes.Tournaments(
            [
                shapes.Entry(of.number, of.name, of.form, of.game, of.status, len(of.entrants))
                for of in found
                if of is not None
            ]
        )

    async def tournament(self, who: Person, number: str) -> shapes.Tournament | None:
        """Returns a tournament as it stands; None where there is none."""
        of = await self._repository.tournament(f"t{number}")
        if of is None:
            return None
        told = await self._reading.told(who)
        everybody = {one for one in (*of.entrants, *of.seeds, of.organiser) if one}
        people = {player: named(await self._repository.person(player), told) for player in everybody}
        sheet = of.sheet
        return shapes.Tournament(
            tournament=of.number,
            name=of.name,
            form=of.form,
            game=of.game,
            status=of.status,
            called_off=of.called_off,
            terms={key: value for key, value in of.terms.items() if value},
            seats=sheet.seats,
            rounds=sheet.rounds,
            games=sheet.games,
            begins=sheet.begins,
            ends=sheet.ends,
            organiser=people[of.organiser] if of.organiser else None,
            round=of.round,
            standings=[
                shapes.Standing(
                    rank=row.rank,
                    player=people[row.player],
                    points=row.points,
                    won=row.won,
                    drawn=row.drawn,
                    lost=row.lost,
                    breaks=dict(zip(BREAKS[of.form], row.breaks, strict=False)),
                    team=of.teams.get(row.player, ""),
                    gone=row.gone,
                )
                for row in standings(of)
            ],
            pairings=[await self._pairing(of, table) for table in of.tables],
            byes=[shapes.Bye(number, player) for number, player in of.byes],
        )

    async def _pairing(self, of: Tournament, table: Table) -> shapes.Pairing:
        boards = []
        for game in range(1, max(table.opened, 0, *table.decided) + 1):
            decided = table.decided.get(game)
            begun = await self._repository.setting(of.id, f"board {table.number}.{game}")
            boards.append(
                shapes.Board(
                    begun or (decided.match if decided else ""),
                    dict(decided.points) if decided else None,
                    decided.how if decided else "",
                )
            )
        return shapes.Pairing(table.number, table.round, list(table.players), boards)

    async def ladder(self, game: str, limit: int, *, several: bool) -> shapes.Ladder:
        """Returns those who have played a game in the room and wish to be rated, best first."""
        rated: list[shapes.Rated] = []
        standings = await self._repository.standings(game, several=several)
        for player, record, rating in standings.best(self._now(), self._place):
            if len(rated) == limit:
                break
            if await self._shown(player):
                rated.append(
                    shapes.Rated(
                        named(await self._repository.person(player), str),
                        round(rating.points),
                        round(rating.deviation),
                        rating.deviation >= PROVISIONAL,
                        record.won,
                        record.drawn,
                        record.lost,
                    )
                )
        return shapes.Ladder(game, rated)

    async def _shown(self, player: Player) -> bool:
        return player != PARTNER and not await self._repository.setting(player, RATING)
