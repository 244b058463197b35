"""Mail by SMTP, as plain text. Its Message-ID follows from the notice, so that a repetition can be known as one."""

from __future__ import annotations

import asyncio
import hashlib
import re
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

import aiosmtplib

from activities.notices.channels import ChannelError
from activities.notices.composing import Message
from activities.notices.posting import bad_certificate
from parliament.text import one_line
from settings import THIS_MACHINE, Settings

STEP = 10.0
"""Seconds for each step of the conversation with the server."""
PATIENCE = 30.0
"""Seconds for all of it."""
_ADDRESS = re.compile(r"(?=.{3,254}\Z)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]+")


def problems(settings: Settings) -> list[str]:
    """What is wrong with the settings, a sentence each."""
    found = []
    for name, given in (("BOARDROOM_MAIL_FROM", [settings.mail_from or ""]), ("BOARDROOM_MAIL_TO", _recipients(settings))):
        if not given or not all(_ADDRESS.fullmatch(address) for address in given):
            found.append(f"{name} holds what is no mail address: write name@example.org, without a name or brackets around it.")
    if settings.smtp_user and settings.smtp_security == "none" and settings.smtp_host not in THIS_MACHINE:
        found.append(
            "The password for mail would go over the network for all to read: set BOARDROOM_SMTP_SECURITY to starttls or tls."
        )
    return found


def _recipients(settings: Settings) -> list[str]:
    return [address.strip() for address in (settings.mail_to or "").split(",") if address.strip()]


class Mail:
    """One message to all addresses of `mail_to`."""

    name = "mail"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._problems = problems(settings)

    def composed(self, message: Message) -> EmailMessage:
        """The mail of a notice. Everything that goes into a header is on one line, so that none can begin another."""
        sender = self._settings.mail_from or ""
        known_by = hashlib.sha256(message.id.encode()).hexdigest()[:32]
        mail = EmailMessage(policy=SMTP)
        mail["From"] = sender
        mail["To"] = ", ".join(_recipients(self._settings))
        mail["Subject"] = one_line(message.subject)
        mail["Date"] = format_datetime(datetime.now(UTC))
        mail["Message-ID"] = f"<{known_by}@{sender.rpartition('@')[2]}>"
        mail["X-Boardroom-Notice"] = known_by
        mail["Auto-Submitted"] = "auto-generated"
        if message.possibly_repeated:
            mail["X-Boardroom-Possibly-Repeated"] = "yes"
        mail.set_content(message.text)
        return mail

    async def send(self, message: Message) -> None:
        """Returns when the server has taken the mail for every address. ChannelError."""
        if self._problems:
            raise ChannelError(self._problems[0], retryable=False)
        settings = self._settings
        client = aiosmtplib.SMTP(
            hostname=settings.smtp_host,
            port=settings.smtp_port,
            use_tls=settings.smtp_security == "tls",
            start_tls=settings.smtp_security == "starttls",
            timeout=STEP,
        )
        handed_over, refused = False, None
        try:
            async with asyncio.timeout(PATIENCE):
                await client.connect()
                if settings.smtp_user and settings.smtp_password is not None:
                    await client.login(settings.smtp_user, settings.smtp_password.get_secret_value())
                handed_over = True
                refused, _ = await client.send_message(self.composed(message))
                await client.quit()
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            # Once it was taken, how the conversation ends does not matter.
            if refused is None:
                raise _trouble(error, handed_over) from None
        finally:
            client.close()
        if refused:
            all_of_them = len(_recipients(settings))
            raise ChannelError(
                f"The mail server took the notice for {all_of_them - len(refused)} of {all_of_them} addresses and refused the "
                "others: mend BOARDROOM_MAIL_TO.",
                retryable=False,  # another attempt would repeat it to those that have it
            )


def _trouble(error: Exception, handed_over: bool) -> ChannelError:
    """The sentence for what the server did. Its own words are not repeated: they may quote addresses and more."""
    if bad_certificate(error):
        return ChannelError(
            "The mail server shows a certificate that is not valid for BOARDROOM_SMTP_HOST: correct that name, or name its "
            "authority in SSL_CERT_FILE."
        )
    match error:
        case aiosmtplib.SMTPRecipientsRefused():
            passing = any(400 <= one.code < 500 for one in error.recipients)  # "greylisted": come again later
            return ChannelError("The mail server refused the address of BOARDROOM_MAIL_TO.", retryable=passing)
        case aiosmtplib.SMTPAuthenticationError() if error.code >= 500:
            return ChannelError(
                "The mail server refused the sign-in: correct BOARDROOM_SMTP_USER and BOARDROOM_SMTP_PASSWORD.", retryable=False
            )
        case aiosmtplib.SMTPResponseException() if error.code < 200:
            return ChannelError(
                "What answers at BOARDROOM_SMTP_HOST does not speak as a mail server: check BOARDROOM_SMTP_PORT and _SECURITY.",
                unsure=handed_over,
            )
        case aiosmtplib.SMTPResponseException():
            passing = 400 <= error.code < 500
            return ChannelError(f"The mail server answered {error.code} and did not take the notice.", retryable=passing)
        case aiosmtplib.SMTPServerDisconnected() | aiosmtplib.SMTPTimeoutError() | OSError() if handed_over:
            return ChannelError("The mail server gave no answer.", unsure=True)
        case aiosmtplib.SMTPServerDisconnected() | aiosmtplib.SMTPTimeoutError() | OSError():
            return ChannelError(
                "The mail server could not be reached, or broke off: check BOARDROOM_SMTP_HOST, _PORT and _SECURITY."
            )
        case _:
            return ChannelError(
                "The mail server does not offer what is asked of it (sign-in, or STARTTLS): check BOARDROOM_SMTP_SECURITY, "
                "_USER and _PORT.",
                retryable=False,
            )
