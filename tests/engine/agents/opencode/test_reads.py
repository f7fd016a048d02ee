"""Files that are attached or read, with their lines numbered."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.opencode.gather.request import numbered

from .conftest import Ask


@pytest.mark.parametrize(
    ("lines", "end"),
    [
        ("", "(End of file - total 3 lines)\n</content>"),
        ("?start=1&end=2", "(Showing lines 1-2 of 3. Use offset=3 to continue.)\n</content>"),
        ("?start=3&end=9", "(End of file - total 3 lines)\n</content>"),
    ],
)
def test_what_ends_the_lines(ask: Ask, lines: str, end: str) -> None:
    found = ask({"ws/a.txt": "one\ntwo\nthree\n"}, params={"files": [f"a.txt{lines}"]})
    section = found.section("files.0.output")
    assert section is not None
    assert section.text.endswith(end)


def test_long_lines_and_large_files_are_cut() -> None:
    found = numbered("x" * 50, 1, 9, width=10, size=1_000)
    assert found["lines"] == f"1: {'x' * 10}... (line truncated to 10 chars)\n"
    found = numbered("x\n" * 999, 1, 999, width=10, size=1_024)
    assert (found["is_full"], found["most"]) == (True, "1")
