"""What is seen from outside: traces and metrics. Ids, kinds, counts and times; never anybody's words (laws 7 and 15).

Traces are on where OpenTelemetry's own variables name a collector (OTEL_EXPORTER_OTLP_ENDPOINT): they add headers to every
history, so nobody pays for them unasked. Metrics are counted always and cost next to nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.propagators.textmap import TextMapPropagator
    from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor

COLLECTOR = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_started = False


class TelemetryError(Exception):
    """Traces were asked for and cannot be made; one sentence with the mend."""


def start(processor: Any = None) -> bool:
    """Begin to make traces, if a collector is named or a span processor is given; whether they are made.

    Whatever makes a span, the processor gets it without words (`without_words`). Raises TelemetryError when the collector's
    exporter is not installed.
    """
    global _started
    if _started or (processor is None and not any(os.environ.get(name) for name in COLLECTOR)):
        return _started
    from opentelemetry import propagate, trace
    from opentelemetry.sdk.resources import Resource
    from temporalio.contrib.opentelemetry import create_tracer_provider

    if processor is None:
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        except ImportError:
            raise TelemetryError(
                "A collector for traces is named, but its exporter is not installed: install boardroom[telemetry], or unset "
                f"{next(name for name in COLLECTOR if os.environ.get(name))}."
            ) from None
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        processor = BatchSpanProcessor(OTLPSpanExporter())
    provider = create_tracer_provider(resource=Resource.create({"service.name": "boardroom"}))
    provider.add_span_processor(_wordless(processor))
    trace.set_tracer_provider(provider)
    propagate.set_global_textmap(_only_the_trace())
    _started = True
    return True


ATTRIBUTES = frozenset(
    {
        "method", "http.route", "http.status_code", "purpose", "provider", "model", "attempt", "output_tokens", "kind",
        "channel", "error.type", "temporalWorkflowID", "temporalRunID", "temporalActivityID", "temporalActivityType",
        "temporalUpdateID",
    }
)  # fmt: skip
"""What a span may have: ids, kinds, counts. Any other attribute is dropped on its way out."""

_TOKEN = re.compile(r"[!-~]{1,200}")
"""Ids and kinds have no blanks; whatever has one is somebody's words."""


def without_words(span: ReadableSpan) -> ReadableSpan:
    """The span with the known attributes alone, and of an error only its type.

    Temporal's spans keep what an exception says, with its traceback; there it may quote an agenda, a reply or a row.
    """
    from opentelemetry.sdk.trace import Event, ReadableSpan
    from opentelemetry.trace import Link, Status

    def plain(attributes: Mapping[str, Any] | None, known: frozenset[str] = ATTRIBUTES) -> dict[str, Any]:
        return {
            name: value if not isinstance(value, str) or _TOKEN.fullmatch(value) else "(not shown)"
            for name, value in (attributes or {}).items()
            if name in known and isinstance(value, (str, bool, int, float))
        }

    return ReadableSpan(
        name=span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=plain(span.attributes),
        events=[
            Event(event.name, plain(event.attributes, frozenset({"exception.type"})), event.timestamp)
            for event in span.events
            if event.name == "exception"
        ],
        links=[Link(link.context) for link in span.links],
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _wordless(inner: SpanProcessor) -> SpanProcessor:
    """A processor that hands on what `without_words` leaves of each span."""
    from opentelemetry.sdk.trace import SpanProcessor

    class Wordless(SpanProcessor):
        def on_start(self, span: Any, parent_context: Any = None) -> None:
            inner.on_start(span, parent_context)

        def on_end(self, span: ReadableSpan) -> None:
            inner.on_end(without_words(span))

        def shutdown(self) -> None:
            inner.shutdown()

        def force_flush(self, timeout_millis: int = 30000) -> bool:
            return inner.force_flush(timeout_millis)

    return Wordless()


def _only_the_trace() -> TextMapPropagator:
    """A propagator that knows `traceparent` alone: `tracestate` and `baggage` hold whatever a caller likes, and would go
    into every history."""
    from opentelemetry.propagators.textmap import TextMapPropagator, default_getter, default_setter
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    standard = TraceContextTextMapPropagator()
    name = "traceparent"

    class OnlyTheTrace(TextMapPropagator):
        @property
        def fields(self) -> set[str]:
            return {name}

        def extract(self, carrier: Any, context: Any = None, getter: Any = default_getter) -> Any:
            return standard.extract({name: getter.get(carrier, name) or []}, context)

        def inject(self, carrier: Any, context: Any = None, setter: Any = default_setter) -> None:
            found: dict[str, str] = {}
            standard.inject(found, context)
            if name in found:
                setter.set(carrier, name, found[name])

    return OnlyTheTrace()


def plugins() -> list[Any]:
    """What a Temporal client takes so that one trace runs from a request to each call; empty when no traces are made."""
    if not _started:
        return []
    from temporalio.contrib.opentelemetry import OpenTelemetryPlugin

    return [OpenTelemetryPlugin(add_temporal_spans=True)]


@contextmanager
def span(name: str, headers: Mapping[str, str] | None = None, **attributes: str | int | float | bool) -> Iterator[Any]:
    """A span around the block; None when no traces are made. `headers`: of a request that may carry on a trace.

    Attributes are those of ATTRIBUTES. An error's type is kept, never its message.
    """
    if not _started:
        yield None
        return
    from opentelemetry import propagate, trace

    context = None
    if headers is not None:
        context = propagate.extract({name.lower(): value for name, value in headers.items()})
    tracer = trace.get_tracer("boardroom")
    with tracer.start_as_current_span(
        name, context=context, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as found:
        try:
            yield found
        except BaseException as error:
            found.set_attribute("error.type", type(error).__name__)
            found.set_status(trace.StatusCode.ERROR)
            raise


def flush() -> None:
    """Send what was not sent yet."""
    if _started:
        from opentelemetry import trace

        trace.get_tracer_provider().force_flush(5000)  # type: ignore[attr-defined]


class Metrics:
    """The counters of this process. Labels are kinds out of short lists, never ids or names."""

    def __init__(self) -> None:
        from prometheus_client import Counter, Gauge, Histogram

        self.calls = Counter("boardroom_calls", "Model calls", ["provider", "purpose", "outcome"])
        self.call_seconds = Histogram(
            "boardroom_call_seconds", "Seconds of a model call", ["provider"], buckets=(0.1, 0.5, 1, 2, 5, 10, 20, 40, 80, 120)
        )
        self.tokens = Counter("boardroom_tokens", "Tokens of model calls", ["provider", "kind"])
        self.notices = Counter("boardroom_notices", "Notices", ["channel", "outcome"])
        self.requests = Counter("boardroom_http_requests", "HTTP requests", ["method", "route", "status"])
        self.request_seconds = Histogram("boardroom_http_request_seconds", "Seconds of an HTTP request", ["route"])
        self.followers = Gauge("boardroom_followers", "WebSockets that follow a meeting")


@cache
def metrics() -> Metrics:
    """The one instance of this process."""
    return Metrics()


def exposition() -> bytes:
    """All metrics of this process in Prometheus's text format."""
    from prometheus_client import generate_latest

    metrics()
    return generate_latest()
