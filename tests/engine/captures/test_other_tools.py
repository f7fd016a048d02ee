"""A copied system prompt becomes a capture: how it was written makes no difference."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.captures.model import CaptureError
from promptscope_engine.captures.other_tools import NOTE, pasted


def read(data: bytes) -> tuple[str, tuple[str, ...]]:
    capture = pasted(data, "roo")
    body: Any = capture.requests[0].body
    return body["messages"][0]["content"], capture.problems


NOT_UTF8, ESCAPES, CRLF = "not UTF-8", "its escapes were resolved", "read as LF"


@pytest.mark.parametrize(
    ("data", "text", "problem"),
    [
        (b"a\nb", "a\nb", None),
        (b"\xef\xbb\xbfa", "a", None),
        ("aü".encode("utf-16"), "aü", None),
        ("aü".encode("utf-16-be"), None, None),
        (b"\xfe\xff" + "aü".encode("utf-16-be"), "aü", None),
        (b"a\xff", "a\ufffd", NOT_UTF8),
        ("a\ufffd".encode(), "a\ufffd", None),
        (b'"a\\nb"', "a\nb", ESCAPES),
        (b' "a\\nb"\n', "a\nb", ESCAPES),
        (b'"a', '"a', None),
        (b'"a" and "b"', '"a" and "b"', None),
        (b"a\\nb\\nc\\nd", "a\nb\nc\nd", ESCAPES),
        (b"a\\nb\\nc", "a\\nb\\nc", None),  # two might be meant
        (b"a\\nb\\nc\\nd\ne", "a\\nb\\nc\\nd\ne", None),  # several lines
        (b'a\\nb\\nc\\nd"', 'a\\nb\\nc\\nd"', None),
        (b"a\r\nb", "a\nb", CRLF),
        (b"a\r\nb\nc", "a\r\nb\nc", None),
        (b"a\rb", "a\rb", None),
        (b"a", "a", None),
    ],
)
def test_a_text_is_read_as_the_agent_had_it(data: bytes, text: str | None, problem: str | None) -> None:
    if text is None:
        with pytest.raises(CaptureError, match="NUL"):
            read(data)
        return
    found, problems = read(data)
    assert found == text
    assert (len(problems), problem is None or problem in problems[0]) == (problem is not None, True)


@pytest.mark.parametrize("more", [0, 1])
def test_a_text_may_have_8_mebibytes(more: int) -> None:
    size = 8 * 1024 * 1024 + more
    if more:
        with pytest.raises(CaptureError, match="larger than 8 MB"):
            pasted(b" " * size, "roo")
    else:
        with pytest.raises(CaptureError, match="empty"):
            pasted(b" " * size, "roo")


def test_what_is_known_of_it() -> None:
    capture = pasted("aü".encode(), "roo")
    (request,) = capture.requests
    assert (capture.is_prompt, capture.header.agent, capture.header.fidelity.notes) == (True, "roo", (NOTE,))
    assert (request.index, request.label, request.bytes, request.note) == (1, "main", 3, NOTE)
    assert (capture.end.outcome, capture.end.main, capture.main) == ("imported", 1, request)
