from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from records.engine import Store
from settings import Settings
from tests.support.meetings import temporal_server


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    return Settings(data_dir=tmp_path / "data", provider="simulated", health_check=False)


@pytest.fixture
async def store(settings: Settings) -> AsyncIterator[Store]:
    found = await Store.open(None, settings.data_dir)
    yield found
    await found.close()


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with temporal_server() as address:
        yield address
