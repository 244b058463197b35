from __future__ import annotations

import pytest

from cli.durations import seconds, written


@pytest.mark.parametrize(
    ("text", "expected"),
    [("90s", 90), ("30m", 1800), ("1h", 3600), ("1h30m", 5400), ("2.5m", 150), ("45", 45), (" 1H ", 3600), ("1h5s", 3605)],
)
def test_durations_are_read_as_people_type_them(text: str, expected: float) -> None:
    assert seconds(text) == expected


@pytest.mark.parametrize("text", ["", "h", "soon", "-5m", "30 minutes", "5m1h", "0", "0s", "31d", "9999h", "1e9", "٣m x"])
def test_what_is_no_duration_is_named_with_the_mend(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a duration") as raised:
        seconds(text)
    assert str(raised.value).endswith(".")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("total", "expected"), [(0.4, "0 s"), (59.6, "1 min 00 s"), (245, "4 min 05 s"), (3600, "1 h 00 min"), (7325, "2 h 02 min")]
)
def test_durations_are_written_for_readers(total: float, expected: str) -> None:
    assert written(total) == expected
