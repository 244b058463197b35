"""How the service is, its metrics, and how a browser comes in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse

import telemetry
from api import models
from api.auth import Reader, authenticated, cookie_of, slow_down
from api.bodies import Strict
from api.house import House, house
from api.problems import Problem
from clerk import access, health
from clerk.access import Who

router = APIRouter(tags=["system"], route_class=Strict)
At = Annotated[House, Depends(house)]
PAGES = Path(__file__).parent / "pages"


@router.get("/healthz", summary="Whether this process answers")
async def healthz() -> models.Health:
    return models.Health(status="ok")


@router.get("/readyz", summary="Whether meetings can be held", responses={503: {"model": models.Readiness}})
async def readyz(at: At) -> Response:
    """The store, the Temporal server, and a worker that polls."""
    found = await health.look(at.client, at.store)
    ready = all(value == "ok" for value in found.values())
    body = models.Readiness(status="ready" if ready else "not ready", **found)
    return JSONResponse(body.model_dump(), status_code=200 if ready else 503)


@router.get("/metrics", summary="Metrics in Prometheus's format", response_class=PlainTextResponse)
async def metrics(who: Reader, at: At) -> Response:
    counts = await health.meetings_by_status(at.store)
    lines = ["# HELP boardroom_meetings Meetings on the record", "# TYPE boardroom_meetings gauge"]
    lines += [f'boardroom_meetings{{status="{status}"}} {count}' for status, count in sorted(counts.items())]
    body = telemetry.exposition() + "\n".join([*lines, ""]).encode()
    return Response(body, media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/enter", include_in_schema=False)
async def enter_page() -> FileResponse:
    """The page that consumes the one-time link; it says nothing of anybody."""
    return FileResponse(PAGES / "enter.html", media_type="text/html; charset=utf-8")


@router.get("/enter.js", include_in_schema=False)
async def enter_script() -> FileResponse:
    return FileResponse(PAGES / "enter.js", media_type="text/javascript; charset=utf-8")


@router.get("/enter.css", include_in_schema=False)
async def enter_style() -> FileResponse:
    return FileResponse(PAGES / "enter.css", media_type="text/css; charset=utf-8")


@router.get("/enter.svg", include_in_schema=False)
async def enter_icon() -> FileResponse:
    return FileResponse(PAGES / "enter.svg", media_type="image/svg+xml")


@router.post("/api/v1/session", summary="Open a browser session with a one-time ticket", status_code=201)
async def enter(asked: models.Entering, request: Request, response: Response, at: At) -> models.Session:
    """The ticket is used up. The session lives in an HttpOnly cookie; its CSRF token goes into the header X-CSRF-Token."""
    slow_down(at, f"enter:{request.client.host if request.client else ''}")
    if "origin" not in request.headers:
        raise Problem(403, "A session is opened by a browser, which says its Origin: programs use a bearer token.")
    cookie, csrf, until = await access.enter(at.store, asked.ticket, hours=at.settings.session_hours)
    name, secure = cookie_of(request)
    response.set_cookie(
        name,
        cookie,
        max_age=int(at.settings.session_hours * 3600),
        path="/",
        secure=secure,
        httponly=True,
        samesite="strict",
    )
    who = await access.by_session(at.store, cookie)
    assert who is not None
    return models.Session(owner=who.owner, scopes=sorted(who.scopes), csrf=csrf, expires_at=until.isoformat())


@router.get("/api/v1/session", summary="Who is asking")
async def session(request: Request, at: At) -> models.Session:
    who = await _somebody(request, at)
    cookie = request.cookies.get(cookie_of(request)[0], "")
    return models.Session(
        owner=who.owner,
        scopes=sorted(who.scopes),
        csrf=access.csrf_of(cookie) if who.csrf_hash is not None else None,
        expires_at=who.expires_at.isoformat() if who.expires_at is not None else None,
    )


@router.delete("/api/v1/session", summary="Leave", status_code=204)
async def leave(request: Request, response: Response, at: At) -> None:
    await access.leave(at.store, await _somebody(request, at))
    name, secure = cookie_of(request)
    response.delete_cookie(name, path="/", secure=secure, httponly=True, samesite="strict")


async def _somebody(request: Request, at: House) -> Who:
    who = await authenticated(at, request)
    if who is None:
        raise Problem(401, "There is no session: open one with a one-time link.", {"WWW-Authenticate": "Bearer"})
    return who
