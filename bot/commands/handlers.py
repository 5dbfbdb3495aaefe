"""The handler of each command."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from bot.commands import challenges, community, info, offers, play, presets, profile, views
from bot.commands.club import kibitz, tournaments, wishes
from bot.commands.club import profile as profiles
from bot.commands.context import Context, Effect, MatchContext
from bot.commands.learning import analysis, games, hints, lessons, review, rules
from bot.commands.learning.puzzles import daily, solve, spot
from bot.commands.people import arbiter, blocks, privacy, reports, roles
from bot.commands.person import apikey, calendar, lines, links, notices
from bot.commands.standing import ladder, rating
from bot.repository import Repository

Handler: TypeAlias = Callable[[Repository, Context], Awaitable[Effect]]
MatchHandler: TypeAlias = Callable[[Repository, MatchContext], Awaitable[Effect]]

HANDLERS: Mapping[str, Handler] = {
    "help": info.help_,
    "games": games.games,
    "rules": rules.rules,
    "learn": lessons.learn,
    "spot": spot.spot,
    "solve": solve.solve,
    "daily": daily.daily,
    "analyse": analysis.analyse,
    "record": info.record,
    "terms": info.terms,
    "challenge": challenges.challenge,
    "play": challenges.play,
    "preset": presets.preset,
    "matches": views.matches,
    "rating": rating.rating,
    "ladder": ladder.ladder,
    "tournament": tournaments.tournament,
    "join": tournaments.join,
    "withdraw": tournaments.withdraw,
    "organise": tournaments.organise,
    "climb": tournaments.climb,
    "profile": profiles.profile,
    "wish": wishes.wish,
    "token": profile.token,
    "account": profile.account,
    "apikey": apikey.apikey,
    "theme": profile.theme,
    "language": profile.language,
    "settings": community.settings,
    "zone": calendar.zone,
    "quiet": calendar.quiet,
    "vacation": calendar.vacation,
    "digest": notices.digest,
    "next": views.next_,
    "role": roles.role,
    "block": blocks.block,
    "privacy": privacy.privacy,
}

MATCH_HANDLERS: Mapping[str, MatchHandler] = {
    "accept": offers.accept,
    "decline": offers.decline,
    "counter": challenges.counter,
    "rematch": challenges.rematch,
    "move": play.move,
    "add": play.add,
    "board": views.board,
    "look": views.look,
    "hint": hints.hint,
    "review": review.review,
    "turns": views.turns,
    "replay": views.replay,
    "call": play.call,
    "late": play.late,
    "ok": play.ok,
    "secret": play.secret,
    "draw": offers.draw,
    "nocontest": offers.nocontest,
    "contest": offers.contest,
    "takeback": offers.takeback,
    "anew": offers.anew,
    "resign": play.resign,
    "abort": play.abort,
    "claim": play.claim,
    "link": challenges.link,
    "open": links.open_,
    "export": views.export,
    "pause": offers.pause,
    "resume": offers.resume,
    "moretime": offers.moretime,
    "propose": offers.propose,
    "gift": offers.gift,
    "mute": notices.mute,
    "follow": notices.follow,
    "calls": views.calls,
    "note": notices.note,
    "kibitz": kibitz.kibitz,
    "if": lines.if_,
    "report": reports.report,
    "arbiter": arbiter.arbiter,
    "ruling": arbiter.ruling,
}
"""Of the commands that are about one match."""

MATCH_STATUS: Mapping[str, tuple[str, ...]] = {
    "accept": ("open", "running"),
    "decline": ("open", "running"),
    "counter": ("open",),
    "rematch": ("over",),
    "review": ("over",),
    "abort": ("open", "running"),
    "export": ("running", "over"),
    "board": ("running", "over"),
    "turns": ("running", "over"),
    "note": ("running", "over"),
    "kibitz": ("running", "over"),
    "calls": ("over",),
    "replay": ("running", "over"),
    "report": ("running", "over"),
    "open": ("running", "over"),
    "arbiter": ("running", "over"),
}
"""The status a match must have for a command that named none; of all others: running."""
