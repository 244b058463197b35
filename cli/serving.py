"""`boardroom up`, `worker` and `doctor`: what an operator runs."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from cli.options import whole
from cli.screen import say

if TYPE_CHECKING:
    from settings import Settings
    from stack import Stack


ADDRESS = "api.url"
"""The file of the data directory that says where the API is served."""


def settings_for(**given: object) -> Settings:
    """The settings, with what the command line gave over them; None means not given."""
    from settings import load

    return load(**{name: value for name, value in given.items() if value is not None})


Host = Annotated[str | None, Parameter(help="Address that the API listens on; beyond this machine it needs tokens and names.")]
Port = Annotated[int | None, Parameter(converter=whole, help="Port of the API; 0: a free one.")]


def up(*, host: Host = None, port: Port = None) -> int:
    """Run the embedded Temporal server with its Web UI, a worker and the API, until Ctrl-C."""
    return _serve(ui=True, api=True, host=host, port=port)


def worker() -> int:
    """Run a worker until Ctrl-C: on the server of TEMPORAL_ADDRESS, else on the embedded one of the data directory."""
    return _serve(ui=False)


def api(*, host: Host = None, port: Port = None) -> int:
    """Run the API alone until Ctrl-C: on the server and the store that the workers use. Several may run side by side."""
    return _serve(ui=False, worker=False, api=True, host=host, port=port)


def _serve(*, ui: bool, worker: bool = True, api: bool = False, **given: object) -> int:
    settings = settings_for(**given)
    from cli import logs

    logs.to_stderr()
    return asyncio.run(_run(settings, ui=ui, worker=worker, api=api))


async def _run(settings: Settings, *, ui: bool, worker: bool, api: bool) -> int:
    from stack import Stack

    stop = asyncio.Event()
    task = asyncio.current_task()
    started = False

    def interrupt() -> None:
        if stop.is_set() or not started:
            assert task is not None
            task.cancel()  # a second Ctrl-C does not wait for the calls in flight
        stop.set()

    for which in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(which, interrupt)
    with contextlib.suppress(asyncio.CancelledError):
        async with Stack.up(settings, ui=ui, worker=worker, schedules=worker) as stack, contextlib.AsyncExitStack() as exits:
            started = True
            for notice in stack.notices:
                say(notice)
            say(f"Temporal server: {stack.address}{'' if stack.embedded else ' (given)'}")
            if stack.ui_address:
                say(f"Temporal Web UI: {stack.ui_address}")
            if ui:
                from cli.schedule import outlook

                say(await outlook(stack))
            if api:
                await _api(stack, exits, settings)
            if worker and settings.metrics_port:
                exits.callback(_metrics(settings.metrics_port))
            if worker:
                say("The worker is ready. Ctrl-C stops it when the calls in flight are stored.")
            await stop.wait()
            say("Stopping. Ctrl-C again drops the calls in flight." if worker else "Stopping.")
    return 0


def _metrics(port: int) -> Callable[[], None]:
    """Serve this process's metrics to this machine; what ends it. A worker that runs apart from the API has no other door."""
    from prometheus_client import start_http_server

    import telemetry
    from clerk.errors import DeskError

    telemetry.metrics()
    try:
        server, thread = start_http_server(port, addr="127.0.0.1")
    except OSError as error:
        raise DeskError(f"Metrics cannot be served on port {port} ({error.strerror}): choose another, or 0.") from None
    say(f"Metrics: http://127.0.0.1:{port}/metrics")

    def end() -> None:
        server.shutdown()
        thread.join()

    return end


@contextlib.contextmanager
def _findable(file: Path, url: str) -> Iterator[None]:
    """Keep the API's address where `boardroom tokens link` finds it, as long as it is served."""
    with contextlib.suppress(OSError):
        file.write_text(url + "\n", encoding="utf-8")
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if file.read_text(encoding="utf-8").strip() == url:  # another process may have come since
                file.unlink()


async def _api(stack: Stack, exits: contextlib.AsyncExitStack, settings: Settings) -> None:
    """Serve the API, and tell how to come in: a one-time link for a browser, a file with a token for programs."""
    from api.serving import loopback, serving
    from clerk import access

    served = await exits.enter_async_context(serving(stack.client, stack.store, settings, embedded=stack.embedded))
    say(f"API: {served.url}")
    exits.enter_context(_findable(settings.data_dir / ADDRESS, served.url))
    if loopback(settings.host):
        token = await access.owner_token(stack.store, settings.data_dir)
        say(f"Your board in a browser, once: {served.link(await access.login_ticket(stack.store))}")
        say(f"Your token for programs is in {token}. `boardroom tokens` makes more.")


def doctor(*, json: Annotated[bool, Parameter(negative=(), help="Print one JSON object.")] = False) -> int:
    """Say what is configured, what answers, what is missing and how to mend it."""
    from cli import logs
    from cli.doctor import run

    logs.to_stderr()
    return run(settings_for(), json)
