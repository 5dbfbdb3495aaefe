"""What a host can set: environment variables that begin with RIPOSTE_, or the same lines in a file `.env`."""

import pkgutil
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

import engine.games
from bot.terminal import fail
from engine.games import GAMES


class Settings(BaseSettings):
    """Every setting has a default that works; `.env.example` is written from here."""

    model_config = SettingsConfigDict(
        env_prefix="RIPOSTE_", env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True
    )

    data: Path = Field(
        default=Path("data"), description="Folder for the database and the web room's history; made if missing."
    )
    database: str = Field(default="", description="Path or URL of the database; empty = riposte.db in the data folder.")
    port: int = Field(
        default=8080, ge=0, le=65535, description="Port of the web room; the next free one if it is taken."
    )
    games: Path | None = Field(default=None, description="Folder with games of your own, one file or folder each.")
    log: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="How much is written to the log."
    )

    @property
    def store(self) -> str:
        """Where the database is."""
        return self.database or str(self.data / "riposte.db")


def settings() -> Settings:
    """The settings as the host made them; what cannot be is told in a sentence, and the program ends."""
    try:
        made = Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        said, default = first["input"], Settings.model_fields[name].default
        fail(f"RIPOSTE_{name.upper()} cannot be {said!r}: {first['msg']}", f"Its default is {default}.")
    if made.games is not None:
        _shelve(made.games)
    return made


def _shelve(folder: Path) -> None:
    """Put a host's own games beside those that come with Riposte; one that does not work is told of now."""
    if not folder.is_dir():
        fail(f"RIPOSTE_GAMES is {folder}, and there is no such folder", "Make it, or leave the setting empty.")
    if str(folder.absolute()) not in engine.games.__path__:
        engine.games.__path__.append(str(folder.absolute()))
    for found in pkgutil.iter_modules([str(folder)]):
        try:
            right = GAMES[found.name].key == found.name
        except Exception as error:  # it is somebody's own code: anything can be wrong with it
            fail(
                f"the game {folder / found.name} does not work: {error!r}", "docs/adding-a-game.md shows one that does."
            )
        if not right:
            fail(
                f"the game in {folder / found.name} calls itself {GAMES[found.name].key}", "Name the file like its key."
            )


def example() -> str:
    """The text of `.env.example`: each setting with its sentence and its default."""
    lines = ["# Riposte's settings. Copy this file to .env and change what you like; every line may be left out."]
    for name, setting in Settings.model_fields.items():
        default = "" if setting.default is None else setting.default
        lines += ["", f"# {setting.description}", f"RIPOSTE_{name.upper()}={default}"]
    return "\n".join(lines) + "\n"
