"""Asking once: a caller that is not sure whether its request arrived sends it again with the same Idempotency-Key."""

from __future__ import annotations

import hashlib
from typing import Annotated

from fastapi import Header

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[A-Za-z0-9._~-]{8,100}$",
        description="the same key and words again do nothing again",
        examples=["f3a0c2de-8a41"],
    ),
]


def id_of(kind: str, meeting_id: str, key: str | None) -> str | None:
    """The id of what is asked for under the key, in this meeting and in no other; None without a key."""
    if key is None:
        return None
    return f"{kind}-{hashlib.sha256(f'{kind} {meeting_id} {key}'.encode()).hexdigest()[:16]}"
