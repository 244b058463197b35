"""Commands as processes of their own that do not import everything anew: forked from one that did that once.

A command's imports take more processor time than most commands; a person waits for them once, a run of the tests hundreds of
times. What is tested is the same: a process with its own environment, folder, streams and exit code. The wheel's tests, the
terminals and the kills start the interpreter itself.
"""

from __future__ import annotations

import atexit
import io
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory

# What the commands import when they run, heaviest first.
PRELOADED = [
    "cli.main",
    "cli.holding",
    "cli.review",
    "cli.schedule",
    "cli.actions",
    "cli.dashboard",
    "alembic.command",
    "rich.console",
]

STREAMS = ("in", "out", "err")


def _context() -> multiprocessing.context.ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


def _become(arguments: Sequence[str], cwd: str, env: Mapping[str, str], streams: str) -> None:
    """In the forked process: be `boardroom …` in this folder, with this environment and these files as streams."""
    code: object = 1
    for number, (name, flags) in enumerate(zip(STREAMS, (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY), strict=True)):
        file = os.open(os.path.join(streams, name), flags)
        os.dup2(file, number)
        os.close(file)
    # Made anew: those of the process that was forked chose their buffers for other files.
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, "rb", closefd=False)), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "wb", closefd=False)), encoding="utf-8")
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "wb", closefd=False)), encoding="utf-8", errors="backslashreplace", line_buffering=True
    )
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    os.chdir(cwd)
    sys.argv = ["boardroom", *arguments]
    from cli.main import main

    try:
        main()
        code = 0
    except SystemExit as leaving:
        code = leaving.code
    except BaseException:
        traceback.print_exc()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def run(arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str], timeout: float) -> tuple[int, str, str]:
    """Run `boardroom …` to its end with nothing on its standard input: exit code, standard output, standard error."""
    with TemporaryDirectory() as streams:
        for name in STREAMS:
            (Path(streams) / name).touch()
        process: BaseProcess = _context().Process(target=_become, args=(list(arguments), str(cwd), dict(env), streams))
        process.start()
        try:
            process.join(timeout)
            if process.exitcode is None:
                raise TimeoutError(f"boardroom {' '.join(arguments)} still runs after {timeout} s")
            out, err = ((Path(streams) / name).read_bytes().decode() for name in STREAMS[1:])
            return process.exitcode, out, err
        finally:
            if process.exitcode is None and process.pid is not None:
                os.kill(process.pid, signal.SIGKILL)
                process.join(10)
            process.close()
