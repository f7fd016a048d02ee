"""Which places a policy admits."""

from __future__ import annotations

import pytest

from promptscope_engine.workspace.access import AccessPolicy

POLICY = AccessPolicy.of(["/code/shop", "/home/ada/"], ["/code", "/"])


@pytest.mark.parametrize("path", ["/code/shop", "/code/shop/a/b.md", "/home/ada/x"])
def test_a_tree_is_read_and_listed(path: str) -> None:
    assert POLICY.admits(path, listing=True)
    assert POLICY.admits(path, listing=False)


@pytest.mark.parametrize(
    ("path", "is_read", "is_listed"),
    [
        ("/code", True, True),
        ("/code/AGENTS.md", True, False),
        ("/code/other", True, False),
        ("/code/other/AGENTS.md", False, False),
        ("/code/.claude", True, True),
        ("/code/.claude/rules/x.md", True, True),
        ("/code/shopping/x.md", False, False),
        ("/etc/passwd", False, False),
        ("/CLAUDE.md", True, False),
    ],
)
def test_a_single_folder_has_its_files_and_dot_folders(path: str, is_read: bool, is_listed: bool) -> None:
    assert POLICY.admits(path, listing=False) is is_read
    assert POLICY.admits(path, listing=True) is is_listed


def test_policies_add_up() -> None:
    more = POLICY.with_trees(["/etc"])
    assert more.admits("/etc/passwd", listing=False)
    assert more.covers(POLICY)
    assert not POLICY.covers(more)
    assert POLICY.with_places_of(AccessPolicy.of(["/etc"])) == more
    assert AccessPolicy.of(["/a"], follows_links=True).with_trees(["/b"]).follows_links


def test_nothing_is_admitted_by_default() -> None:
    assert not AccessPolicy().admits("/", listing=True)
