"""What is told when something happens in a tournament: one message wherever one will do."""

from collections.abc import Mapping, Sequence

from bot.club.events import Announced, Begun, Decided, Entered, Form, Handed, Happening, Opened, Over, Paired, Withdrawn
from bot.club.standings import standings
from bot.club.state import Table, Tournament, evolve
from bot.messages.club.charts import pointed, standings_picture, team_letters
from bot.messages.model import Choice, Lines, Picture
from bot.messages.narrator import Draft
from bot.messages.people_text import Names, people, who
from bot.messages.showing.pictures import picture
from bot.messages.terms_text import FROM_A_START
from engine.games import GAMES
from engine.match.terms import differing
from engine.text import Code, Instant, Listing, Phrase, Term, Text, Value, plural

JOIN = Text("Join")
FORM_NAMES: Mapping[Form, Term] = {
    "round-robin": Term("round robin"),
    "swiss": Term("Swiss rounds"),
    "knockout": Term("knock-out"),
    "double": Term("knock-out after two losses"),
    "teams": Term("two teams"),
    "ladder": Term("ladder"),
}
TIES: Mapping[Form, Text | None] = {
    "round-robin": Text(
        "Ties are broken by the matches against each other, then by Sonneborn-Berger, then by matches won."
    ),
    "swiss": Text("Ties are broken by Buchholz, then by Sonneborn-Berger, then by the matches against each other."),
    "knockout": Text("A pairing that stays level after two further matches goes to the better seed."),
    "double": Text("A pairing that stays level after two further matches goes to the better seed."),
    "teams": Text("A team's score is the sum of its boards."),
    "ladder": None,
}
"""What decides between equals."""


def news(before: Tournament | None, after: Tournament, events: Sequence[Happening], names: Names) -> tuple[Draft, ...]:
    """Returns what its place hears of these events."""
    lines: list[tuple[Text, ...]] = []
    later: list[tuple[Text, ...]] = []
    now = before
    for event in events:
        was, now = now, evolve(now, event)
        told = _told(was, now, event, names)
        if isinstance(event, Paired | Opened):  # behind the results that led to it
            later += told
        else:
            lines += told
    ended = _rounds_ended(before, after)
    for number in ended:
        lines += _results(after, number, names)
    lines += later
    for event in events:
        lines += _end(after, event.by, names) if isinstance(event, Over) else []
    if not lines:
        return ()
    begun = any(isinstance(event, Begun) for event in events)
    climbed = after.form == "ladder" and any(isinstance(event, Decided) for event in events)
    shown = (
        standings_picture(after, names)
        if has_standings(after) and (ended or begun or climbed or after.status == "over")
        else start_picture(after)
        if before is None
        else None
    )
    rings = tuple(dict.fromkeys(player for event in events for player in _rung(event)))
    choices = (Choice(JOIN, f"join {after.number}"),) if any(isinstance(event, Announced) for event in events) else ()
    return (Draft(tuple(lines), shown, choices, rings=rings),)


def title(of: Tournament) -> Text:
    """Its name and its number."""
    return Text("**{name}** · tournament {number}.", name=of.name, number=of.number)


def described(of: Tournament) -> Lines:
    """What was settled of a tournament."""
    game = GAMES[of.game]
    terms = [Code(f"{key}={value}") for key, value in differing(game, of.terms).items()]
    told = Text("{game}, {form}.", game=game.name, form=FORM_NAMES[of.form])
    agreed = Text("Terms: {terms}.", terms=Listing(tuple(terms), "unit")) if terms else Text("The usual terms.")
    given = (FROM_A_START,) if of.terms.get("start") else ()
    lines: list[tuple[Text, ...]] = [(told, *_sheet(of), agreed, *given)]
    ties = TIES[of.form]
    lines += [(ties,)] if ties is not None else []
    return tuple(lines)


def has_standings(of: Tournament) -> bool:
    """Whether there is anything that standings can show."""
    return bool(of.entrants and (of.seeds or of.form == "ladder"))


def start_picture(of: Tournament) -> Picture | None:
    """The given position from which its matches begin, if there is one."""
    start, game = of.terms.get("start", ""), GAMES[of.game]
    return picture(game, game.decode(start), None, text=start) if start else None


def _sheet(of: Tournament) -> list[Text]:
    sheet = of.sheet
    found = []
    if of.form == "swiss":
        found.append(plural("{count} round.", "{count} rounds.", sheet.rounds))
    if sheet.games > 1:
        found.append(plural("Each pairing is {count} match.", "Each pairing is {count} matches at once.", sheet.games))
    if of.form == "round-robin":
        found.append(
            plural(
                "Everybody plays {count} other at a time.", "Everybody plays {count} others at a time.", sheet.atonce
            )
        )
    if of.form == "ladder":
        found.append(Text("Whoever wins against somebody up to three places above swaps with them."))
        found += [Text("The season ends {at}.", at=Instant(sheet.ends))] if sheet.ends else []
    return found


def begins(of: Tournament) -> Text:
    """When it begins."""
    seats = of.sheet.seats
    if of.form == "teams":
        return Text("It is played on {seats} boards; the second team joins from its own room.", seats=seats)
    if of.form == "ladder":
        return Text("Anybody may join at any time.")
    if of.sheet.begins:
        return Text("At most {seats} can join; it begins {at}.", seats=seats, at=Instant(of.sheet.begins))
    return Text("It begins when {seats} have joined, or when its organiser says so.", seats=seats)


def _told(before: Tournament | None, now: Tournament, event: Happening, names: Names) -> Lines:
    match event:
        case Announced():
            by = who(event.by, names)
            organised = (
                Text("{player} organises it.", player=by)
                if now.form == "ladder"
                else Text("{player} organises it: `organise {number} begin` begins it.", player=by, number=now.number)
            )
            join = Text("`join {number}` takes part.", number=now.number)
            return ((title(now), *described(now)[0]), *described(now)[1:], (begins(now), join), (organised,))
        case Entered() if now.form == "teams":
            values = _about(now, player=who(event.player, names))
            letter = team_letters(now)[event.team][0]
            return ((Text("{player} joins team {team} of **{name}**.", team=letter, **values),),)
        case Entered():
            values = _about(now, player=who(event.player, names))
            return ((plural(ENTERED.template, ENTERED.many, len(now.active), **values),),)
        case Withdrawn():
            return ((Text("{player} has withdrawn from **{name}**.", **_about(now, player=who(event.player, names))),),)
        case Handed(to=""):
            return ((Text("Nobody organises **{name}** any more: the hosts of this place can.", name=now.name),),)
        case Handed():
            return ((Text("{player} organises **{name}** now.", **_about(now, player=who(event.to, names))),),)
        case Begun() if now.form != "ladder":
            return ((Text("**{name}** has begun.", name=now.name), Text("Everybody's matches begin by themselves.")),)
        case Paired() if now.form == "ladder":
            climber, above = event.seatings[0].players
            values = _about(now, climber=who(climber, names), above=who(above, names))
            return ((Text("**{name}**: {climber} challenges {above}.", **values),),)
        case Paired() if now.form in ("swiss", "knockout", "double"):
            return _pairings(now, event, names)
        case Opened() if now.form in ("knockout", "double"):
            return tuple(_decider(now, *board, names) for board in event.boards if board[1] > now.sheet.games)
        case Decided(how="forfeit"):
            table = now.tables[event.table - 1]
            values = _about(now, players=people(table.players, names), table=table.number)
            return ((Text("**{name}**, table {table}: {players} never played.", **values),),)
        case Decided() if now.form == "ladder" and before is not None:
            return (_climbed(before, now, event, names),)
        case _:
            return ()


ENTERED = plural("{player} joins **{name}**: {count} so far.", "{player} joins **{name}**: {count} so far.", 0)


def _about(now: Tournament, **values: Value) -> dict[str, Value]:
    return {"name": now.name, **values}


def _pairings(now: Tournament, event: Paired, names: Names) -> Lines:
    tables = [
        Text("{table}. {players}", table=one.table, players=_against(one.players, names)) for one in event.seatings
    ]
    lines = [(Text("**{name}, round {round}**", name=now.name, round=event.round),), *((one,) for one in tables)]
    if event.byes and now.form == "swiss":
        lines.append((Text("{players}: a bye, which counts as won.", players=people(event.byes, names)),))
    elif event.byes:
        lines.append((plural(THROUGH.template, THROUGH.many, len(event.byes), players=people(event.byes, names)),))
    return tuple(lines)


THROUGH = plural("{players} is through without a match.", "{players} are through without a match.", 0)


def _against(players: Sequence[str], names: Names) -> Value:
    """Who meets whom, the first side first."""
    return Listing(tuple(who(player, names) for player in players), "unit")


def _decider(now: Tournament, table: int, _: int, names: Names) -> tuple[Text, ...]:
    players = people(now.tables[table - 1].players, names)
    return (Text("**{name}**: {players} are level, so one more match decides.", name=now.name, players=players),)


def _climbed(before: Tournament, now: Tournament, event: Decided, names: Names) -> tuple[Text, ...]:
    climber, above = now.tables[event.table - 1].players
    values = _about(now, climber=who(climber, names), above=who(above, names))
    if before.entrants != now.entrants:
        place = now.entrants.index(climber) + 1
        return (Text("**{name}**: {climber} has beaten {above} and takes place {place}.", place=place, **values),)
    return (Text("**{name}**: {above} holds their place against {climber}.", **values),)


def _rounds_ended(before: Tournament | None, after: Tournament) -> list[int]:
    """The rounds whose last table has just been decided."""
    if before is None or after.form in ("ladder", "teams"):
        return []
    found = []
    for number in range(1, after.round + 1):
        was, now = before.of_round(number), after.of_round(number)
        if now and all(table.done for table in now) and not (was and all(table.done for table in was)):
            found.append(number)
    return found


def _results(of: Tournament, number: int, names: Names) -> list[tuple[Text, ...]]:
    lines = [(Text("**{name}**: round {round} is over.", name=of.name, round=number),)]
    return [*lines, *((_result(table, names),) for table in of.of_round(number))]


def _result(table: Table, names: Names) -> Text:
    scores = [
        Phrase("{player} {points}", player=who(player, names), points=pointed(table.score[player]))
        for player in table.players
    ]
    return Text("Table {table}: {scores}.", table=table.number, scores=Listing(tuple(scores), "unit"))


def _end(of: Tournament, by: str, names: Names) -> list[tuple[Text, ...]]:
    if of.called_off:
        told = Text("**{name}** is called off.", name=of.name)
        return [(told,) if by else (told, Text("Too few have joined."))]
    if of.form == "teams":
        scores = [Text("**{name}** is over.", name=of.name)]
        for letter, points in team_letters(of).values():
            scores.append(Text("Team {team}: {points}.", team=letter, points=pointed(points)))
        return [tuple(scores)]
    first = [row for row in standings(of) if row.rank == 1]
    winners = people([row.player for row in first], names)
    told = Text("**{name}** is over.", name=of.name)
    if not first:
        return [(told,)]
    if of.form == "ladder":
        return [(told, Text("{players} stands at the top.", players=winners))]
    won = plural("{players} has won it.", "{players} have won it together.", len(first), players=winners)
    return [(told, won)]


def _rung(event: Happening) -> tuple[str, ...]:
    """Whom it concerns."""
    if isinstance(event, Begun):
        return event.seeds
    return tuple(player for one in event.seatings for player in one.players) if isinstance(event, Paired) else ()
