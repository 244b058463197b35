"""Errors as RFC 9457 problems. The detail is the desk's own sentence; nothing of a request is echoed."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from api.gate import shown_path
from clerk.access import STORE_AWAY, RecordConflict
from clerk.errors import DeskError, Kind

MEDIA = "application/problem+json"
STATUS = {Kind.USAGE: 422, Kind.UNKNOWN: 404, Kind.REFUSED: 409, Kind.AWAY: 503, Kind.FAILED: 503}


class Problem(Exception):
    """A refusal of the door itself."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}")


def problem(
    status: int, detail: str, request: HTTPConnection, headers: dict[str, str] | None = None, **more: Any
) -> JSONResponse:
    """The response of a problem. `type` is about:blank: the status says what kind it is."""
    instance = shown_path(request.url.path)
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    if instance:
        body["instance"] = instance
    return JSONResponse(body | more, status_code=status, media_type=MEDIA, headers=headers)


def install(app: FastAPI) -> None:
    """Answer every error of the application as a problem, also where a WebSocket asks to be opened."""

    async def of_desk(request: HTTPConnection, error: DeskError) -> JSONResponse:
        status = STATUS[error.kind]
        return problem(status, error.message, request, {"Retry-After": "5"} if status == 503 else None)

    async def of_door(request: HTTPConnection, error: Problem) -> JSONResponse:
        return problem(error.status, error.detail, request, error.headers)

    async def of_store(request: HTTPConnection, error: Exception) -> JSONResponse:
        said = str(error) if isinstance(error, STORE_AWAY[0]) else "The store does not answer: try again when it does."
        return problem(503, said, request, {"Retry-After": "5"})

    async def of_conflict(request: HTTPConnection, error: Exception) -> JSONResponse:
        return problem(409, "This was asked for already under the same key, with another content.", request)

    async def of_validation(
        request: HTTPConnection, error: RequestValidationError | WebSocketRequestValidationError
    ) -> JSONResponse:
        faults = [{"where": _place(fault["loc"]), "what": _fault(fault)} for fault in list(error.errors())[:20]]
        first = faults[0] if faults else {"where": "the request", "what": "it is malformed"}
        return problem(422, f"{first['where']}: {first['what']}.", request, errors=faults)

    async def of_http(request: HTTPConnection, error: HTTPException) -> JSONResponse:
        details = {404: "There is nothing at this path.", 405: "This path does not take this method."}
        return problem(
            error.status_code, details.get(error.status_code, "The request was refused."), request, dict(error.headers or {})
        )

    async def of_code(request: HTTPConnection, error: Exception) -> JSONResponse:
        return problem(500, "An error of Boardroom's own; its log has it.", request)  # the gate logs it

    handlers: list[tuple[Any, Any]] = [
        (DeskError, of_desk),
        (Problem, of_door),
        (RecordConflict, of_conflict),
        *((kind, of_store) for kind in STORE_AWAY),
        (RequestValidationError, of_validation),
        (WebSocketRequestValidationError, of_validation),
        (HTTPException, of_http),
        (Exception, of_code),
    ]
    for kind, handler in handlers:
        app.add_exception_handler(kind, handler)


def _fault(fault: Any) -> str:
    """What is wrong, without what was sent."""
    if fault["type"] == "union_tag_invalid":
        return f"It must be one of {fault['ctx']['expected_tags']}"
    if fault["type"] == "json_invalid":
        return f"It cannot be read as JSON: {fault['ctx']['error']}"
    return str(fault["msg"])[:300]


def _place(where: Any) -> str:
    """Where in the request a fault is. Names that no field of ours has are the sender's own words: they are not repeated."""
    return ".".join(str(part) if isinstance(part, int) or _NAME.fullmatch(part) else "…" for part in where)[:200]
