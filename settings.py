"""Every setting, once: `BOARDROOM_*` variables over `boardroom.toml` over the defaults here.

Temporal's own variables (`TEMPORAL_ADDRESS`, profiles, TLS) and `ANTHROPIC_API_KEY` keep their names.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource


class Settings(BaseSettings):
    """What an operator may set. Seconds unless a name says otherwise."""

    model_config = SettingsConfigDict(
        env_prefix="BOARDROOM_", toml_file="boardroom.toml", extra="forbid", env_ignore_empty=True
    )

    data_dir: Annotated[Path, Field(description="where the store, the embedded server's file and locks live")] = Path("data")
    database_url: Annotated[str | None, Field(description="PostgreSQL URL; unset: SQLite in the data directory")] = None
    zone: Annotated[str, Field(description="IANA time zone of meetings")] = "America/Los_Angeles"

    provider: Annotated[str, Field(description="auto, anthropic or simulated; auto takes anthropic when a key is set")] = "auto"
    model_low: Annotated[str, Field(description="model of the low tier")] = "claude-haiku-4-5"
    model_mid: Annotated[str, Field(description="model of the mid tier")] = "claude-sonnet-4-5"
    model_high: Annotated[str, Field(description="model of the high tier")] = "claude-opus-4-5"
    tier: Annotated[str, Field(description="tier of members' calls: low, mid or high")] = "mid"
    anthropic_api_key: Annotated[SecretStr | None, Field(validation_alias="ANTHROPIC_API_KEY")] = None
    anthropic_base_url: Annotated[str | None, Field(validation_alias="ANTHROPIC_BASE_URL")] = None
    simulated_faults: Annotated[str, Field(description="faults of simulated voices, e.g. slow:musk,prose_votes")] = ""

    personas_dir: Annotated[Path | None, Field(description="folder of persona files; unset: the seven that come along")] = None
    composition: Annotated[Path | None, Field(description="board_config.json; unset: the one that comes along")] = None

    call_timeout: Annotated[float, Field(gt=0, description="one model call")] = 120.0
    call_retries: Annotated[int, Field(ge=0, le=10, description="retries after a provider's failure")] = 2
    health_check: Annotated[bool, Field(description="try each facilitator before it presides")] = True
    health_check_timeout: Annotated[float, Field(gt=0)] = 30.0
    batch_size: Annotated[int, Field(ge=0, description="calls of a round at a time; 0: the whole round")] = 0
    voices_concurrency: Annotated[int, Field(ge=1, description="model calls at a time in one worker")] = 32
    meeting_deadline: Annotated[float, Field(gt=0)] = 1800.0
    phase_deadline: Annotated[float, Field(gt=0)] = 900.0
    abandon_after: Annotated[float, Field(gt=0, description="how long a halted meeting waits to be resumed")] = 14 * 86400.0
    budget_calls: Annotated[int, Field(ge=0, description="model calls a meeting may make; 0: no limit")] = 0
    budget_usd: Annotated[float, Field(ge=0, description="what a meeting may cost; 0: no limit")] = 0.0
    max_mentions: Annotated[int, Field(ge=0, description="next words given by @mention in one round")] = 2
    max_amendments: Annotated[int, Field(ge=0, description="amendments taken up per motion and degree")] = 2
    designated_dissenter: Annotated[bool, Field(description="ask one member to argue against each motion")] = True
    titles_in_temporal: Annotated[bool | None, Field(description="topics in Temporal's summaries; unset: on for the embedded server only")] = None

    heartbeat: Annotated[float, Field(gt=0, description="heartbeat timeout of model calls; 2 recovers quickly")] = 15.0
    sticky: Annotated[float, Field(gt=0, description="sticky queue timeout of the worker")] = 2.0

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
