"""`boardroom dashboard`: one self-contained page about resolutions, action items, votes and meetings."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def dashboard(
    *,
    out: Annotated[Path | None, Parameter(help="The file to write; without it dashboard.html in the data directory.")] = None,
) -> int:
    """Write the dashboard as one HTML file that needs nothing else, and say where it is."""
    from clerk.dashboard import dashboard as figures
    from cli.dashboard_page import page
    from cli.reading import from_store, has_record
    from cli.screen import console
    from cli.serving import settings_for

    settings = settings_for()
    if not has_record(settings):
        console().print(f'There are no meetings in {settings.data_dir} yet. Hold one: boardroom meet "…"')
        return 0
    target = out if out is not None else settings.data_dir / "dashboard.html"
    write_whole(target, page(from_store(settings, lambda store: figures(store, settings))))
    console().print(f"The dashboard is in {target}.", highlight=False, markup=False)
    return 0


def write_whole(target: Path, text: str | bytes) -> None:
    """Write a file whole or not at all, for its owner alone. DeskError."""
    from clerk.errors import DeskError

    try:
        target = target.resolve() if target.is_symlink() else target  # what the link leads to is written, not the link
        if target.exists() and not target.is_file():
            if target.is_dir():
                raise DeskError(f"{target} is a folder: name a file in it with --out.", usage=True)
            # A pipe or a device is written to; to put a file in its place would take it from everybody else.
            with target.open("wb") as stream:
                stream.write(text.encode() if isinstance(text, str) else text)
            return
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode() if isinstance(text, str) else text)
            os.replace(name, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise DeskError(f"{target} cannot be written ({error.strerror}): choose another place with --out.") from None
