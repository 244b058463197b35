"""Authenticating and authorising: every route names the scope it needs, and one that names none is an error at the start."""

from __future__ import annotations

import hmac
import math
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Path
from fastapi.routing import RouteContext, iter_route_contexts
from starlette.requests import HTTPConnection

from api.gate import LOOPBACK, SAFE, name_of
from api.house import House, house_of
from api.problems import Problem
from clerk import access, reading
from clerk.access import Who

CSRF = "x-csrf-token"
TICKET = "boardroom.ticket."
"""A one-time ticket travels as a WebSocket subprotocol, never in an address, which logs keep."""
PUBLIC = frozenset(
    {"/healthz", "/readyz", "/openapi.json", "/api/v1/session", "/enter", "/enter.js", "/enter.css", "/enter.svg"}
)
"""Paths that need no credential: they say nothing of anybody's meetings. POST /api/v1/session consumes a ticket."""


class Needs:
    """A dependency that lets through who has the scope. Admin tokens have what they list, nothing more."""

    def __init__(self, scope: str) -> None:
        assert scope in access.SCOPES, scope
        self.scope = scope

    async def __call__(self, connection: HTTPConnection) -> Who:
        who: Who | None = getattr(connection.state, "who", None)
        if who is None:
            who = connection.state.who = await _known(connection)
        if self.scope not in who.scopes:
            raise Problem(403, f"This needs the scope {self.scope}.")
        return who


async def _known(connection: HTTPConnection) -> Who:
    """Who asks; a Problem where that is nobody, or somebody who asks too much."""
    house = house_of(connection)
    who = await authenticated(house, connection)
    if who is None:
        slow_down(house, f"from:{connection.client.host if connection.client else ''}")
        raise Problem(401, "Say who you are: Authorization: Bearer brd_…", {"WWW-Authenticate": 'Bearer realm="boardroom"'})
    slow_down(house, who.credential)
    return who


def slow_down(house: House, key: str) -> None:
    wait = house.rates.wait(key)
    if wait:
        raise Problem(429, "Too many requests: wait a moment.", {"Retry-After": str(math.ceil(wait))})


async def authenticated(house: House, connection: HTTPConnection) -> Who | None:
    """Who asks: by bearer token, by a live ticket, else by a session's cookie, which needs more for what is not safe."""
    given = connection.headers.get("authorization")
    if given is not None:
        kind, _, secret = given.partition(" ")
        return await access.by_token(house.store, secret.strip()) if kind.lower() == "bearer" else None
    socket = connection.scope["type"] == "websocket"
    ticket = ticket_in(connection.scope.get("subprotocols", ())) if socket else None
    if ticket is not None:
        return await access.by_live_ticket(house.store, ticket, str(connection.path_params.get("meeting_id", "")))
    cookie = connection.cookies.get(cookie_of(connection)[0])
    who = await access.by_session(house.store, cookie) if cookie else None
    if who is None or (not socket and connection.scope["method"] in SAFE):
        return who
    # A browser says where a request comes from; the gate has checked the origin that is there.
    if "origin" not in connection.headers:
        raise Problem(403, "A request of a browser session must carry its Origin.")
    if socket:
        return who
    sent = access.hashed(connection.headers.get(CSRF, ""))
    if who.csrf_hash is None or not hmac.compare_digest(who.csrf_hash, sent):
        raise Problem(403, f"A request of a browser session needs its CSRF token in {CSRF}.")
    return who


def ticket_in(offered: Iterable[str], *, whole: bool = False) -> str | None:
    """The live ticket among the subprotocols that a client offers; `whole`: the subprotocol itself."""
    found = next((name for name in offered if name.startswith(TICKET)), None)
    return found if found is None or whole else found.removeprefix(TICKET)


def cookie_of(connection: HTTPConnection) -> tuple[str, bool]:
    """The name of a session's cookie here, and whether it is for https only.

    On the loopback, where there is no https, a plain name with the port in it: cookies know no ports, and several boards
    may run on one machine.
    """
    host = connection.headers.get("host", "")
    if connection.scope["scheme"] in ("https", "wss") or name_of(host) not in LOOPBACK:
        return "__Host-boardroom", True
    port = host.rpartition(":")[2]
    return f"boardroom-{port if port.isdecimal() else 80}", False


MeetingId = Annotated[
    str, Path(pattern=r"^mtg-[A-Za-z0-9][A-Za-z0-9_-]{0,95}$", description="a meeting's id", examples=["mtg-9fed5d5a"])
]


class Own:
    """A dependency of routes with a meeting's id: the caller's own meeting; somebody else's is as unknown as none."""

    def __init__(self, scope: str) -> None:
        self.needs = Needs(scope)
        self.scope = scope

    async def __call__(self, meeting_id: MeetingId, connection: HTTPConnection) -> str:
        who = await self.needs(connection)
        await reading.check_owner(house_of(connection).store, meeting_id, who.owner)
        return meeting_id


Reader = Annotated[Who, Depends(Needs("reader"))]
Operator = Annotated[Who, Depends(Needs("operator"))]
OwnRead = Annotated[str, Depends(Own("reader"))]
OwnRun = Annotated[str, Depends(Own("operator"))]


def scope_of(route: RouteContext) -> str | None:
    """The scope that a route declares; None for one that declares none."""
    return next(_found(route, (Needs, Own)), None)


def _found(route: RouteContext, kinds: tuple[type, ...]) -> Iterator[str]:
    dependant = getattr(route, "dependant", None)
    return _declared(dependant, kinds) if dependant is not None else iter(())


def _declared(dependant: Any, kinds: tuple[type, ...]) -> Iterator[str]:
    for dependency in dependant.dependencies:
        if isinstance(dependency.call, kinds):
            yield dependency.call.scope
        yield from _declared(dependency, kinds)


def routes_of(app: FastAPI) -> list[RouteContext]:
    """Every route of the application, those of its routers too, mounts included."""
    return list(iter_route_contexts(app.routes))


def check_scopes(app: FastAPI) -> None:
    """Raise when a route has no declared scope and is not public by name: a door nobody watches is not opened.

    A route that names a meeting must ask whose it is, too.
    """
    for route in routes_of(app):
        path = route.path or type(route.original_route).__name__
        if scope_of(route) is None and path not in PUBLIC:
            raise RuntimeError(f"the route {path} declares no scope: depend on Needs(…) or Own(…), or name it public")
        if "{meeting_id}" in path and next(_found(route, (Own,)), None) is None:
            raise RuntimeError(f"the route {path} does not ask whose meeting it is: depend on Own(…)")
