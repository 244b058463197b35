"""Time lost in all, to the meeting's end, by `kill -9` of the worker during a call: with the quick setting and the default.

python -m benchmarks.recovery [delay]
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

from benchmarks.common import REFERENCE, messages_service, scratch, show, temporal
from clerk import opening, running
from records.engine import Store
from settings import Settings
from tests.support.crashing import Processes, environment, processes
from tests.support.meetings import agenda, connect
from tests.support.messages_service import KEY

SETTINGS = {"quick": {"heartbeat": 1.0, "sticky": 1.0}, "default": {"heartbeat": 15.0, "sticky": 2.0}}


async def hold(address: str, folder: Path, url: str, how: str, started: Processes, *, kill: bool) -> float:
    data = folder / f"data-{how}-{kill}"
    rules = SETTINGS[how]
    env = environment(data, url, TEMPORAL_ADDRESS=address, BOARDROOM_MAX_MENTIONS="0")
    env |= {f"BOARDROOM_{name.upper()}": str(value) for name, value in rules.items()}
    settings = Settings(
        data_dir=data, provider="anthropic", ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=url, **(REFERENCE | rules)
    )
    client = await connect(address)
    store = await Store.open(None, data)
    worker = started.start(["worker"], env)
    spare = started.start(["worker"], env) if kill else None  # the other worker that goes on: no start-up time in the figure
    await asyncio.sleep(4)
    begun = time.monotonic()
    opened = await opening.open_meeting(store, settings, opening.OpenRequest(agenda=agenda("Should I walk more?"), seed=7))
    await running.start(client, store, settings, opened.meeting_id)
    handle = client.get_workflow_handle(opened.meeting_id)
    if kill:
        await asyncio.sleep(3.5)
        worker.kill()
    await asyncio.wait_for(handle.result(), 300)
    taken = time.monotonic() - begun
    for process in (worker, spare):
        if process is not None and process.poll() is None:
            os.kill(process.pid, 15)
            process.wait(30)
    await store.close()
    return taken


async def main(delay: float) -> None:
    rows, figures = [], {}
    with scratch() as folder, temporal(folder) as address, messages_service(folder, delay) as url, processes() as started:
        for how in SETTINGS:
            calm = await hold(address, folder, url, how, started, kill=False)
            killed = await hold(address, folder, url, how, started, kill=True)
            rows.append((f"{how} setting", f"{killed - calm:.1f} s lost of {calm:.1f} s undisturbed ({killed / calm:.2f})"))
            figures[how] = {"lost_s": round(killed - calm, 2), "ratio": round(killed / calm, 3)}
    show("recovery after kill -9", rows, **figures)


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0))
