"""What the slots of a form can hold, by the kind of slot."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from bot.commands.club.tournaments import HERE
from bot.commands.people.secrecy import is_hidden
from bot.commands.spec import COMMANDS
from bot.commands.spec.parts import Kind, Slot
from bot.commands.suggestions.words import MOST, begun, condensed, nameable, tenable, terms, values
from bot.messages.catalogue import Language
from bot.messages.model import Person, Place
from bot.messages.serialization import channel_address
from bot.readers import person_language
from bot.repository import Repository
from engine.games import GAMES
from engine.match.commands import Player
from engine.match.state import Match
from engine.text import Listing, Term, Text
from storage.store import Summary

Choice = tuple[str, str]
"""What a slot can hold, and its label."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A form that somebody is filling in."""

    repository: Repository
    who: Person
    accounts: tuple[Player, ...]
    where: Place
    slot: Slot
    filled: Mapping[str, str]

    @property
    def typed(self) -> str:
        """What the slot holds so far."""
        return self.filled.get(self.slot.name, "")

    @property
    def start(self) -> str:
        """The same, as it is compared."""
        return self.typed.strip().lower()

    async def match(self) -> Match | None:
        """The match that the form names or whose thread this is, unless it is hidden here."""
        number = self.filled.get("match") or self.where.thread
        match = await self.repository.match(number) if number.isdigit() else None
        return None if await is_hidden(self.repository, match, self.accounts, self.where) else match

    async def language(self) -> Language:
        """The language of whoever fills it in."""
        room = channel_address(self.where)
        server = await self.repository.setting(room, "server")
        return await person_language(self.repository, self.who.key, server or room)


async def fill(
    repository: Repository, who: Person, where: Place, slot: Slot, filled: Mapping[str, str]
) -> list[Choice]:
    """Returns what a slot of a form can hold that begins as it does so far."""
    form = _Form(repository, who, await repository.accounts(who.key), where, slot, filled)
    return (await CHOICES.get(slot.kind, _words)(form))[:MOST]


# --- by the kind of slot ----------------------------------------------------------------------------------
async def _matches(form: _Form) -> list[Choice]:
    spoken, own = await form.language(), {*form.accounts}
    found = await form.repository.matches_of(form.accounts)
    likely = sorted(found, key=lambda match: (match.status == "over", not own & {*match.to_act}))
    shown = [(match.match, spoken.say(await _label(form, match))) for match in likely if match.status != "declined"]
    return _holding(shown, form.start)


async def _tournaments(form: _Form) -> list[Choice]:
    """The latest tournaments of a server or room."""
    repository, here = form.repository, channel_address(form.where)
    numbers = (await repository.setting(await repository.setting(here, "server") or here, HERE)).split()[-MOST:]
    found = [await repository.tournament(f"t{number}") for number in reversed(numbers)]
    return _holding([(of.number, f"{of.number} {of.name}") for of in found if of is not None], form.start)


async def _subjects(form: _Form) -> list[Choice]:
    """Games, and commands where the slot takes them."""
    spoken = await form.language()
    words = {key: _explained(spoken, game.name, game.gist) for key, game in GAMES.items()}
    if form.slot.kind == "command":
        words = {command.name: _explained(spoken, command.name, command.gist) for command in COMMANDS} | words
    return sorted(_holding(words.items(), form.start), key=lambda hit: not hit[0].startswith(form.start))


async def _settings(form: _Form) -> list[Choice]:
    return _plain(values(form.filled.get("what", ""), form.typed))


async def _terms(form: _Form) -> list[Choice]:
    game = GAMES.get(form.filled.get("game", ""))
    if game is None:
        match = await form.match()
        game = match.game if match else None
    return _plain(terms(game, form.typed)) if game else []


async def _turns(form: _Form) -> list[Choice]:
    match = await form.match()
    if match is None or match.status != "running":
        return []
    if pieces := _pieces(match, form.accounts, form.typed):
        spoken = await form.language()
        return [(text, spoken.say(label)) for text, label in pieces.items()]
    return _plain(_places(match, form.typed) if match.calling else tenable(match, form.accounts, form.start))


async def _reasons(form: _Form) -> list[Choice]:
    """What a call can name, or which turn a late one; what leads to several ends in "…"."""
    match = await form.match()
    groups = nameable("call" if form.slot.kind == "reason" else "late", match, form.accounts)
    whole = {word for group in groups for word in group if len(begun(group, word)) == 1}
    return [(text, text if text in whole else f"{text} …") for text in condensed(groups, form.start, MOST)]


async def _words(form: _Form) -> list[Choice]:
    return _plain([word for word in form.slot.words if word.startswith(form.start)])


CHOICES: Mapping[Kind, Callable[[_Form], Awaitable[list[Choice]]]] = {
    "match": _matches,
    "tournament": _tournaments,
    "game": _subjects,
    "command": _subjects,
    "setting": _settings,
    "terms": _terms,
    "turn": _turns,
    "reason": _reasons,
    "number": _reasons,
}
"""Any other slot holds one of its own words."""


def _plain(texts: list[str]) -> list[Choice]:
    return [(text, text) for text in texts]


def _holding(choices: Iterable[Choice], start: str) -> list[Choice]:
    """Those whose label holds what was typed."""
    return [(value, label) for value, label in choices if start in label.lower()]


# --- labels -----------------------------------------------------------------------------------------------
NOBODY_YET = Term("nobody yet")

LABELS = {
    "your turn": Text("{match} {game} against {players} (your turn)"),
    "running": Text("{match} {game} against {players}"),
    "open": Text("{match} {game} against {players} (not begun)"),
    "over": Text("{match} {game} against {players} (over)"),
}
"""By the status of a match, or because it is one's turn there."""


async def _label(form: _Form, match: Summary) -> Text:
    """Returns a match in a line of a list to choose from."""
    others = [(await form.repository.person(player)).name for player in match.players if player not in form.accounts]
    state = "your turn" if match.status == "running" and {*form.accounts} & {*match.to_act} else match.status
    return Text(
        LABELS[state].template,
        match=match.match,
        game=GAMES[match.game].name if match.game in GAMES else match.game,
        players=Listing(tuple(others), "unit") if others else NOBODY_YET,
    )


def _explained(spoken: Language, name: str, gist: Text) -> str:
    return " ".join(spoken.say(text) for text in (Text("{name}:", name=name), gist))


# --- a turn, piece by piece -------------------------------------------------------------------------------
def _pieces(match: Match, accounts: tuple[Player, ...], typed: str) -> dict[str, Text]:
    """Returns how a turn can go on: own pieces first, then places and choices, each with its label.

    Where untenable turns stand, whatever can be described; where they are refused, what leads to a tenable one.
    """
    game, position = match.game, match.position
    side = game.to_act(position)
    if game.asks(position) or match.seats[side] not in accounts:
        return {}
    ways = None if match.calling else game.ways(position)
    drawn = game.draw(position, side)
    names = {one.site: one.name for one in drawn.figures if not one.ghost and one.kind not in drawn.signs}
    going_on = islice(game.going_on(position, typed.strip(), ways), MOST)
    return {
        text: Text("{turn}: {piece}", turn=text, piece=names[pick]) if pick in names else Text("{turn}", turn=text)
        for text, pick in going_on
    }


def _places(match: Match, typed: str) -> list[str]:
    """Returns what was typed with the name of a place completed: any place of the board, whatever stands there."""
    names = [name for name in match.game.board(match.position).outlines if name.isalnum()]
    longest = min(len(typed), max(map(len, names)))
    for stem, letters in (
        (typed[: len(typed) - size], typed[len(typed) - size :].lower()) for size in range(longest, 0, -1)
    ):
        hits = [stem + name for name in names if name.lower().startswith(letters)]
        if hits:
            return hits
    return [typed + name for name in names]
