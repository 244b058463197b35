"""The outermost gate, for HTTP and WebSocket alike: Host, Origin, size and depth of bodies, and the headers of answers.

It stands before routing and authentication (SERVICE_SECURITY 2, 3, 20). The frameworks' own middlewares let a WebSocket with
a foreign Origin through, so this one is ours.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
import traceback
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

import telemetry

MAX_BODY = 1024 * 1024
PROPOSALS = "/api/v1/reviews"
MAX_PROPOSAL = 8 * 1024 * 1024
"""Bytes of a body that hands in a proposal: its 2 MiB may be written in JSON at some length."""
"""Bytes of a request's body."""
MAX_HEARD = 16 * MAX_BODY
"""Bytes of a body that is too large which are heard and dropped: who is cut off while it sends does not hear why."""
MAX_DEPTH = 32
"""Levels of brackets in a JSON body."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
SAFE = ("GET", "HEAD", "OPTIONS")
PATIENCE = 30.0
"""Seconds that a client has to send its body."""

log = logging.getLogger("boardroom.api")

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*(?:"|$)|[\[\]{}]', re.DOTALL)
_HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
_SHOWN_PATH = re.compile(r"[A-Za-z0-9/._-]{1,200}")

HEADERS = (
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)

Scope = dict[str, Any]


class Refused(Exception):
    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class Gate:
    """ASGI. `hosts`: names that a Host header may have, with any port; `origins`: besides those of the same host."""

    def __init__(self, app: Any, *, hosts: Iterable[str] = LOOPBACK, origins: Iterable[str] = ()) -> None:
        self.app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._origins = frozenset(origin.lower().rstrip("/") for origin in origins)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        sending = _Sending(scope, send)
        started = time.monotonic()
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        with telemetry.span("http", headers, method=scope.get("method", "WS")) as span:
            try:
                self._check(scope)
                if scope["type"] == "http":
                    receive = await _whole(scope, receive)
                await self.app(scope, receive, sending)
            except Refused as refused:
                await _answer(scope, sending, refused)
            except Exception as error:
                # What an error says may be somebody's words: its type and its place go to the log, nothing more.
                where = "".join(traceback.format_tb(error.__traceback__))
                log.error("an error of the API's own: %s\n%s", type(error).__name__, where)
                if sending.status is None:
                    await _answer(scope, sending, Refused(500, "An error of Boardroom's own; its log has it."))
            route = route_of(scope)
            if span is not None:
                span.set_attribute("http.route", route)
                span.set_attribute("http.status_code", sending.status or 0)
        if scope["type"] == "http":
            metrics = telemetry.metrics()
            method = scope["method"] if scope["method"] in ("GET", "POST", "PUT", "DELETE") else "other"
            metrics.requests.labels(method, route, str(sending.status)).inc()
            metrics.request_seconds.labels(route).observe(time.monotonic() - started)

    def _check(self, scope: Scope) -> None:
        headers = scope["headers"]
        hosts = [value for name, value in headers if name == b"host"]
        host = hosts[0].decode("latin-1").lower() if len(hosts) == 1 else ""
        if name_of(host) not in self._hosts:
            raise Refused(421, "This host name is not served here: add it to BOARDROOM_ALLOWED_HOSTS if it is yours.")
        origins = [value.decode("latin-1") for name, value in headers if name == b"origin"]
        # Whether a request may come without an origin depends on what it comes in by: auth.authenticated sees to that.
        if not origins or (scope["type"] == "http" and scope["method"] in SAFE):
            return
        if len(origins) != 1 or not self._from_here(origins[0].lower(), host):
            raise Refused(403, "Pages of this origin may not do this: add it to BOARDROOM_ALLOWED_ORIGINS if it is yours.")

    def _from_here(self, origin: str, host: str) -> bool:
        return origin in self._origins or origin in (f"http://{host}", f"https://{host}")


class _Sending:
    """What goes out, with the headers that every answer has; remembers the status."""

    def __init__(self, scope: Scope, send: Any) -> None:
        self._send = send
        self._starts = ("http.response.start", "websocket.http.response.start")
        self.status: int | None = None

    async def __call__(self, message: Any) -> None:
        if message["type"] in self._starts:
            self.status = message["status"]
            known = {name.lower() for name, _ in message.get("headers", ())}
            message["headers"] = [*message.get("headers", ()), *(pair for pair in HEADERS if pair[0] not in known)]
        elif message["type"] == "websocket.accept":
            self.status = 101
        await self._send(message)


def route_of(scope: Scope) -> str:
    """The template of the route that was taken, never the path: ids are no labels."""
    return getattr(scope.get("route"), "path", None) or "none"


def shown_path(path: str) -> str:
    """The path as a problem may repeat it; "" when it is none that a route could have."""
    return path if _SHOWN_PATH.fullmatch(path) else ""


def name_of(host: str) -> str:
    """The name of a Host header, without its port; "" for one that is malformed."""
    found = _HOST.fullmatch(host.lower())
    return found[1] if found else ""


def limit_of(path: str) -> int:
    """Bytes that a body to this path may have: a proposal may be long, everything else is not."""
    return MAX_PROPOSAL if path == PROPOSALS else MAX_BODY


async def _whole(scope: Scope, receive: Any) -> Any:
    """Read the body up to its limit, whatever its headers say, check it, and hand it on."""
    limit = limit_of(scope["path"])
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return _replay([message], receive)
                size += len(message.get("body", b""))
                if size <= limit:
                    chunks.append(message.get("body", b""))
                if not message.get("more_body") or size > MAX_HEARD:
                    break
    except TimeoutError:
        raise Refused(408, f"The body did not come within {PATIENCE:.0f} seconds.") from None
    if size > limit:
        raise Refused(413, f"The body is larger than {limit} bytes ({limit // 2**20} MiB): send less.")
    body = b"".join(chunks)
    if body and scope["method"] not in SAFE:
        kind = next((value for name, value in scope["headers"] if name == b"content-type"), b"").split(b";")[0].strip().lower()
        if kind != b"application/json":
            raise Refused(415, "Send JSON, with Content-Type: application/json.")
        _check_json(body)
    return _replay([{"type": "http.request", "body": body, "more_body": False}], receive)


def _check_json(body: bytes) -> None:
    depth = 0
    for token in _TOKEN.finditer(body):
        first = body[token.start()]
        if first in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise Refused(422, f"The body is nested deeper than {MAX_DEPTH} levels.")
        elif first in b"]}":
            depth -= 1
    try:
        json.loads(body.decode())
    except ValueError:
        raise Refused(422, "The body is not JSON in UTF-8.") from None


def _replay(messages: list[Any], receive: Any) -> Any:
    async def again() -> Any:
        return messages.pop(0) if messages else await receive()

    return again


async def _answer(scope: Scope, send: Any, refused: Refused) -> None:
    """The problem as an answer; to a WebSocket that asks to be opened too, where the server can send one."""
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
        kind = "websocket.http.response"
    problem: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(refused.status).phrase,
        "status": refused.status,
        "detail": refused.detail,
    }
    if shown_path(scope["path"]):
        problem["instance"] = scope["path"]
    body = json.dumps(problem).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode())]
    if refused.status in (408, 413):
        headers.append((b"connection", b"close"))
    await send({"type": f"{kind}.start", "status": refused.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
