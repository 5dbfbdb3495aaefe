"""What can go wrong with a database, as OSErrors that tell hosts the fact and the remedy.

Not an exception class of our own: a full disk, a locked file and a damaged block are what OSError is for, and
callers handle them in one place: nothing was changed, and `strerror` can be shown.
"""

import errno
import sqlite3

DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What the driver raises; it fails on its own message when a damaged file's text is no longer UTF-8."""

CAUSES = {
    sqlite3.SQLITE_FULL: (errno.ENOSPC, "The disk is full, so nothing was changed. Free some space and try again."),
    sqlite3.SQLITE_READONLY: (
        errno.EROFS,
        "The database may not be written to, so nothing was changed. Give Riposte write access to its folder.",
    ),
    sqlite3.SQLITE_IOERR: (
        errno.EIO,
        "The disk reported an error, so nothing was changed. Check the disk, then start Riposte again.",
    ),
    sqlite3.SQLITE_CORRUPT: (
        errno.EBADMSG,
        "The database is damaged here. Restore it from a backup; what is not damaged can be played on.",
    ),
    sqlite3.SQLITE_NOTADB: (
        errno.EBADMSG,
        "This file is not a database of Riposte. Choose another file, or restore it from a backup.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        errno.EACCES,
        "The database cannot be opened. Check that its folder exists and that Riposte may write there.",
    ),
    sqlite3.SQLITE_PERM: (errno.EACCES, "The database may not be opened. Give Riposte access to its folder."),
    sqlite3.SQLITE_BUSY: (
        errno.EBUSY,
        "Another program holds the database, so nothing was changed. Close it and try again.",
    ),
}
"""By SQLite's primary result code."""


def explain(error: Exception) -> Exception:
    """Returns the OSError for an error of the disk or the file; anything else is a bug and stays what it is."""
    # What the driver cannot read as UTF-8 it reports itself, without a code of SQLite's.
    unread = isinstance(error, UnicodeDecodeError) or type(error) is sqlite3.OperationalError
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT if unread else sqlite3.SQLITE_OK) & 0xFF
    return OSError(*CAUSES[code]) if code in CAUSES else error


def damaged(match: str, seq: int) -> OSError:
    """Returns the error for a match that can no longer be trusted; all others can be played."""
    return OSError(
        errno.EBADMSG,
        f"Match {match} is damaged{f' from event {seq} on' if seq else ''}: what is stored is not what was written. "
        "Restore the database from a backup to go on with it; all other matches can be played.",
    )
