"""Where warnings go, and in which form: never to standard output, and never over the live view.

Programs read a service's log as one JSON object a line; people at a terminal read it as lines. Neither ever holds a secret
or anybody's words: what is logged are ids, kinds and times (laws 7 and 15), and what an exception says by its type.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from pathlib import Path
from typing import Any

FILE = "boardroom.log"

TELLTALES = ("aiosqlite", "sqlalchemy", "anthropic", "httpx2", "httpcore2", "aiosmtplib", "websockets", "uvicorn")
"""Libraries whose finer logs hold parameters, prompts or addresses: they warn, and say no more, at any level of ours."""


def to_file(data_dir: Path) -> None:
    """Warnings go to a file beside the store, 0600; nowhere where that cannot be written."""
    handlers: list[logging.Handler] = [logging.NullHandler()]
    with contextlib.suppress(OSError):
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = data_dir / FILE
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
        handlers = [_Lines(path)]
    logging.basicConfig(level=logging.WARNING, handlers=handlers)
    hush()
    _core()


def to_stderr(level: int = logging.WARNING) -> None:
    """What runs as a service logs to standard error: JSON, or lines where that is a terminal."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(people=sys.stderr.isatty()))
    logging.basicConfig(level=level, handlers=[handler])
    hush()
    _core()


class _Lines(logging.FileHandler):
    """A file that costs nothing before its first warning: structlog is loaded then."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, delay=True, encoding="utf-8")

    def format(self, record: logging.LogRecord) -> str:
        if self.formatter is None:
            self.setFormatter(formatter(people=False))
        return super().format(record)


def formatter(*, people: bool) -> logging.Formatter:
    """structlog's rendering of every logger's records, those of the libraries too."""
    import structlog

    render: list[Any] = (
        [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
        if people
        else [structlog.processors.dict_tracebacks, _without_locals, structlog.processors.JSONRenderer()]
    )
    return structlog.stdlib.ProcessorFormatter(
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.stdlib.ExtraAdder(("meeting_id", "workflow_id", "activity_type", "attempt", "route", "status")),
        ],
    )


def _without_locals(logger: Any, name: str, event: dict[str, Any]) -> dict[str, Any]:
    """A frame's variables may hold what somebody said: only where it was stays."""
    for exception in event.get("exception") or []:
        for frame in exception.get("frames", []):
            frame.pop("locals", None)
    return event


def hush() -> None:
    """Keep the finer logs of libraries that would tell what people said."""
    for name in TELLTALES:
        logging.getLogger(name).setLevel(logging.WARNING)


def _core() -> None:
    """Temporal's core writes its log to standard output by itself; here it goes where all the others go."""
    from temporalio.runtime import LogForwardingConfig, LoggingConfig, Runtime, TelemetryConfig, TelemetryFilter

    forwarding = LogForwardingConfig(logger=logging.getLogger("temporalio.core"))
    logs = LoggingConfig(filter=TelemetryFilter(core_level="WARN", other_level="ERROR"), forwarding=forwarding)
    Runtime.set_default(Runtime(telemetry=TelemetryConfig(logging=logs)), error_if_already_set=False)
