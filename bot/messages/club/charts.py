"""Standings and crosstables as tables to be drawn."""

from collections.abc import Mapping, Sequence

from bot.club.standings import BREAKS, Break, Row, standings, teams
from bot.club.state import Table, Tournament
from bot.messages.model import Picture
from bot.messages.people_text import Names, who
from engine.chart import Chart, Column
from engine.match.commands import Player
from engine.text import Term

FRACTIONS = {0.5: "½", 0.25: "¼", 0.75: "¾", 0.33: "⅓", 0.67: "⅔", 0.2: "⅕", 0.4: "⅖", 0.6: "⅗", 0.8: "⅘"}
BREAK_TITLES: Mapping[Break, Term] = {
    "direct": Term("Direct"),
    "buchholz": Term("Buchholz"),
    "sonneborn": Term("Sonneborn"),
    "wins": Term("Won"),
}
RANK, NAME, TEAM, POINTS = (
    Column(Term("#"), "right"),
    Column(Term("Name"), "left"),
    Column(Term("Team")),
    Term("Points"),
)
WON, DRAWN, LOST = Column(Term("Won")), Column(Term("Drawn")), Column(Term("Lost"))
STANDINGS, FINAL = Term("Standings"), Term("Final standings")
WIDEST = 16
"""Opponents, or rounds, that have a column each."""


def pointed(points: float) -> str:
    """Points as a table shows them: `2½`."""
    whole, rest = divmod(round(points, 2), 1)
    fraction = FRACTIONS.get(round(rest, 2), "")
    if rest and not fraction:
        return f"{points:.2f}"
    return f"{int(whole) or ''}{fraction}" if fraction else str(int(whole))


def standings_picture(of: Tournament, names: Names) -> Picture:
    """Returns the standings, with each result: all against all, or round by round."""
    return Picture(of.game, "", None, over=of.status == "over", chart=standings_chart(of, names))


def standings_chart(of: Tournament, names: Names) -> Chart:
    """Returns the table that the picture shows."""
    rows = standings(of)
    place = {row.player: at for at, row in enumerate(rows, 1)}
    columns, results = _results(of, rows, place)
    shown = [at for at, key in enumerate(BREAKS[of.form]) if key in BREAK_TITLES]
    sided = [TEAM] if of.form == "teams" else []
    order = {team: chr(ord("A") + at) for at, team in enumerate(of.places)}
    points = [Column(POINTS, "right")] if of.form != "ladder" else []
    titles = [Column(BREAK_TITLES[BREAKS[of.form][at]], "right") for at in shown]
    written = []
    for row, cells in zip(rows, results, strict=True):
        name = who(row.player, names)
        team = [order.get(of.teams.get(row.player, ""), "")] if sided else []
        sums = [pointed(row.points)] if points else []
        tied = [pointed(row.breaks[at]) for at in shown]
        written.append((f"{row.rank}", name if isinstance(name, str) else name.name, *team, *cells, *sums, *tied))
    return Chart(
        of.name,
        FINAL if of.status == "over" else STANDINGS,
        (RANK, NAME, *sided, *columns, *points, *titles),
        tuple(written),
        tuple(at for at, row in enumerate(rows) if row.rank == 1 and of.status == "over" and not of.called_off),
        tuple(at for at, row in enumerate(rows) if row.gone),
    )


def team_letters(of: Tournament) -> dict[str, tuple[str, float]]:
    """Returns the letter of each team, and its points."""
    return {team: (chr(ord("A") + at), points) for at, (team, points) in enumerate(teams(of).items())}


def _results(
    of: Tournament, rows: Sequence[Row], place: Mapping[Player, int]
) -> tuple[tuple[Column, ...], list[tuple[str, ...]]]:
    """A column for each opponent where all play all, else for each round: points, and against whom."""
    if of.form == "round-robin" and len(rows) <= WIDEST:
        columns = tuple(Column(Term(str(at))) for at in range(1, len(rows) + 1))
        met = {frozenset(table.players): table for table in of.tables}
        return columns, [
            tuple(
                "■" if other == row else _scored(met.get(frozenset((row.player, other.player))), row.player)
                for other in rows
            )
            for row in rows
        ]
    if of.form in ("round-robin", "ladder"):
        return (WON, DRAWN, LOST), [(str(row.won), str(row.drawn), str(row.lost)) for row in rows]
    first = max(1, of.round - WIDEST + 1)
    numbers = range(first, of.round + 1)
    seats: dict[tuple[int, Player], Table] = {
        (table.round, player): table for table in of.tables for player in table.players
    }
    rested = {(number, player) for number, player in of.byes}
    return tuple(Column(Term(str(number))) for number in numbers), [
        tuple(
            _met(seats.get((number, row.player)), row.player, place, (number, row.player) in rested)
            for number in numbers
        )
        for row in rows
    ]


def _scored(table: Table | None, player: Player) -> str:
    if table is None or not table.decided:
        return ""
    return pointed(table.score[player])


def _met(table: Table | None, player: Player, place: Mapping[Player, int], rested: bool) -> str:
    """Points and the opponents' places: `1·4`."""
    if table is None:
        return "+" if rested else ""
    others = ",".join(str(place.get(other, "")) for other in table.players if other != player)
    scored = _scored(table, player) or "…"
    return f"{scored} · {others}"
