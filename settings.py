"""Every setting, once: `BOARDROOM_*` variables over `boardroom.toml` over the defaults here.

Temporal's own variables (`TEMPORAL_ADDRESS`, profiles, TLS) and `ANTHROPIC_API_KEY` keep their names.
"""

from __future__ import annotations

import json
import os
import stat
import tomllib
import zoneinfo
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, get_args
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

TELEGRAM = "https://api.telegram.org"
THIS_MACHINE = ("127.0.0.1", "::1", "localhost")
SECRET_FILE = 4096
"""Bytes of a file that holds a secret."""
PROVIDERS = ("auto", "anthropic", "simulated")
TIERS = ("low", "mid", "high")
TOML_FILE = "boardroom.toml"
NOT_SETTINGS = ("BOARDROOM_CI",)
"""Variables of ours that set nothing here; the tests read them."""


class SettingsError(Exception):
    """A setting is wrong; the message is one sentence that names it, where it comes from, and the mend."""


def _web_address(value: str) -> str:
    """An http or https address without user, query or fragment, and without a slash at its end. ValueError."""
    try:
        parts = urlsplit(value)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or any(ord(c) <= 32 or ord(c) > 126 or c in "\\?#@" for c in value):
        raise ValueError("it must be an address like https://board.example.org")
    return value.rstrip("/")


def _secret_in(file: Path) -> str:
    """What a file holds, without white space at its ends. ValueError unless it is a file that others cannot read or write."""
    try:
        # Opened first and looked at then, so that it is the same file; without waiting, so that a pipe does not hold it up.
        opened = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            found = os.fstat(opened)
            if not stat.S_ISREG(found.st_mode):
                raise ValueError("it is not a file")
            if found.st_mode & 0o026:
                raise ValueError("others may read or write it: chmod go= it")
            text = os.read(opened, SECRET_FILE + 1)
        finally:
            os.close(opened)
    except OSError as error:
        raise ValueError(f"it cannot be read ({(error.strerror or type(error).__name__).lower()})") from None
    try:
        secret = text.decode().strip()
    except UnicodeDecodeError:
        secret = ""
    if len(text) > SECRET_FILE or not secret.isprintable():
        raise ValueError(f"it must hold one line of text, of at most {SECRET_FILE} bytes")
    if not secret:
        raise ValueError("it is empty or no text: write the secret into it")
    return secret


def _one_of(value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise ValueError(f"it must be one of {', '.join(allowed)}")
    return value


class Settings(BaseSettings):
    """What an operator may set. Seconds unless a name says otherwise."""

    model_config = SettingsConfigDict(
        env_prefix="BOARDROOM_", toml_file="boardroom.toml", extra="forbid", env_ignore_empty=True, populate_by_name=True
    )

    data_dir: Annotated[Path, Field(description="where the store, the embedded server's file and locks live")] = Path("data")
    database_url: Annotated[str | None, Field(description="PostgreSQL URL; unset: SQLite in the data directory")] = None
    zone: Annotated[str, Field(description="IANA time zone of meetings")] = "America/Los_Angeles"

    provider: Annotated[str, Field(description="auto, anthropic or simulated; auto takes anthropic when a key is set")] = "auto"
    model_low: Annotated[str, Field(description="model of the low tier")] = "claude-haiku-5-5"
    model_mid: Annotated[str, Field(description="model of the mid tier")] = "claude-sonnet-5-5"
    model_high: Annotated[str, Field(description="model of the high tier")] = "claude-opus-5-5"
    tier: Annotated[str, Field(description="tier of members' calls: low, mid or high")] = "mid"
    anthropic_api_key: Annotated[
        SecretStr | None, Field(validation_alias="ANTHROPIC_API_KEY", description="key of the Anthropic service")
    ] = None
    anthropic_base_url: Annotated[
        str | None, Field(validation_alias="ANTHROPIC_BASE_URL", description="another address of the Anthropic service")
    ] = None
    simulated_faults: Annotated[str, Field(description="faults of simulated voices, e.g. slow:musk,prose_votes")] = ""

    personas_dir: Annotated[Path | None, Field(description="folder of persona files; unset: the seven that come along")] = None
    composition: Annotated[Path | None, Field(description="board_config.json; unset: the one that comes along")] = None

    call_timeout: Annotated[float, Field(gt=0, description="one model call")] = 120.0
    call_retries: Annotated[int, Field(ge=0, le=10, description="retries after a provider's failure")] = 2
    health_check: Annotated[bool, Field(description="try each facilitator before it presides")] = True
    health_check_timeout: Annotated[float, Field(gt=0, description="one try of a facilitator")] = 30.0
    batch_size: Annotated[int, Field(ge=0, description="calls of a round at a time; 0: the whole round")] = 0
    voices_concurrency: Annotated[int, Field(ge=1, description="model calls at a time in one worker")] = 32
    meeting_deadline: Annotated[float, Field(gt=0, description="when a meeting goes to its closing")] = 1800.0
    phase_deadline: Annotated[float, Field(gt=0, description="when a phase ends")] = 900.0
    abandon_after: Annotated[float, Field(gt=0, description="how long a halted meeting waits to be resumed")] = 14 * 86400.0
    budget_calls: Annotated[int, Field(ge=0, description="model calls a meeting may make; 0: no limit")] = 0
    budget_usd: Annotated[float, Field(ge=0, description="what a meeting may cost; 0: no limit")] = 0.0
    max_mentions: Annotated[int, Field(ge=0, description="next words given by @mention in one round")] = 2
    max_amendments: Annotated[int, Field(ge=0, description="amendments taken up per motion and degree")] = 2
    designated_dissenter: Annotated[bool, Field(description="ask one member to argue against each motion")] = True
    titles_in_temporal: Annotated[
        bool | None, Field(description="topics in Temporal's summaries; unset: on for the embedded server only")
    ] = None

    on_review_deadline: Annotated[
        str, Field(description="at an agenda's review deadline: remind, hold (without approval) or drop the meeting")
    ] = "remind"
    remind_every: Annotated[float, Field(gt=0, description="between two reminders of an agenda that waits")] = 86400.0

    schedule_catchup: Annotated[
        float, Field(ge=10, description="how late a scheduled meeting is still held; later it counts as missed")
    ] = 6 * 3600.0
    schedule_drafting: Annotated[
        float,
        Field(
            gt=0, description="for the drafting of a scheduled meeting, beyond meeting_deadline, until it is told as a timeout"
        ),
    ] = 600.0
    secretary: Annotated[bool, Field(description="a summary and the secretary's review after each meeting")] = True
    remind_days: Annotated[
        int, Field(ge=0, le=365, description="days between reminders of a resolution that waits for your answer; 0: none")
    ] = 7
    stale_days: Annotated[int, Field(ge=1, le=3650, description="days without movement after which a resolution is stale")] = 30
    remind_hour: Annotated[int, Field(ge=0, le=23, description="hour of the day, in the meeting's zone, of such reminders")] = 9
    escalation_days: Annotated[
        int, Field(ge=1, le=365, description="days that a proposal without a majority waits for a person's decision")
    ] = 14
    escalation_reminder_days: Annotated[int, Field(ge=0, le=365, description="days between two reminders of it; 0: none")] = 3
    reviews_dir: Annotated[
        Path | None, Field(description="folder for the files of reviews that come in by the API; unset: none are written")
    ] = None
    doers: Annotated[
        str, Field(description="who may do small things after a meeting: calendar, reminder, ledger, with commas; or none")
    ] = "calendar,reminder,ledger"
    calendar_file: Annotated[
        Path | None, Field(description=".ics file that the doer `calendar` writes; unset: calendar.ics in the data directory")
    ] = None
    tasks_file: Annotated[
        Path | None, Field(description="file that action items are written to: .txt (todo.txt), .ics or .csv")
    ] = None
    tasks_owners: Annotated[str, Field(description="whose action items go to other programs, with commas; or all")] = (
        "shareholder"
    )
    tasks_webhook_url: Annotated[SecretStr | None, Field(description="https address that action items are posted to")] = None
    tasks_webhook_secret: Annotated[SecretStr | None, Field(description="secret that signs them, 16 characters or more")] = None
    tasks_webhook_secret_file: Annotated[
        Path | None, Field(description="or a file that holds it and that others cannot read")
    ] = None
    context_dir: Annotated[Path | None, Field(description="the person's context folder, which the board book is read from")] = (
        None
    )
    drift_goals: Annotated[int, Field(ge=1, description="goals off track at which the drift schedule convenes the board")] = 2

    host: Annotated[str, Field(description="address that the API listens on; beyond this machine it needs tokens")] = (
        "127.0.0.1"
    )
    port: Annotated[int, Field(ge=0, le=65535, description="port of the API; 0: a free one")] = 8400
    allowed_hosts: Annotated[str, Field(description="names, with commas, that the API is served by besides localhost")] = ""
    allowed_origins: Annotated[str, Field(description="origins, with commas, whose pages may use the API")] = ""
    api_rate: Annotated[float, Field(gt=0, description="requests a second of one caller, on average")] = 50.0
    api_burst: Annotated[float, Field(ge=1, description="requests of one caller at once")] = 200.0
    session_hours: Annotated[float, Field(gt=0, le=24 * 366, description="hours that a browser session lasts")] = 12.0
    max_meetings: Annotated[int, Field(ge=1, description="meetings of one person that are not over")] = 100

    metrics_port: Annotated[
        int, Field(ge=0, le=65535, description="port of a worker's own metrics on this machine; 0: none")
    ] = 0

    public_url: Annotated[str | None, Field(description="where links of notices lead; unset: they name a command")] = None
    notice_details: Annotated[
        bool, Field(description="names, topics and texts in notices, which may be about health; never in a webhook's")
    ] = False
    smtp_host: Annotated[str | None, Field(description="mail server for notices")] = None
    smtp_port: Annotated[int, Field(ge=1, le=65535, description="port of the mail server; with tls usually 465")] = 587
    smtp_security: Annotated[str, Field(description="starttls, tls or none; none: a password goes to this machine only")] = (
        "starttls"
    )
    smtp_user: Annotated[str | None, Field(description="user at the mail server")] = None
    smtp_password: Annotated[SecretStr | None, Field(description="password at the mail server")] = None
    smtp_password_file: Annotated[Path | None, Field(description="or a file that holds it and that others cannot read")] = None
    mail_from: Annotated[str | None, Field(description="address that notices come from")] = None
    mail_to: Annotated[str | None, Field(description="addresses that notices go to, with commas")] = None
    telegram_token: Annotated[SecretStr | None, Field(description="token of a Telegram bot")] = None
    telegram_token_file: Annotated[Path | None, Field(description="or a file that holds it and that others cannot read")] = None
    telegram_chat: Annotated[str | None, Field(description="id of the Telegram chat")] = None
    telegram_base_url: Annotated[
        str, Field(description="address of Telegram's bot service; https, or http on this machine")
    ] = TELEGRAM
    webhook_url: Annotated[SecretStr | None, Field(description="https address that notices are posted to")] = None
    webhook_secret: Annotated[SecretStr | None, Field(description="secret that signs them, 16 characters or more")] = None
    webhook_secret_file: Annotated[Path | None, Field(description="or a file that holds it and that others cannot read")] = None
    webhook_allowed_hosts: Annotated[
        str,
        Field(
            description="hosts or host:port, with commas, that may be inside (127.0.0.1 too), over http and on any port; "
            "every other must be a public name over https"
        ),
    ] = ""
    apprise_urls: Annotated[
        SecretStr | None, Field(description="addresses of other channels, with commas (extra: channels)")
    ] = None
    apprise_urls_file: Annotated[Path | None, Field(description="or a file that holds them and that others cannot read")] = None

    heartbeat: Annotated[float, Field(gt=0, description="heartbeat timeout of model calls; 2 recovers quickly")] = 15.0
    sticky: Annotated[float, Field(gt=0, description="sticky queue timeout of the worker")] = 2.0
    temporal_port: Annotated[int, Field(ge=0, le=65535, description="port of the embedded Temporal server; 0: a free one")] = 0
    temporal_ui_port: Annotated[
        int, Field(ge=0, le=65535, description="port of the embedded server's Web UI; 0: a free one")
    ] = 0

    @property
    def has_notices(self) -> bool:
        """Whether any channel for notices is set up."""
        return any((self.smtp_host, self.telegram_token, self.webhook_url, self.apprise_urls))

    @field_validator("provider")
    @classmethod
    def _known_provider(cls, value: str) -> str:
        return _one_of(value, PROVIDERS)

    @field_validator("tier")
    @classmethod
    def _known_tier(cls, value: str) -> str:
        return _one_of(value, TIERS)

    @field_validator("on_review_deadline")
    @classmethod
    def _known_policy(cls, value: str) -> str:
        return _one_of(value, ("remind", "hold", "drop"))

    @field_validator("doers")
    @classmethod
    def _known_doers(cls, value: str) -> str:
        for part in (part.strip().lower() for part in value.split(",")):
            if part:  # nothing between two commas, or nothing at all, is nobody
                _one_of(part, ("calendar", "reminder", "ledger", "none"))
        return value

    @field_validator("smtp_security")
    @classmethod
    def _known_security(cls, value: str) -> str:
        return _one_of(value, ("starttls", "tls", "none"))

    @field_validator("public_url", "telegram_base_url")
    @classmethod
    def _known_address(cls, value: str | None) -> str | None:
        return None if value is None else _web_address(value)

    @field_validator("telegram_base_url")
    @classmethod
    def _kept_address(cls, value: str) -> str:
        # The token is part of every address that is called there.
        if urlsplit(value).scheme == "http" and urlsplit(value).hostname not in THIS_MACHINE:
            raise ValueError("it must be https, or the token would go over the network for all to read")
        return value

    @field_validator(
        "smtp_password_file", "telegram_token_file", "webhook_secret_file", "apprise_urls_file", "tasks_webhook_secret_file"
    )
    @classmethod
    def _sound_file(cls, value: Path | None) -> Path | None:
        if value is not None:
            _secret_in(value)
        return value

    @model_validator(mode="after")
    def _take_secrets(self) -> Settings:
        """What a `…_file` names becomes the secret's value, so that whoever needs it looks in one place."""
        for name in ("smtp_password", "telegram_token", "webhook_secret", "apprise_urls", "tasks_webhook_secret"):
            file = getattr(self, f"{name}_file")
            if file is None:
                continue
            found = _secret_in(file)
            given = getattr(self, name)
            if given is not None and given.get_secret_value() != found:
                here = variable_of(name)
                raise SettingsError(f"{here} and {here}_FILE are both set and differ: keep one of them.")
            setattr(self, name, SecretStr(found))
        return self

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            zoneinfo.ZoneInfo(value)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError("it must be an IANA time zone such as Europe/Lisbon") from None
        return value

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("postgresql://", "postgresql+asyncpg://", "postgres://", "sqlite")):
            raise ValueError("it must be a URL like postgresql://user@host/name")
        if value is not None:
            try:
                urlsplit(value).port  # noqa: B018  # raises for a port that is none
            except ValueError:
                raise ValueError("it must be a URL like postgresql://user@host:5432/name; its port is no number") from None
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


def variable_of(name: str) -> str:
    """The environment variable of a setting: "BOARDROOM_DATA_DIR" for "data_dir"."""
    alias = Settings.model_fields[name].validation_alias
    return alias if isinstance(alias, str) else f"BOARDROOM_{name.upper()}"


def origin_of(name: str) -> str:
    """Where a setting's value comes from: its variable's name, "boardroom.toml" or "default"."""
    variables = {variable_of(name).lower(), f"boardroom_{name}"}
    for variable, value in os.environ.items():
        if variable.lower() in variables and value:
            return variable
    return TOML_FILE if _in_file(name) is not None else "default"


def unknown_variables() -> list[str]:
    """`BOARDROOM_*` variables that set nothing, each with the name that was probably meant."""
    known = {variable_of(name).lower(): variable_of(name) for name in Settings.model_fields}
    known |= {f"boardroom_{name}": f"BOARDROOM_{name.upper()}" for name in Settings.model_fields}
    found = []
    for variable in sorted(os.environ):
        if variable.upper().startswith("BOARDROOM_") and variable.lower() not in known and variable not in NOT_SETTINGS:
            close = get_close_matches(variable.lower(), known, n=1)
            found.append(f"{variable} sets nothing" + (f": did you mean {known[close[0]]}?" if close else "."))
    return found


_EXAMPLE_HEAD = """\
# Every setting of Boardroom, at its default. Nothing has to be set: without a key the voices are simulated and the
# Temporal server is an embedded one. Copy to .env, uncomment what you change, and run `uv run --env-file .env boardroom …`.
# A boardroom.toml with the names in lower case and without BOARDROOM_ says the same; variables go over it.
# Written from settings.py; a test compares the two. Times are in seconds.
"""
_EXAMPLE_TAIL = """
# Temporal's own variables. With an address (or a profile that has one) the server is that one and none is embedded.
# TEMPORAL_ADDRESS=
# TEMPORAL_NAMESPACE=default
# TEMPORAL_API_KEY=
# TEMPORAL_PROFILE=
# TEMPORAL_CONFIG_FILE=
"""


def example() -> str:
    """The text of `.env.example`."""
    lines = [_EXAMPLE_HEAD]
    for name, field in Settings.model_fields.items():
        default = field.default
        shown = "" if default is None else str(default).lower() if isinstance(default, bool) else f"{default}"
        lines.append(f"# {field.description}\n# {variable_of(name)}={shown}\n")
    return "\n".join(lines) + _EXAMPLE_TAIL


def load(**given: Any) -> Settings:
    """Read the settings; `given` (from the command line) goes over all else. Raises SettingsError."""
    try:
        return Settings(**given)
    except ValidationError as error:
        raise SettingsError(_sentence(error, given)) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{TOML_FILE} is not valid TOML: {error}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{TOML_FILE} cannot be read: {error}.") from None


def _file() -> dict[str, Any]:
    try:
        return tomllib.loads(Path(TOML_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _in_file(name: str) -> str | None:
    """The key under which the file sets a setting, if it does."""
    alias = Settings.model_fields[name].validation_alias
    return next((key for key in _file() if key in (name, alias)), None)


def _shown(value: Any) -> str:
    """A value as it was given, cut where nobody would read on."""
    text = str(value) if isinstance(value, Path) else value
    if isinstance(text, str) and len(text) > 200:
        text = text[:199] + "…"
    return json.dumps(text, default=str, ensure_ascii=False)[:220]


def _sentence(error: ValidationError, given: dict[str, Any]) -> str:
    first = error.errors()[0]
    key = str(first["loc"][0]) if first["loc"] else ""
    name = next((field for field in Settings.model_fields if key.lower() in (field, variable_of(field).lower())), None)
    if name is None:
        close = get_close_matches(key, Settings.model_fields, n=1)
        return f"{TOML_FILE} sets {key!r}, which is no setting" + (f": did you mean {close[0]!r}?" if close else ": remove it.")
    kind = first["type"]
    limit = first.get("ctx", {})
    wants = {
        "int_parsing": "it must be a whole number",
        "int_from_float": "it must be a whole number",
        "float_parsing": "it must be a number",
        "bool_parsing": "it must be true or false",
        "greater_than": f"it must be greater than {limit.get('gt')}",
        "greater_than_equal": f"it must be at least {limit.get('ge')}",
        "less_than_equal": f"it must be at most {limit.get('le')}",
        "value_error": str(limit.get("error", "")),
    }.get(kind, first["msg"][:1].lower() + first["msg"][1:])
    field = Settings.model_fields[name]
    secret = SecretStr in (field.annotation, *get_args(field.annotation)) or name == "database_url"
    shown = "a value that is not shown" if secret else _shown(first["input"])
    origin = origin_of(name)
    if name in given:
        where = f"{name} is"
    elif origin == TOML_FILE:
        where = f"{TOML_FILE} sets {_in_file(name)} to"
    else:
        where = f"{origin} is"
    default = "" if field.default is None else f" ({field.default!s} unless set)"
    return f"{where} {shown}, but {wants}{default}."
