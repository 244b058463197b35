"""A local service of our own that speaks Anthropic's Messages protocol over real HTTP, with a fixed delay and faults on order.

    python -m tests.support.messages_service [--port 0] [--port-file FILE] [--log FILE] [--delay 1.0] [--faults FILE] [--plain]

It prints its port, and writes it to the port file. Every call that arrives is counted by its call id (the header
`x-boardroom-call`) in memory and, with `--log`, as a line of a file, so calls of killed clients count too. What it answers
follows from the JSON schema it is sent, the call id and the switches of `Behaviour`; `/control/calls`, `/control/order` and
`/control/release` read and change them in a process of its own.

Faults are rules, `{"match": "regular expression on the call id", "fault": NAME, "times": n, "skip": n}`: the first that
matches, has skipped enough and has times left applies. Names: 429 (retry_after: seconds or a date), 529, 500, 503, 408, 409,
400, 413, 401, 403, 402, credit, 404, html; hang (seconds), hold (until released), cut, cut_event, error_event (kind);
truncated (keep: part of it), malformed, fenced, chatty, prose_vote, placeholder_motion, refusal, unclosed_whisper,
empty, text (text, stop), tool_cut (the input of the last tool call breaks off).

Where tools are offered, `tool_uses` says which are called: `{"regular expression on the call id": [{"name": …, "input": …}]}`.
Requests with tools, tool calls and results are checked as the real service checks them: what it would refuse is a 400 here.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

KEY = "sk-ant-local-test-key"
THOUGHT, SIGNATURE = "WHISPER of the model itself", "c2lnbmVk"
MODELS = ("claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5")

MOTION = "RESOLVED, That the shareholder shall walk for ten minutes after lunch on every working day, effective immediately."

FIELDS: dict[str, Any] = {
    "present": True,
    "point_of_order": None,
    "amendment": None,
    "procedural": None,
    "motion": MOTION,
    "second": True,
    "position": "CONSENT",
    "well_taken": False,
    "remedy": "none",
    "appeal": False,
    "objection": False,
    "vote": "FOR",
    "reason": "It is a small step that can be taken back.",
    "dissent": "",
    "action_items": [],
    "commands": [],
    "items": [
        {
            "topic": f"{topic}",
            "type": kind,
            "time_minutes": minutes,
            "description": f"What we need to discuss of {topic.lower()}.",
            "desired_outcome": "One step with a date.",
        }
        for topic, kind, minutes in (
            ("Sleep before the exam", "decision", 15),
            ("Which figure of the workouts is right", "review", 10),
            ("The offer of the team lead", "discussion", 20),
        )
    ],
}


@dataclass
class Behaviour:
    """What the service does; tests change it while it runs."""

    delay: float = 0.0
    faults: list[dict[str, Any]] = field(default_factory=list)
    replies: dict[str, dict[str, Any]] = field(default_factory=dict)  # regular expression on the call id -> fields
    tool_uses: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # the same -> the tools that are called
    log: Path | None = None
    calls: list[str] = field(default_factory=list)
    finished: list[str] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    plain: bool = False  # a model that ignores the schema and answers in tags and lines
    thinks: bool = False  # a model that thinks by itself, before its text
    headers: list[dict[str, str]] = field(default_factory=list)
    held: asyncio.Event | None = None
    holding: list[str] = field(default_factory=list)

    def fault_of(self, call_id: str) -> dict[str, Any]:
        for rule in self.faults:
            if rule.get("times", 1_000_000) > 0 and re.search(rule["match"], call_id):
                if rule.get("skip", 0) > 0:
                    rule["skip"] -= 1
                    continue
                rule["times"] = rule.get("times", 1_000_000) - 1
                return rule
        return {"fault": None}

    def count(self) -> Counter[str]:
        return Counter(self.calls)


def reply_fields(call_id: str, schema: dict[str, Any] | None, behaviour: Behaviour) -> dict[str, Any]:
    """A reply that the schema allows: own words for this call, and the defaults above for what its purpose asks."""
    names = list((schema or {}).get("properties", {"thinking": {}, "speaking": {}}))
    parts = call_id.split("/")
    purpose, member = (parts[2], parts[-1]) if len(parts) >= 6 else ("", "")
    fields = {name: FIELDS.get(name) for name in names}
    fields["thinking"] = f"WHISPER of {member}: I keep this to myself."
    fields["speaking"] = f"As {member} I speak to the {purpose.replace('_', ' ')} of {parts[1] if len(parts) > 1 else 'this'}."
    for pattern, changed in behaviour.replies.items():
        if re.search(pattern, call_id):
            fields |= {name: value for name, value in changed.items() if name in names}
    return {name: fields[name] for name in names}


def tools_called(call_id: str, body: dict[str, Any], behaviour: Behaviour) -> list[dict[str, Any]]:
    """The tool_use blocks of a reply, where tools were offered and the behaviour has some called."""
    if not body.get("tools"):
        return []
    wanted = next((uses for pattern, uses in behaviour.tool_uses.items() if re.search(pattern, call_id)), [])
    return [
        {"type": "tool_use", "id": f"toolu_{len(behaviour.calls)}_{n}", "name": use["name"], "input": use["input"]}
        for n, use in enumerate(wanted)
    ]


def wrong_with(body: dict[str, Any], behaviour: Behaviour) -> str:
    """What the real service would refuse in tools and turns; "" when nothing."""
    for tool in body.get("tools", []):
        schema = tool.get("input_schema", {})
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool.get("name", "")) or not tool.get("description"):
            return "tools: name and description are needed"
        if schema.get("type") != "object" or set(schema.get("required", [])) - set(schema.get("properties", {})):
            return "tools: input_schema is no schema of an object"
    expected: list[str] = []
    for n, message in enumerate(body["messages"]):
        if message["role"] != ("user", "assistant")[n % 2]:
            return f"messages.{n}: roles must alternate"
        content = message["content"]
        if not content or any(block["type"] == "text" and not block["text"].strip() for block in content):
            return f"messages.{n}: content blocks must not be empty"
        results = [block["tool_use_id"] for block in content if block["type"] == "tool_result"]
        if results != expected or any(block["type"] != "tool_result" for block in content[: len(results)]):
            return f"messages.{n}: each tool_use needs its tool_result, and those come first"
        expected = [block["id"] for block in content if block["type"] == "tool_use"]
        if any(not isinstance(block["input"], dict) for block in content if block["type"] == "tool_use"):
            return f"messages.{n}: the input of a tool_use is an object"
        sealed = {"type": "thinking", "thinking": THOUGHT, "signature": SIGNATURE}
        if expected and behaviour.thinks and content[0] != sealed:
            return f"messages.{n}: a turn with tool_use must start with the thinking block as it was"
        last = content[-1]
        if message["role"] == "assistant" and last["type"] == "text" and last["text"] != last["text"].rstrip():
            return f"messages.{n}: no white space at the end of a turn"
    return "" if not expected else "messages: the last tool_use has no tool_result"


def _error(status: int, kind: str, headers: dict[str, str] | None = None, words: str = "on order") -> JSONResponse:
    body = {"type": "error", "error": {"type": kind, "message": words}, "request_id": "req_local"}
    return JSONResponse(body, status_code=status, headers=headers)


_STATUS = {
    "500": (500, "api_error"),
    "503": (503, "api_error"),
    "504": (504, "timeout_error"),
    "529": (529, "overloaded_error"),
    "408": (408, "timeout_error"),
    "409": (409, "conflict_error"),
    "400": (400, "invalid_request_error"),
    "413": (413, "request_too_large"),
    "401": (401, "authentication_error"),
    "402": (402, "billing_error"),
    "403": (403, "permission_error"),
    "404": (404, "not_found_error"),
}


def application(behaviour: Behaviour) -> Starlette:
    def authorised(request: Request) -> bool:
        return KEY in (request.headers.get("x-api-key"), request.headers.get("authorization", "").removeprefix("Bearer "))

    async def messages(request: Request) -> Response:
        if not authorised(request):
            return _error(401, "authentication_error")
        body = await request.json()
        if body["model"] not in MODELS:
            return _error(404, "not_found_error")
        call_id = request.headers.get("x-boardroom-call", "-")
        behaviour.calls.append(call_id)
        behaviour.requests.append(body)
        behaviour.headers.append(dict(request.headers))
        if behaviour.log is not None:
            with behaviour.log.open("a") as log:
                log.write(f"{call_id} {time.time():.4f}\n")
        if wrong := wrong_with(body, behaviour):
            return _error(400, "invalid_request_error", words=wrong)
        rule = behaviour.fault_of(call_id)
        fault = rule["fault"]
        if fault == "hold":
            behaviour.held = behaviour.held or asyncio.Event()
            behaviour.holding.append(call_id)
            await behaviour.held.wait()
        await asyncio.sleep(rule.get("delay", behaviour.delay))
        if fault == "429":
            return _error(429, "rate_limit_error", {"retry-after": str(rule.get("retry_after", 1))})
        if fault in _STATUS:
            return _error(*_STATUS[fault])
        if fault == "credit":
            return _error(400, "invalid_request_error", words="Your credit balance is too low to access the API.")
        if fault == "html":
            return Response("<html>Welcome to nginx</html>", status_code=rule.get("status", 404), media_type="text/html")
        if fault == "hang":
            await asyncio.sleep(rule.get("seconds", 600))
        schema = ((body.get("output_config") or {}).get("format") or {}).get("schema")
        fields = reply_fields(call_id, schema, behaviour)
        text, stop = _text(fault, rule, fields, plain=behaviour.plain or schema is None)
        tools = tools_called(call_id, body, behaviour) if stop == "end_turn" else []
        stop = "tool_use" if tools else stop
        behaviour.finished.append(call_id)
        usage = {
            "input_tokens": 900,
            "output_tokens": len(text) // 4,
            "cache_read_input_tokens": 400,
            "cache_creation_input_tokens": 100,
        }
        if not body.get("stream"):
            return JSONResponse(_message(body["model"], usage, stop, [{"type": "text", "text": text}, *tools]))
        stop = "max_tokens" if fault == "tool_cut" else stop
        events = _stream(body["model"], text, stop, usage, tools, fault=fault, rule=rule, thinks=behaviour.thinks)
        return StreamingResponse(events, media_type="text/event-stream")

    async def count_tokens(request: Request) -> Response:
        if not authorised(request):
            return _error(401, "authentication_error")
        return JSONResponse({"input_tokens": len(await request.body()) // 4})

    async def all_models(request: Request) -> Response:
        if not authorised(request):
            return _error(401, "authentication_error")
        return JSONResponse({"data": [_model(name) for name in MODELS], "has_more": False, "first_id": None, "last_id": None})

    async def models(request: Request) -> Response:
        if not authorised(request):
            return _error(401, "authentication_error")
        name = request.path_params["name"]
        if name not in MODELS:
            return _error(404, "not_found_error")
        return JSONResponse(_model(name))

    async def calls(_: Request) -> Response:
        return JSONResponse({"calls": behaviour.calls, "finished": behaviour.finished, "holding": behaviour.holding})

    async def release(_: Request) -> Response:
        if behaviour.held is not None:
            behaviour.held.set()
        return JSONResponse({})

    async def order(request: Request) -> Response:
        wanted = await request.json()
        behaviour.faults[:] = wanted.get("faults", behaviour.faults)
        behaviour.delay = wanted.get("delay", behaviour.delay)
        behaviour.replies |= wanted.get("replies", {})
        behaviour.tool_uses |= wanted.get("tool_uses", {})
        behaviour.plain = wanted.get("plain", behaviour.plain)
        if any(rule["fault"] == "hold" for rule in behaviour.faults):
            behaviour.held = asyncio.Event()
        return JSONResponse({})

    return Starlette(
        routes=[
            Route("/v1/messages", messages, methods=["POST"]),
            Route("/v1/messages/count_tokens", count_tokens, methods=["POST"]),
            Route("/v1/models", all_models),
            Route("/v1/models/{name}", models),
            Route("/control/calls", calls),
            Route("/control/release", release, methods=["POST"]),
            Route("/control/order", order, methods=["POST"]),
        ]
    )


def _model(name: str) -> dict[str, str]:
    return {"type": "model", "id": name, "display_name": name, "created_at": "2026-01-01T00:00:00Z"}


def as_plain(fields: dict[str, Any]) -> str:
    """Tags and lines, as a model writes them that knows no schemas (source 000, Vote Collection Prompt)."""
    lines = []
    if "vote" in fields:
        lines = [f"VOTE: {fields['vote']}", f"REASON: {fields['reason']}", f"DISSENT: {fields['dissent']}"]
    elif "motion" in fields:
        lines = ["", str(fields["motion"])]
    elif "items" in fields:
        for n, item in enumerate(fields["items"], 1):
            lines += [f"{n}. [{item['topic']}] (type: {item['type']})", f"   Description: {item['description']}"]
            lines += [f"   Desired outcome: {item['desired_outcome']}", f"   Minutes: {item['time_minutes']}"]
    elif "position" in fields:
        lines = [str(fields["position"])]
    for name, yes, no in (
        ("present", "PRESENT", "ABSENT"),
        ("second", "SECOND", "PASS"),
        ("appeal", "APPEAL", "NO APPEAL"),
        ("objection", "OBJECTION", "NO OBJECTION"),
        ("well_taken", "WELL TAKEN", "NOT WELL TAKEN"),
    ):
        if name in fields:
            lines.append(yes if fields[name] else no)
    lines += fields.get("commands", [])
    speech = "\n".join([fields["speaking"], *lines] if "speaking" in fields else lines)
    return f"<thinking>{fields['thinking']}</thinking>\n<speaking>{speech}</speaking>"


def _text(fault: str | None, rule: dict[str, Any], fields: dict[str, Any], *, plain: bool) -> tuple[str, str]:
    """The reply's text and stop reason, spoilt as ordered."""
    text = as_plain(fields) if plain else json.dumps(fields, ensure_ascii=False)
    if fault == "fenced":
        return f"```json\n{text}\n```", "end_turn"
    if fault == "chatty":
        return f"Here is my reply:\n\n{text}\n\nI hope that this helps!", "end_turn"
    if fault == "empty":
        return "", "end_turn"
    if fault == "truncated":
        return text[: max(20, int(len(text) * rule.get("keep", 2 / 3)))], "max_tokens"
    if fault == "malformed":
        return text.replace('": ', '" ', 2)[:-1], "end_turn"
    if fault == "prose_vote":
        return (
            "I have thought about it for a while. I vote against this motion, since nobody has said what it costs.",
            "end_turn",
        )
    if fault == "placeholder_motion":
        fields["motion"] = "RESOLVED, That [person] shall [action] by [date]."
        return json.dumps(fields), "end_turn"
    if fault == "refusal":
        return "", "refusal"
    if fault == "unclosed_whisper":
        return "<thinking>WHISPER that must never be heard. <speaking>Nor this, which stands inside it.", "end_turn"
    if fault == "text":
        return rule["text"], rule.get("stop", "end_turn")
    return text, "end_turn"


def _message(model: str, usage: dict[str, int], stop: str | None, content: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": "msg_local", "type": "message", "role": "assistant", "model": model, "content": content, "stop_reason": stop,
        "stop_sequence": None, "usage": usage,
    }  # fmt: skip


async def _stream(
    model: str,
    text: str,
    stop: str,
    usage: dict[str, int],
    tools: list[dict[str, Any]],
    *,
    fault: str | None,
    rule: dict[str, Any],
    thinks: bool,
) -> AsyncIterator[str]:
    def event(kind: str, **data: Any) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n"

    yield event("message_start", message=_message(model, usage | {"output_tokens": 1}, None, []))
    index = 0
    if thinks:
        yield event("content_block_start", index=0, content_block={"type": "thinking", "thinking": "", "signature": ""})
        yield event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": THOUGHT})
        yield event("content_block_delta", index=0, delta={"type": "signature_delta", "signature": SIGNATURE})
        yield event("content_block_stop", index=0)
        index = 1
    yield event("content_block_start", index=index, content_block={"type": "text", "text": ""})
    yield event("ping")
    size = max(1, len(text) // 4)
    for n, start in enumerate(range(0, len(text), size)):
        if fault == "cut" and n == 2:
            raise ConnectionAbortedError("the stream is cut on order")
        if fault == "cut_event" and n == 2:
            yield 'event: content_block_delta\ndata: {"type": "content_block_delta", "ind'
            return
        if fault == "error_event" and n == 2:
            yield event("error", error={"type": rule.get("kind", "overloaded_error"), "message": "on order"})
            return
        yield event("content_block_delta", index=index, delta={"type": "text_delta", "text": text[start : start + size]})
    yield event("content_block_stop", index=index)
    for n, tool in enumerate(tools, 1):
        yield event("content_block_start", index=index + n, content_block=tool | {"input": {}})
        given = json.dumps(tool["input"], ensure_ascii=False) if not isinstance(tool["input"], str) else tool["input"]
        given = given[: len(given) * 2 // 3] if fault == "tool_cut" and n == len(tools) else given
        for start in range(0, len(given), 9):
            delta = {"type": "input_json_delta", "partial_json": given[start : start + 9]}
            yield event("content_block_delta", index=index + n, delta=delta)
        yield event("content_block_stop", index=index + n)
    yield event(
        "message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage={"output_tokens": usage["output_tokens"]}
    )
    yield event("message_stop")


def _server(behaviour: Behaviour, port: int) -> tuple[uvicorn.Server, socket.socket]:
    # The protocol is named, since asyncio switches Nagle's delay (40 ms a reply) off only on sockets that say TCP.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    config = uvicorn.Config(application(behaviour), log_level="critical", access_log=False, timeout_graceful_shutdown=1)
    return uvicorn.Server(config), listening


@contextlib.contextmanager
def served(behaviour: Behaviour | None = None) -> Iterator[tuple[str, Behaviour]]:
    """The service in a thread of this process: (base URL, its behaviour)."""
    behaviour = behaviour or Behaviour()
    server, listening = _server(behaviour, 0)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < until, "the local Messages service did not start"
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", behaviour
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--port", type=int, default=0)
    words.add_argument("--port-file", type=Path)
    words.add_argument("--log", type=Path)
    words.add_argument("--delay", type=float, default=0.0)
    words.add_argument("--faults", type=Path)
    words.add_argument("--plain", action="store_true")
    given = words.parse_args()
    faults = json.loads(given.faults.read_text()) if given.faults else []
    behaviour = Behaviour(delay=given.delay, log=given.log, faults=faults, plain=given.plain)

    async def serve() -> None:
        if any(rule["fault"] == "hold" for rule in faults):
            behaviour.held = asyncio.Event()
        server, listening = _server(behaviour, given.port)
        port = str(listening.getsockname()[1])
        if given.port_file is not None:
            given.port_file.write_text(port)
        print(port, flush=True)
        await server.serve([listening])

    asyncio.run(serve())


if __name__ == "__main__":
    main()
