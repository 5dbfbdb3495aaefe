"""One person, several accounts: linked by a one-time code, so that either plays for both."""

import hashlib
from dataclasses import replace

from bot.commands.context import Context, Effect, whisper
from bot.commands.spec import SURE
from bot.messages.model import Strong
from bot.repository import Repository
from engine.match.commands import Player
from engine.text import Code

VALID = 10 * 60_000
"""Milliseconds for which a code can be used."""

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""What a code is made of: nothing that looks like something else."""
LENGTH = 10

MOST = 5
"""Accounts that belong together at most."""


async def account(desk: Repository, context: Context) -> Effect:
    """`account` shows yours and a code; `account CODE`, said from another account, links the two."""
    words = context.said.words
    if not words:
        return await _offered(desk, context)
    if words[0].lower() == "apart":
        return await _parted(desk, context)
    return await _redeemed(desk, context, words[0], sure=any(word.lower() in SURE for word in words[1:]))


async def _offered(desk: Repository, context: Context) -> Effect:
    heard = context.heard
    code = _draw(desk.seed())
    others = [await desk.person(key) for key in context.accounts if key != heard.who.key]
    known = [part for person in others for part in ("\n", person, f" ({person.platform})")]
    done = whisper(
        heard,
        *(("These accounts of yours belong together already:", *known, "\n") if known else ()),
        "To link an account on another platform, say this there within ten minutes: ",
        Code(f"account {code}"),
        ". Then you play all your matches from either. Give the code to nobody: whoever uses it plays as you.",
    )
    return replace(done, settings=((_drawer(code), "account", f"{heard.at + VALID} {heard.who.key}"),))


async def _redeemed(desk: Repository, context: Context, code: str, *, sure: bool) -> Effect:
    heard = context.heard
    until, _, other = (await desk.setting(_drawer(code), "account")).partition(" ")
    if not until or int(until) < heard.at:
        return whisper(heard, "That code is unknown, used or older than ten minutes. ", Code("account"),
                       ", said from your other account, shows a new one.")  # fmt: skip
    if other in context.accounts:
        return whisper(heard, "That code is for another account of yours: say it there, or nowhere.")
    others = await desk.accounts(other)
    for match in await desk.matches_of(context.accounts):
        if match.status in ("open", "running") and not set(others).isdisjoint(match.players):
            return whisper(
                heard, f"You two have match {match.match} to play against each other. Ask again when it is over."
            )
    accounts = (*others, *context.accounts)
    if len(accounts) > MOST:
        return whisper(heard, f"At most {MOST} accounts can belong together. ", Code("account apart"), " frees one.")
    person = await desk.person(other)
    if not sure:
        return whisper(
            heard, "This code belongs to ", Strong(person.name), f" on {person.platform}. If that is you, say ",
            Code(f"account {code} yes"), ". If somebody else gave it to you, do not: they could play as you.",
        )  # fmt: skip
    done = whisper(heard, "Linked: you and ", Strong(person.name), f" on {person.platform} are one player now. ",
                   Code("account apart"), " undoes it.")  # fmt: skip
    return replace(done, settings=((_drawer(code), "account", ""), *_belonging(accounts)))


async def _parted(desk: Repository, context: Context) -> Effect:
    heard = context.heard
    others = tuple(key for key in context.accounts if key != heard.who.key)
    if not others:
        return whisper(heard, "This account is linked to no other. ", Code("account"), " shows how to.")
    done = whisper(heard, "This account stands alone again; its matches stay its own.")
    alone: tuple[tuple[str, str, str], ...] = ((heard.who.key, "accounts", ""),)
    return replace(done, settings=(*alone, *_belonging(others)))


def _belonging(accounts: tuple[Player, ...]) -> tuple[tuple[str, str, str], ...]:
    """The settings that say so, to each of them; one account alone needs none."""
    together = "\n".join(accounts) if len(accounts) > 1 else ""
    return tuple((key, "accounts", together) for key in accounts)


def _draw(luck: bytes) -> str:
    number = int.from_bytes(luck, "big")
    signs = []
    for _ in range(LENGTH):
        number, sign = divmod(number, len(ALPHABET))
        signs.append(ALPHABET[sign])
    return "".join(signs)


def _drawer(code: str) -> str:
    """Where a code is kept: only its hash, so that a copy of the database gives away no code in use."""
    return "code:" + hashlib.sha256(code.upper().encode()).hexdigest()
