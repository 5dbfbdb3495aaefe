"""Terms kept under a name, by a person or for a server or room: `preset`, and `preset=NAME` in a challenge."""

import re
from dataclasses import replace

from bot.commands.context import Context, Effect, community_address, hosts_only, whisper, whisper_lines
from bot.commands.parser import read_proposal
from bot.commands.spec import BY_NAME
from bot.repository import Repository
from engine.games import GAMES
from engine.match.events import Refusal
from engine.match.terms import sheet
from engine.text import Code, Listing, Text, plural

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,19}")
MOST_PRESETS = 20
"""Presets of one person, server or room."""
LONGEST_PRESET = 300
SETTING = "presets"
"""The setting that holds them: a line each, the name first."""
HERE = "here"


async def preset(repository: Repository, context: Context) -> Effect:
    """Lists, saves or forgets presets."""
    message, words = context.message, list(context.parsed.words)
    if not words:
        return await _listed(repository, context)
    here = words[-1].lower() == HERE and len(words) > 2
    what, name = words[0].lower(), words[1].lower() if len(words) > 1 else ""
    if here and not message.host:
        return hosts_only(message)
    owner = community_address(message) if here else context.accounts[0]
    known = await _presets(repository, owner)
    if what not in ("save", "forget"):
        usage = Text("`preset` keeps terms under a name: `{example}`.", example=BY_NAME["preset"].example)
        return whisper(message, usage)
    if what == "forget":
        if name not in known:
            return whisper(message, *_sentences(_unknown(name, known)))
        kept = {one: terms for one, terms in known.items() if one != name}
        return _stored(whisper(message, Text("`{name}` is forgotten.", name=name)), owner, kept)
    line = " ".join(context.parsed.rest.split()[2 : -1 if here else None])
    if problem := _problem(name, line):
        return whisper(message, *_sentences(problem))
    if name not in known and len(known) >= MOST_PRESETS:
        return whisper(
            message,
            plural("{count} preset is kept already.", "{count} presets are kept already.", MOST_PRESETS),
            Text("`preset forget {name}` makes room.", name=next(iter(known))),
        )
    saved = Text("`{name}` stands for `{terms}` from now on.", name=name, terms=line)
    use = Text("`challenge tokonoma preset={name}` uses it.", name=name)
    return _stored(whisper(message, saved, use), owner, known | {name: line})


async def take_preset(
    repository: Repository, context: Context, given: dict[str, str]
) -> tuple[dict[str, str] | Refusal, dict[str, str]]:
    """Returns the terms that `preset=NAME` stands for, one's own before the room's, and the other terms given."""
    terms = {key: value for key, value in given.items() if key != "preset"}
    if "preset" not in given:
        return {}, terms
    name = given["preset"].lower()
    rooms = await _presets(repository, community_address(context.message))
    known = rooms | await _presets(repository, context.accounts[0])
    if name not in known:
        return _unknown(name, known), terms
    return read_proposal(known[name], ()).terms, terms


def _problem(name: str, line: str) -> Refusal | None:
    """Why these terms cannot be kept under this name."""
    example = Text("For example: `{example}`.", example=BY_NAME["preset"].example)
    if not NAME.fullmatch(name):
        return Refusal(Text("A preset's name is made of letters and digits, at most 20 of them."), example)
    proposal = read_proposal(line, ())
    if proposal.stray or proposal.names or not proposal.terms or len(line) > LONGEST_PRESET:
        return Refusal(Text("A preset is made of terms, each with its value."), example)
    known = {word for game in GAMES.values() for option in sheet(game) for word in (option.key, *option.aliases)}
    strange = next((word for word in proposal.terms if word not in known), None)
    if strange is not None:
        return Refusal(Text("No game has a term called `{word}`.", word=strange[:40]), example)
    return None


def _unknown(name: str, known: dict[str, str]) -> Refusal:
    """Why a name leads to no preset, with those that do."""
    because = Text("There is no preset called `{name}`.", name=name[:40])
    if not known:
        return Refusal(because, Text("Keep one: `{example}`.", example=BY_NAME["preset"].example))
    return Refusal(because, Text("There are {names}.", names=Listing(tuple(Code(one) for one in known), "and")))


async def _listed(repository: Repository, context: Context) -> Effect:
    """Returns the author's presets and those of the place, a line each."""
    own = await _presets(repository, context.accounts[0])
    rooms = await _presets(repository, community_address(context.message))
    lines = [(Text("`{name}` `{terms}`", name=name, terms=terms),) for name, terms in own.items()]
    others = {name: terms for name, terms in rooms.items() if name not in own}
    lines += [(Text("`{name}` `{terms}` (for everybody here)", name=name, terms=others[name]),) for name in others]
    title = Text("**Presets**") if lines else Text("No presets yet.")
    use = Text("`challenge tokonoma preset={name}` uses one.", name=next(iter(own or rooms), "slow"))
    keep = Text("`{example}` keeps one.", example=BY_NAME["preset"].example)
    return whisper_lines(context.message, ((title,), *lines, (use, keep) if lines else (keep,)))


async def _presets(repository: Repository, owner: str) -> dict[str, str]:
    stored = (await repository.setting(owner, SETTING)).splitlines()
    return {name: terms for name, _, terms in (line.partition(" ") for line in stored)}


def _stored(effect: Effect, owner: str, presets: dict[str, str]) -> Effect:
    lines = "\n".join(f"{name} {terms}" for name, terms in presets.items())
    return replace(effect, settings=((owner, SETTING, lines),))


def _sentences(refusal: Refusal) -> tuple[Text, ...]:
    return (refusal.because, refusal.remedy) if refusal.remedy else (refusal.because,)
