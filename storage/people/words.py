"""What people wrote in their own words stands apart from the events: it can go, and the chain of these stays whole.

An event holds `true` in place of words, and the table `words` has them, sealed for the row of that event. Whoever wrote
them is erased: the row stays and is empty. A row that is missing is damage, one that is empty is not.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

import msgspec

from storage.chain import GENESIS, damaged, flaw, link
from storage.checksum import checksum
from storage.numbers import row_of
from storage.people.persons import FORMER, named
from storage.plan import HELD, PAGE, Plan, Statement, ask, marks, tell
from storage.seal import PLAIN, SETTING, Sealer, setting_row
from storage.store import Record

FIELDS: Final[Mapping[str, str]] = {
    "Challenged": "token",
    "Joined": "token",
    "Declined": "reason",
    "Ruled": "reason",
    "Announced": "name",
    "": "text",
}
"""The field of an event that holds words of whoever it is `by`; "" is a spectator's remark."""
TITLES: Final = ("token", "name")
"""Names of things: they go with whoever gave them only where they name them, for others use them too."""
REMOVED: Final = "(words removed)"
"""What is read in place of words that are gone; told in the reader's language."""
DONE: Final = (PLAIN, "worded")
"""The setting that says that no event holds words."""
KIND: Final = re.compile(r'\{"event":"(\w+)"')

BEFORE_ALL: Final = (-(2**63), 0)
"""A key that lies before all rows."""

WRITE: Final = "UPDATE words SET body = ?1, sum = ?2 WHERE match = ?3 AND seq = ?4"
COLUMNS: Final = "words.match, words.seq, words.field, words.person, words.body"


class Words(NamedTuple):
    """A row: words of somebody, where the event stands from which they were taken."""

    match: int
    seq: int
    field: str
    person: int
    body: str
    """Sealed; "" = they are gone."""

    @property
    def row(self) -> tuple[object, ...]:
        return *self, checksum(*self)

    def saying(self, words: str, sealer: Sealer) -> "Words":
        """The same with other words, "" for none."""
        return self._replace(body=sealer.seal(words, "words", self.match, self.seq) if words else "")

    def words(self, sealer: Sealer) -> str:
        """Returns what it says. Raises OSError for what was not sealed there."""
        return sealer.open(self.body, "words", self.match, self.seq) if self.body else REMOVED

    def rewritten(self) -> Statement:
        return Statement(WRITE, (self.body, checksum(*self), self.match, self.seq))


def apart(body: str, match: int, seq: int, sealer: Sealer) -> tuple[str, Words | None]:
    """Returns an event (people in it are numbers) without its words, and these."""
    kind = KIND.match(body)
    field = FIELDS.get(kind[1] if kind else "")
    if field is None or f'"{field}":' not in body or not body.startswith("{"):
        return body, None
    event: dict[str, Any] = msgspec.json.decode(body)
    words, person = event.get(field), event.get("by")
    if not isinstance(words, str) or not words or not isinstance(person, int):
        return body, None
    taken = Words(match, seq, field, person, "").saying(words, sealer)
    return msgspec.json.encode(event | {field: True}).decode(), taken


def whole(match: str, log: Sequence[Record], sealer: Sealer) -> Plan[list[Record]]:
    """Returns stored events as they were decided: opened, with their words and with people's keys.

    Raises OSError for words that are missing, and for a number that nobody has.
    """
    opened = sealer.open_log(log)
    holes = {record.seq: field for record in opened if (field := _hole(record.body))}
    if holes:
        where, values = row_of(match)
        sql = (
            f"SELECT {COLUMNS}, words.sum FROM words JOIN matches ON matches.number = words.match "  # noqa: S608
            f"WHERE {where}"
        )
        rows = [(Words(*row[:-1]), row[-1]) for row in (yield from ask(sql, *values))]
        found = {words.seq: words for words, sum_ in rows if sum_ == checksum(*words)}
        for place, record in enumerate(opened):
            if record.seq in holes:
                field, words = holes[record.seq], found.get(record.seq)
                if words is None or words.field != field:
                    raise damaged(match, record.seq)
                event = msgspec.json.decode(record.body) | {field: words.words(sealer)}
                opened[place] = replace(record, body=msgspec.json.encode(event).decode())
    return (yield from named(match, opened))


def _hole(body: str) -> str:
    """The field of an event whose words stand apart, "" for none."""
    kind = KIND.match(body)
    field = FIELDS.get(kind[1] if kind else "", "")
    return field if field and f'"{field}":true' in body and msgspec.json.decode(body).get(field) is True else ""


def unsaid(body: str) -> str:
    """Returns an event as it would be read if its words were gone."""
    field = _hole(body)
    return msgspec.json.encode(msgspec.json.decode(body) | {field: REMOVED}).decode() if field else body


def inserted(words: Sequence[Words]) -> list[Statement]:
    """Writes rows of words."""
    sql = f"INSERT INTO words (match, seq, field, person, body, sum) VALUES ({marks(6)})"  # noqa: S608
    return [Statement(sql, one.row) for one in words]


def written_by(players: Sequence[str], sealer: Sealer) -> Plan[list[tuple[str, str, str]]]:
    """Returns all words of people: the log in which they stand, the field, and the words."""
    sql = (
        f"SELECT matches.match, {COLUMNS} FROM words JOIN people ON people.number = words.person "  # noqa: S608
        f"JOIN matches ON matches.number = words.match WHERE people.player IN ({marks(len(players))}) "
        "ORDER BY words.match, words.seq"
    )
    found = []
    for match, *row in (yield from ask(sql, *players)):
        with suppress(OSError):  # damaged ones open for nobody
            found.append((str(match), str(row[2]), Words(*row).words(sealer)))
    return found


# --- whoever is erased ------------------------------------------------------------------------------------
def forget(people: Sequence[int], names_them: Callable[[str], bool], sealer: Sealer) -> Plan[list[str]]:
    """Empty the rows of people, but for names of things that do not name them. Returns what is gone."""
    sql = f"SELECT {COLUMNS} FROM words WHERE person IN ({marks(len(people))}) AND body <> ''{HELD}"  # noqa: S608
    gone = []
    for words in map(Words._make, (yield from ask(sql, *people))):
        said = ""
        with suppress(OSError):
            said = words.words(sealer)
        if words.field not in TITLES or names_them(said):
            gone.append(said)
            yield from tell([words.saying("", sealer).rewritten()])
    return [said for said in gone if said]


def forget_names(
    redacted: Callable[[str], str], after: tuple[int, int], sealer: Sealer
) -> Plan[tuple[int, int] | None]:
    """Take names out of a page of what others wrote, behind a row. Returns the last row, None after all of them."""
    sql = f"SELECT {COLUMNS} FROM words WHERE (match, seq) > (?1, ?2) ORDER BY match, seq LIMIT {PAGE}"  # noqa: S608
    rows = [Words(*row) for row in (yield from ask(sql, *after))]
    for words in rows:
        said = ""
        with suppress(OSError):  # damaged ones open for nobody
            said = words.words(sealer)
        if words.body and (told := redacted(said)) != said:
            yield from tell([words.saying(told, sealer).rewritten()])
    return (rows[-1].match, rows[-1].seq) if len(rows) == PAGE else None


def wrongly_gone() -> Plan[list[str]]:
    """Returns the rows that are empty although nobody was erased, each as `words MATCH SEQ`."""
    sql = (
        "SELECT words.match, words.seq FROM words LEFT JOIN people ON people.number = words.person "
        "WHERE body = '' AND coalesce(player, '') NOT LIKE ?1 ORDER BY words.match, words.seq"
    )
    return [f"words {match} {seq}" for match, seq in (yield from ask(sql, f"{FORMER}%"))]


# --- databases of earlier versions ------------------------------------------------------------------------
def set_apart(sealer: Sealer) -> Plan[None]:
    """Take the words out of all events of a database whose events hold them; chains with words are made anew.

    A match that was damaged before stays as it is. In the transaction that is open.
    """
    if (yield from ask("SELECT 1 FROM settings WHERE owner = ?1 AND key = ?2", *DONE)):
        return
    for number, match, length, head in (
        yield from ask("SELECT number, match, length, head FROM matches ORDER BY number")
    ):
        rows = yield from ask("SELECT seq, at, body, digest FROM events WHERE match = ?1 ORDER BY seq", number)
        log = [Record(match, *row) for row in rows]
        changed: Mapping[int, tuple[str, Words]] = {}
        with suppress(OSError):  # whoever asks for it is told
            changed = _without(number, log, sealer)
        if changed and not flaw(log, length, head):
            yield from _chained(number, log, changed, sealer)
    yield from tell([Statement(SETTING, setting_row(*DONE, "yes"))])


def _without(number: int, log: Sequence[Record], sealer: Sealer) -> dict[int, tuple[str, Words]]:
    """The events of a log that hold words, without these, and these; by their numbers."""

    def look() -> Iterator[tuple[int, tuple[str, Words]]]:
        for record in sealer.open_log(log):
            body, words = apart(record.body, number, record.seq, sealer)
            if words is not None:
                yield record.seq, (body, words)

    return dict(look())


def _chained(
    number: int, log: Sequence[Record], changed: Mapping[int, tuple[str, Words]], sealer: Sealer
) -> Plan[None]:
    """Write events anew from the first that has changed on, and a match's last digest."""
    digest = GENESIS
    for record in log:
        body = record.body
        if record.seq in changed:
            told, words = changed[record.seq]
            body = sealer.seal(told, "events", record.match, record.seq)
            yield from tell(inserted([words]))
        digest = link(digest, record.match, record.seq, record.at, body)
        if digest != record.digest:
            sql = "UPDATE events SET body = ?1, digest = ?2 WHERE match = ?3 AND seq = ?4"
            yield from ask(sql, body, digest, number, record.seq)
    yield from ask("UPDATE matches SET head = ?1 WHERE number = ?2", digest, number)
    yield from ask("DELETE FROM snapshots WHERE match = ?1", number)  # it stands behind a digest that is no more
