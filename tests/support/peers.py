"""Peers on this machine for what goes out: a raw HTTP server that answers what a test says, and a network that leads to it."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpcore2

from tests.support.packages import needs

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@dataclass(frozen=True)
class Certificate:
    """A certificate that signs itself, and its key."""

    certificate: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        """What a server shows it with."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.certificate, self.key)
        return context


def certificate(folder: Path, *names: str) -> Certificate:
    """A certificate for these names and addresses, good for two days."""
    needs("openssl")
    made = Certificate(folder / "certificate.pem", folder / "key.pem")
    alternatives = ",".join(f"IP:{name}" if name[0].isdigit() or ":" in name else f"DNS:{name}" for name in names)
    command = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", f"/CN={names[0]}", "-addext", f"subjectAltName={alternatives}",
        "-keyout", str(made.key), "-out", str(made.certificate),
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    return made


@dataclass
class Request:
    line: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Peer:
    """What it was asked, and what it answers: bytes as they go over the wire, and seconds to wait between them."""

    port: int = 0
    answer: list[bytes | float] = field(default_factory=lambda: [OK])
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    written: int = 0  # bytes of answers that were taken from it
    name: str | None = None  # that the client asked for in its TLS handshake


@asynccontextmanager
async def peer(context: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> AsyncIterator[Peer]:
    """A server on a free port. It reads one request of each connection and writes its answer."""
    found = Peer()
    tasks: set[asyncio.Task[Any]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if (task := asyncio.current_task()) is not None:
            tasks.add(task)
        found.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            found.requests.append(Request(head[0], headers, body))
            for part in found.answer:
                if isinstance(part, float):
                    await asyncio.sleep(part)
                    continue
                for begin in range(0, len(part), 16384):
                    writer.write(part[begin : begin + 16384])
                    await writer.drain()
                    found.written += len(part[begin : begin + 16384])
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    def named(_socket: Any, name: str | None, _context: ssl.SSLContext) -> None:
        found.name = name

    if context is not None:
        context.sni_callback = named  # type: ignore[assignment]
    server = await asyncio.start_server(serve, host, 0, ssl=context)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Leading(httpcore2.AsyncNetworkBackend):
    """A network on which every address leads to ports of this machine: it notes whom it was asked to connect to."""

    def __init__(self, ports: dict[str, int]) -> None:
        self._inner = httpcore2.AnyIOBackend()
        self._ports = ports
        self.asked: list[tuple[str, int]] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        self.asked.append((host, port))
        if host not in self._ports:
            raise httpcore2.ConnectError
        return await self._inner.connect_tcp("127.0.0.1", self._ports[host], timeout, local_address, socket_options)

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)
