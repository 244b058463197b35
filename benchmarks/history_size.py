"""Bytes of history a turn, at about 25, 100 and 400 turns: flat, whatever the meeting's length (law 6).

python -m benchmarks.history_size
"""

from __future__ import annotations

import asyncio
from collections import Counter

from temporalio.api.enums.v1 import EventType

from benchmarks.common import anthropic_house, meeting, messages_service, scratch, show, temporal


async def main() -> None:
    rows, figures = [], {}
    with scratch() as folder, temporal(folder) as address, messages_service(folder, 0.0) as url:
        async with anthropic_house(address, folder, url) as board:
            board.settings = board.settings.model_copy(update={"meeting_deadline": 3600.0})
            for items in (1, 4, 18):
                # Continue-as-new begins at 4,000 events; 18 items stay below it.
                _, handle = await meeting(board, items=items)
                history = await handle.fetch_history()
                sizes: Counter[str] = Counter()
                for event in history.events:
                    sizes[EventType.Name(event.event_type).removeprefix("EVENT_TYPE_").lower()] += event.ByteSize()
                heard = sum(e.activity_task_scheduled_event_attributes.activity_type.name == "hear" for e in history.events)
                turns = (await handle.result()).get("turns") if isinstance(await handle.result(), dict) else heard
                total = sum(sizes.values())
                largest = ", ".join(f"{name} {100 * size // total} %" for name, size in sizes.most_common(4))
                rows.append(
                    (f"{turns} turns ({heard} calls)", f"{total / turns:.0f} B a turn, {total / heard:.0f} B a call; {largest}")
                )
                figures[f"turns_{turns}"] = round(total / turns)
    show("history size", rows, **figures)


if __name__ == "__main__":
    asyncio.run(main())
