"""Paths in ids: the same on every machine."""

from __future__ import annotations

import pytest

from promptscope_engine.prompt.ids import path_in_id


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/home/me/ws/a/b.md", "a/b.md"),
        ("/home/me/ws", "."),
        ("/home/me/x.md", "~/x.md"),
        ("/home/me", "~"),
        ("/home/me/wsx/a.md", "~/wsx/a.md"),
        ("/home/mewsx/a.md", "/home/mewsx/a.md"),
        ("/etc/x.md", "/etc/x.md"),
    ],
)
def test_a_path_in_an_id(path: str, expected: str) -> None:
    assert path_in_id(path, "/home/me/ws", "/home/me") == expected


def test_folders_at_the_root() -> None:
    assert path_in_id("/a.md", "/", "/root") == "a.md"
    assert path_in_id("/", "/", "/root") == "."
