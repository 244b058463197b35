"""The reference meeting: 74 calls in 25 rounds of a fixed delay; wall time over the critical path, beside simpler ways.

python -m benchmarks.reference_meeting [delay]
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from datetime import timedelta

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from benchmarks.common import ROUNDS, anthropic_house, meeting, messages_service, scratch, show, temporal
from parliament.values import Purpose
from tests.support.briefs import brief_for
from tests.support.messages_service import KEY
from voices.anthropic import AnthropicVoice
from voices.base import VoiceRequest
from voices.prompts import render


@workflow.defn
class BareMeeting:
    """The same rounds as bare activities: durable, but no record, no rules of order, no prompt of a meeting."""

    @workflow.run
    async def run(self, rounds: list[int]) -> None:
        for n, calls in enumerate(rounds):
            limit = timedelta(seconds=60)
            queue = "bare-voices"
            await asyncio.gather(
                *(
                    workflow.execute_activity("say", f"bare/{n}/{m}", start_to_close_timeout=limit, task_queue=queue)
                    for m in range(calls)
                )
            )


async def bare(client: Client, url: str) -> float:
    """The same calls by the same client as activities of a workflow that does nothing else."""
    voice, request = _asking(url)

    @activity.defn
    async def say(call_id: str) -> str:
        return (await voice.speak(request(call_id))).stop_reason

    async with (
        Worker(client, task_queue="bare", workflows=[BareMeeting], workflow_runner=UnsandboxedWorkflowRunner()),
        Worker(client, task_queue="bare-voices", activities=[say]),
    ):
        started = time.monotonic()
        await client.execute_workflow(BareMeeting.run, ROUNDS, id="bare-1", task_queue="bare")
        taken = time.monotonic() - started
    await voice.close()
    return taken


def _asking(url: str) -> tuple[AnthropicVoice, Callable[[str], VoiceRequest]]:
    voice = AnthropicVoice(api_key=KEY, base_url=url, models={"mid": "claude-sonnet-5-5"})
    brief = brief_for(Purpose.DISCUSSION, "dalio", "Should I walk more?")
    prompt = render(brief, chairman=False)
    return voice, lambda call_id: VoiceRequest(call_id=call_id, brief=brief, prompt=prompt)


async def plain(url: str) -> float:
    """The same calls by plain asyncio with the same client: no record, no recovery, a gather a round."""
    voice, request = _asking(url)
    started = time.monotonic()
    for n, calls in enumerate(ROUNDS):
        await asyncio.gather(*(voice.speak(request(f"plain/-/discussion/-/{n}/{m}")) for m in range(calls)))
    taken = time.monotonic() - started
    await voice.close()
    return taken


async def main(delay: float) -> None:
    assert (sum(ROUNDS), len(ROUNDS)) == (74, 25)
    path = delay * len(ROUNDS)
    with scratch() as folder, temporal(folder) as address:
        with messages_service(folder, 0.0) as url:
            async with anthropic_house(address, folder, url) as board:
                await meeting(board, items=1)  # imports, caches and connections, once
        with messages_service(folder, delay) as url:
            baseline = await plain(url)
            async with anthropic_house(address, folder, url) as board:
                durable = await bare(board.client, url)
                product, handle = await meeting(board)
                calls = len((await board.record(handle.id)).members) and await _calls(board, handle.id)
                assert calls == 74, calls
                twos, _ = await meeting(board, batch_size=2)
                ones, _ = await meeting(board, batch_size=1)
    rows = [("critical path", f"{path:.2f} s")]
    rows += [
        (name, f"{seconds:.2f} s, {seconds / path:.3f} of the critical path")
        for name, seconds in (
            ("plain asyncio, same client", baseline),
            ("a bare Temporal workflow, same client", durable),
            ("the product", product),
            ("the product in batches of two", twos),
            ("the product, one after another", ones),
        )
    ]
    show(
        "reference meeting",
        rows,
        plain=baseline / path,
        bare=durable / path,
        product=product / path,
        twos=twos / path,
        ones=ones / path,
    )


async def _calls(board: object, meeting_id: str) -> int:
    from records import calls

    async with board.store.read() as tx:  # type: ignore[attr-defined]
        return (await calls.spent(tx, meeting_id)).calls


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0))
