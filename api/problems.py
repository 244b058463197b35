"""Errors as RFC 9457 problems. The detail is the desk's own sentence; nothing of a request is echoed."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

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


def problem(status: int, detail: str, instance: str = "", headers: dict[str, str] | None = None, **more: Any) -> JSONResponse:
    """The response of a problem. `type` is about:blank: the status says what kind it is."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    if instance:
        body["instance"] = instance
    return JSONResponse(body | more, status_code=status, media_type=MEDIA, headers=headers)


def install(app: FastAPI) -> None:
    """Answer every error of the application as a problem."""

    @app.exception_handler(DeskError)
    async def of_desk(request: Request, error: DeskError) -> JSONResponse:
        status = STATUS[error.kind]
        return problem(status, error.message, request.url.path, {"Retry-After": "5"} if status == 503 else None)

    @app.exception_handler(Problem)
    async def of_door(request: Request, error: Problem) -> JSONResponse:
        return problem(error.status, error.detail, request.url.path, error.headers)

    @app.exception_handler(RequestValidationError)
    async def of_validation(request: Request, error: RequestValidationError) -> JSONResponse:
        faults = [
            {"where": ".".join(str(part) for part in fault["loc"])[:200], "what": str(fault["msg"])[:300]}
            for fault in error.errors()[:20]
        ]
        first = faults[0] if faults else {"where": "the request", "what": "it is malformed"}
        return problem(422, f"{first['where']}: {first['what']}.", request.url.path, errors=faults)

    @app.exception_handler(HTTPException)
    async def of_http(request: Request, error: HTTPException) -> JSONResponse:
        details = {404: "There is nothing at this path.", 405: "This path does not take this method."}
        return problem(
            error.status_code, details.get(error.status_code, str(error.detail)), request.url.path, dict(error.headers or {})
        )

    @app.exception_handler(Exception)
    async def of_code(request: Request, error: Exception) -> JSONResponse:
        return problem(500, "An error of Boardroom's own; its log has it.", request.url.path)
