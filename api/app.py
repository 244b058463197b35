"""The application: routes, problems, and the gate around all of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI

from api import live, meetings, members, models, preparation, problems, resolutions, reviews, summaries, system
from api.auth import check_scopes
from api.gate import LOOPBACK, Gate
from api.house import House
from api.hub import Hub
from api.limits import Rates
from settings import Settings

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": words, "content": {problems.MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    for status, words in {
        401: "Nobody, or nobody known",
        403: "Not with this scope, from this origin, or without its CSRF token",
        404: "There is no such thing, or it is somebody else's",
        408: "The body did not come in time",
        409: "Not in this state; the detail says why",
        413: "The body is larger than 1 MiB",
        415: "The body is not JSON",
        421: "Another host name than those served here",
        422: "The request itself is wrong; the detail says where",
        429: "Too many requests; Retry-After says how long to wait",
        503: "Temporal, the worker or the provider does not answer; try again",
    }.items()
}

DESCRIPTION = """\
A board of AI voices meets by Robert's Rules and keeps a record that can be trusted. Create a meeting, have the chairman draft
its agenda, talk it over, approve it, start it, and follow it live at `WS /api/v1/board/meetings/{id}/ws?after=<seq>`.

Say who you are with `Authorization: Bearer brd_…` (`boardroom tokens create`), or come in with a browser by the one-time
link that `boardroom up` prints. Errors are RFC 9457 problems whose detail says what to do."""


def make_app(client: Any, store: Any, settings: Settings, *, embedded: bool = False) -> Gate:
    """The ASGI application over a Temporal client and a store. Raises RuntimeError for a route without a scope."""
    house = House(client, store, settings, Hub(store), Rates(settings.api_rate, settings.api_burst), embedded)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await house.hub.close()

    app = FastAPI(
        title="Boardroom",
        version=version("boardroom"),
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
        # The gate makes the one span and counts: FastAPI's own would hold what was sent in, and reach whom its variables name.
        telemetry=dict.fromkeys(("tracing", "metrics", "logs", "operation_spans", "auto_configure"), False),
        responses=PROBLEMS,
    )
    app.state.house = house
    problems.install(app)
    for module in (meetings, preparation, live, resolutions, summaries, reviews, members, system):
        app.include_router(module.router)
    check_scopes(app)
    _describe(app)
    hosts = [*LOOPBACK, *(host.strip() for host in settings.allowed_hosts.split(",") if host.strip())]
    origins = [origin.strip() for origin in settings.allowed_origins.split(",") if origin.strip()]
    return Gate(app, hosts=hosts, origins=origins)


def _describe(app: FastAPI) -> None:
    """OpenAPI with the problem's schema, and without the validation error of the framework, which nobody is sent."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        schema = make()
        schemas = schema.setdefault("components", {}).setdefault("schemas", {})
        schemas.setdefault("Problem", models.Problem.model_json_schema(ref_template="#/components/schemas/{model}"))
        schema["components"]["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
        schema["security"] = [{"bearer": []}]
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        for name, found in models.examples().items():  # the framework drops what is null in them
            if name in schemas:
                schemas[name]["examples"] = found
        return schema

    app.openapi = openapi  # type: ignore[method-assign]
