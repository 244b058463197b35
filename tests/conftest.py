"""What holds for all tests."""

from __future__ import annotations

import os


def pytest_xdist_auto_num_workers() -> int:
    """More workers than processors: half of a test's time it waits for a server, a timer or another process."""
    processors = len(os.sched_getaffinity(0))
    return processors + max(1, processors // 2)
