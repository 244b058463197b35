"""A page in a real browser that could run everything and ask for everything, and an ear for what it asks."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.packages import needs


@dataclass
class Ear:
    """A port that takes every request down. `here` is its address."""

    here: str = ""
    asked: list[bytes] = field(default_factory=list)

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked.append(await reader.readline())
        writer.close()


@asynccontextmanager
async def listening() -> AsyncIterator[Ear]:
    ear = Ear()
    server = await asyncio.start_server(ear.take, "127.0.0.1", 0)
    ear.here = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield ear
    finally:
        server.close()


async def dumped(html: str, folder: Path) -> str:
    """The document as chromium has it once all has run that would run. Skips where chromium is missing."""
    needs("chromium")
    file = folder / "page.html"
    file.write_text(html, encoding="utf-8")
    command = [
        "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
        "--disable-component-update", "--no-first-run", f"--user-data-dir={folder / 'profile'}", "--dump-dom", file.as_uri(),
    ]  # fmt: skip
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, timeout=90, check=True)
    return done.stdout.decode()
