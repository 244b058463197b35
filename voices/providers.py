"""Which provider speaks, by the settings. Providers are imported when they are used: starting offline loads no SDK."""

from __future__ import annotations

from settings import Settings
from voices.base import Trouble, Voice, VoiceError

PROVIDERS = ("anthropic", "simulated")


def provider_name(settings: Settings) -> str:
    """`auto` is anthropic when a key is set, else simulated. Raises VoiceError for an unknown name."""
    if settings.provider == "auto":
        return "anthropic" if settings.anthropic_api_key is not None else "simulated"
    if settings.provider not in PROVIDERS:
        raise VoiceError(
            Trouble.BAD_REQUEST,
            f"{settings.provider!r} is not a provider: it is auto, {' or '.join(PROVIDERS)}.",
            retryable=False,
            fatal=True,
        )
    return settings.provider


def make_voice(settings: Settings, *, pace: str = "instant") -> Voice:
    """The configured provider. Raises VoiceError in one sentence when it cannot be used as configured."""
    if provider_name(settings) == "simulated":
        from voices.simulated import SimulatedVoice

        return SimulatedVoice(pace=pace, faults=settings.simulated_faults)
    if settings.anthropic_api_key is None:
        raise VoiceError(
            Trouble.AUTH,
            "The provider anthropic needs a key: set ANTHROPIC_API_KEY, or use --provider simulated.",
            retryable=False,
            fatal=True,
        )
    from voices.anthropic import AnthropicVoice

    return AnthropicVoice(
        api_key=settings.anthropic_api_key.get_secret_value(),
        base_url=settings.anthropic_base_url,
        models={"low": settings.model_low, "mid": settings.model_mid, "high": settings.model_high},
    )
