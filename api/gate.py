"""The outermost gate, for HTTP and WebSocket alike: Host, Origin, size and depth of bodies, and the headers of answers.

It stands before routing and authentication (SERVICE_SECURITY 2, 3, 20). The frameworks' own middlewares let a WebSocket with
a foreign Origin through, so this one is ours.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import telemetry

MAX_BODY = 1024 * 1024
"""Bytes of a request's body."""
MAX_DEPTH = 32
"""Levels of brackets in a JSON body."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
SAFE = ("GET", "HEAD", "OPTIONS")

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
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._origins = frozenset(origin.lower().rstrip("/") for origin in origins)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope)
            if scope["type"] == "http" and scope["method"] not in SAFE:
                receive = await _whole(scope, receive)
        except Refused as refused:
            await _answer(scope, receive, send, refused)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        await self._http(scope, receive, send)

    async def _http(self, scope: Scope, receive: Any, send: Any) -> None:
        started = time.monotonic()
        status = 500
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}

        async def sending(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                known = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(pair for pair in HEADERS if pair[0] not in known)]
            await send(message)

        with telemetry.span("http", headers, method=scope["method"]) as span:
            await self._app(scope, receive, sending)
            route = getattr(scope.get("route"), "path", "none")  # the template, never the path: ids are no labels
            if span is not None:
                span.set_attribute("http.route", route)
                span.set_attribute("http.status_code", status)
        metrics = telemetry.metrics()
        method = scope["method"] if scope["method"] in ("GET", "POST", "PUT", "DELETE") else "other"
        metrics.requests.labels(method, route, str(status)).inc()
        metrics.request_seconds.labels(route).observe(time.monotonic() - started)

    def _check(self, scope: Scope) -> None:
        headers = scope["headers"]
        hosts = [value for name, value in headers if name == b"host"]
        host = hosts[0].decode("latin-1") if len(hosts) == 1 else ""
        if _name(host) not in self._hosts:
            raise Refused(421, "This host name is not served here: add it to BOARDROOM_ALLOWED_HOSTS if it is yours.")
        origins = [value.decode("latin-1") for name, value in headers if name == b"origin"]
        if not origins:
            return
        if scope["type"] == "http" and scope["method"] in SAFE:
            return
        if len(origins) != 1 or not self._from_here(origins[0], host):
            raise Refused(403, "Pages of this origin may not do this: add it to BOARDROOM_ALLOWED_ORIGINS if it is yours.")

    def _from_here(self, origin: str, host: str) -> bool:
        if origin.lower() in self._origins:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _name(host: str) -> str:
    """The name of a Host header, without its port; "" for one that is malformed."""
    host = host.lower()
    name, bracket, rest = host.partition("]")
    if bracket:
        name, rest = name + bracket, rest
    else:
        name, colon, port = host.partition(":")
        rest = colon + port
    if rest and not (rest.startswith(":") and rest[1:].isdigit() and len(rest) <= 6):
        return ""
    return name


async def _whole(scope: Scope, receive: Any) -> Any:
    """Read the body up to its limit, whatever its headers say, and hand it on."""
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return _replay([message], receive)
        size += len(message.get("body", b""))
        if size > MAX_BODY:
            raise Refused(413, f"The body is larger than {MAX_BODY} bytes (1 MiB): send less.")
        chunks.append(message.get("body", b""))
        if not message.get("more_body"):
            break
    body = b"".join(chunks)
    if body:
        kind = next((value for name, value in scope["headers"] if name == b"content-type"), b"").split(b";")[0].strip().lower()
        if kind != b"application/json":
            raise Refused(415, "The body must be application/json.")
        _check_depth(body)
    return _replay([{"type": "http.request", "body": body, "more_body": False}], receive)


def _check_depth(body: bytes) -> None:
    depth = 0
    quoted = escaped = False
    for byte in body:
        if quoted:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                quoted = False
        elif byte == 0x22:
            quoted = True
        elif byte in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise Refused(422, f"The body is nested deeper than {MAX_DEPTH} levels.")
        elif byte in b"]}":
            depth -= 1


def _replay(messages: list[Any], receive: Any) -> Any:
    async def again() -> Any:
        return messages.pop(0) if messages else await receive()

    return again


async def _answer(scope: Scope, receive: Any, send: Any, refused: Refused) -> None:
    if scope["type"] == "websocket":
        await receive()  # the connect message
        await send({"type": "websocket.close", "code": 4403, "reason": refused.detail[:100]})
        return
    body = json.dumps(
        {
            "type": "about:blank",
            "title": HTTPStatus(refused.status).phrase,
            "status": refused.status,
            "detail": refused.detail,
        }
    ).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode()), *HEADERS]
    if refused.status == 413:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
