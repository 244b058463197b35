"""How long a person waits: a warm `boardroom meet --pace instant`, over the bare start of the interpreter in the same run.

python -m benchmarks.start_up [--clone]     # --clone: also clone to the first finished meeting, with a warm package cache
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.common import ROOT, scratch, show
from tests.support.crashing import BOARDROOM


def timed(arguments: list[str], cwd: Path, env: dict[str, str]) -> float:
    started = time.monotonic()
    subprocess.run(arguments, cwd=cwd, env=env, check=True, capture_output=True, timeout=300)
    return time.monotonic() - started


def main() -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BOARDROOM_", "TEMPORAL_", "ANTHROPIC_"))}
    with scratch() as folder:
        env = kept | {"BOARDROOM_DATA_DIR": str(folder / "data")}
        meet = [sys.executable, str(BOARDROOM), "meet", "Should I walk more?", "--pace", "instant", "--json"]
        bare = timed([sys.executable, "-c", "pass"], ROOT, env)
        cold = timed(meet, folder, env)
        warm = min(timed(meet, folder, env) for _ in range(2))
        rows = [
            ("python -c pass", f"{bare:.2f} s"),
            ("first meeting in a new data directory", f"{cold:.2f} s"),
            ("warm meeting", f"{warm:.2f} s, {warm / bare:.0f} times the bare start"),
        ]
        figures = {"bare_s": bare, "cold_s": cold, "warm_s": warm}
        if "--clone" in sys.argv:
            clone = folder / "clone"
            started = time.monotonic()
            subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True, timeout=60)
            plain = {name: value for name, value in kept.items() if name != "VIRTUAL_ENV"}
            timed(["uv", "run", "boardroom", "meet", "Should I walk more?", "--json"], clone, plain)
            figures["clone_s"] = time.monotonic() - started
            rows.append(("clone to first finished meeting", f"{figures['clone_s']:.1f} s"))
    show("start-up", rows, **{name: round(value, 2) for name, value in figures.items()})


if __name__ == "__main__":
    main()
