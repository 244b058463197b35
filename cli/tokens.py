"""`boardroom tokens`: who may use the API. A token is shown once, when it is made."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from cyclopts import App, Parameter

from cli.screen import print_json, say

if TYPE_CHECKING:
    from records.engine import Store

T = TypeVar("T")
Json = Annotated[bool, Parameter(negative=(), help="Print JSON, and nothing else, on standard output.")]

app = App(
    name="tokens",
    help="Say who may use the API: create, list and revoke tokens, or print a one-time link.",
    help_format="plaintext",
)


def _with_store(work: Callable[[Store], Awaitable[T]]) -> T:
    from cli.serving import settings_for

    settings = settings_for()

    async def go() -> T:
        from records.engine import Store

        store = await Store.open(settings.database_url, settings.data_dir)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(go())


@app.command
def create(
    name: Annotated[str, Parameter(help="Whose it is, or what for.")],
    /,
    *,
    scope: Annotated[tuple[str, ...], Parameter(help="reader, asker, operator, admin or worker; may be given again.")] = (
        "reader",
        "operator",
    ),
    owner: Annotated[str, Parameter(help="Whose meetings it sees.")] = "shareholder",
    days: Annotated[float | None, Parameter(help="How long it is good; else until it is revoked.")] = None,
    json: Json = False,
) -> int:
    """Make a token and show it, this once."""
    from clerk import access

    made, secret = _with_store(lambda store: access.create_token(store, name, scope, owner=owner, days=days))
    if json:
        print_json({**_shown(made), "token": secret})
    else:
        print(secret)
        say(f"{made.id}: {made.name}, {' '.join(made.scopes)}. It is shown this once; only its hash is kept.")
    return 0


@app.command(name="list")
def list_(*, json: Json = False) -> int:
    """List the tokens: never the secrets."""
    from clerk import access

    found = _with_store(access.tokens)
    if json:
        print_json([_shown(token) for token in found])
        return 0
    if not found:
        say("There are no tokens yet: `boardroom tokens create NAME` makes one.")
        return 0
    from rich.table import Table
    from rich.text import Text

    from cli.screen import console, shown_line

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("Token", "Name", "Owner", "Scopes", "State", "Last used"):
        table.add_column(heading, overflow="fold")
    for token in found:
        used = token.last_used_at.strftime("%Y-%m-%d %H:%M") if token.last_used_at else "never"
        cells = (token.id, token.name, token.owner, " ".join(token.scopes), token.state, used)
        table.add_row(*(Text(shown_line(cell)) for cell in cells))
    console().print(table)
    return 0


@app.command
def revoke(token: Annotated[str, Parameter(help="The token's id, tok-….")], /) -> int:
    """Take a token back at once, for open connections too."""
    from clerk import access

    _with_store(lambda store: access.revoke_token(store, token))
    say(f"{token} is revoked.")
    return 0


@app.command
def link(*, owner: Annotated[str, Parameter(help="Whose meetings it opens.")] = "shareholder") -> int:
    """Print a one-time link that opens the board in a browser, good for ten minutes."""
    from clerk import access
    from cli.serving import ADDRESS, settings_for

    settings = settings_for()
    ticket = _with_store(lambda store: access.login_ticket(store, owner=owner))
    served = settings.data_dir / ADDRESS
    here = served.read_text(encoding="utf-8").strip() if served.is_file() else f"http://{settings.host}:{settings.port}"
    if not served.is_file() and settings.public_url is None:
        say("No API is served from this data directory: `boardroom up` serves it.")
    print(f"{settings.public_url or here}/enter#{ticket}")
    return 0


def _shown(token: Any) -> dict[str, Any]:
    data = asdict(token) | {"scopes": list(token.scopes), "state": token.state}
    return {name: value.isoformat() if hasattr(value, "isoformat") else value for name, value in data.items()}
