"""Bodies are read as files are: a name that stands twice in one object is refused, since nobody knows which was meant."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute


class _Strict(Request):
    async def json(self) -> Any:
        body = await self.body()

        def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            found = dict(pairs)
            if len(found) != len(pairs):  # told as every body is that is no JSON
                raise json.JSONDecodeError("A name stands twice in one object: keep one", "", 0)
            return found

        return json.loads(body, object_pairs_hook=once)


class Strict(APIRoute):
    """A route whose body names nothing twice."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            return await handle(_Strict(request.scope, request.receive))

        return strictly
