"""SQLite's errors, as OSErrors that tell hosts the fact and the remedy."""

import errno
import sqlite3

from storage.checksum import CORRUPT

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
    sqlite3.SQLITE_CORRUPT: CORRUPT,
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
