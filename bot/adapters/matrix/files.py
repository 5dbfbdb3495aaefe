"""The files that hold the bot's login on Matrix, and how they are written."""

import os
from pathlib import Path
from typing import Final

SESSION: Final = "session.json"
KEYS: Final = "keys.db"
IDENTITY: Final = "identity.json"
RENEW: Final = "new-identity"
"""A file of this name in the folder says that an identity made elsewhere may be replaced."""


def write_private(path: Path, text: bytes) -> None:
    """Replace a file as a whole, durably, and readable by nobody else."""
    fresh = path.with_name(path.name + ".new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    place = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)
