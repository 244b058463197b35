"""Speech out of a reply that is still coming: only what is positively speech, never a whisper (law 7)."""

from __future__ import annotations

import json
import re

_KEY = re.compile(r'"speaking"\s*:\s*"')
_OPEN = re.compile(r"<speaking>", re.IGNORECASE)
_CLOSE = "</speaking>"


class SpeechStream:
    """Feed it the raw reply in any chunks; it gives back the new piece of speech, or nothing.

    A JSON reply: the value of the top-level "speaking" key. A plain one: what stands inside <speaking>. Anything else, text
    without tags included, is not positively speech and is heard when the reply is complete.
    """

    def __init__(self) -> None:
        self._raw = ""
        self._said = 0
        self._json: bool | None = None

    def feed(self, chunk: str) -> str:
        """The speech that became certain with this chunk."""
        self._raw += chunk
        if self._json is None:
            head = self._raw.lstrip()
            if head.startswith("```"):
                head = head.split("\n", 1)[1].lstrip() if "\n" in head else ""
            if not head:
                return ""
            self._json = head[0] == "{"
        text = self._json_speech() if self._json else self._plain_speech()
        new, self._said = text[self._said :], max(self._said, len(text))
        return new

    def _json_speech(self) -> str:
        start = _value_start(self._raw)
        if start is None:
            return ""
        end = start
        while end < len(self._raw) and self._raw[end] != '"':
            step = 2 if self._raw[end] == "\\" else 1
            if self._raw.startswith("\\u", end):
                step = 6
                code = self._raw[end + 2 : end + 6]
                # The first half of a surrogate pair waits for the second.
                if len(code) == 4 and code[:2].lower() in ("d8", "d9", "da", "db"):
                    step = 12
            if end + step > len(self._raw):
                break
            end += step
        try:
            return str(json.loads(f'"{self._raw[start:end]}"', strict=False))
        except ValueError:
            return ""

    def _plain_speech(self) -> str:
        # Speech begins after a <speaking> that no open <thinking> precedes.
        opened = _OPEN.search(self._raw)
        if opened is None:
            return ""
        before = self._raw[: opened.start()].lower()
        if before.count("<think") > before.count("</think"):
            return ""
        said = self._raw[opened.end() :]
        lower = said.lower()
        for stop in (_CLOSE, "<think", "</think"):
            at = lower.find(stop)
            if at >= 0:
                said, lower = said[:at], lower[:at]
        tail = said.rfind("<")
        return said[:tail] if tail >= 0 and len(said) - tail < 14 else said


def _value_start(raw: str) -> int | None:
    """Where the value of the top-level key "speaking" begins. Strings are skipped, so a whisper cannot fake the key."""
    at, depth = raw.find("{"), 0
    while 0 <= at < len(raw):
        char = raw[at]
        if char == '"':
            end = at + 1
            while end < len(raw) and raw[end] != '"':
                end += 2 if raw[end] == "\\" else 1
            if end >= len(raw):
                return None
            if depth == 1 and (found := _KEY.match(raw, at)):
                return found.end()
            at = end + 1
            continue
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(char, 0)
        at += 1
    return None
