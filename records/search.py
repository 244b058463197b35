"""Finding what was decided by its words: full-text search over the record, the same questions on both stores."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlalchemy import delete, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema
from records.writing import add_once

_S = schema.search_rows
_WORD = re.compile(r"\w+")
MAX_TERMS = 32


@dataclass(frozen=True, slots=True)
class Found:
    """A row whose words match; `rank` is higher for a better match, and means something within one answer only."""

    meeting_id: str
    kind: str
    ref: str
    text: str
    rank: float


async def add(tx: AsyncConnection, *, meeting_id: str, kind: str, ref: str, words: str) -> None:
    """Make `words` findable as `kind` (resolution, turn, document) under `ref`. The same again is a no-op."""
    await add_once(tx, _S, {"meeting_id": meeting_id, "kind": kind, "ref": ref, "text": words}, same=("text",))


async def find(
    tx: AsyncConnection, words: str, *, kind: str | None = None, owner: str | None = None, but: str = "", limit: int = 10
) -> list[Found]:
    """Rows that hold any of the words, best first; `but` leaves one meeting out, `owner` keeps to one person's meetings.

    Only words are looked for: no operator of a search language in `words` has a meaning (SERVICE_SECURITY 20).
    """
    terms = list(dict.fromkeys(_WORD.findall(words.lower())))[:MAX_TERMS]
    if not terms:
        return []
    given = {"kind": kind or "", "owner": owner or "", "but": but, "limit": limit}
    common = (
        "AND (:kind = '' OR s.kind = :kind) AND s.meeting_id <> :but "
        "AND (:owner = '' OR EXISTS (SELECT 1 FROM meetings m WHERE m.id = s.meeting_id AND m.owner = :owner)) "
    )
    if tx.dialect.name == "sqlite":
        given["terms"] = " OR ".join(f'"{term}"' for term in terms)
        statement = (
            "SELECT s.meeting_id, s.kind, s.ref, s.text, -bm25(search_index) AS rank FROM search_index "
            f"JOIN search_rows s ON s.id = search_index.rowid WHERE search_index MATCH :terms {common}"
            "ORDER BY rank DESC, s.id DESC LIMIT :limit"
        )
    else:
        # plainto_tsquery makes each term a safe query of its own.
        asked = " || ".join(f"plainto_tsquery('english', :term{n})" for n in range(len(terms)))
        given |= {f"term{n}": term for n, term in enumerate(terms)}
        statement = (
            f"SELECT s.meeting_id, s.kind, s.ref, s.text, ts_rank_cd(s.words, q.q) AS rank FROM search_rows s, "
            f"(SELECT {asked} AS q) q WHERE s.words @@ q.q {common}ORDER BY rank DESC, s.id DESC LIMIT :limit"
        )
    rows = await tx.execute(text(statement), given)
    return [Found(row.meeting_id, row.kind, row.ref, row.text, float(row.rank)) for row in rows]


async def forget(tx: AsyncConnection, meeting_id: str) -> None:
    """Take everything of a meeting out of the index, and its words out of the index's pages."""
    await tx.execute(delete(_S).where(_S.c.meeting_id == meeting_id))
    await rebuild(tx)


async def rebuild(tx: AsyncConnection) -> None:
    """Take the words of deleted rows out of the index's pages, too."""
    if tx.dialect.name == "sqlite":
        # Deleting only marks words as gone; FTS5's own secure-delete needs a newer SQLite than Python 3.11 brings.
        await tx.execute(text("INSERT INTO search_index(search_index) VALUES ('rebuild')"))


async def rows_of(tx: AsyncConnection, meeting_id: str) -> int:
    return len((await tx.execute(select(_S.c.id).where(_S.c.meeting_id == meeting_id))).all())
