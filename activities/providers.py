"""The providers that this worker's meetings speak with: each opened once and shared."""

from __future__ import annotations

import json
from typing import Any

from settings import Settings
from voices.base import Voice
from voices.providers import make_voice


class Providers:
    """One instance a worker. Keys and addresses come from the worker's settings, never from the store."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._voices: dict[str, Voice] = {}

    def voice(self, config: dict[str, Any]) -> Voice:
        """The provider that a meeting's frozen config names."""
        chosen = {name: config.get(name) for name in ("provider", "pace", "faults", "models")}
        key = json.dumps(chosen, sort_keys=True)
        if key not in self._voices:
            models = config.get("models") or {}
            settings = self._settings.model_copy(
                update={
                    "provider": config["provider"],
                    "simulated_faults": config.get("faults") or "",
                    **{f"model_{tier}": name for tier, name in models.items()},
                }
            )
            self._voices[key] = make_voice(settings, pace=config.get("pace") or "instant")
        return self._voices[key]

    async def close(self) -> None:
        for voice in self._voices.values():
            await voice.close()
