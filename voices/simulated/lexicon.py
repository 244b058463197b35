"""Sets of words, written as one would write them down."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())
