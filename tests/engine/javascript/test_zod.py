"""zod's messages at the edges of its limits."""

from __future__ import annotations

import pytest

from promptscope_engine.javascript.zod import Issues, number

LOW, HIGH = "Number must be greater than or equal to 1", "Number must be less than or equal to 3600"


@pytest.mark.parametrize(
    ("value", "message"),
    [(0, LOW), (0.9, LOW), (1, None), (2, None), (3599, None), (3600, None), (3601, HIGH), (3600.1, HIGH)],
)
def test_a_number_within_its_limits(value: float, message: str | None) -> None:
    issues: Issues = []
    number(1, 3600)(value, ("timeout",), issues)
    assert [issue.message for issue in issues] == ([message] if message else [])


def test_a_switch_is_no_number() -> None:
    issues: Issues = []
    number(0, 1)(True, (), issues)
    assert [issue.message for issue in issues] == ["Expected number, received boolean"]
