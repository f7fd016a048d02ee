"""What an answer of git may be: whole, in time, and not too long."""

from __future__ import annotations

import os

import pytest

from promptscope_engine.workspace.git import Git


@pytest.mark.parametrize(("limit", "answer"), [(4, None), (5, b"12345"), (6, b"12345")])
def test_an_answer_has_a_largest_size(limit: int, answer: bytes | None) -> None:
    git = Git(("/bin/sh", "-c", "printf 12345; exec >&-; sleep 0.1"), "/", os.environ)
    assert git.ask(limit=limit) == answer


def test_git_that_fails_has_no_answer() -> None:
    assert Git(("/bin/sh", "-c", "printf 12345; exit 1"), "/", {}).ask() is None
    assert Git(("/no/such/program",), "/", {}).ask() is None
