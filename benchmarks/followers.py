"""The API under load: a turn's way to 50 WebSockets, the busiest reads beside a bare route, and joining at turn 400.

python -m benchmarks.followers
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
import websockets
from fastapi import FastAPI

import api.hub
from activities.speaking import Speaking
from api.serving import Served, serving
from benchmarks.common import ROOT, anthropic_house, messages_service, scratch, show, temporal
from clerk import access, opening, running
from records.engine import Store
from tests.support.meetings import House, agenda

SOCKETS = 50
READING = 3.0
"""Seconds for which each route is read."""
CALLERS = 8


# -- the clients, in a process of their own ----------------------------------------------------------------------------


async def follow(url: str, token: str, meeting: str) -> None:
    """Follow on all sockets to the meeting's end; prints the time each turn came to each socket."""
    headers = {"Authorization": f"Bearer {token}"}
    address = f"{url.replace('http', 'ws')}/api/v1/board/meetings/{meeting}/ws"

    async def one() -> dict[int, float]:
        came = {}
        async with websockets.connect(address, additional_headers=headers, max_size=None) as socket:
            async for text in socket:
                event = json.loads(text)
                if event["event"] == "turn":
                    came[event["seq"]] = time.time()
        return came

    tasks = [asyncio.create_task(one()) for _ in range(SOCKETS)]
    print("ready", flush=True)
    print(json.dumps(await asyncio.gather(*tasks)))


async def read(url: str, token: str, *paths: str) -> None:
    """Read each path for a while; prints requests a second."""
    found = []
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30) as client:
        for path in paths:
            until = time.monotonic() + READING
            count = 0

            async def caller(path: str = path, until: float = until) -> int:
                done = 0
                while time.monotonic() < until:
                    answer = await client.get(path if path.startswith("http") else url + path)
                    assert answer.status_code == 200, answer.text
                    done += 1
                return done

            count = sum(await asyncio.gather(*(caller() for _ in range(CALLERS))))
            found.append(count / READING)
    print(json.dumps(found))


async def join(url: str, token: str, meeting: str, turns: str) -> None:
    """Join a meeting that stands at so many turns, twice; prints the seconds until all of them were there."""
    address = f"{url.replace('http', 'ws')}/api/v1/board/meetings/{meeting}/ws"
    taken = []
    for _ in range(2):
        started = time.perf_counter()
        async with websockets.connect(
            address, additional_headers={"Authorization": f"Bearer {token}"}, max_size=None
        ) as socket:
            seen = 0
            while seen < int(turns):
                seen += json.loads(await socket.recv())["event"] == "turn"
            taken.append(time.perf_counter() - started)
    print(json.dumps(taken))


async def client(what: str, *args: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.followers", what, *args, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )


async def told(process: asyncio.subprocess.Process) -> Any:
    out, _ = await process.communicate()
    return json.loads(out.splitlines()[-1])


# -- the service -------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def bare() -> Any:
    """A FastAPI route that does nothing, served in the same way."""
    app = FastAPI()

    @app.get("/nothing")
    async def nothing() -> dict[str, str]:
        return {"status": "ok"}

    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, access_log=False))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/nothing"
    server.should_exit = True
    await task


async def opened(board: House, items: int) -> str:
    topics = [f"Should I walk more? ({n})" for n in range(items)]
    found = await opening.open_meeting(board.store, board.settings, opening.OpenRequest(agenda=agenda(*topics), seed=7))
    return found.meeting_id


def watched() -> tuple[dict[int, float], list[float]]:
    """When each turn was on the record, and how long the store's transactions took."""
    finished: dict[int, float] = {}
    commits: list[float] = []
    hear, run = Speaking.hear, Store.run

    async def heard(self: Any, hearing: Any) -> Any:
        result = await hear(self, hearing)
        finished[hearing.seq] = time.time()
        return result

    async def ran(self: Any, work: Any) -> Any:
        started = time.perf_counter()
        result = await run(self, work)
        commits.append(time.perf_counter() - started)
        return result

    for name, value in vars(hear).items():  # what makes it an activity
        setattr(heard, name, value)
    Speaking.hear, Store.run = heard, ran  # type: ignore[method-assign, assignment]
    return finished, commits


async def main() -> None:
    api.hub.PER_OWNER = SOCKETS + 10
    finished, commits = watched()
    with scratch() as folder, temporal(folder) as address, messages_service(folder, 0.2) as url:
        more = {"api_rate": 1e6, "api_burst": 1e6, "port": 0, "meeting_deadline": 3600.0}
        async with (
            anthropic_house(address, Path(folder), url, **more) as board,
            serving(board.client, board.store, board.settings) as at,
            bare() as nothing,
        ):
            await measure(board, at, nothing, finished, commits)


async def measure(board: House, at: Served, nothing: str, finished: dict[int, float], commits: list[float]) -> None:
    _, token = await access.create_token(board.store, "bench", ["reader"])
    meeting = await opened(board, 3)
    process = await client("follow", at.url, token, meeting)
    assert process.stdout is not None
    await process.stdout.readline()
    await asyncio.sleep(1.5)
    commits.clear()
    await running.start(board.client, board.store, board.settings, meeting)
    came = await told(process)
    late = sorted(
        (1000 * (moment - finished[int(seq)]) for socket in came for seq, moment in socket.items() if int(seq) in finished)
    )
    assert len(came) == SOCKETS
    assert len({len(socket) for socket in came}) == 1
    commit = 1000 * statistics.median(commits)
    p95 = late[int(len(late) * 0.95)]

    reads = ["/api/v1/board/meetings", f"/api/v1/board/meetings/{meeting}", f"/api/v1/board/meetings/{meeting}/transcript"]
    rates = await told(await client("read", at.url, token, nothing, *reads))

    long = await opened(board, 16)
    await running.start(board.client, board.store, board.settings, long)
    await board.client.get_workflow_handle(long).result()
    async with board.store.read() as tx:
        from records import turns

        count = await turns.last_seq(tx, long)
    cold, warm = await told(await client("join", at.url, token, long, str(min(400, count))))
    show(
        "followers",
        [
            (f"turn on the record -> received on {SOCKETS} sockets, p50", f"{late[len(late) // 2]:.1f} ms"),
            ("the same, p95", f"{p95:.1f} ms"),
            ("the store's own transaction, median", f"{commit:.1f} ms"),
            ("a bare FastAPI route", f"{rates[0]:.0f} requests/s"),
            ("GET /meetings", f"{rates[1]:.0f} requests/s, {rates[1] / rates[0]:.2f} of bare"),
            ("GET /meetings/{id}", f"{rates[2]:.0f} requests/s, {rates[2] / rates[0]:.2f} of bare"),
            ("GET …/transcript", f"{rates[3]:.0f} requests/s, {rates[3] / rates[0]:.2f} of bare"),
            (f"joining at turn {min(400, count)}, first / second", f"{1000 * cold:.0f} / {1000 * warm:.0f} ms"),
        ],
        p95_ms=p95,
        commit_ms=commit,
        reads=[rate / rates[0] for rate in rates[1:]],
        join_ms=[1000 * cold, 1000 * warm],
    )


if __name__ == "__main__":
    parts = {"follow": follow, "read": read, "join": join}
    if len(sys.argv) > 1:
        asyncio.run(parts[sys.argv[1]](*sys.argv[2:]))
    else:
        asyncio.run(main())
