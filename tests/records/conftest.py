"""The same tests on both stores."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from records.engine import Store
from tests.support import stores


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with stores.postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store."""
    if request.param == "sqlite":
        from records.engine import sqlite_url

        return sqlite_url(tmp_path / "data")
    return stores.new_database(request.getfixturevalue("postgres_url"))


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """A store with one meeting in it."""
    opened = await Store.open(url)
    async with opened.write() as tx:
        await stores.create_meeting(tx)
    yield opened
    await opened.close()
