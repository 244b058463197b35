"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter


def whole(_: Any, tokens: Sequence[Any]) -> int:
    """The converter of a whole number: cyclopts by itself rounds "1.5". ValueError in one sentence."""
    text = str(tokens[0].value)
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not a whole number.") from None


Seed = Annotated[int | None, Parameter(converter=whole, help="Seed of the speaking order and of simulated voices; recorded.")]
