"""A webhook: signed JSON to an address that is not inside (SERVICE_SECURITY 19).

The name is resolved here, every address it has must pass an explicit list, and the connection goes to an address that
passed: a name that points elsewhere a moment later (rebinding) is not asked again. No redirect is followed, and nothing of
the answer is kept but its status.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import json
import re
import socket
import ssl
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from activities.notices.channels import ChannelError
from activities.notices.composing import Message
from settings import Settings

PATIENCE = 5.0
ANSWER = 64 * 1024
"""Bytes of an answer that are read before the connection is closed."""

DENIED = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32",
        "::/128", "::1/128", "::/96", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64",
        "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    )
)  # fmt: skip
"""Loopback, private, link-local, carrier-grade, documentation, benchmark, multicast, reserved, and every form of IPv6 that
carries an IPv4 address (mapped, translated, 6to4, Teredo). `is_global` alone lets several of these through."""

_HOST = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")
"""A name with a dot, in ASCII lower case, whose last label begins with a letter: no address in any notation is one."""

Resolver = Callable[[str, int], Awaitable[list[str]]]


@dataclass(frozen=True, slots=True)
class Target:
    """Where a webhook goes: the name for SNI and the certificate, and the address to connect to."""

    host: str
    address: str
    port: int
    path: str
    tls: bool


def denied(address: str) -> bool:
    """Whether an address is inside, or none."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return True
    return not found.is_global or any(found in network for network in DENIED if network.version == found.version)


async def resolve(host: str, port: int) -> list[str]:
    """Every address of a name, as the system resolves it."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def target_of(url: str, allowed: frozenset[str], resolver: Resolver = resolve) -> Target:
    """Check an address and resolve it. Raises ChannelError, not retryable for an address that may never be called.

    A host of the operator's own allow-list may be anything, over http and on any port; every other one must be a public
    name over https on port 443.
    """
    if any(ord(c) <= 32 or ord(c) > 126 or c == "\\" for c in url):
        raise _refused("it holds characters that no address has")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _refused("it cannot be read") from None
    host = (parts.hostname or "").lower()
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise _refused("it names a user")
    if not host or parts.scheme not in ("https", "http"):
        raise _refused("it does not begin with https://")
    tls = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    trusted = host in allowed
    if not trusted:
        if not tls:
            raise _refused("it is not https")
        if port not in (None, 443):
            raise _refused("its port is not 443")
        if not _HOST.fullmatch(host):
            raise _refused("its host is not a public name")
    port = port or (443 if tls else 80)
    try:
        addresses = await resolver(host, port)
    except OSError:
        raise ChannelError("The webhook's host has no address at the moment.") from None
    if not addresses or (not trusted and any(denied(address) for address in addresses)):
        raise _refused("its host is inside, or has no public address")
    return Target(host, addresses[0], port, path, tls)


def _refused(why: str) -> ChannelError:
    return ChannelError(f"The webhook's address is refused: {why}.", retryable=False)


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """HMAC-SHA-256 over time and body, as the receiver checks it: `v1=<hex>`."""
    return "v1=" + hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


class Webhook:
    """One POST for a notice; `Idempotency-Key` is the notice's id."""

    name = "webhook"

    def __init__(self, settings: Settings, resolver: Resolver = resolve, context: ssl.SSLContext | None = None) -> None:
        assert settings.webhook_url
        assert settings.webhook_secret is not None
        self._url = settings.webhook_url
        self._secret = settings.webhook_secret.get_secret_value()
        self._allowed = frozenset(
            host.strip().lower().strip("[]") for host in settings.webhook_allowed_hosts.split(",") if host.strip()
        )
        self._resolver = resolver
        self._context = context

    async def send(self, message: Message) -> None:
        body = json.dumps(
            {
                "id": message.id,
                "kind": message.kind,
                "meeting_id": message.meeting,
                "subject": message.subject,
                "text": message.text,
                "link": message.link or None,
                "possibly_repeated": message.possibly_repeated,
            },
            ensure_ascii=False,
        ).encode()
        handed_over = False
        try:
            async with asyncio.timeout(PATIENCE):
                target = await target_of(self._url, self._allowed, self._resolver)
                context = (self._context or ssl.create_default_context()) if target.tls else None
                reader, writer = await asyncio.open_connection(
                    target.address, target.port, ssl=context, server_hostname=target.host if target.tls else None, limit=ANSWER
                )
                try:
                    handed_over = True
                    writer.write(self._request(target, message, body))
                    await writer.drain()
                    status = _status(await reader.readline())
                finally:
                    writer.close()
        except ssl.SSLCertVerificationError:
            raise ChannelError("The webhook's certificate is not valid for its host.", retryable=False) from None
        except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError) as error:
            raise ChannelError(f"The webhook gave no answer ({type(error).__name__}).", unsure=handed_over) from None
        if 200 <= status < 300:
            return
        if 300 <= status < 400:
            raise ChannelError("The webhook points elsewhere, which is not followed.", retryable=False)
        raise ChannelError(f"The webhook answered {status}.", retryable=status in (408, 425, 429) or status >= 500)

    def _request(self, target: Target, message: Message, body: bytes) -> bytes:
        timestamp = str(int(time.time()))
        standard = 443 if target.tls else 80
        name = f"[{target.host}]" if ":" in target.host else target.host
        head = [
            f"POST {target.path} HTTP/1.1",
            f"Host: {name}" + ("" if target.port == standard else f":{target.port}"),
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            f"Idempotency-Key: {hashlib.sha256(message.id.encode()).hexdigest()[:32]}",
            f"X-Boardroom-Timestamp: {timestamp}",
            f"X-Boardroom-Signature: {signature(self._secret, timestamp, body)}",
            "User-Agent: boardroom",
            "Connection: close",
        ]
        return "\r\n".join(head).encode("ascii") + b"\r\n\r\n" + body


def _status(line: bytes) -> int:
    found = re.match(rb"HTTP/1\.[01] (\d{3})\b", line)
    if found is None:
        raise ValueError("no answer in HTTP")
    return int(found[1])
