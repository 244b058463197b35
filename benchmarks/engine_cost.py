"""What the engine costs a call, over a bare activity round trip on the same server in the same run.

python -m benchmarks.engine_cost
"""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta

from temporalio import activity, workflow
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from benchmarks.common import REFERENCE, ROUNDS, meeting, scratch, show, temporal
from tests.support.meetings import house


@activity.defn
async def nothing(place: str) -> str:
    return place


@workflow.defn
class Bare:
    """The reference meeting's rounds with activities that do nothing."""

    @workflow.run
    async def run(self, rounds: list[int]) -> int:
        for n, calls in enumerate(rounds):
            await asyncio.gather(
                *(
                    workflow.execute_activity(
                        nothing, f"{n}/{m}", start_to_close_timeout=timedelta(seconds=30), task_queue="bare-voices"
                    )
                    for m in range(calls)
                )
            )
        return sum(rounds)


async def main() -> None:
    with scratch() as folder, temporal(folder) as address:
        async with house(address, folder / "data", **REFERENCE) as board:
            await meeting(board, items=1)
            product, _ = await meeting(board)
            async with (
                Worker(board.client, task_queue="bare", workflows=[Bare], workflow_runner=UnsandboxedWorkflowRunner()),
                Worker(board.client, task_queue="bare-voices", activities=[nothing]),
            ):
                started = time.monotonic()
                await board.client.execute_workflow(Bare.run, ROUNDS, id="bare-1", task_queue="bare")
                bare = time.monotonic() - started
    calls = sum(ROUNDS)
    rows = [
        ("bare activities, same rounds", f"{1000 * bare / calls:.1f} ms a call"),
        ("a meeting of simulated voices", f"{1000 * product / calls:.1f} ms a call, {product / bare:.2f} of bare"),
    ]
    show("engine cost", rows, bare_ms=1000 * bare / calls, product_ms=1000 * product / calls, ratio=product / bare)


if __name__ == "__main__":
    asyncio.run(main())
