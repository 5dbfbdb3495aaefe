"""What belongs to one person: `account`, `token`, `theme`, `language`."""

import hashlib
from dataclasses import replace

from bot.commands.community import (
    find_language,
    known_languages,
    language_name,
    set_theme,
    unknown_language,
    unknown_theme,
)
from bot.commands.context import Context, Effect, hosts_only, reader_language, whisper, whisper_lines
from bot.commands.spec import BY_NAME
from bot.commands.spec.parts import CONFIRMATIONS, DEFAULT
from bot.messages.model import Person
from bot.repository import Repository
from engine.match.commands import Player
from engine.match.ends import token_transfers
from engine.text import Term, Text, plural
from render.theme import THEMES

CODE_LASTS = 10 * 60_000
"""Milliseconds for which a code can be used."""
CODE_LENGTH = 10
ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""What a code is made of: nothing that looks like something else."""

MOST_ACCOUNTS = 5
"""Accounts that can belong together."""

LONGEST_TOKEN = 40

PLATFORMS = {"discord": Term("Discord"), "matrix": Term("Matrix"), "web": Term("the web")}


# --- accounts ---------------------------------------------------------------------------------------------
async def account(repository: Repository, context: Context) -> Effect:
    """`account` shows the author's accounts and a code; `account CODE`, said from another account, links the two."""
    words = context.parsed.words
    if not words:
        return await _offer_code(repository, context)
    if words[0].lower() == "apart":
        return await _unlink(repository, context)
    return await _redeem(repository, context, words[0], sure=any(word.lower() in CONFIRMATIONS for word in words[1:]))


async def _offer_code(repository: Repository, context: Context) -> Effect:
    message = context.message
    code = _draw_code(repository.seed())
    others = [await repository.person(key) for key in context.accounts if key != message.who.key]
    known = [(Text("{player} ({platform})", player=person, platform=_platform(person)),) for person in others]
    instructions = (
        Text("To link an account on another platform, say this there within ten minutes: `account {code}`.", code=code),
        Text("Then you play all your matches from either."),
        Text("Give the code to nobody: whoever uses it plays as you."),
    )
    title = (Text("These accounts of yours belong together already:"),)
    effect = whisper_lines(message, (title, *known, instructions) if known else (instructions,))
    return replace(effect, settings=((_code_key(code), "account", f"{message.at + CODE_LASTS} {message.who.key}"),))


async def _redeem(repository: Repository, context: Context, code: str, *, sure: bool) -> Effect:
    message = context.message
    until, _, other = (await repository.setting(_code_key(code), "account")).partition(" ")
    if not until or int(until) < message.at:
        return whisper(
            message,
            Text("That code is unknown, used or older than ten minutes."),
            Text("`account`, said from your other account, shows a new one."),
        )
    if other in context.accounts:
        return whisper(message, Text("That code is your own: say it from an account that is not linked yet."))
    others = await repository.accounts(other)
    for match in await repository.matches_of(context.accounts):
        if match.status in ("open", "running") and not set(others).isdisjoint(match.players):
            return whisper(
                message,
                Text("You two have match {match} to play against each other.", match=match.match),
                Text("Ask again when it is over."),
            )
    accounts = (*others, *context.accounts)
    if len(accounts) > MOST_ACCOUNTS:
        return whisper(
            message,
            plural(
                "At most {count} account can belong together.",
                "At most {count} accounts can belong together.",
                MOST_ACCOUNTS,
            ),
            Text("`account apart` unlinks one."),
        )
    person = await repository.person(other)
    if not sure:
        return whisper(
            message,
            Text("This code belongs to **{name}** on {platform}.", name=person.name, platform=_platform(person)),
            Text("If that is you, say `account {code} yes`.", code=code),
            Text("If somebody else gave it to you, do not: they could play as you."),
        )
    effect = whisper(
        message,
        Text(
            "Linked: you and **{name}** on {platform} are one player now.",
            name=person.name,
            platform=_platform(person),
        ),
        Text("`account apart` undoes it."),
    )
    return replace(effect, settings=((_code_key(code), "account", ""), *linked(accounts)))


async def _unlink(repository: Repository, context: Context) -> Effect:
    message = context.message
    others = tuple(key for key in context.accounts if key != message.who.key)
    if not others:
        return whisper(message, Text("This account is linked to no other."), Text("`account` shows how to link one."))
    effect = whisper(message, Text("This account stands alone again; its matches stay its own."))
    alone: tuple[tuple[str, str, str], ...] = ((message.who.key, "accounts", ""),)
    return replace(effect, settings=(*alone, *linked(others)))


def linked(accounts: tuple[Player, ...]) -> tuple[tuple[str, str, str], ...]:
    """Returns the settings by which accounts belong together; one alone needs none."""
    together = "\n".join(accounts) if len(accounts) > 1 else ""
    return tuple((key, "accounts", together) for key in accounts)


def _draw_code(secret: bytes) -> str:
    number = int.from_bytes(secret, "big")
    letters = []
    for _ in range(CODE_LENGTH):
        number, letter = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[letter])
    return "".join(letters)


def _code_key(code: str) -> str:
    """Returns what a code is stored under: its hash, so that a copy of the database gives away no code in use."""
    return "code:" + hashlib.sha256(code.upper().encode()).hexdigest()


def _platform(person: Person) -> str:
    return PLATFORMS.get(person.platform, person.platform)


# --- token ------------------------------------------------------------------------------------------------
async def token(repository: Repository, context: Context) -> Effect:
    """Names the author's token, or lists those won and lost."""
    message, name = context.message, " ".join(context.parsed.words)
    if not name:
        return await _tokens(repository, context)
    if len(name) > LONGEST_TOKEN or not name.isprintable():
        return whisper(
            message,
            plural(
                "A token's name has at most {count} plain character: `{example}`.",
                "A token's name has at most {count} plain characters: `{example}`.",
                LONGEST_TOKEN,
                example=BY_NAME["token"].example,
            ),
        )
    effect = whisper(
        message,
        Text(
            "You stake **{token}** when a match is played for keeps: `challenge @name veney formality=formal`.",
            token=name,
        ),
    )
    return replace(effect, settings=((context.accounts[0], "token", name),))


async def _tokens(repository: Repository, context: Context) -> Effect:
    """Returns the list of tokens won and lost, from the matches themselves."""
    accounts = context.accounts
    current = await repository.setting(accounts[0], "token")
    lines: list[tuple[Text, ...]] = [
        (Text("You stake **{token}**.", token=current),)
        if current
        else (Text("You have no token to stake."), Text("Name one: `{example}`.", example=BY_NAME["token"].example))
    ]
    for summary in await repository.matches_of(accounts, "over"):
        match = await repository.match(summary.match)
        for giver, taker, name in token_transfers(match) if match else ():
            template = WENT if giver in accounts else CAME
            player = await repository.person(taker if giver in accounts else giver)
            line = Text(template.template, match=summary.match, token=name, player=player)
            lines.append((line,))
    return whisper_lines(context.message, tuple(lines))


WENT = Text("Match {match}: **{token}** went to {player}.")
CAME = Text("Match {match}: **{token}** came from {player}.")


# --- theme and language -----------------------------------------------------------------------------------
async def theme(repository: Repository, context: Context) -> Effect:
    """Chooses the colours of boards, for the author or, by a host, for the channel."""
    message, words = context.message, context.parsed.words
    name = words[0].lower() if words else ""
    if name in THEMES and "here" in words:
        return await set_theme(repository, message, name) if message.host else hosts_only(message)
    if name not in THEMES:
        return whisper(message, unknown_theme(), Text("For example: `theme dark`."))
    effect = whisper(message, Text("Boards drawn for you have the theme `{theme}` from now on.", theme=name))
    return replace(effect, settings=((context.accounts[0], "theme", name),))


async def language(repository: Repository, context: Context) -> Effect:
    """Shows or chooses the language in which the author is answered."""
    message, owner, wanted = context.message, context.accounts[0], context.parsed.rest
    example = BY_NAME["language"].example
    if not wanted:
        spoken = (await reader_language(repository, context)).code
        current = Text("Riposte answers you in {language}.", language=language_name(spoken))
        return whisper(message, current, known_languages(), Text("For example: `{example}`.", example=example))
    if wanted.lower() == DEFAULT:
        effect = whisper(message, Text("Riposte answers you in the language of your app, or of the room, from now on."))
        return replace(effect, settings=((owner, "language", ""),))
    code = find_language(wanted)
    if code is None:
        return whisper(message, *unknown_language(wanted), Text("For example: `{example}`.", example=example))
    effect = whisper(message, Text("Riposte answers you in {language} from now on.", language=language_name(code)))
    (told,) = effect.drafts
    return replace(effect, drafts=(replace(told, language=code),), settings=((owner, "language", code),))
