"""The channels that are set up, and what is wrong with those that are half set up."""

from __future__ import annotations

from typing import Protocol

from activities.notices.composing import Message
from settings import Settings


class ChannelError(Exception):
    """A channel did not take a notice; the message is one sentence without secrets.

    `retryable`: another attempt may succeed. `unsure`: it may have been sent all the same, so a repetition must say so.
    """

    def __init__(self, message: str, *, retryable: bool = True, unsure: bool = False, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.unsure = unsure
        self.retry_after = retry_after


class Channel(Protocol):
    """One way to the person. `send` returns when the other side has taken the notice, and raises ChannelError else."""

    name: str

    async def send(self, message: Message) -> None: ...


def channels_of(settings: Settings) -> tuple[Channel, ...]:
    """The channels that are set up whole, each loaded only when it is."""
    found: list[Channel] = []
    if settings.smtp_host and settings.mail_from and settings.mail_to:
        from activities.notices.mail import Mail

        found.append(Mail(settings))
    if settings.telegram_token is not None and settings.telegram_chat:
        from activities.notices.telegram import Telegram

        found.append(Telegram(settings))
    if settings.webhook_url and settings.webhook_secret is not None:
        from activities.notices.webhook import Webhook

        found.append(Webhook(settings))
    if settings.apprise_urls is not None:
        from activities.notices.other import Other

        found.append(Other(settings))
    return tuple(found)


def problems_of(settings: Settings) -> list[str]:
    """Channels that are half set up, a sentence each with the mend."""
    found = []
    mail = {
        "BOARDROOM_SMTP_HOST": settings.smtp_host,
        "BOARDROOM_MAIL_FROM": settings.mail_from,
        "BOARDROOM_MAIL_TO": settings.mail_to,
    }
    if any(mail.values()) and not all(mail.values()):
        missing = ", ".join(name for name, value in mail.items() if not value)
        found.append(f"Mail is half set up: set {missing} too.")
    if (settings.telegram_token is None) != (not settings.telegram_chat):
        missing = "BOARDROOM_TELEGRAM_CHAT" if settings.telegram_token is not None else "BOARDROOM_TELEGRAM_TOKEN"
        found.append(f"Telegram is half set up: set {missing} too.")
    if settings.webhook_url and settings.webhook_secret is None:
        found.append("The webhook has no secret to sign with: set BOARDROOM_WEBHOOK_SECRET too.")
    if settings.apprise_urls is not None:
        from activities.notices.other import installed

        if not installed():
            found.append("BOARDROOM_APPRISE_URLS needs apprise: install boardroom[channels].")
    return found
