"""Where the libraries' warnings go: never to standard output, and never over the live view."""

from __future__ import annotations

import contextlib
import logging
import os
from pathlib import Path

_FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s %(message)s"
FILE = "boardroom.log"


def to_file(data_dir: Path) -> None:
    """Warnings go to a file beside the store, 0600; nowhere where that cannot be written."""
    handlers: list[logging.Handler] = [logging.NullHandler()]
    with contextlib.suppress(OSError):
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = data_dir / FILE
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
        handlers = [logging.FileHandler(path, delay=True, encoding="utf-8")]
    logging.basicConfig(level=logging.WARNING, format=_FORMAT, handlers=handlers)
    _core()


def to_stderr() -> None:
    """Warnings go to standard error: for what runs as a service."""
    logging.basicConfig(level=logging.WARNING, format=_FORMAT)
    _core()


def _core() -> None:
    """Temporal's core writes its log to standard output by itself; here it goes where all the others go."""
    from temporalio.runtime import LogForwardingConfig, LoggingConfig, Runtime, TelemetryConfig, TelemetryFilter

    forwarding = LogForwardingConfig(logger=logging.getLogger("temporalio.core"))
    logs = LoggingConfig(filter=TelemetryFilter(core_level="WARN", other_level="ERROR"), forwarding=forwarding)
    Runtime.set_default(Runtime(telemetry=TelemetryConfig(logging=logs)), error_if_already_set=False)
