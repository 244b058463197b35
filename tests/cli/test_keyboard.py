from __future__ import annotations

import asyncio
import os
import pty
import termios

from cli.keyboard import MAX_LINE, Keyboard


def typed(*keys: str) -> tuple[list[str], Keyboard]:
    lines: list[str] = []
    keyboard = Keyboard(lines.append, raw=False)
    for key in keys:
        keyboard.feed(key)
    return lines, keyboard


def test_a_line_is_said_when_enter_is_pressed_and_not_before() -> None:
    lines, keyboard = typed("What about ta", "xes?")
    assert (lines, keyboard.typed) == ([], "What about taxes?")
    keyboard.feed("\r")
    assert (lines, keyboard.typed) == (["What about taxes?"], "")


def test_the_line_can_be_mended() -> None:
    assert typed("taxs\x7fes\n")[0] == ["taxes"]
    assert typed("one two three\x17four\n")[0] == ["one two four"]
    assert typed("wrong\x15right\n")[0] == ["right"]


def test_arrow_keys_and_other_escapes_do_nothing_even_when_they_come_in_pieces() -> None:
    assert typed("a\x1b[Ab\x1b[1;5Cc\x1bOPd\n")[0] == ["abcd"]
    assert typed("a\x1b", "[", "1;5", "Cb\n")[0] == ["ab"]


def test_blank_lines_say_nothing_and_a_line_has_an_end() -> None:
    assert typed("   \n", "\n")[0] == []
    lines, _ = typed("x" * (MAX_LINE + 50) + "\n")
    assert lines == ["x" * MAX_LINE]


async def test_keys_are_read_from_a_terminal_without_echo_and_it_is_given_back_as_it_was() -> None:
    ours, theirs = pty.openpty()
    try:
        before = termios.tcgetattr(theirs)
        lines: list[str] = []
        keyboard = Keyboard(lines.append, raw=True, fd=theirs)
        keyboard.open()
        assert not termios.tcgetattr(theirs)[3] & (termios.ECHO | termios.ICANON)
        assert termios.tcgetattr(theirs)[3] & termios.ISIG, "Ctrl-C stays a signal"
        os.write(ours, "Grüße aus Lisboa".encode())
        os.write(ours, b"\r")
        for _ in range(100):
            if lines:
                break
            await asyncio.sleep(0.01)
        keyboard.close()
        assert lines == ["Grüße aus Lisboa"]
        assert termios.tcgetattr(theirs)[3] == before[3]
    finally:
        os.close(ours)
        os.close(theirs)
