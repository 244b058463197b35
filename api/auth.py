"""Authenticating and authorising: every route names the scope it needs, and one that names none is an error at the start."""

from __future__ import annotations

import hmac
import math
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Path
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.requests import HTTPConnection

from api.gate import SAFE
from api.house import House, house_of
from api.problems import Problem
from clerk import access, reading
from clerk.access import Who
from clerk.errors import DeskError, Kind, unknown

COOKIE, SECURE_COOKIE = "boardroom", "__Host-boardroom"
CSRF = "x-csrf-token"
PUBLIC = frozenset({"/healthz", "/readyz", "/enter", "/enter.js", "/enter.css", "/api/v1/session", "/openapi.json"})
"""Paths that need no credential: they say nothing of anybody's meetings. POST /api/v1/session consumes a ticket."""


class Needs:
    """A dependency that lets through who has the scope. Admin tokens have what they list, nothing more."""

    def __init__(self, scope: str) -> None:
        assert scope in access.SCOPES, scope
        self.scope = scope

    async def __call__(self, connection: HTTPConnection) -> Who:
        house = house_of(connection)
        who = await authenticated(house, connection)
        if who is None:
            _slow_down(house, f"from:{connection.client.host if connection.client else ''}")
            raise Problem(401, "Say who you are: Authorization: Bearer brd_…", {"WWW-Authenticate": 'Bearer realm="boardroom"'})
        _slow_down(house, who.credential)
        if self.scope not in who.scopes:
            raise Problem(403, f"This needs the scope {self.scope}.")
        return who


def _slow_down(house: House, key: str) -> None:
    wait = house.rates.wait(key)
    if wait:
        raise Problem(429, "Too many requests: wait a moment.", {"Retry-After": str(math.ceil(wait))})


async def authenticated(house: House, connection: HTTPConnection) -> Who | None:
    """Who asks: by bearer token, else by a session's cookie, which needs a CSRF token for what is not safe."""
    given = connection.headers.get("authorization")
    if given is not None:
        kind, _, secret = given.partition(" ")
        return await access.by_token(house.store, secret.strip()) if kind.lower() == "bearer" else None
    cookie = connection.cookies.get(SECURE_COOKIE) or connection.cookies.get(COOKIE)
    who = await access.by_session(house.store, cookie) if cookie else None
    if who is None or connection.scope["type"] == "websocket" or connection.scope["method"] in SAFE:
        return who
    # A browser says where a request comes from; the gate has checked the origin that is there.
    if "origin" not in connection.headers:
        raise Problem(403, "A request of a browser session must carry its Origin.")
    sent = access.hashed(connection.headers.get(CSRF, ""))
    if who.csrf_hash is None or not hmac.compare_digest(who.csrf_hash, sent):
        raise Problem(403, f"A request of a browser session needs its CSRF token in {CSRF}.")
    return who


MeetingId = Annotated[str, Path(pattern=r"^mtg-[0-9a-f]{8}$", description="a meeting's id", examples=["mtg-9fed5d5a"])]


class Own:
    """A dependency of routes with a meeting's id: the caller's own meeting; somebody else's is as unknown as none."""

    def __init__(self, scope: str) -> None:
        self.needs = Needs(scope)
        self.scope = scope

    async def __call__(self, meeting_id: MeetingId, connection: HTTPConnection) -> str:
        who = await self.needs(connection)
        await reading.owned(house_of(connection).store, meeting_id, who.owner)
        return meeting_id


def owned_or_unknown(owner: str, who: Who, meeting_id: str) -> None:
    if owner != who.owner:
        raise DeskError(unknown(meeting_id), kind=Kind.UNKNOWN)


Reader = Annotated[Who, Depends(Needs("reader"))]
Operator = Annotated[Who, Depends(Needs("operator"))]
OwnRead = Annotated[str, Depends(Own("reader"))]
OwnRun = Annotated[str, Depends(Own("operator"))]


def scope_of(route: APIRoute | APIWebSocketRoute) -> str | None:
    """The scope that a route declares; None for one that declares none."""
    found = next(_scopes(route.dependant), None)
    return found


def _scopes(dependant: Any) -> Iterator[str]:
    for dependency in dependant.dependencies:
        if isinstance(dependency.call, (Needs, Own)):
            yield dependency.call.scope
        yield from _scopes(dependency)


def routes_of(app: FastAPI) -> list[APIRoute | APIWebSocketRoute]:
    return [route for route in app.routes if isinstance(route, (APIRoute, APIWebSocketRoute))]


def check_scopes(app: FastAPI) -> None:
    """Raise when a route has no declared scope and is not public by name: a door nobody watches is not opened."""
    for route in routes_of(app):
        if scope_of(route) is None and route.path not in PUBLIC and getattr(route.endpoint, "live", False) is False:
            raise RuntimeError(f"the route {route.path} declares no scope: depend on Needs(…) or Own(…), or name it public")
