"""The channels that are set up, and what is wrong with those that are half set up."""

from __future__ import annotations

from typing import Protocol

from activities.notices.composing import Message
from settings import Settings


class ChannelError(Exception):
    """A channel did not take a notice; the message is one sentence without secrets, addresses or words of the notice.

    `retryable`: another attempt may succeed. `unsure`: it may have been sent all the same, so a repetition must say so.
    `retry_after`: seconds that the other side asks to wait.
    """

    def __init__(self, message: str, *, retryable: bool = True, unsure: bool = False, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.unsure = unsure
        self.retry_after = retry_after


class Channel(Protocol):
    """One way to the person. `send` returns when the other side has taken the notice, and raises ChannelError else.

    `name` tells a worker's channels apart, and is the same from one start to the next.
    """

    name: str

    async def send(self, message: Message) -> None: ...


def channels_of(settings: Settings) -> tuple[Channel, ...]:
    """The channels that are set up whole, each loaded only when it is.

    One whose settings are wrong (`problems_of`) is among them: its `send` says so each time, and so does the record of notices.
    """
    found: list[Channel] = []
    if settings.smtp_host and settings.mail_from and settings.mail_to:
        from activities.notices.mail import Mail

        found.append(Mail(settings))
    if settings.telegram_token is not None and settings.telegram_chat:
        from activities.notices.telegram import Telegram

        found.append(Telegram(settings))
    if settings.webhook_url is not None and settings.webhook_secret is not None:
        from activities.notices.webhook import Webhook

        found.append(Webhook(settings))
    if settings.apprise_urls is not None:
        from activities.notices.other import others

        found += others(settings)
    return tuple(found)


def problems_of(settings: Settings) -> list[str]:
    """What keeps a channel from working as far as that can be known without asking it: a sentence each, with the mend.

    Empty when every channel is either set up whole or not at all.
    """
    found = [problem for names in _TOGETHER for problem in _half(settings, *names)]
    if found:
        return found
    if settings.smtp_host:
        from activities.notices import mail

        found += mail.problems(settings)
    if settings.telegram_token is not None:
        from activities.notices import telegram

        found += telegram.problems(settings)
    if settings.webhook_url is not None:
        from activities.notices import webhook

        found += webhook.problems(settings)
    if settings.apprise_urls is not None:
        from activities.notices import other

        found += other.problems(settings)
    return found


_TOGETHER = (
    ("Mail", ("smtp_host", "mail_from", "mail_to"), ("smtp_user", "smtp_password")),
    ("Telegram", ("telegram_token", "telegram_chat"), ()),
    ("The webhook", ("webhook_url", "webhook_secret"), ("webhook_allowed_hosts",)),
    ("Mail's sign-in", ("smtp_user", "smtp_password"), ()),
)
"""What is set together or not at all, and what means nothing without it."""


def _half(settings: Settings, channel: str, needed: tuple[str, ...], more: tuple[str, ...]) -> list[str]:
    missing = [f"BOARDROOM_{name.upper()}" for name in needed if not getattr(settings, name)]
    if not missing or not any(getattr(settings, name) for name in (*needed, *more)):
        return []
    return [f"{channel} is half set up: set {' and '.join(missing)} too."]
