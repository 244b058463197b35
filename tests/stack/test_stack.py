"""The whole stack in one context, on a real server and a real store."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

import settings as settings_module
import stack
from stack import Stack
from stack_server import begin_early
from tests.support.servers import eventually, of_directory, processes

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("stack")]


async def test_it_comes_up_whole_and_goes_down_whole(data_dir: Path) -> None:
    settings = settings_module.load(data_dir=data_dir, provider="simulated")
    async with Stack.up(settings, ui=True) as up:
        assert up.embedded
        assert up.notices == ()
        assert up.ui_address
        assert up.store.store_id
        assert await up.client.service_client.check_health()
        assert set(processes(data_dir)) == {"keeper", "server"}
    assert of_directory(data_dir) == []


async def test_without_a_worker_it_reads_beside_one_that_works(data_dir: Path) -> None:
    settings = settings_module.load(data_dir=data_dir, provider="simulated")
    async with Stack.up(settings) as working:
        async with Stack.up(settings, worker=False) as reading:
            assert reading.address == working.address
            assert reading.store.store_id == working.store.store_id
        assert set(processes(data_dir)) == {"keeper", "server"}
    assert of_directory(data_dir) == []


async def test_a_server_that_was_begun_early_is_taken_over(data_dir: Path) -> None:
    early = begin_early(data_dir)
    assert early is not None
    async with Stack.up(settings_module.load(data_dir=data_dir), worker=False, server=early) as up:
        assert up.address == early.address
    assert of_directory(data_dir) == []


async def test_an_error_inside_takes_it_down_too(data_dir: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        async with Stack.up(settings_module.load(data_dir=data_dir), worker=False):
            raise ZeroDivisionError
    assert of_directory(data_dir) == []


async def test_a_store_that_does_not_open_takes_the_server_down(data_dir: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # bound, not listening: refused at once
        url = f"postgresql://me@127.0.0.1:{nobody.getsockname()[1]}/none"
        with pytest.raises(Exception) as raised:  # noqa: PT011 - the store's own error
            async with Stack.up(settings_module.load(data_dir=data_dir, database_url=url)):
                pass
    assert not isinstance(raised.value, AssertionError)
    assert of_directory(data_dir) == []


async def test_a_cancelled_start_leaves_nothing(data_dir: Path) -> None:
    async def start() -> None:
        async with Stack.up(settings_module.load(data_dir=data_dir)):
            await asyncio.Event().wait()

    for moment in (0.0, 0.05, 0.3):
        starting = asyncio.create_task(start())
        await asyncio.sleep(moment)
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        eventually(lambda: not of_directory(data_dir))


async def test_a_given_server_that_does_not_answer_opens_nothing(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")
    with pytest.raises(stack.StackError, match="No Temporal server answers"):
        async with Stack.up(settings_module.load(data_dir=data_dir)):
            pass
    assert of_directory(data_dir) == []
