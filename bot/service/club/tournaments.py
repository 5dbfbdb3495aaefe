"""What happens in tournaments by itself: they begin, their matches begin and are booked, and they end."""

from collections.abc import Sequence

from bot.club.course import FEWEST, begun, followed
from bot.club.events import Decided, How, Outcome, Over, read_outcome, write_outcome
from bot.club.state import Table, Tournament
from bot.commands.club.effects import BOARD, happened, seeded, table_key
from bot.commands.context import Effect
from bot.messages.opening_texts import bound
from bot.repository import Repository, Setting
from engine.dice import Dice
from engine.game import ABORTED, TIMEOUT
from engine.games import GAMES
from engine.match.commands import Challenge, Join, LinkPlace, Player
from engine.match.decide import decide
from engine.match.events import Ended, Refusal
from engine.match.evolve import Decision
from engine.match.state import Match
from engine.match.terms import differing
from engine.text import Text
from storage.store import Alarm


# --- a match ends -----------------------------------------------------------------------------------------
async def outcome_of(repository: Repository, decision: Decision) -> tuple[tuple[Setting, ...], tuple[Alarm, ...]]:
    """Returns what a match that has just ended leaves for its tournament, and the alarm that has it booked."""
    ended = next((event for event in decision.events if isinstance(event, Ended)), None)
    board = await repository.setting(f"match:{decision.after.id}", BOARD) if ended is not None else ""
    if ended is None or not board:
        return (), ()
    tournament, table, game = board.split()
    kind = f"result {table_key(int(table), int(game))}"
    return ((tournament, kind, write_outcome(scored(decision.after, ended))),), (Alarm(tournament, kind, ended.at),)


def scored(match: Match, ended: Ended) -> Outcome:
    """Returns what each player of a match has from it: one point, shared by those who have won.

    Whoever called it off has lost it, and the others have won; who ran out of time has lost, as in any match.
    """
    players = tuple(match.seats.values())
    if ended.rule == ABORTED.ref:
        winners = [player for player in players if ended.by and player != ended.by]
        return Outcome(match.id, dict.fromkeys(winners, 1.0), "aborted")
    winners = [match.seats[side] for side in ended.winners]
    how: How = "time" if ended.rule == TIMEOUT.ref else "played"
    return Outcome(match.id, dict.fromkeys(winners, 1 / len(winners)) if winners else {}, how)


# --- alarms -----------------------------------------------------------------------------------------------
async def fired(repository: Repository, alarm: Alarm, now: int) -> Effect:
    """Returns what an alarm of a tournament leads to."""
    of = await repository.tournament(alarm.match)
    if of is None:
        return Effect(woken=(alarm,))
    kind = alarm.kind.partition(" ")[0]
    if kind == "result":
        return await _booked(repository, of, alarm, now)
    if kind == "open":
        return await _opened(repository, of, alarm, now)
    if kind == "begin" and of.status == "open":
        if len(of.entrants) < FEWEST:
            return await happened(repository, of, (Over(now),), now, woken=(alarm,))
        return await happened(repository, of, begun(of, await seeded(repository, of, now), now), now, woken=(alarm,))
    if kind == "end" and of.status == "running":
        return await happened(repository, of, (Over(now),), now, woken=(alarm,))
    return Effect(woken=(alarm,))


async def _booked(repository: Repository, of: Tournament, alarm: Alarm, now: int) -> Effect:
    """The result of a match is booked, and what follows from it."""
    stored = await repository.setting(of.id, alarm.kind)
    table, game = (int(word) for word in alarm.kind.partition(" ")[2].split("."))
    outcome = read_outcome(stored)
    points = seated(of.tables[table - 1], outcome.points)
    decided = Decided(now, table, game, outcome.match, points, outcome.how)
    if of.tables[table - 1].decided.get(game) == decided or (of.status == "over" and of.form == "ladder"):
        return Effect(woken=(alarm,))
    return await happened(repository, of, followed(of, decided), now, woken=(alarm,))


def seated(table: Table, points: dict[Player, float]) -> dict[Player, float]:
    """Returns points by those who sit at a table: whoever took over a seat of theirs has scored for them."""
    absent = [player for player in table.players if player not in points]
    return {player if player in table.players else absent.pop(0): value for player, value in points.items()}


async def _opened(repository: Repository, of: Tournament, alarm: Alarm, now: int) -> Effect:
    """A match of a tournament begins."""
    key = alarm.kind.partition(" ")[2]
    table, game = (int(word) for word in key.split("."))
    if await repository.setting(of.id, f"board {key}") or of.status == "over":
        return Effect(woken=(alarm,))
    number = await repository.store.next_match()
    made = match_of(repository, of, (table, game), number, now)
    if isinstance(made, Refusal):  # rules that changed meanwhile, say: nobody has anything from it
        lost = Decided(now, table, game, "", {}, "forfeit")
        return await happened(repository, of, followed(of, lost), now, woken=(alarm,))
    settings = ((of.id, f"board {key}", number), (f"match:{number}", BOARD, f"{of.id} {table} {game}"))
    heading = Text("**{name}**, table {table}.", name=of.name, table=table)
    dice = bound(made.after, await repository.names(made.after))
    return Effect(made, settings=settings, match=number, woken=(alarm,), heading=((heading,), *dice))


def match_of(
    repository: Repository, of: Tournament, board: tuple[int, int], number: str, now: int
) -> Decision | Refusal:
    """Returns the match of a table that begins at once: whoever entered has agreed to its terms."""
    seats = of.tables[board[0] - 1].players
    players = seats if board[1] % 2 else (*seats[1:], seats[0])
    rules = GAMES[of.game]
    terms = {**differing(rules, of.terms), "side": rules.names[rules.sides[0]].lower() if len(players) == 2 else "lot"}
    terms |= {"players": str(len(players))} if "players" in of.terms else {}
    first, *others = players
    share = [repository.seed()[:16].hex() for _ in players]
    asked = Challenge(number, first, of.game, terms, tuple(others), of.place, "", share[0])
    decision: Decision | Refusal = decide(None, asked, now, Dice(repository.seed()))
    for place in _further_places(of):
        decision = _then(decision, LinkPlace(first, place), now)
    for player, mine in zip(others, share[1:], strict=True):
        decision = _then(decision, Join(player, share=mine), now)
    return decision


def _then(decision: Decision | Refusal, command: LinkPlace | Join, now: int) -> Decision | Refusal:
    if isinstance(decision, Refusal):
        return decision
    further = decide(decision.after, command, now, decision.after.dice)
    return further if isinstance(further, Refusal) else decision + further


def _further_places(of: Tournament) -> Sequence[str]:
    """Where else its matches are played: in the rooms of both teams."""
    return [place for place in dict.fromkeys(of.places.values()) if place != of.place]
