"""A private board to try turns on: from any turn of a match that is over, or from a position; Riposte can be asked."""

import asyncio
import hashlib
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from bot.commands.context import Context, Effect, refused, whisper, whisper_lines
from bot.commands.learning.asides import AGAIN, ASK, BACK, HINT, STOP, aside
from bot.commands.learning.games import named_game
from bot.commands.learning.under_way import own_match_with, untold_verdicts
from bot.messages.model import Choice, Lines
from bot.messages.narrator import Draft
from bot.messages.showing.pictures import picture
from bot.repository import Repository
from engine.appraisal import Appraising
from engine.dice import Dice
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.match.events import Refusal
from engine.match.state import Match
from engine.reading.typed import understood
from engine.search.partner import earnest, think
from engine.search.values import DECIDED, Task
from engine.text import Code, Listing, Text, plural

OPEN, KEPT = "analysis", "analyses"
"""The settings that hold the board somebody has open, and the lines that they have kept."""
MOST_TURNS, MOST_KEPT, LONGEST_NOTE = 100, 20, 300
LEVEL = 4
"""At which level Riposte is asked."""
EVEN, MUCH = 60, 300
"""Points up to which nobody stands better; from which somebody stands much better."""
KEEP, LIST = "keep", "kept"

TRY, TAKE_BACK, ASK_RIPOSTE = Text("Try a turn"), Text("Take back"), Text("Ask Riposte")
BEFORE, AFTER = Text("A turn before"), Text("A turn after")
NONE_OPEN = Text("No board is open for you.")
HOW = Text("`analyse 12` opens one on a match that is over, `analyse tokonoma` on the start of a game.")
KEEP_HOW = Text("`analyse keep the Star first` keeps it as a note, `analyse stop` closes it.")
EVENLY = Text("Neither side stands better.")
BETTER = Text("{side} stands better.")
MUCH_BETTER = Text("{side} stands much better.")
SEES_A_WIN = Text("{side} wins, as far as Riposte sees.")


class Study(msgspec.Struct, frozen=True):
    """A private board as it is stored."""

    game: str
    root: str
    """The position that it began from."""
    turns: tuple[str, ...] = ()
    """What has been tried since."""
    match: str = ""
    """The match that it was opened on; "" = none."""
    ply: int = 0
    """After which turn of it."""
    plies: int = 0
    """How many turns it had then."""
    note: str = ""

    @property
    def rules(self) -> AnyGame:
        """Its game."""
        return GAMES[self.game]

    def positions(self) -> list[Any]:
        """The position at the beginning, and after each turn."""
        game = self.rules
        found = [game.decode(self.root)]
        for text in self.turns:
            found.append(game.play(found[-1], game.read(text, found[-1])))
        return found


@dataclass(frozen=True, slots=True)
class _Desk:
    """A board with what is known about it."""

    study: Study
    running: bool
    """Opened on a match that is still running, as its terms allow; Riposte's opinion is not given then."""
    judged: bool
    """Whether untenable turns are refused here; else they are made without comment."""


async def analyse(repository: Repository, context: Context) -> Effect:
    """Opens a private board, tries a turn there, takes back, asks Riposte, or keeps it as a note."""
    message, words = context.message, context.parsed.words
    here = message.where.thread
    study = _read(await repository.setting(context.accounts[0], OPEN))
    if not words and study is None and here:
        words = (here,)
    if words and words[0].isdigit() and words[0].isascii() and len(words[0]) < 10:
        return await _on_match(repository, context, words[0], words[1:])
    if words and (game := named_game(words[0])) is not None:
        return await _on_position(repository, context, game, context.parsed.rest.partition(" ")[2].strip(" `\"'"))
    if words and words[0].lower() == LIST:
        return await _list(repository, context, words[1:])
    if study is None:
        return whisper(message, NONE_OPEN, HOW)
    return await _at_work(repository, context, study, context.parsed.rest)


# --- opening ----------------------------------------------------------------------------------------------
async def _on_match(repository: Repository, context: Context, number: str, rest: tuple[str, ...]) -> Effect:
    message = context.message
    match = await repository.match(number)
    if match is None:
        return whisper(message, Text("There is no match {match}.", match=number), Text("`matches` lists yours."))
    if match.position is None:
        return whisper(message, Text("No turn was made in match {match}.", match=number), HOW)
    if match.status != "over" and not _agreed(match, context):
        return whisper(message, *_closed(match))
    course = [match.start, *(ply.after for ply in match.plies)]
    ply = int(rest[0]) if rest and rest[0].isdigit() and len(rest[0]) < 6 else len(course) - 1
    if not 0 <= ply < len(course):
        return whisper(
            message,
            plural(
                "Match {match} has {count} turn.", "Match {match} has {count} turns.", len(course) - 1, match=number
            ),
            Text("`analyse {match} 0` shows the start.", match=number),
        )
    root = match.game.encode(course[ply])
    return await _opened(
        repository, context, Study(match.game.key, root, match=match.id, ply=ply, plies=len(course) - 1)
    )


async def _on_position(repository: Repository, context: Context, game: AnyGame, text: str) -> Effect:
    try:
        position = game.decode(text) if text else game.setup({}, Dice(bytes(32)))
    except NotationError as error:
        return refused(replace(context, match=None), Refusal(error.because, error.remedy))
    return await _opened(repository, context, Study(game.key, game.encode(position)))


async def _opened(repository: Repository, context: Context, study: Study) -> Effect:
    desk = await _desk(repository, context, study)
    position = study.positions()[-1]
    if study.rules.asks(position):
        return whisper(
            context.message, Text("Somebody still has to answer in private there, so there is no board."), HOW
        )
    if (barred := await _barred(repository, context, desk, position)) is not None:
        return barred
    return _shown(context, desk)


def _agreed(match: Match, context: Context) -> bool:
    """Whether a match that is played may be looked at by whoever asks."""
    return match.terms.get("analysis") == "on" and any(account in match.seats.values() for account in context.accounts)


def _closed(match: Match) -> tuple[Text, Text]:
    return (
        Text("Match {match} is not over, so there is no board to try turns of it on.", match=match.id),
        Text("Where all want one, they agree on `analysis=on` before it begins."),
    )


async def _desk(repository: Repository, context: Context, study: Study) -> _Desk:
    match = await repository.match(study.match) if study.match else None
    running = match is not None and match.status != "over"
    untold = await untold_verdicts(repository, context.accounts, context.message.where.thread, study.rules)
    return _Desk(study, running, not (running or untold))


async def _barred(repository: Repository, context: Context, desk: _Desk, position: Any) -> Effect | None:
    """The refusal of a position that stands or stood in a match of whoever asks, unless that match allows it."""
    study = desk.study
    match = await own_match_with(repository, context.accounts, study.rules, position)
    if match is None or (desk.running and match.id == study.match):
        return None
    return whisper(
        context.message,
        Text("That position stands, or stood, in match {match}, which is not over.", match=match.id),
        Text("Look at it once that match is over."),
    )


# --- at the board -----------------------------------------------------------------------------------------
async def _at_work(repository: Repository, context: Context, study: Study, said: str) -> Effect:
    message = context.message
    word, _, rest = said.partition(" ")
    word = aside(said) or word.lower()
    if word == STOP:
        told = whisper(message, Text("The board is put away."), HOW)
        return replace(told, settings=((context.accounts[0], OPEN, ""),))
    desk = await _desk(repository, context, study)
    match = await repository.match(study.match) if study.match else None
    if desk.running and (match is None or not _agreed(match, context)):
        return whisper(message, *_closed(match)) if match is not None else whisper(message, NONE_OPEN, HOW)
    if word == KEEP:
        return await _keep(repository, context, desk, rest)
    if word == BACK:
        if not study.turns:
            return whisper(message, Text("No turn has been tried on this board."), Text("`analyse stop` closes it."))
        desk = replace(desk, study=msgspec.structs.replace(study, turns=study.turns[:-1]))
    elif word not in (ASK, HINT, AGAIN, ""):
        return await _tried(repository, context, desk, said)
    if (barred := await _barred(repository, context, desk, desk.study.positions()[-1])) is not None:
        return barred
    return await _asked(context, desk) if word in (ASK, HINT) else _shown(context, desk)


async def _tried(repository: Repository, context: Context, desk: _Desk, said: str) -> Effect:
    """A turn, or several parts of one, on the board."""
    study, game = desk.study, desk.study.rules
    message = context.message
    position, made = study.positions()[-1], list[str]()
    if len(study.turns) >= MOST_TURNS:
        return whisper(message, Text("There are enough turns on this board."), KEEP_HOW)
    dice = Dice(hashlib.sha256(f"analyse|{message.who.key}|{message.id}".encode()).digest())
    try:
        for part in game.split(said):
            if (end := game.outcome(position)) is not None:
                return whisper(message, Text("The game is over there: {rule}.", rule=end.rule.title), BACK_HOW)
            turn = game.roll(position, understood(game, part, position), dice)
            broken = next(iter(game.judge(position, turn)), None)
            if broken is not None and desk.judged:
                shown = picture(game, position, None, marks=broken.marks)
                lines: Lines = ((Text("That turn is untenable."), broken.because),)
                return Effect(drafts=(Draft(lines, shown, _choices(desk, position), only=message.who.key),))
            made.append(game.write(turn, position))
            position = game.play(position, turn)
    except NotationError as error:
        return refused(replace(context, match=None), Refusal(error.because, error.remedy, readings=error.readings))
    if game.asks(position):
        return whisper(message, Text("There somebody would have to answer in private; the board stays as it was."))
    if (barred := await _barred(repository, context, desk, position)) is not None:
        return barred
    return _shown(context, replace(desk, study=msgspec.structs.replace(study, turns=(*study.turns, *made))))


BACK_HOW = Text("`analyse back` takes the last turn back.")


def _shown(context: Context, desk: _Desk, *more: tuple[Text, ...]) -> Effect:
    """The board as it stands now, which is kept."""
    study, game, message = desk.study, desk.study.rules, context.message
    *_, position = positions = study.positions()
    lines: list[tuple[Text, ...]] = [(_title(study),)]
    if study.turns:
        lines.append((Text("Tried: {turns}.", turns=Listing(tuple(map(Code, study.turns)), "unit")),))
    end = game.outcome(position)
    if end is not None:
        lines.append((Text("The game is over there: {rule}.", rule=end.rule.title),))
    else:
        lines.append(
            (Text("{side} is to act: `analyse` and a turn tries it.", side=game.names[game.to_act(position)]),)
        )
    if not desk.judged:
        lines.append((Text("Whether a turn holds is not told here: you are playing a match of this game."),))
    if len(positions) > 1:
        shown = picture(game, positions[-2], None, turn=study.turns[-1])
    else:
        shown = picture(game, position, None)
    draft = Draft((*lines, *more), shown, _choices(desk, position), only=message.who.key)
    kept = msgspec.json.encode(study).decode()
    return Effect(drafts=(draft,), settings=((context.accounts[0], OPEN, kept),))


def _title(study: Study) -> Text:
    game = study.rules
    if study.match:
        return Text(
            "**Match {match}: {game}, after turn {number}**", match=study.match, game=game.name, number=study.ply
        )
    return Text("**{game}, a board of your own**", game=game.name)


def _choices(desk: _Desk, position: Any) -> tuple[Choice, ...]:
    study, game = desk.study, desk.study.rules
    choices: list[Choice] = []
    if game.outcome(position) is None:
        choices.append(Choice(TRY, "analyse", Text("For example: {example}", example=game.example(position))))
        if not desk.running and isinstance(game, Appraising):
            choices.append(Choice(ASK_RIPOSTE, "analyse ask"))
    if study.turns:
        choices.append(Choice(TAKE_BACK, "analyse back"))
    elif study.match:
        if study.ply:
            choices.append(Choice(BEFORE, f"analyse {study.match} {study.ply - 1}"))
        if study.ply < study.plies:
            choices.append(Choice(AFTER, f"analyse {study.match} {study.ply + 1}"))
    return tuple(choices)


# --- Riposte's opinion ------------------------------------------------------------------------------------
async def _asked(context: Context, desk: _Desk) -> Effect:
    """What Riposte would play, and how it thinks that both stand."""
    study, game, message = desk.study, desk.study.rules, context.message
    if desk.running:
        return whisper(
            message,
            Text("Riposte gives no advice on a match that is still being played."),
            Text("Ask it once match {match} is over.", match=study.match),
        )
    if not isinstance(game, Appraising):
        return whisper(message, Text("Riposte does not play {game}.", game=game.name))
    position = study.positions()[-1]
    if game.outcome(position) is not None:
        return whisper(message, Text("The game is over there."), BACK_HOW)
    seed = hashlib.sha256(f"analyse|{study.game}|{game.encode(position)}".encode()).digest()
    side = game.to_act(position)
    thought = await asyncio.to_thread(think, Task(game, side), position, earnest(game, LEVEL), seed)
    if thought.turn is None:
        return whisper(message, Text("Riposte has found nothing to play here."))
    told = (
        Text("Riposte would play `{turn}`.", turn=game.write(thought.turn, position)),
        _opinion(game, side, thought.value),
    )
    return _shown(context, desk, told)


def _opinion(game: AnyGame, side: str, value: int) -> Text:
    """Who stands better; of several players, only how the one to act does."""
    others = [other for other in game.sides if other != side]
    if abs(value) < EVEN or (value < 0 and len(others) > 1):
        return EVENLY
    template = SEES_A_WIN if abs(value) > DECIDED else MUCH_BETTER if abs(value) >= MUCH else BETTER
    return Text(template.template, side=game.names[side if value > 0 else others[0]])


# --- notes ------------------------------------------------------------------------------------------------
async def _keep(repository: Repository, context: Context, desk: _Desk, text: str) -> Effect:
    owner, kept = context.accounts[0], _kept(await repository.setting(context.accounts[0], KEPT))
    if len(kept) >= MOST_KEPT:
        return whisper(
            context.message,
            plural("You keep {count} board.", "You keep {count} boards.", len(kept)),
            Text("`analyse kept off 1` forgets the first."),
        )
    kept.append(msgspec.structs.replace(desk.study, note=text[:LONGEST_NOTE]))
    told = whisper(
        context.message, Text("Kept; `analyse kept {number}` opens it again, for you alone.", number=str(len(kept)))
    )
    return replace(told, settings=((owner, KEPT, msgspec.json.encode(kept).decode()),))


async def _list(repository: Repository, context: Context, rest: tuple[str, ...]) -> Effect:
    owner, message = context.accounts[0], context.message
    kept = _kept(await repository.setting(owner, KEPT))
    number = next((int(word) for word in rest if word.isdigit() and len(word) < 4), 0)
    if not kept or (number and number > len(kept)):
        return whisper(message, Text("You keep no such board."), KEEP_HOW)
    if number and rest[0].lower() == "off":
        del kept[number - 1]
        left = msgspec.json.encode(kept).decode() if kept else ""
        return replace(whisper(message, Text("That board is forgotten.")), settings=((owner, KEPT, left),))
    if number:
        return await _opened(repository, context, kept[number - 1])
    lines = [
        (Text("{number}.", number=str(at)), _title(study), *((Text("{note}", note=study.note),) if study.note else ()))
        for at, study in enumerate(kept, 1)
    ]
    return whisper_lines(message, (*lines, (Text("One of them: `analyse kept 1`."),)))


def _kept(stored: str) -> list[Study]:
    return [study for study in msgspec.json.decode(stored, type=list[Study]) if _is_readable(study)] if stored else []


def _read(stored: str) -> Study | None:
    """The board that is open; None where there is none, or it cannot be read any more."""
    study = msgspec.json.decode(stored, type=Study) if stored else None
    return study if study is not None and _is_readable(study) else None


def _is_readable(study: Study) -> bool:
    try:
        return study.game in GAMES and bool(study.positions())
    except NotationError:
        return False
