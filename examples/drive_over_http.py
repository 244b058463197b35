"""Drive a whole meeting over HTTP: create, request the agenda, talk it over, approve, start, follow live, read the minutes.

    boardroom up                                     # in one terminal; it says where the API is
    python examples/drive_over_http.py "My week"     # in another, from the same folder

It needs httpx2 and websockets, and nothing of Boardroom: whatever it does, any program can do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import httpx2
import websockets

BOARD = "/api/v1/board"
DATA = Path(os.environ.get("BOARDROOM_DATA_DIR", "data"))


async def main(arguments: argparse.Namespace) -> None:
    url = (arguments.url or read(DATA / "api.url") or "http://127.0.0.1:8400").rstrip("/")
    token = os.environ.get("BOARDROOM_TOKEN") or read(DATA / "owner.token")
    if not token:
        sys.exit(f"There is no token in BOARDROOM_TOKEN or {DATA / 'owner.token'}: `boardroom tokens create NAME` makes one.")
    headers = {"Authorization": f"Bearer {token}"}
    # The chairman may take minutes over an agenda.
    async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=180) as http:
        meeting = await ask(http, "POST", f"{BOARD}/meetings", {"name": arguments.name, "attendees": arguments.seats})
        here = f"{BOARD}/meetings/{meeting['id']}"
        print(f"{meeting['id']}: {meeting['name']}{' (simulated voices)' if meeting['simulated'] else ''}")

        view = await ask(http, "POST", f"{here}/request-agenda")
        while view["agenda"] is None:  # 202: the chairman is still at it
            await asyncio.sleep(2)
            view = await ask(http, "GET", f"{here}/agenda")
        if arguments.say:
            exchange = await ask(http, "POST", f"{here}/conversation", {"message": arguments.say})
            view = exchange["view"]
            print(f"\nThe chairman: {exchange['reply']['content']}")
            for line in exchange["lines"]:
                print(f"  ▪ {line}")
        print()
        for number, item in enumerate(view["agenda"]["items"], 1):
            print(f"{number}. {item['topic']} ({item['type']}, {item['time_minutes']} minutes)")

        # With the version that was read: if somebody changed the agenda meanwhile, this is refused with 409.
        await ask(http, "POST", f"{here}/approve-agenda", {"version": view["version"]})
        await ask(http, "POST", f"{here}/start")
        await follow(f"{url.replace('http', 'ws', 1)}{here}/ws", headers)

        minutes = await http.get(f"{here}/minutes", headers={"Accept": "text/markdown"})
        print(f"\n{minutes.text}")


async def ask(http: httpx2.AsyncClient, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """One request; a problem (RFC 9457) ends the program with its own sentence."""
    try:
        answer = await http.request(method, path, json=body)
    except httpx2.ConnectError:
        sys.exit(f"Nothing answers at {http.base_url}: run `boardroom up`.")
    if answer.is_error:
        sys.exit(answer.json()["detail"])
    return answer.json()


async def follow(where: str, headers: dict[str, str]) -> None:
    """Print what is said until the meeting is over. A line that breaks is taken up after the last turn that was heard."""
    last, tries = 0, 0
    while True:
        try:
            async with websockets.connect(f"{where}?after={last}", additional_headers=headers) as line:
                async for message in line:
                    event = json.loads(message)
                    tries = 0
                    if event["event"] == "turn":
                        last = event["seq"]
                    show(event)
            if line.close_code == 1000:
                return
            why = line.close_reason
        except websockets.InvalidStatus as error:
            if error.response.status_code not in (429, 503):
                sys.exit(json.loads(error.response.body or b'{"detail": "The meeting cannot be followed."}')["detail"])
            why = "busy"
        except (OSError, websockets.WebSocketException) as error:
            why = type(error).__name__
        tries += 1
        if tries > 10:
            sys.exit(f"The meeting cannot be followed any more ({why}); it goes on without this program.")
        print(f"… the line broke ({why}); again after turn {last}")
        await asyncio.sleep(min(tries, 5))


def show(event: dict[str, Any]) -> None:
    match event["event"]:
        case "phase":
            print(f"\n— {event['phase'].replace('_', ' ')} —")
        case "turn":
            print(f"{event['turn']['name']}: {event['turn']['text']}")
        case "resolution":
            motion = event["resolution"]["motion"]
            print(f"▪ {motion['status'].upper()}: {motion['text']}")
        case "status" if event["error"]:
            print(f"! {event['status']}: {event['error']}")
        case "notice":
            print(f"({event['text']})")


def read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Drive a whole meeting over Boardroom's HTTP API.")
    parser.add_argument("name", nargs="?", default="Weekly Health & Productivity Review", help="name of the meeting")
    parser.add_argument("--say", help="something to tell the chairman about the agenda")
    parser.add_argument("--seats", default="all", choices=("all", "auto"), help="the whole pool, or five for the agenda")
    parser.add_argument("--url", help="where the API is; else what `boardroom up` wrote into the data directory")
    asyncio.run(main(parser.parse_args()))
