"""Paths in ids: the same on every machine."""

from __future__ import annotations

import pytest

from promptscope_engine.prompt.drafts import SectionDraft
from promptscope_engine.prompt.ids import path_in_id, with_portable_ids


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


def test_ids_and_parents_that_name_a_path_are_portable() -> None:
    sections = (
        SectionDraft("memory:/home/me/ws/a.md", "A", ()),
        SectionDraft("memory.import:/home/me/b.md", "B", (), parent="memory:/home/me/ws/a.md"),
        SectionDraft("inside", "C", (), parent="memory:/home/me/ws/a.md"),
        SectionDraft("plain", "D", (), parent="inside"),
        SectionDraft("a:b:/c", "E", ()),
    )
    found = with_portable_ids(sections, "/home/me/ws", "/home/me")
    assert [(each.id, each.parent) for each in found] == [
        ("memory:a.md", None), ("memory.import:~/b.md", "memory:a.md"), ("inside", "memory:a.md"), ("plain", "inside"),
        ("a:b:/c", None),
    ]  # fmt: skip
    assert found[3] is sections[3]
    again = with_portable_ids(sections, "/home/me/ws", "/home/me")
    assert all(one is other for one, other in zip(found, again, strict=True))
    assert with_portable_ids(sections, "/home/me", "/home/me")[0].id == "memory:ws/a.md"
