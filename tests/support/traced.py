"""A process that makes traces: a whole meeting over the API, its spans kept in memory and printed as JSON.

The provider of traces is one for a whole process, hence a process of its own:
python -m tests.support.traced meeting ADDRESS FOLDER MESSAGES-URL SMTP-PORT
python -m tests.support.traced replay
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import httpx2
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from temporalio.client import Client, WorkflowHistory
from temporalio.worker import Replayer

import stack
import telemetry
import worker
from api.serving import serving
from clerk import access, running
from records.engine import Store
from settings import Settings
from tests.support.messages_service import KEY
from workflows.messages import FOLLOW_UP

HISTORIES = Path(__file__).parents[1] / "histories"
TRACE = "0af7651916cd43dd8448eb211c80319c"
CANARY = "zebrafish"
"""Stands in everything that anybody says, writes or asks in this meeting."""


def as_json(span: ReadableSpan) -> dict[str, Any]:
    assert span.context is not None
    return {
        "name": span.name,
        "trace": f"{span.context.trace_id:032x}",
        "id": f"{span.context.span_id:016x}",
        "parent": f"{span.parent.span_id:016x}" if span.parent else None,
        "state": dict(span.context.trace_state),
        "attributes": dict(span.attributes or {}),
        "events": [{"name": event.name, "attributes": dict(event.attributes or {})} for event in span.events],
        "status": span.status.status_code.name,
        "said": span.status.description,
        "resource": {name: str(value) for name, value in span.resource.attributes.items()},
    }


async def quiet(client: Client) -> None:
    """Wait until nothing runs but what follows a resolution: the span of a workflow is there when the workflow is closed."""
    asked, silent = f"ExecutionStatus = 'Running' AND WorkflowType != '{FOLLOW_UP}'", 0
    async with asyncio.timeout(60):
        while silent < 3:  # the list of workflows comes a moment late
            silent = silent + 1 if (await client.count_workflows(asked)).count == 0 else 0
            await asyncio.sleep(0.2)


async def meeting(address: str, folder: Path, url: str, smtp_port: int) -> dict[str, Any]:
    """Prepare a meeting over the API and hold it; its id, statuses of answers, and the headers of its first history."""
    settings = Settings(
        data_dir=folder / "data", context_dir=folder / "context", provider="anthropic", health_check=False, port=0,
        ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=url, smtp_host="127.0.0.1", smtp_port=smtp_port, smtp_security="none",
        mail_from="board@example.org", mail_to="owner@example.org", notice_details=True,
    )  # fmt: skip
    client = await Client.connect(address, data_converter=stack.data_converter, plugins=telemetry.plugins())
    store = await Store.open(None, settings.data_dir)
    answers = []
    try:
        async with worker.running(client, store, settings), serving(client, store, settings) as at:
            _, token = await access.create_token(store, f"{CANARY}-token", ["reader", "operator"])
            # What the caller sends along besides the trace goes nowhere.
            headers = {
                "Authorization": f"Bearer {token}",
                "traceparent": f"00-{TRACE}-b7ad6b7169203331-01",
                "tracestate": f"{CANARY}=1",
                "baggage": f"{CANARY}={CANARY}",
            }
            async with httpx2.AsyncClient(base_url=f"{at.url}/api/v1/board", headers=headers, timeout=60) as http:

                async def post(path: str, body: Any = None) -> Any:
                    answer = await http.post(path, json=body)
                    answers.append(answer.status_code)
                    return answer.json()

                made = await post("/meetings", {"name": f"On my {CANARY}"})
                here = f"/meetings/{made['id']}"
                await post(f"{here}/approve-agenda")  # refused: there is none
                await post(f"{here}/request-agenda")
                await post(f"{here}/conversation", {"message": f"Add my {CANARY}, please."})
                await post(f"{here}/revise-agenda", {"feedback": f"More {CANARY}."})
                await post(f"{here}/approve-agenda")
                await post(f"{here}/start")
                await post(f"{here}/user-input", {"text": f"And my {CANARY}?"})
                await post(f"{here}/{CANARY}")  # there is no such place
            await asyncio.wait_for(client.get_workflow_handle(made["id"]).result(), 90)
            await running.closed(client, made["id"])
            await quiet(client)
        runs = [run async for run in client.list_workflows(f"WorkflowId STARTS_WITH '{made['id']}'")]
        raw = b""
        for run in runs:
            history = await client.get_workflow_handle(run.id, run_id=run.run_id).fetch_history()
            raw += b"".join(event.SerializeToString() for event in history.events)
    finally:
        await store.close()
    return {"meeting": made["id"], "answers": answers, "leaked": CANARY.encode() in raw, "carried": b"_tracer-data" in raw}


async def replay() -> dict[str, Any]:
    """Replay every committed history the way a worker that makes traces does."""
    replayer = Replayer(
        workflows=[*worker.WORKFLOWS, *worker.SCHEDULED],
        workflow_runner=worker.workflow_runner(),
        data_converter=stack.data_converter,
        plugins=telemetry.plugins(),
    )
    replayed = 0
    for file in sorted(HISTORIES.glob("*.json")):
        text = file.read_text()
        started = json.loads(text)["events"][0]["workflowExecutionStartedEventAttributes"]
        await replayer.replay_workflow(WorkflowHistory.from_json(started["workflowId"], text))
        replayed += 1
    return {"replayed": replayed}


def main() -> None:
    exporter = InMemorySpanExporter()
    assert telemetry.start(SimpleSpanProcessor(exporter))
    what, *given = sys.argv[1:]
    if what == "meeting":
        found = asyncio.run(meeting(given[0], Path(given[1]), given[2], int(given[3])))
    else:
        found = asyncio.run(replay())
    telemetry.flush()
    print(json.dumps(found | {"spans": [as_json(span) for span in exporter.get_finished_spans()]}))


if __name__ == "__main__":
    main()
