"""A real SMTP server on this machine, and the settings by which notices go to it."""

from __future__ import annotations

import asyncio
import email
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from typing import Any, cast

from aiosmtpd.smtp import SMTP, Envelope, Session


@dataclass
class Mailbox:
    """What arrived, in order. `answer` is what the server says to a mail: it takes it only with 250."""

    port: int = 0
    answer: str = "250 taken"
    mails: list[EmailMessage] = field(default_factory=list)
    refused: int = 0

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        if self.answer.startswith("250"):
            self.mails.append(cast(EmailMessage, email.message_from_bytes(cast(bytes, envelope.content), policy=default)))
        else:
            self.refused += 1
        return self.answer

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "smtp_host": "127.0.0.1", "smtp_port": self.port, "smtp_security": "none",
            "mail_from": "board@example.org", "mail_to": "owner@example.org",
        }  # fmt: skip

    @property
    def environment(self) -> dict[str, str]:
        """The same for another process."""
        return {f"BOARDROOM_{name.upper()}": str(value) for name, value in self.settings.items()}

    def subjects(self) -> Counter[str]:
        return Counter(str(mail["Subject"]) for mail in self.mails)

    def ids(self) -> Counter[str]:
        """How often each notice arrived, by its Message-ID."""
        return Counter(str(mail["Message-ID"]) for mail in self.mails)

    def text(self) -> str:
        """Everything that arrived, headers and all."""
        return "\n".join(f"{mail}\n{mail.get_content()}" for mail in self.mails)


@asynccontextmanager
async def mailbox() -> AsyncIterator[Mailbox]:
    """A mail server that takes everything, on a free port."""
    found = Mailbox()
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(found, hostname="mail.test"), "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()
