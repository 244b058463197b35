"""Serving the API from this process, on the loopback unless somebody asked for more and may."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn

from api.app import make_app
from clerk import access
from clerk.errors import DeskError
from settings import Settings

MAX_MESSAGE = 64 * 1024
"""Bytes of a WebSocket message that a client may send."""
SEND_BUFFER = 128 * 1024
"""Bytes that the kernel holds for a reader who is slow; it would be megabytes otherwise, for each of them."""


@dataclass(frozen=True, slots=True)
class Served:
    """What is served where."""

    url: str

    def link(self, ticket: str) -> str:
        """The one-time link of a ticket; after the # it reaches no server's log."""
        return f"{self.url}/enter#{ticket}"


def loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def check_reach(store: Any, settings: Settings) -> None:
    """Refuse to listen beyond this machine without tokens and the names that are served (SERVICE_SECURITY 1). DeskError."""
    if loopback(settings.host):
        return
    if not settings.allowed_hosts.strip():
        raise DeskError(
            f"BOARDROOM_HOST is {settings.host}, which others can reach: say by which names in BOARDROOM_ALLOWED_HOSTS.",
            usage=True,
        )
    if not await access.has_tokens(store):
        raise DeskError(
            f"BOARDROOM_HOST is {settings.host}, which others can reach, and there is no token yet: make one with "
            "`boardroom tokens create NAME`.",
            usage=True,
        )


@asynccontextmanager
async def serving(client: Any, store: Any, settings: Settings, *, embedded: bool = False) -> AsyncIterator[Served]:
    """Serve until the context is left. DeskError when the port is taken or the host may not be served."""
    await check_reach(store, settings)
    listening = _listening(settings)
    config = uvicorn.Config(
        make_app(client, store, settings, embedded=embedded),
        log_config=None,
        access_log=False,  # paths hold ids, and addresses are nobody's business
        server_header=False,
        proxy_headers=False,
        ws="websockets-sansio",
        ws_max_size=MAX_MESSAGE,
        timeout_graceful_shutdown=3,
        lifespan="on",
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        while not server.started:
            if task.done():
                task.result()
                raise DeskError("The API could not be started.")
            await asyncio.sleep(0.01)
        host, port = listening.getsockname()[:2]
        yield Served(f"http://{f'[{host}]' if ':' in host else host}:{port}")
    finally:
        server.should_exit = True
        with contextlib.suppress(asyncio.CancelledError):
            await task
        listening.close()


class _Server(uvicorn.Server):
    """uvicorn without hands on the process's signals, which are the command line's."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield


def _listening(settings: Settings) -> socket.socket:
    """A socket on the port that is set; where none was set and the usual one is taken, on a free one."""
    try:
        return _listen(settings.host, settings.port)
    except DeskError:
        if "port" in settings.model_fields_set:
            raise
        return _listen(settings.host, 0)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)  # connections that come in inherit it
        # asyncio sets it only where a socket names its protocol; without it each answer waits 40 ms for an acknowledgement
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        found.bind((host, port))
        found.listen(512)
        return found
    except OSError as error:
        raise DeskError(
            f"The API cannot listen on {host}:{port} ({error.strerror or error}): choose another BOARDROOM_PORT, or 0 for a "
            "free one."
        ) from None
