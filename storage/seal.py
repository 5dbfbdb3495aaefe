"""Seals what players keep secret, under a key that lies apart from the database."""

import base64
import errno
import hashlib
import hmac
import os
import re
import secrets
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from storage.chain import GENESIS
from storage.checksum import SINCE, checksum
from storage.plan import Plan, ask, each_page
from storage.store import Record

MARK, MARK_1 = "sealed2:", "sealed1:"
"""What a sealed text begins with, and did in 0.2.0; everything else is JSON or a plain word."""
FORM = "riposte key 1 "
NONCE_1, TAG_1 = 24, 16
"""Bytes, in what 0.2.0 has sealed."""
PLAIN = "riposte"
"""Owner of the settings that stay readable: what `doctor` looks at, which has no key."""
PROOF = (PLAIN, "key")
"""The setting by which a wrong key is known."""
SETTING = (
    "INSERT INTO settings (owner, key, value, sum) VALUES (?1, ?2, ?3, ?4) "
    "ON CONFLICT (owner, key) DO UPDATE SET value = excluded.value, sum = excluded.sum"
)
"""Writes the row of `setting_row`."""


ROOM: Mapping[object, int] = {"events": 128, "letters": 256, "arrivals": 256}
"""By table: what is hidden in a row of JSON is filled up with blanks to a multiple of so many bytes."""
VERDICT = re.compile(rb'"broken":(\[[^\]]*\])')
"""What a turn breaks, as its event tells it."""


def _hidden(data: bytes) -> int:
    """Bytes of a row that its length must not tell: of a turn its verdict alone, for the turn itself is public."""
    verdict = VERDICT.search(data)
    return len(verdict[1]) if verdict else len(data)


class Sealer:
    """Seals texts, each bound to its row: one that is moved elsewhere does not open.

    AES-SIV (RFC 5297) under a key of 512 bits: the same is stored whenever the same is written to the same row.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._siv = AESSIV(hmac.digest(key, b"riposte sealing 2", "sha512"))

    def mark(self, text: str) -> str:
        """A fingerprint of a text for whoever has the key; it tells nobody what the text is."""
        return hmac.digest(self._key, b"riposte mark\n" + text.encode(), "sha256").hex()[:40]

    @property
    def proof(self) -> str:
        """What the database knows this key by; it tells nothing of it."""
        return hmac.digest(self._key, b"riposte database", "sha256").hex()[:32]

    def seal(self, text: str, *row: object) -> str:
        """The text as it is stored in a row; JSON gets blanks behind it, so that its length tells no secret."""
        data = text.encode()
        data += b" " * (-_hidden(data) % ROOM[row[0]] if row and row[0] in ROOM else 0)
        return MARK + b2a_base64(self._siv.encrypt(data, [_bound(row)]), newline=False).decode()

    def seal_bytes(self, data: bytes, *row: object) -> bytes:
        """The same for bytes, such as a picture."""
        return self._siv.encrypt(data, [_bound(row)])

    def open(self, stored: str, *row: object) -> str:
        """The text that was sealed for a row. Raises OSError for one that was not sealed there with this key."""
        try:
            if stored.startswith(MARK):
                data = self._siv.decrypt(a2b_base64(stored[len(MARK) :], strict_mode=True), [_bound(row)])
                return (data.rstrip(b" ") if row and row[0] in ROOM else data).decode()
            if stored.startswith(MARK_1):
                return self._open_1(a2b_base64(stored[len(MARK_1) :], strict_mode=True), row).decode()
        except (ValueError, InvalidTag):
            pass
        raise _not_sealed(row)

    def open_bytes(self, stored: bytes, *row: object) -> bytes:
        """The same for bytes."""
        with suppress(ValueError, InvalidTag):
            return self._siv.decrypt(stored, [_bound(row)])
        with suppress(ValueError):
            return self._open_1(stored, row)
        raise _not_sealed(row)

    def _open_1(self, stored: bytes, row: tuple[object, ...]) -> bytes:
        """What 0.2.0 has sealed, by XChaCha20-Poly1305. Raises ValueError."""
        from Crypto.Cipher import ChaCha20_Poly1305  # few rows need it, some day none, and it is slow to import

        key = hmac.digest(self._key, b"riposte sealing", "sha256")
        cipher = ChaCha20_Poly1305.new(key=key, nonce=stored[:NONCE_1])
        cipher.update(_bound(row))
        return cipher.decrypt_and_verify(stored[NONCE_1:-TAG_1], stored[-TAG_1:])

    def setting(self, owner: str, key: str, value: str) -> tuple[str, str, str]:
        """A setting's row."""
        return owner, key, value if owner == PLAIN else self.seal(value, "settings", owner, key)

    def open_setting(self, owner: str, key: str, stored: str) -> str:
        """The value of a setting. Raises OSError as `open`."""
        return stored if owner == PLAIN else self.open(stored, "settings", owner, key)

    def open_or_leave(self, stored: str, *row: object) -> str:
        """The same; one that is damaged is left as it is, for whoever reads it to stumble over alone."""
        try:
            return self.open(stored, *row)
        except OSError:
            return stored

    def open_log(self, log: Sequence[Record]) -> list[Record]:
        """The events of a match with what was sealed in them."""
        return [replace(one, body=self.open(one.body, "events", one.match, one.seq)) for one in log]


def setting_row(owner: str, key: str, stored: str) -> tuple[str, str, str, int]:
    """A setting as `SETTING` writes it."""
    return owner, key, stored, checksum(owner, key, stored)


def opened_owners(rows: Sequence[Sequence[str]], key: str, sealer: Sealer) -> list[tuple[str, str]]:
    """Owners and values of a setting, of those that are as they were written."""
    found = []
    for owner, stored, *_ in rows:
        with suppress(OSError):
            found.append((owner, sealer.open_setting(owner, key, stored)))
    return found


def _not_sealed(row: tuple[object, ...]) -> OSError:
    fact = f"What is stored in {'/'.join(map(str, row))[:80]} was not sealed there with this key."
    return OSError(errno.EBADMSG, f"{fact} Restore the database from a backup.")


def _bound(row: tuple[object, ...]) -> bytes:
    return "\n".join(map(str, row)).encode()


# --- the key ----------------------------------------------------------------------------------------------
def key_beside(database: Path) -> Path:
    """Where the key of a database is if nobody says otherwise."""
    return database.with_name(f"{database.stem}.key")


def read_key(path: Path) -> Sealer | None:
    """The sealer of a key file, None if there is no such file. Raises OSError for one that cannot be read."""
    try:
        text = path.read_text("ascii")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        remedy = "Give Riposte's user the right to read it."
        raise OSError(errno.EACCES, f"The key {path} cannot be read: {why}. {remedy}") from None
    key = b""
    if text.startswith(FORM):
        try:
            key = base64.b64decode(text[len(FORM) :].strip(), validate=True)
        except ValueError:
            key = b""
    if len(key) != len(GENESIS):
        raise OSError(errno.EINVAL, f"The file {path} holds no key of Riposte. Put your copy of the key there.")
    return Sealer(key)


def make_key(path: Path) -> Sealer:
    """Make a key that only we may read; it is on the disk before anything is sealed with it."""
    key = secrets.token_bytes(len(GENESIS))
    unfinished = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.unlink(missing_ok=True)
        number = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(number, "w", encoding="ascii") as file:
            file.write(f"{FORM}{base64.b64encode(key).decode()}\n")
            file.flush()
            os.fsync(number)
        unfinished.rename(path)
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
    except OSError as error:
        fact = f"The key of the database cannot be written to {path}: {error.strerror}."
        raise OSError(error.errno, f"{fact} Name a place that Riposte may write to with RIPOSTE_KEY_FILE.") from error
    return Sealer(key)


def fitting(known: str, path: Path, database: object) -> Sealer:
    """The sealer for a database that knows its key by `known`, made if it has none yet.

    Raises OSError for a lost or a wrong key; nothing is changed then.
    """
    sealer = read_key(path)
    if sealer is None and not known:
        return make_key(path)
    if sealer is None:
        fact = f"The database {database} is sealed, and its key is not at {path}."
        raise OSError(errno.ENOENT, f"{fact} Put your copy of the key there; nothing was changed.")
    if known not in ("", sealer.proof):
        fact = f"The key {path} is not the one that the database {database} was sealed with."
        raise OSError(errno.EACCES, f"{fact} Put your copy of the right one there; nothing was changed.")
    return sealer


# --- databases of earlier versions ------------------------------------------------------------------------


def fingerprint(path: Path) -> str:
    """Some digits by which two copies of a key can be compared. Raises OSError as `read_key`."""
    sealer = read_key(path)
    return hashlib.sha256(sealer.proof.encode()).hexdigest()[:8] if sealer else ""


# --- in a database ----------------------------------------------------------------------------------------
def known_key() -> Plan[str]:
    """Returns what a database knows its key by; "" for one that is not sealed yet."""
    rows = yield from ask("SELECT value FROM settings WHERE owner = ?1 AND key = ?2", *PROOF)
    return str(rows[0][0]) if rows else ""


SEALED = (
    ("letters", ("number",), ("key",)),
    ("arrivals", ("number",), ("id",)),
    ("settings", ("owner", "key"), ("owner", "key")),
    ("words", ("match", "seq"), ("match", "seq")),
)
"""Tables, by what their rows are found, and what names a row. Events are chained as they are stored."""


def broken_seals(sealer: Sealer, version: int) -> Plan[list[str]]:
    """Returns which rows do not open with this key in a database of a form, each as `table name`."""
    found: list[str] = []
    for table, keys, names in SEALED:
        if version < SINCE.get(table, 0):
            continue

        def look(rows: list[Any], table: str = table, width: int = len(keys)) -> None:
            for row in rows:
                *name, stored = row[width:]
                try:
                    if name[0] != PLAIN:
                        sealer.open(stored, table, *name)
                except OSError:
                    found.append(f"{table} {' '.join(map(str, name))}")

        where = "body <> ''" if table == "words" else "true"  # those of whoever is erased are gone
        yield from each_page(table, keys, (*names, "value" if table == "settings" else "body"), look, where)
    return found
