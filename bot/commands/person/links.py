"""The way from a chat to the board on the page: `open`, and the personal links that it gives."""

import hashlib
from dataclasses import dataclass, replace
from typing import Final

from bot.commands.context import Effect, MatchContext, not_begun, whisper
from bot.messages.model import Choice, IncomingMessage, Page
from bot.repository import Repository, Setting
from engine.match.commands import Player
from engine.match.state import Match
from engine.text import Text

LASTS: Final = 10 * 60_000
"""Milliseconds for which a link can be used."""
VISIT: Final = "visit"
"""Under a link's hash: until when, whose and for which match; with a person: the hash of the link that counts."""
PAGE: Final = "web"

OPEN: Final = Text("Open the board")
SHOWS: Final = Text("`board {match}` shows the position here.")


@dataclass(frozen=True, slots=True)
class Found:
    """Whose a link is that can be used."""

    player: Player
    match: str


async def open_(repository: Repository, context: MatchContext) -> Effect:
    """Gives a player a link to their board on the page, once and for ten minutes."""
    match, message = context.match, context.message
    shows = Text(SHOWS.template, match=match.id)
    if message.where.platform == PAGE:
        return whisper(message, Text("You are on the page already."), Text("The list shows all your matches."))
    if not repository.public:
        return whisper(
            message,
            Text("Riposte shows no matches on the web here, so match {match} has no link.", match=match.id),
            shows,
        )
    if match.position is None:
        return not_begun(context)
    if match.side_of(context.who) is None:
        return whisper(message, Text("You do not play in match {match}.", match=match.id), shows)
    token, owner = repository.seed().hex(), context.accounts[0]
    link = Page(f"{repository.public}/enter#{token}")
    effect = whisper(
        message,
        Text("Your board of match {match}: {link}", match=match.id, link=link),
        Text("The link works once, for ten minutes, for whoever has it: show it to nobody."),
    )
    older = await repository.setting(owner, VISIT)
    kept = (_key(token), VISIT, f"{message.at + LASTS} {message.who.key} {match.id}")
    return replace(effect, settings=(*([(older, VISIT, "")] if older else []), kept, (owner, VISIT, _key(token))))


def board_choice(repository: Repository, message: IncomingMessage, match: Match, who: Player) -> tuple[Choice, ...]:
    """The button for it, where there is a page and it is elsewhere; for players alone."""
    useful = repository.public and message.where.platform != PAGE and match.side_of(who) is not None
    return (Choice(OPEN, f"open {match.id}"),) if useful else ()


async def found(repository: Repository, token: str, at: int) -> Found | None:
    """Returns whose a link is; None where it is unknown, spent, too old, or another one was asked for since."""
    until, _, rest = (await repository.setting(_key(token), VISIT)).partition(" ")
    player, _, match = rest.rpartition(" ")
    if not until or int(until) <= at:
        return None
    owner = (await repository.accounts(player))[0]
    return Found(player, match) if await repository.setting(owner, VISIT) == _key(token) else None


def forgotten(token: str, owner: Player) -> tuple[Setting, ...]:
    """Returns the settings without a link that is spent."""
    return (_key(token), VISIT, ""), (owner, VISIT, "")


def hashed(token: str) -> str:
    """What is stored of a link: a copy of the database gives away none in use."""
    return hashlib.sha256(token.encode()).hexdigest()


def _key(token: str) -> str:
    return f"visit:{hashed(token)}"
