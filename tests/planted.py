"""A plugin for pytest: games that do not come with Riposte are among those that every test looks at.

`python -m pytest -p tests.planted -k daisy` adds the games of the guide, `RIPOSTE_GAMES=FOLDER` before it those in a
folder of one's own.
"""

import os
from pathlib import Path

import engine.games

GUIDE = Path(__file__).parent / "sixth_game"

engine.games.__path__.append(str(Path(os.environ.get("RIPOSTE_GAMES") or GUIDE).absolute()))
