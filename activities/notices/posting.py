"""One POST over HTTP, within bounds of time and size, that says whether it may have arrived.

It rides on httpcore2, which httpx2 stands on: httpx2 itself logs the address of every request, and an address may hold a
secret (Telegram's holds the bot's token). Nothing of a transport's error is ever shown either.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import httpcore2

from activities.notices.channels import ChannelError

ANSWER = 64 * 1024
"""Bytes of an answer that are read before the connection is closed."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where to post: `path` with its query, and the host as it stands in the certificate.

    `pinned`: the addresses to connect to, in this order; none: whatever the host resolves to.
    """

    tls: bool
    host: str
    port: int
    path: str
    pinned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """`headers` with names in lower case; `body` is cut to ANSWER bytes."""

    status: int
    headers: dict[str, str]
    body: bytes


class Pinned(httpcore2.AsyncNetworkBackend):
    """Connects to the given addresses and no others, whatever name it is asked for."""

    def __init__(self, inner: httpcore2.AsyncNetworkBackend, addresses: Sequence[str]) -> None:
        self._inner = inner
        self._addresses = addresses

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        last: Exception = httpcore2.ConnectError()
        for address in self._addresses:
            try:
                # One address that does not answer must leave time for the next.
                share = timeout / len(self._addresses) if timeout is not None else None
                return await self._inner.connect_tcp(address, port, share, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                last = error
        raise last

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


async def post(
    who: str,
    address: Address,
    headers: dict[str, str],
    body: bytes,
    *,
    seconds: float,
    network: httpcore2.AsyncNetworkBackend | None = None,
) -> Answer:
    """Post once and read the answer; no redirect is followed. `who` begins the sentences of errors ("Telegram").

    ChannelError when there is no status within that many seconds; `unsure` once the request was on its way. Certificates are
    checked against the system's authorities, or those of SSL_CERT_FILE.
    """
    sent = False
    answer: Answer | None = None

    async def watch(name: str, _info: dict[str, Any]) -> None:
        nonlocal sent
        sent = sent or name.endswith("send_request_headers.started")

    network = network or httpcore2.AnyIOBackend()
    if address.pinned:
        network = Pinned(network, address.pinned)
    url = httpcore2.URL(
        scheme="https" if address.tls else "http", host=address.host, port=address.port, target=address.path or "/"
    )
    extensions = {
        "timeout": dict.fromkeys(("connect", "read", "write", "pool"), seconds),
        "trace": watch,
    }
    standard = 443 if address.tls else 80
    host = f"[{address.host}]" if ":" in address.host else address.host
    host += "" if address.port == standard else f":{address.port}"
    fields = {"Host": host, "User-Agent": "boardroom", "Accept-Encoding": "identity", "Connection": "close", **headers}
    try:
        async with asyncio.timeout(seconds):
            tls = await asyncio.to_thread(ssl.create_default_context) if address.tls else None
            async with (
                httpcore2.AsyncConnectionPool(ssl_context=tls, network_backend=network) as pool,
                pool.stream("POST", url, headers=fields, content=body, extensions=extensions) as response,
            ):
                named = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
                answer = Answer(response.status, named, b"")
                answer = Answer(response.status, named, await _start_of(response))
    except (httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError, OSError, TimeoutError) as error:
        # With a status it has spoken; how its answer ends does not matter.
        if answer is None:
            raise _unanswered(who, error, sent) from None
    assert answer is not None
    return answer


async def _start_of(response: httpcore2.Response) -> bytes:
    found = bytearray()
    async for part in response.aiter_stream():
        found += part
        if len(found) >= ANSWER:
            break
    return bytes(found[:ANSWER])


def _unanswered(who: str, error: BaseException, sent: bool) -> ChannelError:
    if bad_certificate(error):
        return ChannelError(
            f"{who} shows a certificate that is not valid for its host: mend it there, or name its authority in SSL_CERT_FILE."
        )
    if sent:
        return ChannelError(f"{who} gave no answer.", unsure=True)
    return ChannelError(f"{who} could not be reached: check its address and the network.")


def bad_certificate(error: BaseException | None) -> bool:
    """Whether a certificate that could not be verified is what went wrong."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False


def retry_after(seconds: object) -> float | None:
    """Seconds that the other side asks to wait, at most an hour; None when it says none that can be read."""
    try:
        asked = float(str(seconds))
    except ValueError:
        return None
    return min(max(asked, 1.0), 3600.0) if asked == asked else None
