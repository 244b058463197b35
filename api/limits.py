"""How much one caller may ask: a token bucket for each credential, and for each address that has none."""

from __future__ import annotations

import time
from collections import OrderedDict

REMEMBERED = 10_000


class Rates:
    """`rate` requests a second, `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str) -> float:
        """Take one; 0 when it may pass, else the seconds to wait."""
        now = time.monotonic()
        left, then = self._buckets.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        wait = 0.0 if left >= 1 else (1 - left) / self._rate
        self._buckets[key] = (left - 1 if not wait else left, now)
        while len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return wait
