"""Wishes that stand: up to so many matches of a game, on these terms, with whoever."""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from bot.commands.context import Context, community_address
from bot.commands.people.blocks import blocked_by
from bot.repository import Repository
from engine.match.commands import Player

KEY = "wish {game}"
"""The setting that holds somebody's wish for a game."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to play, with whoever."""

    by: Player
    most: int
    """Matches of the game that they want to play at once."""
    terms: dict[str, str]
    community: str
    """The server or room where it holds."""


def write_wish(wish: Wish) -> str:
    """Returns it as JSON."""
    return msgspec.json.encode(wish).decode()


def read_wish(text: str) -> Wish:
    """The opposite of `write_wish`."""
    return msgspec.json.decode(text, type=Wish)


async def wisher(repository: Repository, context: Context, game: str, terms: Mapping[str, str]) -> Player:
    """Returns who has wished here for such a match with whoever, "" for nobody."""
    here = community_address(context.message)
    for _, stored in await repository.store.owners(KEY.format(game=game)):
        wish = read_wish(stored)
        accounts = await repository.accounts(wish.by)
        if wish.community != here or not set(accounts).isdisjoint(context.accounts) or not _alike(wish.terms, terms):
            continue
        running = [
            one
            for status in ("running", "open")
            for one in await repository.matches_of(accounts, status)
            if one.game == game
        ]
        if len(running) >= wish.most:
            continue
        pairs = ((context.accounts, accounts), (accounts, context.accounts))
        if not [1 for one, other in pairs if await blocked_by(repository, one, other) is not None]:
            return wish.by
    return ""


def _alike(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two sheets differ in nothing but who has which side."""
    return {**one, "side": ""} == {**other, "side": ""}
