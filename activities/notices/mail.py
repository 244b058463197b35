"""Mail by SMTP, as plain text. Its Message-ID follows from the notice, so that a repetition can be known as one."""

from __future__ import annotations

import hashlib
import re
from email.message import EmailMessage
from email.policy import SMTP

import aiosmtplib

from activities.notices.channels import ChannelError
from activities.notices.composing import Message
from settings import Settings

PATIENCE = 20.0
"""Seconds for each step of the conversation with the server."""
_ADDRESS = re.compile(r"[^\s@<>,;:\"\\()\[\]]+@[^\s@<>,;:\"\\()\[\]]+")


class Mail:
    """One message to all addresses of `mail_to`."""

    name = "mail"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def _composed(self, message: Message) -> EmailMessage:
        settings = self._settings
        to = [address.strip() for address in (settings.mail_to or "").split(",") if address.strip()]
        for address in (settings.mail_from or "", *to):
            if not _ADDRESS.fullmatch(address):
                raise ChannelError("A mail address of the settings is none: write name@example.org.", retryable=False)
        mail = EmailMessage(policy=SMTP)
        mail["From"] = settings.mail_from
        mail["To"] = ", ".join(to)
        mail["Subject"] = " ".join(message.subject.split())
        mail["Message-ID"] = f"<{hashlib.sha256(message.id.encode()).hexdigest()[:32]}@boardroom.invalid>"
        mail["X-Boardroom-Notice"] = hashlib.sha256(message.id.encode()).hexdigest()[:32]
        mail["Auto-Submitted"] = "auto-generated"
        if message.possibly_repeated:
            mail["X-Boardroom-Possibly-Repeated"] = "yes"
        mail.set_content(message.text)
        return mail

    async def send(self, message: Message) -> None:
        settings = self._settings
        mail = self._composed(message)
        security = settings.smtp_security
        password = settings.smtp_password.get_secret_value() if settings.smtp_password is not None else None
        client = aiosmtplib.SMTP(
            hostname=settings.smtp_host,
            port=settings.smtp_port,
            use_tls=security == "tls",
            start_tls=security == "starttls",
            timeout=PATIENCE,
        )
        handed_over = False
        try:
            async with client:
                if settings.smtp_user:
                    await client.login(settings.smtp_user, password or "")
                handed_over = True
                await client.send_message(mail)
        except aiosmtplib.SMTPAuthenticationError:
            raise ChannelError("The mail server refused user and password.", retryable=False) from None
        except aiosmtplib.SMTPRecipientsRefused:
            raise ChannelError("The mail server refused the address of BOARDROOM_MAIL_TO.", retryable=False) from None
        except aiosmtplib.SMTPResponseException as error:
            raise ChannelError(
                f"The mail server answered {error.code} and did not take the notice.", retryable=400 <= error.code < 500
            ) from None
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise ChannelError(
                f"The mail server could not be spoken with ({type(error).__name__}).", unsure=handed_over
            ) from None
