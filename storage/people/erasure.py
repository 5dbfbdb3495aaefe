"""Erases a person: their key becomes a number's tombstone wherever it stands; and the list by which that is repeated.

The list lies beside the database and in no backup: whoever restores an older one erases again, when it is opened.
"""

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

import msgspec

from storage.checksum import SUMMED, checksum
from storage.commit import LETTER, rewritten
from storage.people.persons import FORMER, keys_in, numbers_of
from storage.people.words import forget as forget_words
from storage.plan import HELD, Plan, Statement, ask, tell
from storage.seal import PLAIN, SETTING, Sealer, setting_row
from storage.store import Redact, Redacting, Unfinished

AT_ONCE: Final = 500
"""Letters that are looked at in one piece: a commit that waits for it waits for some hundredths of a second."""
LISTS: Final = ("accounts", "followers", "onlookers", "arbiters", "organisers", "blocked", "challengers")
"""Settings that hold a person in each line: whoever is erased stands in none."""
HASHED: Final = re.compile(r"([a-z]+:)?[0-9a-f]{32,}")
"""The owner of a setting that says whose a code, a link or a key is."""
GONE: Final = "erased"
"""Why a message was never delivered: its reader is erased."""

MATCH: Final = SUMMED["matches"]
BODY: Final = "UPDATE letters SET body = ?1 WHERE number = ?2"

Gone = Mapping[str, str]
"""From people's keys to their tombstones."""


# --- the list beside the database -------------------------------------------------------------------------
def list_beside(database: Path) -> Path:
    """Where the list of erasures is."""
    return database.with_name(f"{database.stem}.erased")


def digest_of(sealer: Sealer, player: str) -> str:
    """What stands for a person in the list: it tells nobody who it is, and only with the key whether it is somebody."""
    return sealer.mark(f"erased {player}")


def note(path: Path, lines: Sequence[tuple[str, int]]) -> None:
    """Add erasures to the list; they are on the disk when this returns."""
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(number, "a+b") as file:
        file.seek(max(0, file.tell() - 1))
        cut_off = file.read() not in {b"", b"\n"}  # by a crash: what is added must not be a part of that line
        told = "".join(f"{digest} {at}\n" for digest, at in lines).encode("ascii")
        file.write(b"\n" * cut_off + told)
        file.flush()
        os.fsync(number)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # its name too, where it is new
    finally:
        os.close(folder)


def listed(path: Path) -> dict[str, int]:
    """Returns the erasures of a list, by digest and instant; a line that was cut off is left out."""
    found: dict[str, int] = {}
    with suppress(FileNotFoundError):
        for line in path.read_text("ascii", errors="replace").splitlines():
            if entry := re.fullmatch(r"([0-9a-f]{40}) (\d{1,16})", line):
                found[entry[1]] = int(entry[2])
    return found


def unerased(sealer: Sealer, beside: Path) -> Plan[dict[str, int]]:
    """Returns whom the list names that this database knows and has not erased since, by key."""
    done = set((yield from ask("SELECT digest, at FROM erasures")))
    missing = {digest: at for digest, at in listed(beside).items() if (digest, at) not in done}
    if not missing:
        return {}
    known = {digest_of(sealer, key): key for key in (yield from keys_in())}
    return {known[digest]: at for digest, at in missing.items() if digest in known}


def begin(sealer: Sealer, beside: Path, players: Sequence[str], at: int) -> None:
    """Note in the list who is erased, before anything is: what a crash cuts off is done at the next start."""
    known = listed(beside)
    lines = [(digest_of(sealer, player), at) for player in players]
    if new := [line for line in lines if known.get(line[0]) != line[1]]:
        note(beside, new)


# --- in the database --------------------------------------------------------------------------------------
def forget(sealer: Sealer, players: Sequence[str], redact: Redacting, at: int, unfinished: Unfinished) -> Plan[None]:
    """Erase people from everything but letters that are done with and others' words; in the transaction that is open.

    What is to be done about those is noted in the same.
    """
    numbers = yield from numbers_of(players)
    gone = {player: f"{FORMER}{numbers[player]}" for player in players}
    said = yield from forget_words(sorted(numbers.values()), redact(gone, ()).names_them, sealer)
    without = redact(gone, said)
    for player, tombstone in gone.items():
        yield from ask(
            "UPDATE people SET player = ?1, sum = ?3 WHERE player = ?2 AND NOT EXISTS "
            "(SELECT 1 FROM people WHERE player = ?1)",
            *(tombstone, player, checksum(tombstone)),
        )
        yield from ask(
            "INSERT INTO erasures (digest, at) VALUES (?1, ?2) ON CONFLICT (digest) DO UPDATE SET at = excluded.at",
            *(digest_of(sealer, player), at),
        )
    yield from ask("DELETE FROM snapshots")  # who has had a seat once, or was asked, stands in them too
    own = yield from _matches(gone)
    yield from _settings(sealer, gone, own)
    yield from _arrivals(sealer, gone)
    yield from _waiting(sealer, gone, without, at)
    for player, tombstone in gone.items():
        for (heard,) in (yield from ask("SELECT id FROM heard WHERE replace(id, ?1, '') <> id", player)):
            if _whole(player).search(heard):
                yield from ask("DELETE FROM heard WHERE id = ?1", heard)
        quoted = quote(player, safe=":@")
        lanes = (  # a lane of their own is that of their program
            f"SELECT number, {', '.join(LETTER)} FROM letters "  # noqa: S608
            "WHERE replace(lane, ?1, '') <> lane OR replace(lane, ?2, '') <> lane"
        )
        for number, *row in (yield from ask(f"{lanes}{HELD}", player, quoted)):
            letter = dict(zip(LETTER, row, strict=True))
            if not any(_whole(one).search(letter["lane"]) for one in (player, quoted)):
                continue
            letter |= {"lane": tombstone, "done": at if letter["done"] is None else letter["done"]}
            yield from tell([rewritten(number, letter, "lane", "done")])
    yield from tell([Statement(SETTING, setting_row(*sealer.setting(*unfinished(gone, said))))])


def forget_letters(sealer: Sealer, gone: Gone, redact: Redact, after: int) -> Plan[int]:
    """Erase people from some letters that are done with, by number; returns the last one looked at, 0 after all."""
    rows = yield from ask(
        "SELECT number, key, body, why FROM letters WHERE number > ?1 AND done IS NOT NULL ORDER BY number LIMIT ?2",
        *(after, AT_ONCE),
    )
    for number, key, stored, why in rows:
        body, told = _without(sealer, redact, key, stored, done=True)
        if told != body:
            yield from ask(BODY, sealer.seal(told, "letters", key), number)
        if why and _names(why, gone):
            (row,) = yield from ask(f"SELECT {', '.join(LETTER)} FROM letters WHERE number = ?1{HELD}", number)  # noqa: S608
            yield from tell([rewritten(number, dict(zip(LETTER, row, strict=True)) | {"why": ""}, "why")])
    return int(rows[-1][0]) if len(rows) == AT_ONCE else 0


def _without(sealer: Sealer, redact: Redact, key: str, stored: str, *, done: bool) -> tuple[str, str]:
    """What a letter says, and what it says without whoever is erased; the same for a damaged one."""
    try:
        body = sealer.open(stored, "letters", key)
        return body, redact(body, done)
    except (OSError, ValueError):
        return "", ""


def _matches(gone: Gone) -> Plan[list[str]]:
    """Put tombstones into summaries and lists; returns whose matches these are."""
    own: list[str] = []
    for player, tombstone in gone.items():
        for (number,) in (yield from ask("SELECT match FROM seats WHERE player = ?1", player)):
            rows = yield from ask(f"SELECT {', '.join(MATCH)} FROM matches WHERE number = ?1{HELD}", number)  # noqa: S608
            if not rows:
                continue
            match = dict(zip(MATCH, rows[0], strict=True))
            match |= {column: _swapped(match[column], gone) for column in ("players", "to_act")}
            own.append(match["match"])
            yield from ask(
                "UPDATE matches SET players = ?1, to_act = ?2, sum = ?3 WHERE number = ?4",
                *(match["players"], match["to_act"], checksum(*match.values()), number),
            )
        twice = "DELETE FROM seats WHERE player = ?1 AND match IN (SELECT match FROM seats WHERE player = ?2)"
        yield from ask(twice, tombstone, player)
        yield from ask("UPDATE seats SET player = ?1 WHERE player = ?2", tombstone, player)
    return own


def _swapped(text: str, gone: Gone) -> str:
    names: list[str] = msgspec.json.decode(text)
    return msgspec.json.encode([gone.get(name, name) for name in names]).decode()


def _settings(sealer: Sealer, gone: Gone, own: Sequence[str]) -> Plan[None]:
    for player in gone:
        yield from ask("DELETE FROM settings WHERE owner = ?1", player)
    mine = {f"match:{match}" for match in own}
    rows = yield from ask("SELECT owner, key, value FROM settings WHERE owner <> ?1", PLAIN)
    for owner, key, stored in rows:
        if owner.startswith("match:") and key not in ("followers", "onlookers") and owner not in mine:
            continue
        forgotten = Statement("DELETE FROM settings WHERE owner = ?1 AND key = ?2", (owner, key))
        if _names(f"{owner} {key}", gone):
            yield from tell([forgotten])
            continue
        try:
            value = sealer.open_setting(owner, key, stored)
        except OSError:  # a damaged one opens for nobody
            continue
        if not _names(value, gone):
            continue
        if key in LISTS:
            value = "\n".join(line for line in value.splitlines() if line not in gone)
        elif HASHED.fullmatch(owner):  # a code, link or key in use leads to nobody any more
            value = ""
        else:
            value = _named(value, gone)
        known = Statement(SETTING, setting_row(*sealer.setting(owner, key, value)))
        yield from tell([known if value else forgotten])


def _arrivals(sealer: Sealer, gone: Gone) -> Plan[None]:
    for number, name, stored in (yield from ask("SELECT number, id, body FROM arrivals")):
        body = ""
        with suppress(OSError, ValueError):
            body = sealer.open(stored, "arrivals", name)
        if _names(body, gone):
            yield from ask("DELETE FROM arrivals WHERE number = ?1", number)


def _waiting(sealer: Sealer, gone: Gone, redact: Redact, at: int) -> Plan[None]:
    """Letters on their way: those to whoever is erased are given up, the others tell of a former player."""
    sql = f"SELECT number, body, {', '.join(LETTER)} FROM letters WHERE done IS NULL{HELD}"  # noqa: S608
    for number, stored, *row in (yield from ask(sql)):
        letter = dict(zip(LETTER, row, strict=True))
        body, told = _without(sealer, redact, letter["key"], stored, done=False)
        if told == body:
            continue
        sealed = sealer.seal(told, "letters", letter["key"])
        given_up = {} if told else {"done": at, "why": GONE, "short": 1}
        yield from tell([rewritten(number, letter | given_up, *given_up, body=sealed)])


def ids_of(gone: Gone) -> tuple[str, ...]:
    """What a person is known by: their key, and its number alone where that can be nobody else's."""
    numbers = (key.partition(":")[2] for key in gone)
    return (*gone, *(number for number in numbers if (number.isdigit() and len(number) > 8) or number.startswith("@")))


def _names(text: str, gone: Gone) -> bool:
    """Whether a text has somebody in it who is erased: their key or id, or a platform's form of it."""
    if any(f'"id":"{key.partition(":")[2]}"' in text for key in gone):
        return True
    return any(one in text and _whole(one).search(text) for one in ids_of(gone))


def _named(text: str, gone: Gone) -> str:
    """The text with tombstones in place of keys, and of ids that can be nobody else's."""
    for one in ids_of(gone):
        text = _whole(one).sub(gone.get(one, FORMER.rstrip(":")), text)
    return text


@lru_cache
def _whole(one: str) -> re.Pattern[str]:
    """Finds an id, and no other that begins or ends as it does: `web:ann` is not in `web:ann-marie`."""
    return re.compile(rf"(?<![\w.-]){re.escape(one)}(?![\w.-])")
