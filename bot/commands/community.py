"""The settings of a server or room, which its hosts may change: where challenges are made, on which terms, and more."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

from bot.commands.context import (
    Context,
    Effect,
    community_address,
    hosts_only,
    reply,
    reply_lines,
)
from bot.commands.learning.puzzles.daily import DAILY, HERE, OFF, set_daily
from bot.commands.parser import read_proposal
from bot.commands.people import limits
from bot.commands.spec import BY_NAME
from bot.commands.spec.parts import DEFAULT, SETTINGS
from bot.messages.catalogue import languages
from bot.messages.model import IncomingMessage
from bot.messages.serialization import channel_address, read_address
from bot.readers import room_language
from bot.repository import Repository
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.match.terms import settled, sheet
from engine.text import Code, Listing, Phrase, Text, Value, sentences
from render.theme import THEMES

VALUES: Mapping[str, tuple[str, ...]] = {
    "channels": ("here", "everywhere"),
    "terms": (DEFAULT, *GAMES),
    "theme": (DEFAULT, *THEMES),
    "language": (DEFAULT, *languages()),
    "prefix": (DEFAULT,),
    "pictures": ("apart", "caption"),
    **limits.VALUES,
    "daily": (HERE, OFF),
}
"""Words with which a setting's value can begin; terms go on with a =."""

EVERYBODY = ("pictures",)
"""The settings that anybody in a room may change: whose client shows no captions need not be its host."""

EXAMPLES: Mapping[str, str] = {
    "channels": "settings channels here",
    "terms": "settings terms time=5d",
    "theme": "settings theme dark",
    "language": "settings language en",
    "prefix": "settings prefix !r",
    "pictures": "settings pictures caption",
    "daily": "settings daily here",
    **limits.EXAMPLES,
}
"""How each setting is changed."""
NOT_HERE: Mapping[str, Text] = {
    "prefix": Text("Only commands in Matrix rooms have a prefix."),
    "pictures": Text("Only Matrix rooms choose where the words of a picture stand."),
}
"""The answer to a setting of Matrix rooms, elsewhere."""

PREFIX = re.compile(r"[^\s\w/`][^\s`]{0,15}")
"""What may begin a command in a Matrix room: no everyday word, and no `/`, which is for people's clients."""

Setter: TypeAlias = Callable[[Repository, IncomingMessage, str], Awaitable[Effect]]


async def settings(repository: Repository, context: Context) -> Effect:
    """Shows the settings here, or changes one."""
    message = context.message
    name, _, value = context.parsed.rest.partition(" ")
    if not name:
        return await _show(repository, message)
    change = SETTERS.get(name.lower())
    if change is None:
        return reply(
            message,
            Text("There is no setting `{name}`.", name=name[:40]),
            Text(
                "The settings are {names}: `{example}`.",
                names=_codes(SETTERS),
                example=BY_NAME["settings"].example,
            ),
        )
    if not value.strip():
        return await _show(repository, message, name.lower())
    if not message.host and name.lower() not in EVERYBODY:
        return hosts_only(message)
    return await change(repository, message, value.strip())


# --- what follows for challenges --------------------------------------------------------------------------
async def wrong_channel(repository: Repository, message: IncomingMessage) -> Effect | None:
    """Returns the answer that names the channels for challenges, if this is none of them."""
    if not message.where.channel:
        return reply(message, Text("A match needs a place that others can read."), Text("Say it in a channel or room."))
    allowed = await _channels(repository, message)
    if not allowed or channel_address(message.where) in allowed:
        return None
    return reply(
        message,
        Text("On this server, matches belong in {channels}.", channels=_places(allowed, "or")),
        Text("Say it there."),
    )


async def default_terms(repository: Repository, message: IncomingMessage, game: AnyGame) -> dict[str, str]:
    """Returns the terms of a challenge made here that does not name them."""
    owner = community_address(message)
    terms: dict[str, str] = {}
    for key in ("terms", f"terms {game.key}"):
        terms |= read_proposal(await repository.setting(owner, key), ()).terms
    return {} if _objection(game, terms) else terms  # a game that has come since may not know them


# --- languages and themes ---------------------------------------------------------------------------------
def find_language(word: str) -> str | None:
    """Returns the code of a language, given by code or by its own name."""
    names = {name.lower(): code for code in languages() for name in (code, language_name(code))}
    return names.get(word.strip().lower())


def language_name(code: str) -> str:
    """Returns what a language calls itself: `de` is Deutsch."""
    from babel import Locale, UnknownLocaleError

    try:
        name = Locale.parse(code).display_name or code
    except (UnknownLocaleError, ValueError):
        return code
    return name[:1].upper() + name[1:]


def known_languages() -> Text:
    """Returns which languages there are."""
    known = [Phrase("{language} (`{code}`)", language=language_name(code), code=code) for code in languages()]
    return Text("Riposte speaks {languages}.", languages=Listing(tuple(known)))


def unknown_language(word: str) -> tuple[Text, ...]:
    """Returns the answer to a language that Riposte does not speak."""
    return Text("Riposte does not speak `{word}`.", word=word[:40]), known_languages()


def unknown_theme() -> Text:
    """Returns which themes there are."""
    return Text("The themes are {themes}.", themes=_codes(THEMES))


# --- one setting each -------------------------------------------------------------------------------------
async def _set_channels(repository: Repository, message: IncomingMessage, value: str) -> Effect:
    if not message.server:
        return reply(
            message,
            Text("This is a room by itself, so challenges are made here anyway."),
            Text("A server with several channels can choose among them."),
        )
    if value.lower() not in VALUES["channels"]:
        return reply(
            message,
            Text("Say `settings channels here` in each channel that is for challenges."),
            Text("`settings channels everywhere` allows them in every channel."),
        )
    if value.lower() == "everywhere":
        return _changed(message, "channels", "", Text("Challenges may be made in every channel."))
    allowed = tuple(dict.fromkeys((*await _channels(repository, message), channel_address(message.where))))
    return _changed(
        message,
        "channels",
        "\n".join(allowed),
        Text("Challenges may be made only in {channels}.", channels=_places(allowed, "or")),
        Text("`settings channels everywhere` lifts that."),
    )


async def _set_terms(_repository: Repository, message: IncomingMessage, value: str) -> Effect:
    proposal = read_proposal(value, tuple(GAMES))
    game = GAMES.get(proposal.game)
    key = f"terms {proposal.game}" if game else "terms"
    if proposal.stray == (DEFAULT,) and not (proposal.terms or proposal.names):
        if game:
            restored = Text("{game} challenges made here have the usual terms unless they name others.", game=game.name)
            return _changed(message, key, "", restored)
        effect = reply(message, Text("Challenges made here have the usual terms unless they name others."))
        owner, keys = community_address(message), ("terms", *(f"terms {other}" for other in GAMES))
        return replace(effect, settings=tuple((owner, key, "") for key in keys))
    if proposal.stray or proposal.names or not proposal.terms:
        return reply(
            message,
            Text("Write terms like this: `{example}`.", example=EXAMPLES["terms"]),
            FOR_ONE_GAME,
            Text("`settings terms usual` restores the defaults."),
        )
    games = (game,) if game else tuple(GAMES.values())
    objections = [(one, objection) for one in games if (objection := _objection(one, proposal.terms))]
    if objections:
        one, objection = objections[0]
        facts = tuple(sentences((objection.because, objection.remedy)))
        if len(objections) == len(games):
            return reply(message, *facts)
        return reply(message, Text("These terms are not possible in {game}.", game=one.name), *facts, FOR_ONE_GAME)
    names = {
        name: option.key for one in GAMES.values() for option in sheet(one) for name in (option.key, *option.aliases)
    }
    terms = " ".join(_written(names[name.lower()], value) for name, value in proposal.terms.items())
    changed = (
        Text(
            "{game} challenges made here have these terms unless they name others: `{terms}`.",
            game=game.name,
            terms=terms,
        )
        if game
        else Text("Challenges made here have these terms unless they name others: `{terms}`.", terms=terms)
    )
    return _changed(message, key, terms, changed)


FOR_ONE_GAME = Text("For one game: `settings terms tokonoma umpire=turn`.")


async def set_theme(_repository: Repository, message: IncomingMessage, value: str) -> Effect:
    """Sets the theme of boards drawn for a channel."""
    theme = value.lower()
    if theme == DEFAULT:
        effect = reply(message, Text("Boards drawn for this channel have the usual theme again."))
        return replace(effect, settings=((channel_address(message.where), "theme", ""),))
    if theme not in THEMES:
        return reply(message, unknown_theme(), _example("theme"))
    effect = reply(message, Text("Boards drawn for this channel have the theme `{theme}` from now on.", theme=theme))
    return replace(effect, settings=((channel_address(message.where), "theme", theme),))


async def _set_language(_repository: Repository, message: IncomingMessage, value: str) -> Effect:
    if value.lower() == DEFAULT:
        return _changed(message, "language", "", Text("Riposte speaks its usual language here."))
    code = find_language(value)
    if code is None:
        return reply(message, *unknown_language(value), _example("language"))
    return _changed(message, "language", code, Text("Riposte speaks {language} here.", language=language_name(code)))


async def _set_prefix(_repository: Repository, message: IncomingMessage, value: str) -> Effect:
    if message.where.platform != "matrix":
        return reply(message, NOT_HERE["prefix"])
    owner = channel_address(message.where)
    if value.lower() == DEFAULT:
        effect = reply(message, Text("Commands have the usual prefix here."))
        return replace(effect, settings=((owner, "prefix", ""),))
    if not PREFIX.fullmatch(value):
        return reply(
            message,
            Text("A prefix is one short word that begins with a sign other than `/`: `settings prefix !r`."),
        )
    effect = reply(message, Text("Commands begin with `{prefix}` here: `{prefix} help`.", prefix=value))
    return replace(effect, settings=((owner, "prefix", value),))


async def _set_pictures(_repository: Repository, message: IncomingMessage, value: str) -> Effect:
    if message.where.platform != "matrix":
        return reply(message, NOT_HERE["pictures"])
    if value.lower() not in VALUES["pictures"]:
        return reply(
            message,
            Text("`settings pictures apart`: words are a message of their own, in front of their picture."),
            Text("`settings pictures caption`: they are its caption."),
        )
    owner, told = channel_address(message.where), PICTURES[value.lower()]
    return replace(reply(message, told), settings=((owner, "pictures", value.lower()),))


PICTURES: Mapping[str, Text] = {
    "apart": Text("A picture's words are a message of their own here, in front of it."),
    "caption": Text("A picture's words are its caption here; clients that show no captions show the picture alone."),
}

SETTERS: Mapping[str, Setter] = {
    "channels": _set_channels,
    "terms": _set_terms,
    "theme": set_theme,
    "language": _set_language,
    "prefix": _set_prefix,
    "pictures": _set_pictures,
    **limits.SETTERS,
    "daily": set_daily,
}
assert tuple(SETTERS) == SETTINGS, "every setting in the table of commands can be set"


# --- showing them -----------------------------------------------------------------------------------------
async def _show(repository: Repository, message: IncomingMessage, only: str = "") -> Effect:
    """Returns the settings here, a line each."""
    shown: dict[str, Text] = {
        "channels": await _shown_channels(repository, message),
        "terms": await _shown_terms(repository, message),
        "theme": Text(
            "`theme` {theme}", theme=await repository.setting(channel_address(message.where), "theme") or "light"
        ),
        "language": Text(
            "`language` {language}",
            language=language_name((await room_language(repository, community_address(message))).code),
        ),
    }
    if message.where.platform == "matrix":
        pictures = await repository.setting(channel_address(message.where), "pictures") or "apart"
        shown |= {
            "prefix": await _shown_prefix(repository, message),
            "pictures": Text("`pictures` {pictures}", pictures=pictures),
        }
    elif only in NOT_HERE:
        return reply(message, NOT_HERE[only])
    shown |= await limits.shown(repository, message)
    daily = await repository.setting(channel_address(message.where), DAILY)
    shown["daily"] = Text("`daily` here") if daily else Text("`daily` off")
    title = Text("**How Riposte behaves here**")
    lines = [(text,) for name, text in shown.items() if only in ("", name)]
    return reply_lines(message, ((title,), *lines, (_example(only or "channels"),)))


def _example(setting: str) -> Text:
    return Text("For example: `{example}`.", example=EXAMPLES[setting])


async def _shown_channels(repository: Repository, message: IncomingMessage) -> Text:
    allowed = await _channels(repository, message)
    return (
        Text("`channels` {channels}", channels=_places(allowed, "unit")) if allowed else Text("`channels` everywhere")
    )


async def _shown_terms(repository: Repository, message: IncomingMessage) -> Text:
    owner = community_address(message)
    terms: list[Value] = []
    if known := await repository.setting(owner, "terms"):
        terms.append(Code(known))
    for key, game in GAMES.items():
        if known := await repository.setting(owner, f"terms {key}"):
            terms.append(Phrase("{game} `{terms}`", game=game.name, terms=known))
    return Text("`terms` {terms}", terms=Listing(tuple(terms), "unit")) if terms else Text("`terms` usual")


async def _shown_prefix(repository: Repository, message: IncomingMessage) -> Text:
    prefix = await repository.setting(channel_address(message.where), "prefix")
    return Text("`prefix` `{prefix}`", prefix=prefix) if prefix else Text("`prefix` usual")


def _changed(message: IncomingMessage, key: str, value: str, *texts: Text) -> Effect:
    """Returns the answer to a change of the server's or room's settings, and the change."""
    return replace(reply(message, *texts), settings=((community_address(message), key, value),))


async def _channels(repository: Repository, message: IncomingMessage) -> tuple[str, ...]:
    """Returns the addresses of the channels for challenges; none = all."""
    if not message.server:
        return ()
    return tuple((await repository.setting(community_address(message), "channels")).splitlines())


def _objection(game: AnyGame, terms: Mapping[str, str]) -> NotationError | None:
    """Returns why a match of a game cannot have these terms."""
    try:
        settled(game, terms)
    except NotationError as error:
        return error
    return None


def _places(addresses: tuple[str, ...], style: Literal["and", "or", "unit"]) -> Listing:
    return Listing(tuple(read_address(address) for address in addresses), style)


def _codes(words: Iterable[str]) -> Listing:
    return Listing(tuple(Code(word) for word in words))


def _written(name: str, value: str) -> str:
    return f'{name}="{value}"' if " " in value or not value else f"{name}={value}"
