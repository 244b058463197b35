"""What is seen from outside: one trace from the request to each call, metrics by kinds, and nobody's words in either."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.trace import Link, SpanContext, Status, StatusCode

import telemetry
from cli import main
from tests.cli.conftest import environment
from tests.support.convenings import write_goals
from tests.support.mailbox import mailbox
from tests.support.meetings import temporal_server
from tests.support.messages_service import Behaviour, served
from tests.support.peers import peer
from tests.support.traced import CANARY, HISTORIES, TRACE

ROOT = Path(__file__).parents[1]


async def run_traced(*arguments: str, seconds: float = 150) -> dict[str, Any]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("BOARDROOM_", "TEMPORAL_", "ANTHROPIC_", "OTEL_"))
    }
    kept |= {"ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE": "content"}  # somebody wants the client's spans to hold prompts
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.traced", *arguments, cwd=ROOT, env=kept,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        out, err = await asyncio.wait_for(process.communicate(), seconds)
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, err.decode()[-2000:]
    assert CANARY.encode() not in err  # nor does a log hold it
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Behaviour]:
    """One meeting over the API in a process that makes traces, and the service that spoke in it."""
    folder = tmp_path_factory.mktemp("traced")
    write_goals(folder / "context", f"Lower my {CANARY} pressure")
    behaviour = Behaviour(
        replies={"": {"speaking": f"My {CANARY} says so.", "thinking": f"WHISPER of the {CANARY}"}},
        faults=[{"match": "/discussion/.*/dalio$", "fault": "500", "times": 1}],
    )

    async def hold(address: str, url: str) -> dict[str, Any]:
        async with mailbox() as mail:
            found = await run_traced("meeting", address, str(folder), url, str(mail.port))
            assert len(mail.mails) >= 3 and CANARY in mail.text()  # the person wanted details
            return found

    with temporal_server() as address, served(behaviour) as (url, _):
        return asyncio.run(hold(address, url)), behaviour


@pytest.mark.server
@pytest.mark.xdist_group("traced")
def test_one_trace_runs_from_the_request_to_each_call(traced: tuple[dict[str, Any], Behaviour]) -> None:
    found, behaviour = traced
    assert found["answers"] == [201, 409, 200, 200, 200, 200, 200, 202, 404]
    spans = {span["id"]: span for span in found["spans"]}
    # On a busy machine a workflow task is tried again, and makes its spans again: the same ones, by their ids.
    again = [span for span in found["spans"] if span is not spans[span["id"]]]
    assert all(span["name"] not in ("voice", "http") for span in again)
    assert all((span["name"], span["parent"]) == (spans[span["id"]]["name"], spans[span["id"]]["parent"]) for span in again)
    assert {span["trace"] for span in spans.values()} == {TRACE}  # the caller's own
    voices = [span for span in spans.values() if span["name"] == "voice"]
    assert len(voices) == len(behaviour.calls) > 40  # each call, also the one that failed
    for span in (*voices, *(span for span in spans.values() if span["name"] == "notice")):
        names = []
        while span is not None:
            names.append(span["name"])
            last, span = span, spans.get(span["parent"])
        # Without a gap up to the request, across the preparation that went on as the meeting.
        assert names[-1] == "http" and last["attributes"]["http.route"].startswith("/api/v1/board/meetings"), names
        assert any(name.startswith("RunActivity:") for name in names)
    assert sum("hear" in str(spans[span["parent"]]["name"]) for span in voices) > 40
    failed = [span for span in voices if span["status"] == "ERROR"]
    assert [span["attributes"]["error.type"] for span in failed] == ["VoiceError"]
    assert {span["attributes"]["model"] for span in voices if span not in failed} == {"claude-sonnet-5-5"}
    routes = {(s["attributes"]["method"], s["attributes"]["http.status_code"]) for s in spans.values() if s["name"] == "http"}
    assert routes == {("POST", status) for status in (200, 201, 202, 404, 409)}


@pytest.mark.server
@pytest.mark.xdist_group("traced")
def test_law_15_no_span_and_no_history_holds_anybodys_words(traced: tuple[dict[str, Any], Behaviour]) -> None:
    found, behaviour = traced
    assert any(CANARY in json.dumps(request) for request in behaviour.requests)  # it was spoken of
    assert CANARY not in json.dumps(found["spans"])
    assert not found["leaked"] and found["carried"]
    assert {name for span in found["spans"] for name in span["attributes"]} <= telemetry.ATTRIBUTES
    assert all(span["said"] is None and span["state"] == {} for span in found["spans"])
    errors = [event for span in found["spans"] for event in span["events"]]
    assert errors, "a refusal was among them"
    assert all(set(event["attributes"]) == {"exception.type"} for event in errors)


@pytest.mark.server
@pytest.mark.xdist_group("traced")
def test_the_provider_is_sent_no_trace(traced: tuple[dict[str, Any], Behaviour]) -> None:
    _, behaviour = traced
    sent = {name.lower() for headers in behaviour.headers for name in headers}
    assert "x-api-key" in sent or "authorization" in sent
    assert sent & {"traceparent", "tracestate", "baggage"} == set()


async def test_the_committed_histories_replay_in_a_worker_that_makes_traces_and_make_none_again() -> None:
    found = await run_traced("replay")
    assert found["replayed"] == len(list(HISTORIES.glob("*.json"))) > 20
    assert found["spans"] == []


@pytest.fixture
async def collector() -> AsyncIterator[Any]:
    async with peer() as found:
        yield found


@pytest.mark.server
async def test_a_named_collector_gets_the_spans_of_a_meeting_before_the_process_ends(tmp_path: Path, collector: Any) -> None:
    variables = environment(
        tmp_path / "data", OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{collector.port}", BOARDROOM_PROVIDER="simulated"
    )

    def meet() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "cli.main", "meet", f"Should I have my {CANARY}?", "--pace", "instant", "--json"],
            cwd=tmp_path, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    done = await asyncio.to_thread(meet)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    sent = b"".join(request.body for request in collector.requests)
    assert all(request.line.startswith("POST /v1/traces ") for request in collector.requests)
    assert b"voice" in sent and b"RunWorkflow:BoardMeeting" in sent
    assert CANARY.encode() not in sent


def test_an_exporter_that_is_missing_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    with pytest.raises(telemetry.TelemetryError) as raised:
        telemetry.start()
    told = main._told(raised.value)
    assert told == (
        "A collector for traces is named, but its exporter is not installed: install boardroom[telemetry], or unset "
        "OTEL_EXPORTER_OTLP_ENDPOINT.",
        1,
    )


def test_without_a_collector_nothing_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in telemetry.COLLECTOR:
        monkeypatch.delenv(name, raising=False)
    assert telemetry.start() is False
    assert telemetry.plugins() == []
    with telemetry.span("voice", {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}, purpose="vote") as span:
        assert span is None
    telemetry.flush()


def test_law_15_of_a_span_only_ids_kinds_and_counts_go_out() -> None:
    context = SpanContext(int(TRACE, 16), 1, is_remote=False)
    span = ReadableSpan(
        "RunActivity:hear",
        context=context,
        parent=context,
        attributes={
            "temporalWorkflowID": "mtg-9fed5d5a", "attempt": 2, "purpose": "my zebrafish", "gen_ai.input.messages": CANARY,
            "kind": ("zebrafish",), "provider": "x" * 201,
        },
        events=[
            Event("exception", {"exception.type": "ValueError", "exception.message": CANARY, "exception.stacktrace": CANARY}),
            Event("gen_ai.choice", {"content": CANARY}),
        ],
        links=[Link(context, {"about": CANARY})],
        status=Status(StatusCode.ERROR, f"ValueError: {CANARY}"),
        start_time=1,
        end_time=2,
    )  # fmt: skip
    found = telemetry.without_words(span)
    assert CANARY not in found.to_json()
    assert dict(found.attributes or {}) == {
        "temporalWorkflowID": "mtg-9fed5d5a", "attempt": 2, "purpose": "(not shown)", "provider": "(not shown)",
    }  # fmt: skip
    assert [(event.name, dict(event.attributes or {})) for event in found.events] == [
        ("exception", {"exception.type": "ValueError"})
    ]
    assert (found.status.status_code, found.status.description) == (StatusCode.ERROR, None)
    assert (found.name, found.context, found.parent, found.start_time, found.end_time) == (span.name, context, context, 1, 2)


@pytest.mark.parametrize(
    "carrier", [{}, {"traceparent": "zebrafish"}, {"baggage": "a=zebrafish"}, {"traceparent": "00-0-0-00", "tracestate": "z=1"}]
)
def test_what_is_no_trace_is_none(carrier: dict[str, str]) -> None:
    from opentelemetry import baggage, trace
    from opentelemetry.context import Context

    context = telemetry._only_the_trace().extract(carrier, Context())
    assert not trace.get_current_span(context).get_span_context().is_valid
    assert not baggage.get_all(context)


def test_metrics_are_counted_by_kinds_alone() -> None:
    telemetry.metrics().notices.labels("mail", "sent").inc()
    text = telemetry.exposition().decode()
    assert 'boardroom_notices_total{channel="mail",outcome="sent"}' in text
    for metric in vars(telemetry.metrics()).values():
        assert set(metric._labelnames) <= {"provider", "purpose", "outcome", "kind", "channel", "method", "route", "status"}
