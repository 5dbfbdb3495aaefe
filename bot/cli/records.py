"""The commands for match records: look at one, check its luck, load it into the database.

What they need is imported when one is called, because every other command would wait for it too.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.console.terminal import fail
from engine.game import NotationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.messages.model import Person, Place
    from engine.match.events import Event
    from engine.match.evolve.turns import Run
    from engine.match.record.model import Record
    from engine.match.record.pairs import Ply

commands = typer.Typer()

RecordFile = Annotated[Path, typer.Argument(metavar="FILE", help="A match record, as `export` gives it.")]


@commands.command()
def record(
    file: RecordFile,
    judge: Annotated[bool, typer.Option("--judge", help="Also list the untenable turns.")] = False,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="List every turn with its verdict, and go on after what cannot be read.")
    ] = False,
    game: Annotated[str, typer.Option(help="The game of a record that does not name it.")] = "veney",
    position: Annotated[str, typer.Option(help="Where a record that does not say it begins. Default: the start.")] = "",
) -> None:
    """Play a match record through: its final position, its result, and what nobody called out."""
    from engine.match.events import Played, recalled
    from engine.match.record.model import FIRST_LINE
    from engine.match.record.pairs import read_pairs

    text = _text(file)
    try:
        plies = () if text.lstrip().startswith(FIRST_LINE) else read_pairs(text)
    except NotationError as error:
        fail(str(error.because), str(error.remedy or ""))
    if plies or lenient:
        _follow(text, plies, game, position, judge=judge, lenient=lenient)
        return
    read = _record(text)
    run: Run | None = None
    untenable: list[str] = []
    found: tuple[int, Any] = (0, None)
    for event, run in _played(read, judged=judge):
        number, before = found
        if isinstance(event, Played) and event.broken:
            rulings = run.game.judge(before, recalled(run.game, event, before))
            because = " ".join(f"{ruling.because} ({ruling.rule.ref})" for ruling in rulings)
            untenable.append(f"  {number}. {event.side} {event.text}: {because}")
        found = run.number, run.position
    assert run is not None, "a record begins with its players"
    match = run.match
    typer.echo(f"{match.game.name}, {match.turns_made} turns stand")
    typer.echo(f"position: {match.game.encode(match.position)}")
    typer.echo(f"result: {read.header('Result') or 'none yet'}")
    if judge:
        typer.echo("\n".join(["untenable turns:", *untenable]) if untenable else "no untenable turns")


@commands.command(name="verify")
def verify_record(
    file: RecordFile,
    posted: Annotated[
        list[str] | None,
        typer.Option(
            help="A hash that was posted: that of the dice, then those of the shares, as HASH or PLAYER=HASH."
        ),
    ] = None,
) -> None:
    """Check that lots, setup and throws of a finished match follow from the seed and the shares it was bound to."""
    from engine.match.record.verify import bound_to_the_erased, hashes, verify

    read = _read(file)
    try:
        faults = verify(read, tuple(posted or ()))
    except NotationError as error:
        fail(str(error.because), str(error.remedy or ""))
    if faults:
        fail(" ".join(map(str, faults)))
    if bound_to_the_erased(read):
        fail(
            "The seed fits its hash, but seats, setup and throws cannot be drawn again without the ids of the players, "
            "and one of these has been erased",
            "A record from before that can be checked in full.",
        )
    if read.header("Luck"):
        typer.echo("Seats, setup and every throw follow from the seed and the shares, and the seed fits its hash.")
        told = f"match {read.header('Match')} of {read.header('Game')}: {read.header('Terms')}"
        thread = "Compare with the match's thread, which alone says what was agreed on and whose each share was:"
        typer.echo("\n".join([thread, told, *hashes(read)]))
    else:
        typer.echo(
            "Every roll follows from the seed, and the seed fits its hash. This match was begun by an earlier version, "
            "whose seats and setup cannot be checked."
        )


@commands.command(name="import")
def import_record(
    file: RecordFile,
    place: Annotated[str, typer.Option(help="Where it is played: platform and channel.")] = "web/lounge",
    game: Annotated[str, typer.Option(help="The game of a record that does not name it.")] = "veney",
    player: Annotated[
        list[str] | None,
        typer.Option(
            help="Side, account and name of who has played, where the record does not say: `W web:anna Anna`."
        ),
    ] = None,
) -> None:
    """Load a match record into the database as a match of its own (stop Riposte before)."""
    import asyncio

    from bot.messages.model import Place

    read = _imported(_text(file), game, tuple(player or ()))
    platform, _, channel = place.partition("/")
    if not re.fullmatch(r"(web|discord|matrix)/[^/\s]+", place):
        fail(f"`{place[:60]}` is no platform and channel", "Write it like `--place web/lounge`.")
    try:
        number = asyncio.run(_import(read, Place(platform, channel)))
    except OSError as error:
        fail(error.strerror or str(error))
    typer.echo(f"It is match {number} now: `board {number}` shows it.")


def _imported(text: str, key: str, players: tuple[str, ...]) -> Record:
    """A record in either form."""
    from engine.dice import Dice
    from engine.games import GAMES
    from engine.match.record.follow import recorded
    from engine.match.record.model import FIRST_LINE
    from engine.match.record.pairs import read_pairs

    try:
        plies = () if text.lstrip("\ufeff \n\r\t").startswith(FIRST_LINE) else read_pairs(text)
        if not plies:
            return _record(text)
        if key not in GAMES:
            fail(f"there is no game called {key[:40]}", f"There are {', '.join(GAMES)}.")
        game, terms = GAMES[key], _first(key, plies)
        named = {line.split()[0]: line for line in players if line.split()}
        seats = tuple(
            (
                f"Player {game.names[side]}",
                named.get(side, f"{side} web:{str(game.names[side]).lower()} {game.names[side]}"),
            )
            for side in game.seats(terms)
        )
        told = "; ".join(f"{name}={value}" for name, value in terms.items())
        return recorded(game, game.setup(terms, Dice(bytes(32))), plies, (("Game", key), ("Terms", told), *seats))
    except NotationError as error:
        fail(str(error.because), str(error.remedy or ""))


async def _import(read: Record, home: Place) -> str:
    import secrets

    from bot.messages.catalogue import language
    from bot.messages.model import OutgoingMessage
    from bot.messages.narrator import headline
    from bot.messages.serialization import address, message_key, write_event, write_message
    from bot.messages.showing.pictures import Seated, alt, picture
    from bot.repository import summarize
    from bot.settings import settings
    from engine.match.alarms import alarms
    from engine.text import Text
    from storage import open_store
    from storage.store import Alarm, Change, OutboxMessage

    at = time.time_ns() // 1_000_000
    here = settings()
    store = await open_store(here.store, here.key, here.erased)
    try:
        number = await store.next_match()
        events: list[tuple[int, str]] = []
        reached: Run | None = None
        for event, run in _played(read, at, number, address(home), secrets.token_hex(32)):
            events.append((event.at, write_event(event)))
            reached = run
        assert reached is not None, "a record begins with its players"
        match = reached.match
        people = [_person(value) for name, value in read.headers if name.startswith("Player ")]
        names = {person.key: person for person in people}
        unknown = [person for person in people if not await store.setting(person.key, "name")]
        key = message_key(f"import:{number}:{at}", 0)
        thread = replace(home, thread=number)
        shown = picture(match.game, match.position, None, seated=Seated(over=match.status == "over"))
        spoken = language(await store.setting(address(home), "language"))
        lines = ((Text("Loaded from a record."), *headline(match, names)),)
        message = OutgoingMessage(
            key,
            thread,
            spoken.lines(lines),
            picture=replace(shown, alt=alt(shown, spoken.code), language=spoken.code),
            lines=lines,
            language=spoken.code,
        )
        await store.commit(
            Change(
                match=number,
                events=tuple(events),
                messages=(OutboxMessage(key, address(thread), write_message(message)),),
                settings=tuple((person.key, "name", person.name) for person in unknown),
                alarms=tuple(Alarm(number, alarm.kind, alarm.at) for alarm in alarms(match)),
                summary=summarize(match, at),
            )
        )
    finally:
        await store.close()
    return number


def _person(value: str) -> Person:
    """Reads a player's line of a record: `W web:anna Anna`."""
    from bot.messages.model import Person, clean

    _, key, name = [*value.split(" ", 2), "", ""][:3]
    platform, _, number = key.partition(":")
    return Person(platform, number, clean(name) or number)


def _follow(text: str, plies: tuple[Ply, ...], game: str, position: str, *, judge: bool, lenient: bool) -> None:
    """Tells what becomes of each turn; of a record that is not lenient up to the first that cannot be read."""
    from engine.dice import Dice
    from engine.games import GAMES
    from engine.match.record.follow import begun, follow_plies

    if game not in GAMES:
        fail(f"there is no game called {game[:40]}", f"There are {', '.join(GAMES)}.")
    rules = GAMES[game]
    try:
        if plies:
            reached = rules.decode(position) if position else rules.setup(_first(game, plies), Dice(bytes(32)))
        else:
            rules, reached, plies = begun(_record(text))
    except NotationError as error:
        fail(str(error.because), str(error.remedy or ""))
    told: list[str] = []
    stand = 0
    for turn in follow_plies(rules, reached, plies):
        if turn.verdict == "unreadable" and not lenient:
            fail(f"Turn {turn.number} of {turn.side} cannot be read: `{turn.text}`.", " ".join(map(str, turn.because)))
        reached, stand = turn.after, stand + (turn.verdict != "unreadable")
        if lenient or (judge and turn.verdict == "untenable"):
            because = f": {' '.join(map(str, turn.because))}" if turn.because else ""
            told.append(f"  {turn.number}. {turn.side} {turn.text}: {turn.verdict}{because}")
    typer.echo(f"{rules.name}, {stand} turns played")
    typer.echo(f"position: {rules.encode(reached)}")
    if told:
        typer.echo("\n".join(["turns:" if lenient else "untenable turns:", *told]))
    elif judge:
        typer.echo("no untenable turns")


def _first(game: str, plies: tuple[Ply, ...]) -> dict[str, str]:
    """Terms of a record that names none."""
    from engine.match.record.pairs import first_mover

    return {"first": first_mover(plies)} if game == "veney" else {}


def _read(file: Path) -> Record:
    return _record(_text(file))


def _record(text: str) -> Record:
    from engine.match.record.read import read_record

    try:
        return read_record(text)
    except NotationError as error:
        fail(str(error.because), str(error.remedy or ""))


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError:
        fail(f"the file {file} is not a text", "A record is UTF-8 text, as `export` gives it.")
    except OSError as error:
        fail(f"the file {file} cannot be read: {error.strerror}", "Name a file that `export` gave you.")


def _played(
    read: Record, at: int = 0, number: str = "", place: str = "", seed: str = "", *, judged: bool = True
) -> Iterator[tuple[Event, Run]]:
    """The events, each with what has been played by then."""
    from engine.match.record.read import played_through

    try:
        yield from played_through(read, at, number, place, seed, judged)
    except NotationError as error:
        fail(str(error.because), str(error.remedy or ""))
