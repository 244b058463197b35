"""Choices that look like chance and are none: each follows from the seed and from what it is about.

They depend on the seed, the item and the member, never on the meeting's id, a clock or global state, so that a meeting
held again with the same seed, agenda and seats is the same meeting, whatever crashed in between.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def roll(*about: object) -> float:
    """A number from 0 (included) to 1 (excluded)."""
    text = "\0".join(str(part) for part in about)
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8], "big") / 2**64


def ordered(options: Sequence[T], *about: object) -> list[T]:
    """The options, shuffled."""
    ranked = sorted(range(len(options)), key=lambda n: roll(*about, n))
    return [options[n] for n in ranked]


def pick(options: Sequence[T], *about: object) -> T:
    return options[int(roll(*about) * len(options))]
