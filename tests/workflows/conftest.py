"""One real Temporal server for the tests of a worker process, and a house with voices from the local Messages service."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.meetings import House, house, temporal_server
from tests.support.messages_service import KEY, Behaviour, served


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with temporal_server() as address:
        yield address


@pytest.fixture
def messages() -> Iterator[tuple[str, Behaviour]]:
    with served() as found:
        yield found


@pytest.fixture
async def board(server: str, messages: tuple[str, Behaviour], tmp_path: Path) -> AsyncIterator[House]:
    """A house whose voices are the real client's, talking to the local service."""
    async with anthropic_house(server, tmp_path, messages[0]) as found:
        yield found


@asynccontextmanager
async def anthropic_house(address: str, data_dir: Path, url: str, **overrides: Any) -> AsyncIterator[House]:
    settings: dict[str, Any] = {"designated_dissenter": False, "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url} | overrides
    async with house(address, data_dir, provider="anthropic", **settings) as found:
        yield found
