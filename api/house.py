"""What the routes share: the client, the store, the settings, and the live hub of this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import Request
from starlette.requests import HTTPConnection

from api.hub import Hub
from api.limits import Rates
from settings import Settings


@dataclass(frozen=True)
class House:
    client: Any  # temporalio.client.Client
    store: Any  # records.engine.Store
    settings: Settings
    hub: Hub
    rates: Rates
    embedded: bool  # whether topics may stand in Temporal where the setting leaves it open


async def house(request: Request) -> House:
    # async, though it waits for nothing: a plain function would cost every request a thread
    return house_of(request)


def house_of(connection: HTTPConnection) -> House:
    found: House = connection.app.state.house
    return found
