"""What holds for all tests."""

from __future__ import annotations

import os


def pytest_xdist_auto_num_workers() -> int:
    """Twice as many workers as processors: half of a test's time it waits for a server, a timer or another process."""
    return 2 * len(os.sched_getaffinity(0))
