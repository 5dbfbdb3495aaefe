"""The customs of a server or a room: what its hosts may settle there, and what follows from it for challenges."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from bot.commands.context import Context, Effect, whisper
from bot.commands.spec import BY_NAME, SETTLED, read_proposal
from bot.messages.model import IncomingMessage, Place, Span, Strong
from bot.messages.sentences import joined, sentence, spelled
from bot.messages.serialization import channel_address, lane, read_address
from bot.repository import Repository
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.match.terms import settled, sheet
from engine.text import Code
from render.theme import THEMES

LANGUAGES = {"english": "English"}
"""What Riposte speaks."""

USUAL = "usual"
"""How one says that something is to be as it is where nothing was settled."""

VALUES: Mapping[str, tuple[str, ...]] = {
    "channels": ("here", "everywhere"),
    "terms": (USUAL, *GAMES),
    "theme": tuple(THEMES),
    "language": tuple(LANGUAGES),
    "prefix": (USUAL,),
}
"""Words with which a setting's value can begin; terms go on with a =."""

HOSTS = {"discord": "those who may manage this server", "matrix": "those with power level 50 or more in this room"}
"""Who may settle things, where the platform knows such people."""

PREFIX = re.compile(r"[^\s\w/`][^\s`]{0,15}")
"""What may begin a command in a Matrix room: a word of everyday talk may not, and `/` is for the people's clients."""

Custom: TypeAlias = Callable[[Repository, IncomingMessage, str], Awaitable[Effect]]


async def settings(desk: Repository, context: Context) -> Effect:
    """`settings` shows what is settled here; a host settles more."""
    heard = context.heard
    name, _, value = context.said.rest.partition(" ")
    if not name:
        return whisper(heard, *await _told(desk, heard))
    change = CUSTOMS.get(name.lower())
    if change is None:
        return whisper(heard, "There is no setting ", Code(name[:40]), f". There are {', '.join(CUSTOMS)}: ",
                       Code(BY_NAME["settings"].example), ".")  # fmt: skip
    if not value.strip():
        return whisper(heard, *await _told(desk, heard, name.lower()))
    if not heard.host:
        return forbidden(heard)
    return await change(desk, heard, value.strip())


def forbidden(heard: IncomingMessage) -> Effect:
    """What somebody hears who may not settle things here."""
    who = HOSTS.get(heard.where.platform, "the hosts of this place")
    return whisper(heard, f"That is for {who} to settle. Ask one of them; ", Code("settings"),
                   " shows how things are now.")  # fmt: skip


async def elsewhere(desk: Repository, heard: IncomingMessage) -> Effect | None:
    """A private answer that names the channels for challenges, if where somebody is is none of them."""
    allowed = await _channels(desk, heard)
    if not allowed or channel_address(heard.where) in allowed:
        return None
    return whisper(heard, "On this server, matches belong in ", *_either(allowed), ". Say it there.")


async def usual_terms(desk: Repository, heard: IncomingMessage, game: AnyGame) -> dict[str, str]:
    """The terms of a challenge made here that does not name them."""
    terms: dict[str, str] = {}
    for key in ("terms", f"terms {game.key}"):
        terms |= read_proposal(await desk.setting(_owner(heard), key), ()).terms
    return {} if _refused(game, terms) else terms  # a game that has come since may not know them


async def _settle_channels(desk: Repository, heard: IncomingMessage, value: str) -> Effect:
    if not heard.server:
        return whisper(heard, "This is a room by itself: challenges are for here anyway. A server with several "
                       "channels can choose among them.")  # fmt: skip
    if value.lower() not in VALUES["channels"]:
        return whisper(heard, "Say ", Code("settings channels here"), " in each channel that challenges are for, or ",
                       Code("settings channels everywhere"), ".")  # fmt: skip
    if value.lower() == "everywhere":
        return _settled(heard, "channels", "", "Challenges are for every channel.")
    allowed = dict.fromkeys((*await _channels(desk, heard), channel_address(heard.where)))
    return _settled(heard, "channels", "\n".join(allowed), "Challenges are for ", *_either(tuple(allowed)),
                    " alone. ", Code("settings channels everywhere"), " lifts that.")  # fmt: skip


async def _settle_terms(desk: Repository, heard: IncomingMessage, value: str) -> Effect:
    asked = read_proposal(value, tuple(GAMES))
    game = GAMES.get(asked.game)
    whose = f"terms {asked.game}" if game else "terms"
    of = f"of {game.name} " if game else ""
    if asked.stray == (USUAL,) and not (asked.terms or asked.names):
        return _settled(heard, whose, "", f"Challenges {of}made here have the usual terms unless they name others.")
    if asked.stray or asked.names or not asked.terms:
        return whisper(heard, "Terms are written with a =: ", Code("settings terms time=5d"), ", for one game ",
                       Code("settings terms tokonoma umpire=turn"), ", and back again ",
                       Code(f"settings terms {USUAL}"), ".")  # fmt: skip
    games = (game,) if game else tuple(GAMES.values())
    refusals = [(one, refusal) for one in games if (refusal := _refused(one, asked.terms))]
    if refusals:
        one, refusal = refusals[0]
        words: tuple[Span, ...] = (*spelled(sentence(refusal.because)), " ", *spelled(sentence(refusal.remedy)))
        if len(refusals) < len(games):
            words = (f"Not every game can have that. {one.name}: ", *words, " For one game alone, name it: ",
                     Code("settings terms tokonoma umpire=turn"), ".")  # fmt: skip
        return whisper(heard, *words)
    names = {name: o.key for one in GAMES.values() for o in sheet(one) for name in (o.key, *o.aliases)}
    terms = " ".join(_spelled(names[name.lower()], value) for name, value in asked.terms.items())
    return _settled(heard, whose, terms, f"Challenges {of}made here have these terms unless they name others: ",
                    Code(terms), ".")  # fmt: skip


async def _settle_theme(_desk: Repository, heard: IncomingMessage, value: str) -> Effect:
    theme = value.lower()
    if theme not in THEMES:
        return whisper(
            heard, f"There are the themes {', '.join(THEMES)}. For example: ", Code("settings theme dark"), "."
        )
    done = whisper(heard, f"Boards drawn for this channel are {theme} from now on.")
    return replace(done, settings=((channel_address(heard.where), "theme", theme),))


async def _settle_language(_desk: Repository, heard: IncomingMessage, value: str) -> Effect:
    language = LANGUAGES.get(value.lower())
    if language is None:
        return whisper(heard, f"Riposte speaks {', '.join(LANGUAGES.values())} and no other language so far: ",
                       Code(f"settings language {next(iter(LANGUAGES))}"), ".")  # fmt: skip
    return _settled(heard, "language", value.lower(), f"Riposte speaks {language} here.")


async def _settle_prefix(_desk: Repository, heard: IncomingMessage, value: str) -> Effect:
    if heard.where.platform != "matrix":
        return whisper(heard, "Only in a Matrix room do commands begin with a word of their own.")
    if value.lower() == USUAL:
        done = whisper(heard, "Commands begin as usual here.")
        return replace(done, settings=((channel_address(heard.where), "prefix", ""),))
    if not PREFIX.fullmatch(value):
        return whisper(heard, "A prefix is one short word that begins with a sign, but not with /: ",
                       Code("settings prefix !r"), ".")  # fmt: skip
    done = whisper(heard, "Commands begin with ", Code(value), " here: ", Code(f"{value} help"), ".")
    return replace(done, settings=((channel_address(heard.where), "prefix", value),))


CUSTOMS: dict[str, Custom] = {
    "channels": _settle_channels,
    "terms": _settle_terms,
    "theme": _settle_theme,
    "language": _settle_language,
    "prefix": _settle_prefix,
}
assert tuple(CUSTOMS) == SETTLED, "the grammar offers what can be settled"


async def _told(desk: Repository, heard: IncomingMessage, only: str = "") -> tuple[Span, ...]:
    """What is settled here, a line each."""
    owner, home = _owner(heard), channel_address(heard.where)
    allowed = await _channels(desk, heard)
    terms: list[tuple[Span, ...]] = []
    for key, name in (("terms", ""), *((f"terms {key}", f"{game.name} ") for key, game in GAMES.items())):
        if known := await desk.setting(owner, key):
            terms.append((name, Code(known)))
    lines: dict[str, tuple[Span, ...]] = {
        "channels": _either(allowed) if allowed else ("everywhere",),
        "terms": joined(terms, ", ") if terms else (USUAL,),
        "theme": (await desk.setting(home, "theme") or "light",),
        "language": (LANGUAGES[await desk.setting(owner, "language") or "english"],),
    }
    if heard.where.platform == "matrix":
        prefix = await desk.setting(home, "prefix")
        lines["prefix"] = (Code(prefix) if prefix else USUAL,)
    told: list[Span] = [Strong("How Riposte behaves here")]
    for key, words in lines.items():
        if only in ("", key):
            told += ["\n", Code(key), " ", *words]
    return (*told, "\nFor example: ", Code(BY_NAME["settings"].example), ".")


async def _channels(desk: Repository, heard: IncomingMessage) -> tuple[str, ...]:
    """The lanes of the channels that challenges are for; none = all."""
    return tuple((await desk.setting(_owner(heard), "channels")).splitlines()) if heard.server else ()


def _refused(game: AnyGame, terms: Mapping[str, str]) -> NotationError | None:
    """Why a match of a game cannot have these terms."""
    try:
        settled(game, terms)
    except NotationError as error:
        return error
    return None


def _either(lanes: tuple[str, ...]) -> tuple[Span, ...]:
    return joined([(read_address(one),) for one in lanes], ", ")


def _settled(heard: IncomingMessage, key: str, value: str, *words: Span) -> Effect:
    return replace(whisper(heard, *words), settings=((_owner(heard), key, value),))


def _owner(heard: IncomingMessage) -> str:
    """Whose customs hold here: the server's, or those of a room that belongs to none."""
    return lane(Place(heard.where.platform, "", heard.server)) if heard.server else channel_address(heard.where)


def _spelled(name: str, value: str) -> str:
    return f'{name}="{value}"' if " " in value or not value else f"{name}={value}"
