"""None"""

from __future__ import annotations

import pytest

from promptscope_engine.agents.kit.disk.walking import target_of


@pytest.mark.parametrize(
    ("token", "path"),
    [
        ("a.md", "/r/docs/a.md"),
        ("./a.md", "/r/docs/a.md"),
        ("../a.md", "/r/a.md"),
        ("../../../../a.md", "/a.md"),
        ("/x//y/./a.md", "/x/y/a.md"),
        ("//x/a.md", "/x/a.md"),
        ("~", "/home/u"),
        ("~/a.md", "/home/u/a.md"),
        ("~x/a.md", "/r/docs/~x/a.md"),
        ("a\0.md", None),
        ("x" * 4_097, None),
    ],
)
def test_where_an_import_leads(token: str, path: str | None) -> None:
    assert target_of(token, "/r/docs", "/home/u") == path


def test_a_tilde_is_a_name_where_no_home_counts() -> None:
    assert target_of("~/a.md", "/r") == "/r/~/a.md"
