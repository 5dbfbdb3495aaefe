"""What a host can set: environment variables that begin with RIPOSTE_, or the same lines in a file `.env`."""

from pathlib import Path
from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


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


def example() -> str:
    """The text of `.env.example`: each setting with its sentence and its default."""
    lines = ["# Riposte's settings. Copy this file to .env and change what you like; every line may be left out."]
    for name, setting in Settings.model_fields.items():
        default = "" if setting.default is None else setting.default
        lines += ["", f"# {setting.description}", f"RIPOSTE_{name.upper()}={default}"]
    return "\n".join(lines) + "\n"
