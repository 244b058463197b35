"""Mail against a real SMTP server: what arrives, what is checked before, and what the server's refusals mean."""

from __future__ import annotations

import asyncio
import email
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from activities.notices import mail
from activities.notices.channels import ChannelError
from activities.notices.composing import Message
from activities.notices.mail import Mail, problems
from settings import Settings
from tests.support.peers import Certificate

USER, PASSWORD = "boardroom", "CANARY-password"


@dataclass
class Post:
    """A mail server's handler: keeps what it took, and answers what a test says."""

    taken: list[Envelope] = field(default_factory=list)
    over_tls: list[bool] = field(default_factory=list)
    signed_in: list[str] = field(default_factory=list)
    recipient: dict[str, str] = field(default_factory=dict)  # address -> answer
    data: str = "250 CANARY taken"
    wait: dict[str, float] = field(default_factory=dict)  # command -> seconds before its answer
    password: str = PASSWORD
    port: int = 0

    async def handle_MAIL(self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        await asyncio.sleep(self.wait.get("MAIL", 0))
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]) -> str:
        answer = self.recipient.get(address, "250 OK")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:
        await asyncio.sleep(self.wait.get("DATA", 0))
        if self.data.startswith("250"):
            self.taken.append(envelope)
            self.over_tls.append(session.ssl is not None)
        return self.data

    async def handle_QUIT(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:
        await asyncio.sleep(self.wait.get("QUIT", 0))
        return "221 Bye"

    def authenticate(self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        right = data.password.decode() == self.password
        self.signed_in.append(data.login.decode()) if right else None
        return AuthResult(success=right, handled=False)

    def mails(self) -> list[EmailMessage]:
        return [email.message_from_bytes(envelope.content or b"", policy=default) for envelope in self.taken]  # type: ignore[misc]


@asynccontextmanager
async def server(certificate: Certificate | None = None, *, implicit: bool = False, **options: Any) -> AsyncIterator[Post]:
    """A mail server on a free port: with STARTTLS where it has a certificate, or TLS from the first byte."""
    post = Post()
    context = certificate.context() if certificate is not None else None

    def make() -> SMTP:
        return SMTP(
            post,
            hostname="mail.example.org",
            tls_context=None if implicit else context,
            authenticator=post.authenticate,
            auth_require_tls=False,
            loop=asyncio.get_running_loop(),
            **options,
        )

    found = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0, ssl=context if implicit else None)
    post.port = found.sockets[0].getsockname()[1]
    try:
        yield post
    finally:
        found.close()


def settings(port: int, **more: Any) -> Settings:
    known = {
        "smtp_host": "127.0.0.1", "smtp_port": port, "smtp_security": "none", "mail_from": "board@example.org",
        "mail_to": "me@example.org",
    }  # fmt: skip
    return Settings(**{**known, **more})


async def refusal(channel: Mail, message: Message) -> ChannelError:
    with pytest.raises(ChannelError) as raised:
        await channel.send(message)
    said = str(raised.value)
    assert "CANARY" not in said and "@" not in said and raised.value.__cause__ is None
    return raised.value


async def test_a_server_gets_one_plain_mail_that_can_be_known_again(message: Message) -> None:
    async with server() as post:
        channel = Mail(settings(post.port, mail_to="me@example.org, you@example.org"))
        await channel.send(message)
        await channel.send(replace(message, possibly_repeated=False))
        await channel.send(replace(message, id="mtg-9fed5d5a/meeting_started"))
    (first, again, other), envelope = post.mails(), post.taken[0]
    assert (envelope.mail_from, envelope.rcpt_tos) == ("board@example.org", ["me@example.org", "you@example.org"])
    assert first["From"] == "board@example.org" and first["To"] == "me@example.org, you@example.org"
    assert first["Subject"] == message.subject
    assert first["Date"].datetime is not None and first["Auto-Submitted"] == "auto-generated"
    assert first.get_content_type() == "text/plain"
    assert first.get_content().replace("\r\n", "\n") == message.text
    assert first["Message-ID"] == again["Message-ID"] != other["Message-ID"]
    assert first["Message-ID"].endswith("@example.org>")
    assert (first["X-Boardroom-Possibly-Repeated"], again["X-Boardroom-Possibly-Repeated"]) == ("yes", None)
    assert message.id not in first["Message-ID"]


async def test_words_in_any_script_arrive_as_they_are(message: Message) -> None:
    text = "Zür \u00e9t\u00e9 \u4f1a\u8b70 \U0001f9d1\u200d\u2696\ufe0f\n.\n..\nFrom me\n" + "x" * 3000 + "\n"
    async with server() as post:
        await Mail(settings(post.port)).send(replace(message, text=text, subject="Boardroom: \u4f1a\u8b70 " + "long " * 60))
    (got,) = post.mails()
    assert got.get_content().replace("\r\n", "\n") == text
    assert got["Subject"].startswith("Boardroom: \u4f1a\u8b70 long long")


@pytest.mark.parametrize(
    "end", ["\r\n", "\n", "\r", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x00", "\r\n\r\n", "\r\n "]
)
async def test_law_03_no_subject_begins_a_header(message: Message, end: str) -> None:
    async with server() as post:
        await Mail(settings(post.port)).send(message)
        await Mail(settings(post.port)).send(
            replace(message, subject=f"{message.subject}{end}Bcc: thief@evil.example{end}X-Evil: yes")
        )
    honest, hostile = post.mails()
    assert hostile.keys() == honest.keys()
    assert hostile["Bcc"] is None and hostile["X-Evil"] is None
    assert post.taken[1].rcpt_tos == ["me@example.org"]
    assert hostile.get_content() == honest.get_content()


@pytest.mark.parametrize(
    "address",
    [
        "me", "me@", "@example.org", "me@example.org\r\nBcc: thief@evil.example",
        "me@example.org\nRCPT TO:<thief@evil.example>",
        "Me <me@example.org>", "<me@example.org>", "me@exam ple.org", "me@ex\u00e4mple.org", "m\u00e9@example.org",
        "me@example.org>",
        "me;you@example.org", "me@@example.org", "me@example.org SIZE=1", '"me you"@example.org', f"me@{'x' * 260}.org", ",",
    ],
)  # fmt: skip
async def test_what_is_no_address_never_reaches_the_server(message: Message, address: str) -> None:
    async with server() as post:
        for name in ("mail_from", "mail_to"):
            chosen = settings(post.port, **{name: address})
            assert [problem.partition(" ")[0] for problem in problems(chosen)] == [f"BOARDROOM_{name.upper()}"]
            error = await refusal_of_address(Mail(chosen), message)
            assert not error.retryable
    assert post.taken == []


async def refusal_of_address(channel: Mail, message: Message) -> ChannelError:
    with pytest.raises(ChannelError) as raised:
        await channel.send(message)
    assert "holds what is no mail address: write name@example.org" in str(raised.value)
    return raised.value


async def test_starttls_hides_the_password_and_the_mail(trusted: Certificate, message: Message) -> None:
    async with server(trusted, require_starttls=True) as post:
        chosen = settings(post.port, smtp_host="localhost", smtp_security="starttls", smtp_user=USER, smtp_password=PASSWORD)
        await Mail(chosen).send(message)
    assert (post.over_tls, post.signed_in) == ([True], [USER])


async def test_tls_from_the_first_byte(trusted: Certificate, message: Message) -> None:
    async with server(trusted, implicit=True) as post:
        chosen = settings(post.port, smtp_host="localhost", smtp_security="tls", smtp_user=USER, smtp_password=PASSWORD)
        await Mail(chosen).send(message)
    assert len(post.taken) == 1 and post.signed_in == [USER]


@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_a_certificate_that_nobody_vouches_for_gets_neither_password_nor_mail(
    signed: Certificate, message: Message, security: str
) -> None:
    async with server(signed, implicit=security == "tls") as post:
        chosen = settings(post.port, smtp_host="localhost", smtp_security=security, smtp_user=USER, smtp_password=PASSWORD)
        error = await refusal(Mail(chosen), message)
    assert "certificate" in str(error) and not error.unsure
    assert post.taken == [] and post.signed_in == []


async def test_a_server_without_starttls_gets_nothing(message: Message) -> None:
    """Whoever stands between could have taken the offer away."""
    async with server() as post:
        chosen = settings(post.port, smtp_security="starttls", smtp_user=USER, smtp_password=PASSWORD)
        error = await refusal(Mail(chosen), message)
    assert "STARTTLS" in str(error) and not error.retryable and not error.unsure
    assert post.taken == [] and post.signed_in == []


async def test_a_wrong_password_is_said_and_not_tried_again(message: Message) -> None:
    async with server() as post:
        error = await refusal(Mail(settings(post.port, smtp_user=USER, smtp_password="CANARY-wrong")), message)
    assert "refused the sign-in" in str(error) and not error.retryable and not error.unsure
    assert post.taken == []


def test_a_password_never_crosses_the_network_in_clear() -> None:
    far = settings(25, smtp_host="mail.example.org", smtp_user=USER, smtp_password=PASSWORD)
    (said,) = problems(far)
    assert "for all to read" in said and "CANARY" not in said
    assert problems(settings(25, smtp_user=USER, smtp_password=PASSWORD)) == []
    assert problems(settings(25, smtp_host="mail.example.org")) == []
    for security in ("starttls", "tls"):
        assert problems(far.model_copy(update={"smtp_security": security})) == []


@pytest.mark.parametrize(
    ("answer", "retryable"),
    [("450 CANARY greylisted", True), ("451 CANARY later", True), ("550 CANARY me@example.org unknown", False)],
)
async def test_an_address_that_is_refused_now_may_be_taken_later(message: Message, answer: str, retryable: bool) -> None:
    async with server() as post:
        post.recipient["me@example.org"] = answer
        error = await refusal(Mail(settings(post.port)), message)
    assert str(error) == "The mail server refused the address of BOARDROOM_MAIL_TO."
    assert (error.retryable, error.unsure) == (retryable, False)


async def test_one_of_two_addresses_refused_is_said_and_the_other_gets_it_once(message: Message) -> None:
    async with server() as post:
        post.recipient["you@example.org"] = "450 CANARY greylisted"
        error = await refusal(Mail(settings(post.port, mail_to="me@example.org,you@example.org")), message)
    assert "took the notice for 1 of 2 addresses" in str(error)
    assert not error.retryable and [envelope.rcpt_tos for envelope in post.taken] == [["me@example.org"]]


@pytest.mark.parametrize(
    ("answer", "retryable"),
    [("451 CANARY later", True), ("452 CANARY full", True), ("552 CANARY full", False), ("554 CANARY spam", False)],
)
async def test_a_mail_that_is_refused_was_certainly_not_taken(message: Message, answer: str, retryable: bool) -> None:
    async with server() as post:
        post.data = answer
        error = await refusal(Mail(settings(post.port)), message)
    assert str(error) == f"The mail server answered {answer[:3]} and did not take the notice."
    assert (error.retryable, error.unsure) == (retryable, False)


async def test_a_server_that_is_silent_after_the_mail_may_have_it(message: Message, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "STEP", 0.5)
    async with server() as post:
        post.wait["DATA"] = 30.0
        began = time.monotonic()
        error = await refusal(Mail(settings(post.port)), message)
    assert time.monotonic() - began < 5
    assert error.unsure and error.retryable


async def test_the_whole_conversation_has_its_limit_too(message: Message, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "PATIENCE", 0.6)
    async with server() as post:
        post.wait |= {"MAIL": 0.4, "DATA": 0.4}
        error = await refusal(Mail(settings(post.port)), message)
    assert error.unsure and error.retryable


async def test_how_the_conversation_ends_does_not_matter(message: Message, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "STEP", 0.5)
    async with server() as post:
        post.wait["QUIT"] = 30.0
        await Mail(settings(post.port)).send(message)
    assert len(post.taken) == 1


@asynccontextmanager
async def scripted(*lines: bytes) -> AsyncIterator[int]:
    """A server that says these lines, each when it was spoken to, and breaks off."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            for line in lines:
                writer.write(line)
                await writer.drain()
                await reader.readline()
        except (OSError, asyncio.CancelledError):
            pass
        writer.close()

    found = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield found.sockets[0].getsockname()[1]
    finally:
        found.close()


EHLO = b"250-CANARY\r\n250 8BITMIME\r\n"
GREETING = b"220 CANARY\r\n"


@pytest.mark.parametrize(
    ("lines", "retryable", "unsure"),
    [
        ((), True, False),
        ((b"421 CANARY busy\r\n",), True, False),
        ((b"554 CANARY go away\r\n",), False, False),
        ((b"HTTP/1.1 400 CANARY\r\n",), True, False),
        ((GREETING,), True, True),
        ((GREETING, EHLO, b"250 ok\r\n", b"250 ok\r\n"), True, True),
        ((GREETING, EHLO, b"250 ok\r\n", b"250 ok\r\n", b"354 go on\r\n"), True, True),
        ((GREETING, EHLO, b"421 CANARY busy\r\n"), True, False),
    ],
    ids=["closes", "busy", "goes away", "another protocol", "leaves after hello", "leaves before data", "leaves in data",
         "busy later"],
)  # fmt: skip
async def test_a_server_that_breaks_off(message: Message, lines: tuple[bytes, ...], retryable: bool, unsure: bool) -> None:
    async with scripted(*lines) as port:
        error = await refusal(Mail(settings(port)), message)
    assert (error.retryable, error.unsure) == (retryable, unsure), str(error)


async def test_no_server_is_certain_and_may_pass(message: Message) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        error = await refusal(Mail(settings(taken.getsockname()[1])), message)
        assert error.retryable and not error.unsure and "BOARDROOM_SMTP_HOST" in str(error)


async def test_no_secret_is_in_any_log(trusted: Certificate, message: Message, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    async with server(trusted) as post:
        chosen = settings(post.port, smtp_host="localhost", smtp_security="starttls", smtp_user=USER, smtp_password=PASSWORD)
        caplog.clear()
        await Mail(chosen).send(message)
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith("mail.")]  # the server's own log
    assert "CANARY" not in " ".join(ours) and "me@example.org" not in " ".join(ours)
