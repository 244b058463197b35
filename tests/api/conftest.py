"""The API is tested as it is used: a real uvicorn on a free port, real HTTP, real WebSockets, a real store and Temporal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
import websockets
from temporalio.client import Client

from api.serving import serving
from clerk import access
from records.engine import Store
from settings import Settings
from stack import data_converter
from tests.support import meetings, stores

BOARD = "/api/v1/board"
NOWHERE = "mtg-00000000"
"""An id of the right form that no meeting has."""


@dataclass
class Door:
    """A served API, and secrets that open it: one for each scope, and one of somebody else's."""

    url: str
    store: Store
    settings: Settings
    client: Client
    secrets: dict[str, str] = field(default_factory=dict)
    stranger: str = ""
    house: Any = None

    def http(self, secret: str | None = None, **headers: str) -> httpx2.AsyncClient:
        """A client with this secret; by default one that may read and operate."""
        given = self.secrets["everything"] if secret is None else secret
        authorization = {"Authorization": f"Bearer {given}"} if given else {}
        return httpx2.AsyncClient(base_url=self.url, headers=authorization | headers, timeout=60)

    def follow(self, meeting_id: str, after: int | str = 0, secret: str | None = None, **options: Any) -> Any:
        """Connect to a meeting's live stream; with "" no credential is sent."""
        given = self.secrets["everything"] if secret is None else secret
        if given:
            options["additional_headers"] = {"Authorization": f"Bearer {given}", **options.get("additional_headers", {})}
        address = f"{self.url.replace('http', 'ws', 1)}{BOARD}/meetings/{meeting_id}/ws?after={after}"
        return websockets.connect(address, **options)


async def secrets_for(store: Store) -> tuple[dict[str, str], str]:
    found = {scope: (await access.create_token(store, scope, [scope]))[1] for scope in access.SCOPES}
    found["everything"] = (await access.create_token(store, "everything", ["reader", "operator"]))[1]
    _, stranger = await access.create_token(store, "stranger", access.SCOPES, owner="somebody-else")
    return found, stranger


@asynccontextmanager
async def opened(client: Client, store: Store, settings: Settings, house: Any = None) -> AsyncIterator[Door]:
    async with serving(client, store, settings) as at:
        yield Door(at.url, store, settings, client, *await secrets_for(store), house)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    return Settings(data_dir=tmp_path / "data", provider="simulated", health_check=False, port=0, api_burst=100_000)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with stores.postgres() as url:
        yield url


@pytest.fixture
async def store(settings: Settings) -> AsyncIterator[Store]:
    found = await Store.open(None, settings.data_dir)
    yield found
    await found.close()


@pytest.fixture
async def lone(store: Store, settings: Settings) -> AsyncIterator[Door]:
    """An API whose Temporal server is away: what needs the store alone works, what needs more is 503."""
    client = await Client.connect("127.0.0.1:9", lazy=True, data_converter=data_converter)
    async with opened(client, store, settings) as door:
        yield door


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with meetings.temporal_server() as address:
        yield address


@pytest.fixture
async def door(server: str, settings: Settings) -> AsyncIterator[Door]:
    """An API over a house with running workers."""
    async with (
        meetings.house(server, settings.data_dir, port=0, api_burst=100_000) as house,
        opened(house.client, house.store, house.settings, house) as found,
    ):
        yield found


async def heard(socket: Any, until: Any = None, within: float = 90) -> list[dict[str, Any]]:
    """The events up to the one for which `until` is true; without it, up to the end of the connection."""
    events: list[dict[str, Any]] = []

    async def listen() -> None:
        async for message in socket:
            events.append(json.loads(message))
            if until is not None and until(events[-1]):
                return

    with suppress(websockets.ConnectionClosed):
        await asyncio.wait_for(listen(), within)
    return events


def turns_of(events: list[dict[str, Any]]) -> list[int]:
    return [event["seq"] for event in events if event["event"] == "turn"]
