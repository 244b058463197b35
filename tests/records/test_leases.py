"""Law 5 between real processes: who dies in the middle of a call gives it up when its lease ends, and not before."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from records import calls
from records.engine import Store

ROOT = Path(__file__).parents[2]
MEETING = "mtg-00000001"
LEASE = 1.5
"""Seconds."""

_CALLER = """
import asyncio, sys
from datetime import UTC, datetime
from records import calls
from records.engine import Store

async def main(url, owner, lease, then):
    store = await Store.open(url)
    async def claim(tx):
        return await calls.claim(tx, "c1", meeting_id="mtg-00000001", member_id="dalio", purpose="vote", owner=owner,
                                 lease_seconds=float(lease), now=datetime.now(UTC))
    async def renew(tx):
        return await calls.renew(tx, "c1", owner=owner, lease_seconds=float(lease), now=datetime.now(UTC))
    async def finish(tx):
        return await calls.finish(tx, "c1", reply="bought", provider="p", model="m", stop_reason="end_turn",
                                  now=datetime.now(UTC))
    print(type(await store.run(claim)).__name__, flush=True)
    if then == "finish":
        await store.run(finish)
        print("finished", flush=True)
    while True:
        await asyncio.sleep(float(lease) / 3)
        if then == "renew":
            await store.run(renew)

asyncio.run(main(*sys.argv[1:]))
"""


@asynccontextmanager
async def caller(url: str, owner: str, then: str) -> AsyncIterator[subprocess.Popen[str]]:
    """A process that has claimed the call and, unless it finished it, is in the middle of it."""
    command = [sys.executable, "-c", _CALLER, url, owner, str(LEASE), then]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert await asyncio.to_thread(process.stdout.readline) == "Granted\n"
        if then == "finish":
            assert await asyncio.to_thread(process.stdout.readline) == "finished\n"
        yield process
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()


def kill(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)


def claiming(owner: str = "next") -> Callable[[AsyncConnection], Coroutine[Any, Any, calls.Claim]]:
    async def claim(tx: AsyncConnection) -> calls.Claim:
        return await calls.claim(
            tx,
            "c1",
            meeting_id=MEETING,
            member_id="dalio",
            purpose="vote",
            owner=owner,
            lease_seconds=LEASE,
            now=datetime.now(UTC),
        )

    return claim


@pytest.mark.parametrize("then", ["wait", "renew"])
async def test_law_05_a_killed_process_holds_its_call_until_the_lease_ends(store: Store, url: str, then: str) -> None:
    async with caller(url, "dead", then) as process:
        if then == "renew":  # alive for longer than one lease: it is still its call
            await asyncio.sleep(LEASE * 1.4)
        held = await store.run(claiming())
        assert isinstance(held, calls.Held)
        kill(process)
        held = await store.run(claiming())
        assert isinstance(held, calls.Held), "a dead process may have been charged for its call: nobody makes it at once"
        await asyncio.sleep((held.until - datetime.now(UTC)).total_seconds() + 0.05)
        assert await store.run(claiming()) == calls.Granted(attempt=2, failures=0)


async def test_law_05_a_process_that_did_not_renew_has_lost_its_call(store: Store, url: str) -> None:
    async with caller(url, "slow", "wait"):
        await asyncio.sleep(LEASE + 0.1)
        assert await store.run(claiming()) == calls.Granted(attempt=2, failures=0)
        now = datetime.now(UTC)

        async def renew(tx: AsyncConnection) -> bool:
            return await calls.renew(tx, "c1", owner="slow", lease_seconds=LEASE, now=now)

        assert not await store.run(renew)


async def test_law_05_what_a_killed_process_had_bought_is_not_bought_again(store: Store, url: str) -> None:
    async with caller(url, "dead", "finish") as process:
        kill(process)
        assert await store.run(claiming()) == calls.Done(reply="bought", stop_reason="end_turn", model="m")


async def test_law_05_of_four_processes_one_is_granted_the_call(store: Store, url: str) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _CALLER, url, f"p{n}", "60", "wait"], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        for n in range(4)
    ]
    try:
        said = [await asyncio.to_thread(process.stdout.readline) for process in processes if process.stdout is not None]
    finally:
        for process in processes:
            process.kill()
            process.wait(10)
            assert process.stdout is not None
            process.stdout.close()
    assert sorted(said) == ["Granted\n", "Held\n", "Held\n", "Held\n"]


async def test_a_call_given_back_or_failed_costs_what_the_ledger_says(store: Store) -> None:
    now = datetime.now(UTC)

    async def course(tx: AsyncConnection) -> None:
        await claiming("a")(tx)
        await calls.release(tx, "c1", owner="another")  # not its call
        assert isinstance(await claiming("b")(tx), calls.Held)
        await calls.release(tx, "c1", owner="a")
        assert await claiming("b")(tx) == calls.Granted(attempt=2, failures=0)
        await calls.fail(tx, "c1", owner="a", trouble="timeout", now=now, retry_at=None, final=True)  # not its call any more
        assert await calls.failures(tx, "c1") == 0
        await calls.fail(tx, "c1", owner="b", trouble="timeout", now=now, retry_at=now, final=False)
        assert await claiming("c")(tx) == calls.Granted(attempt=3, failures=1)
        usage = {"input_tokens": 10, "output_tokens": 5, "cache_read_tokens": 3, "cache_write_tokens": 2}
        await calls.finish(
            tx, "c1", reply="r", provider="p", now=now, model="m", stop_reason="end_turn", cost_microusd=2**40, **usage
        )
        await calls.claim(tx, "c2", meeting_id=MEETING, member_id="jobs", purpose="vote", owner="a", lease_seconds=9, now=now)
        await calls.finish(tx, "c2", reply="r", provider="p", now=now, model="unknown", stop_reason="end_turn", input_tokens=1)
        await calls.claim(tx, "c3", meeting_id=MEETING, member_id="jobs", purpose="vote", owner="a", lease_seconds=9, now=now)

    await store.run(course)
    async with store.read() as tx:
        assert await calls.spent(tx, MEETING) == calls.Spent(
            calls=2, input_tokens=11, output_tokens=5, cache_read_tokens=3, cache_write_tokens=2, cost_microusd=2**40,
            unpriced=1, failures=1,
        )  # fmt: skip
        assert await calls.spent(tx, "mtg-ffffffff") == calls.Spent()
