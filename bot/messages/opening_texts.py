"""The sentences for what happens before a match begins."""

from collections.abc import Mapping

from bot.messages.model import Lines
from bot.messages.people_text import Names, each_line, one_line, people, who
from bot.messages.terms_text import changed_terms
from engine.dice import commitment, share_hash
from engine.match.challenge import uses_luck
from engine.match.commands import Player
from engine.match.events import Amended, Challenged, Declined, Expired, Joined, SeatFreed
from engine.match.state import Match
from engine.text import Text, Value, plural


def challenged(match: Match, event: Challenged, names: Names, after: Match) -> Lines:
    player, game, dice = who(event.by, names), match.game.name, sealed(after, event.by, event.share, names)
    private = PRIVATE if event.private else None
    if event.rematch:
        again = Text("{player} wants match {match} again: {game}.", player=player, match=event.rematch, game=game)
        return each_line(again, private, dice)
    if not event.invited:
        anybody = Text("{player} challenges whoever accepts first to a match of {game}.", player=player, game=game)
        return each_line(anybody, private, dice)
    guests = people(event.invited, names)
    named = Text("{player} challenges {guests} to a match of {game}.", player=player, guests=guests, game=game)
    return each_line(named, private, dice)


PRIVATE = Text("The match is private: it is read and listed only where it is played, and changes no rating.")


def sealed(match: Match, player: Player, share: str, names: Names) -> Text | None:
    """What binds the dice of a match with any luck in it: the hash of the seed, then that of each share."""
    if not match.seed or not uses_luck(match):
        return None
    digits = commitment(bytes.fromhex(match.seed))
    if not share:
        return Text("Dice sealed: `{digits}`.", digits=digits)
    values: dict[str, Value] = {"player": who(player, names), "share": share_hash(share)}
    return Text("Dice sealed: `{digits}`; {player}'s share: `{share}`.", digits=digits, **values)


def bound(match: Match, names: Names) -> Lines:
    """What binds the dice of a match that nobody was challenged to, all at once."""
    first, *others = match.joined
    shares = (_shared(match, player, match.shares.get(player, ""), names) for player in others)
    return each_line(sealed(match, first, match.shares.get(first, ""), names), *shares)


def _shared(match: Match, player: Player, share: str, names: Names) -> Text | None:
    """What binds a player's share in the dice."""
    if not share or not uses_luck(match):
        return None
    return Text("{player}'s share in the dice: `{share}`.", player=who(player, names), share=share_hash(share))


def amended(match: Match, event: Amended, names: Names, after: Match) -> Lines:
    changes = changed_terms(after.game, match.terms, after.terms)
    player = who(event.by, names)
    proposed = (
        Text("{player} proposes other terms: {changes}.", player=player, changes=changes)
        if changes.items
        else Text("{player} proposes the same terms under today's rules.", player=player)
    )
    return each_line(proposed, _shared(after, event.by, event.share, names))


def joined(match: Match, event: Joined, names: Names, after: Match) -> Lines:
    accepted = Text("{player} accepts.", player=who(event.by, names))
    return each_line(accepted, _shared(after, event.by, event.share, names))


def declined(match: Match, event: Declined, names: Names, after: Match) -> Lines:
    player = who(event.by, names)
    if event.by == match.challenger:
        return one_line(Text("**Match {match}**: {player} withdraws the challenge.", match=match.id, player=player))
    if event.reason:
        told = Text(
            "**Match {match}**: {player} declines the challenge: “{reason}”.",
            match=match.id,
            player=player,
            reason=event.reason,
        )
        return one_line(told)
    return one_line(Text("**Match {match}**: {player} declines the challenge.", match=match.id, player=player))


def expired(match: Match, event: Expired, names: Names, after: Match) -> Lines:
    """Nobody has answered in time."""
    off = Text("**Match {match}**: nobody has answered the challenge in time, so it is off.", match=match.id)
    return one_line(off)


def seat_freed(match: Match, event: SeatFreed, names: Names, after: Match) -> Lines:
    """Somebody who had accepted has gone."""
    gone = Text("{player} has changed their mind; the challenge is open again.", player=who(event.by, names))
    return one_line(gone)


def remarks(called_off: Mapping[Player, int], overdue: Mapping[Player, int], names: Names) -> Lines:
    """What is to be known of those who make a challenge: matches they have called off, or let their time run out in."""
    told = [
        plural(
            "{player} has called {count} match off after its lots were drawn.",
            "{player} has called {count} matches off after their lots were drawn.",
            count,
            player=who(player, names),
        )
        for player, count in called_off.items()
    ]
    told += [
        Text("{player} has let their time run out in {number} matches.", player=who(player, names), number=count)
        for player, count in overdue.items()
    ]
    return tuple((text,) for text in told)
