"""The settings of a host: environment variables that begin with RIPOSTE_, or the same lines in a file `.env`."""

import errno
import os
import re
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Self, get_args, get_origin

from pydantic import AfterValidator, Field, SecretStr, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.bucket.address import checked
from bot.console.terminal import fail
from bot.own_games import add_games
from storage import erased_list, is_server

ENV_FILE = Path(".env")
SECRETS = Path("/run/secrets")
"""Where containers mount secrets, a file each; systemd names its own such folder in CREDENTIALS_DIRECTORY."""
PASSWORD = re.compile(r"^postgres(?:ql)?://[^:@/]*:([^@/]*)@|[?&]password=([^&]*)")
"""What is secret in the address of a database."""
USER = re.compile(r"@[^:\s]+:\S+")


class Shards(NamedTuple):
    """The part of Discord that a process serves: these of so many shards."""

    ids: tuple[int, ...]
    total: int


def _homeserver(text: str) -> str:
    if text and not re.fullmatch(r"https?://[^/\s]+", text := text.rstrip("/")):
        raise ValueError("write its address, like https://matrix.example.org")
    return text


def _public(text: str) -> str:
    if text and not re.fullmatch(r"https://[a-z0-9.-]+(:\d{1,5})?", text := text.rstrip("/").lower()):
        raise ValueError("write the address that your reverse proxy serves, like https://riposte.example.org")
    return text


def _address(text: str) -> str:
    if text and not re.fullmatch(r"([^\s:]+:)?\d{1,5}", text):
        raise ValueError("write a port, like 9109, or an address and a port, like 0.0.0.0:9109")
    return text


def _user(text: str) -> str:
    if text and not USER.fullmatch(text):
        raise ValueError("write the whole id, like @riposte:example.org")
    return text


def _shards(text: str) -> str:
    if text:
        shards(text)
    return text


def shards(text: str) -> Shards:
    """Reads `0-3/16` or `3/16`. Raises ValueError with a sentence."""
    found = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?/(\d{1,4})", text)
    if found:
        first, last, total = (int(part or found[1]) for part in found.groups())
        if first <= last < total:
            return Shards(tuple(range(first, last + 1)), total)
    raise ValueError("write which shards of how many, like 0-3/16")


def _one_word(secret: SecretStr) -> SecretStr:
    if re.search(r"\s", secret.get_secret_value()):
        raise ValueError("it holds a space or a line break, and tokens hold none")
    return secret


def _prefix(word: str) -> str:
    if not re.fullmatch(r"\S{1,20}", word):
        raise ValueError("write one word of at most 20 characters")
    return word


class Settings(BaseSettings):
    """Every setting has a default that works; `.env.example` is written from here."""

    model_config = SettingsConfigDict(
        env_prefix="RIPOSTE_",
        env_file=ENV_FILE,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,  # it may be a token
    )

    data: Path = Field(
        default=Path("data"), description="Folder for the database and the web room's history; made if missing."
    )
    database: str = Field(
        default="",
        description="Path of the database, or a PostgreSQL like postgresql://riposte:PASSWORD@127.0.0.1/riposte; "
        "empty = riposte.db in the data folder.",
    )
    replica: str = Field(
        default="",
        description="A PostgreSQL that follows that one, from which those who only read the page are served; empty = "
        "none.",
    )
    several: bool = Field(
        default=False,
        description="Whether several processes with this setting may work on the same PostgreSQL at once.",
    )
    key_file: Path | None = Field(
        default=None,
        description="File with the key of the database, made if missing; empty = beside the data folder, as data.key.",
    )
    port: int = Field(
        default=8080, ge=0, le=65535, description="Port of the web room; the next free one if it is taken."
    )
    games: Path | None = Field(default=None, description="Folder with games of your own, one file or folder each.")
    log: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="How much is written to the log."
    )
    log_format: Literal["text", "json"] = Field(
        default="text", description="Whether lines of the log are for people, or JSON objects for programs."
    )
    log_folder: Path | None = Field(default=None, description="The log's folder, a file a day; empty = standard error.")
    log_days: int = Field(default=14, ge=1, le=365, description="For how many days the files there are kept.")
    web: Literal["auto", "yes", "no"] = Field(
        default="auto",
        description="Whether the web room opens; auto = where no other platform is set up, or with a public address.",
    )
    public_url: Annotated[str, AfterValidator(_public)] = Field(
        default="",
        description="Address under which a reverse proxy serves the web room to everybody, like "
        "https://riposte.example.org; empty = this machine alone.",
    )
    partner_cores: int = Field(
        default=1,
        ge=0,
        le=64,
        description="How many cores Riposte may think on when it plays itself (`play tokonoma`); 0 = it does not play.",
    )
    partner: Literal["here", "elsewhere"] = Field(
        default="here",
        description="Where Riposte thinks then: here, or elsewhere, by `riposte partner` on the same PostgreSQL.",
    )
    partner_matches: int = Field(
        default=50, ge=1, le=500, description="In how many matches at a time Riposte plays itself."
    )
    metrics: Annotated[str, AfterValidator(_address)] = Field(
        default="",
        description="Port on which hosts find /metrics, /healthz and /readyz, on this machine alone, like 9109; "
        "0.0.0.0:9109 opens it to others, who need the token. Empty = none.",
    )
    metrics_token: Annotated[SecretStr, AfterValidator(_one_word)] = Field(
        default=SecretStr(""), description="What whoever reads these has to show, as `Authorization: Bearer …`."
    )
    discord_token: Annotated[SecretStr, AfterValidator(_one_word)] = Field(
        default=SecretStr(""), description="The token of your bot on Discord; empty = no Discord."
    )
    discord_shards: Annotated[str, AfterValidator(_shards)] = Field(
        default="", description="Which shards of Discord this process serves, like 0-3/16; empty = all."
    )
    discord_content: bool = Field(
        default=False,
        description="Read every message in matches' threads, so that a bare turn is heard: yes needs the privileged "
        "Message Content Intent, switched on for your application.",
    )
    matrix_homeserver: Annotated[str, AfterValidator(_homeserver)] = Field(
        default="", description="Address of the bot's Matrix homeserver, like https://matrix.example.org; empty = none."
    )
    matrix_user: Annotated[str, AfterValidator(_user)] = Field(
        default="", description="The bot's Matrix id, like @riposte:example.org."
    )
    matrix_password: SecretStr = Field(
        default=SecretStr(""), description="Its password; needed once, at the first start."
    )
    matrix_token: Annotated[SecretStr, AfterValidator(_one_word)] = Field(
        default=SecretStr(""), description="Or an access token of a device made for the bot, in place of a password."
    )
    matrix_recovery_key: SecretStr = Field(
        default=SecretStr(""),
        description="The recovery key of its identity; needed only where identity.json is lost.",
    )
    matrix_prefix: Annotated[str, AfterValidator(_prefix)] = Field(
        default="!riposte", description="What a command in a Matrix room begins with."
    )
    matrix_invites: str = Field(
        default="everybody",
        description="Whose invitations to Matrix rooms are accepted: everybody, own-server, or ids and servers.",
    )
    matrix_ignored: str = Field(
        default="",
        description="Matrix ids that are ignored, such as other bots; spaces between them, * for any letters.",
    )

    standby: Path | None = Field(
        default=None,
        description="Folder on another disk into which everything but keys is copied at least once a minute; empty = "
        "none.",
    )
    standby_keys: Path | None = Field(
        default=None,
        description="Folder apart from that one into which the keys are copied: the database's, and those of Matrix.",
    )
    bucket: Annotated[str, AfterValidator(checked)] = Field(
        default="",
        description="Bucket of an object store into which everything but the key is copied as well, sealed, like "
        "s3://BUCKET/FOLDER?region=eu-central-1&endpoint=https://s3.example.org; empty = none.",
    )
    bucket_key: Annotated[SecretStr, AfterValidator(_one_word)] = Field(
        default=SecretStr(""), description="What opens that bucket, as ID:SECRET."
    )
    private_webhooks: bool = Field(
        default=False,
        description="Whether news for programs may be sent by http, and to addresses inside your own network.",
    )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        """Refuses what is set up only in part, and bytes that are no text."""
        for name, value in self:
            text = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
            if any("\ud800" <= letter <= "\udfff" for letter in text):
                raise ValueError(f"RIPOSTE_{name.upper()} is no text in UTF-8: write it anew")
        if self.several and not is_server(self.store):
            raise ValueError("RIPOSTE_SEVERAL needs a PostgreSQL in RIPOSTE_DATABASE: a file is one process's")
        if self.partner == "elsewhere" and not self.several:
            raise ValueError(
                "RIPOSTE_PARTNER=elsewhere needs RIPOSTE_SEVERAL=yes: `riposte partner` is another process"
            )
        if self.replica and not (is_server(self.store) and is_server(self.replica)):
            raise ValueError("RIPOSTE_REPLICA is a PostgreSQL that follows the one in RIPOSTE_DATABASE: name both")
        if self.bucket and ":" not in self.bucket_key.get_secret_value():
            raise ValueError("RIPOSTE_BUCKET_KEY is missing: write ID:SECRET of a key for the bucket")
        if ":" in self.metrics and not self.metrics_token.get_secret_value():
            raise ValueError("RIPOSTE_METRICS_TOKEN is missing: whoever can reach RIPOSTE_METRICS would read it")
        if self.matrix_homeserver or self.matrix_user:
            if not self.matrix_homeserver:
                raise ValueError("RIPOSTE_MATRIX_HOMESERVER is missing: https://matrix.example.org, say")
            if not self.matrix_user:
                raise ValueError("RIPOSTE_MATRIX_USER is missing: @riposte:example.org, say")
        return self

    @property
    def store(self) -> str:
        """Where the database is."""
        return self.database or str(self.data / "riposte.db")

    @property
    def key(self) -> Path:
        """Where the key is that what players keep secret is sealed with."""
        data = self.data.absolute()
        return self.key_file or data.with_name(f"{data.name}.key")

    @property
    def erased(self) -> Path:
        """Where the list of those who were erased is, which no backup holds."""
        return erased_list(self.store, self.data)

    @property
    def matrix_folder(self) -> Path:
        """Where the bot's login on Matrix and its keys are."""
        return self.data / "matrix"

    @property
    def discord(self) -> bool:
        """Whether Discord is set up."""
        return bool(self.discord_token.get_secret_value())

    @property
    def matrix(self) -> bool:
        """Whether Matrix is set up."""
        return bool(self.matrix_homeserver)

    @property
    def web_room(self) -> bool:
        """Whether the web room opens."""
        alone = not self.discord and not self.matrix
        return self.web == "yes" or (self.web == "auto" and (alone or bool(self.public_url)))

    @property
    def pages(self) -> str:
        """The address under which everybody reaches the web room's pages; "" where nobody does."""
        return self.public_url.rstrip("/") if self.web != "no" else ""

    @property
    def shards(self) -> Shards | None:
        """Which shards of Discord are ours, None for all."""
        return shards(self.discord_shards) if self.discord_shards else None

    @property
    def invites(self) -> tuple[str, ...]:
        """Whose invitations are accepted, word by word."""
        return tuple(re.split(r"[\s,]+", self.matrix_invites.strip()))

    @property
    def ignored(self) -> tuple[str, ...]:
        """Matrix ids that are ignored."""
        return tuple(filter(None, re.split(r"[\s,]+", self.matrix_ignored)))

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be shown in a log."""
        found = (value for _, value in self if isinstance(value, SecretStr))
        told = [value.get_secret_value() for value in found]
        urls = [parts for url in (self.database, self.replica) for parts in PASSWORD.findall(url)]
        return tuple(filter(None, (*told, *(part for parts in urls for part in parts))))


def settings() -> Settings:
    """Returns the settings, with the host's own games loaded; ends the program with a sentence if they are wrong."""
    try:
        made = read_settings()
    except ValidationError as error:
        fail(*explain(error))
    except OSError as error:
        fail(error.strerror or str(error))
    if broken := add_games(made.games):
        fail(*broken)
    return made


def read_settings() -> Settings:
    """Returns the settings: environment first, then `.env`, then the folders where services find secrets.

    Raises ValidationError (see `explain`), or OSError with the fact and the remedy.
    """
    folders = [Path(os.environ.get("CREDENTIALS_DIRECTORY") or SECRETS), SECRETS]
    try:
        return Settings(_secrets_dir=[folder for folder in folders if folder.is_dir()])  # type: ignore[call-arg]  # the base class knows it
    except (OSError, UnicodeError) as error:  # the environment may hold bytes that are no text
        name = getattr(error, "filename", None) or ENV_FILE
        why = getattr(error, "strerror", None) or "it is no text in UTF-8"
        fact = f"The settings in {name} cannot be read: {why}."
        raise OSError(errno.EACCES, f"{fact} Give Riposte's user the right to read them.") from None


def explain(error: ValidationError) -> tuple[str, str]:
    """Returns what is wrong with the settings, and the remedy; never a secret."""
    first = error.errors(include_url=False, include_context=False)[0]
    because = first["msg"].removeprefix("Value error, ")
    if not first["loc"]:
        return because, "docs/hosting.md goes through the settings of each platform."
    name = str(first["loc"][0])
    field = Settings.model_fields[name]
    default = SPELT.get(repr(field.default), field.default)
    value = "what it is" if isinstance(default, SecretStr) else repr(first["input"])
    if choices := _choices(field):
        return (
            f"RIPOSTE_{name.upper()} cannot be {value}: it is {choices}",
            f"Write one of these; its default is {default}.",
        )
    remedy = f"Its default is {default}." if str(default) else "Or leave it empty."
    return f"RIPOSTE_{name.upper()} cannot be {value}: {because}", remedy


def _choices(field: FieldInfo) -> str:
    """What a setting can be that is a number, a switch or one of a few words; "" for any other."""
    if field.annotation is bool:
        return "yes or no"
    if field.annotation is int:
        bounds = [getattr(rule, end) for end in ("ge", "le") for rule in field.metadata if hasattr(rule, end)]
        return "a whole number from {} to {}".format(*bounds)
    *words, last = get_args(field.annotation) if get_origin(field.annotation) is Literal else ("",)
    return f"{', '.join(words)} or {last}" if words else ""


def exposed(file: Path = ENV_FILE) -> str:
    """Returns a sentence for the host if others on the machine can read secrets in the file, else ""."""
    names = [f"RIPOSTE_{name.upper()}" for name, field in Settings.model_fields.items() if _secret(field.default)]
    try:
        mode = file.stat().st_mode & 0o777
        lines = file.read_text("utf-8", errors="replace")
    except OSError:
        return ""
    if mode & 0o077 and re.search(
        rf"^[ \t]*(?:export\s+)?(?:{'|'.join(names)})[ \t]*=[ \t]*\S", lines, re.MULTILINE | re.I
    ):
        return f"The file {file} holds a secret, and others on this machine may read it. Close it: `chmod 600 {file}`."
    return ""


def _secret(default: object) -> bool:
    return isinstance(default, SecretStr)


def example() -> str:
    """Returns the text of `.env.example`: each setting with its sentence and its default."""
    lines = ["# Riposte's settings. Copy this file to .env and change what you like; every line may be left out."]
    for name, setting in Settings.model_fields.items():
        default = SPELT.get(repr(setting.default), setting.default)
        lines += ["", f"# {setting.description}", f"RIPOSTE_{name.upper()}={default}"]
    return "\n".join(lines) + "\n"


SPELT = {"None": "", "False": "no", "True": "yes"}
"""How defaults are written that are neither words nor numbers."""
