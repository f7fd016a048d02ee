"""Which paths a `.rooignore` hides and which the agent guards, as npm's `ignore` 7.0.3 decides it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.roo.responses import RooIgnore, RooProtected


@pytest.mark.parametrize(
    ("text", "path", "hidden"),
    [
        ("*.pem\n", "a.pem", True),
        ("*.pem\n", "x/A.PEM", True),
        ("*.pem\n!ok.pem\n", "ok.pem", False),
        ("*.pem\r\n!ok.pem\r\n", "ok.pem", False),
        ("secret/\n", "secret", False),
        ("secret/\n", "x/secret/k", True),
        ("/secret/\n", "x/secret/k", False),
        ("secret/\n!secret/k\n", "secret/k", True),
        ("secret/*\n!secret/k\n", "secret/k", False),
        ("dir/**\n!dir/keep\n", "dir/keep", False),
        ("dir/**\n", "dir", False),
        ("dir/**\n", "dir/sub", True),
        ("*\n!*/\n!*.md\n", "docs/a.md", False),
        ("*\n!*/\n!*.md\n", "docs/a.txt", True),
        ("*\n!a*\n", "a/secret", True),
        ("# a\n\n  \n", "a", False),
        ("\ufeffa\n", "a", True),
        ("a  \n", "a", True),
        ("[b-a]\n!\n/\n", "a", False),
    ],
)
def test_patterns(text: str, path: str, hidden: bool) -> None:
    ignore = RooIgnore("/p", text)
    assert ignore.ignores(f"/p/{path}") is hidden
    assert ignore.ignores(path) is hidden


def test_the_file_itself_is_hidden_once_it_holds_anything() -> None:
    assert RooIgnore("/p", "\n").ignores("/p/.rooignore")
    assert not RooIgnore("/p", "").ignores("/p/.rooignore")


@pytest.mark.parametrize("path", ["/p", "/p/", "/", "/q", "../q", "/pq/a"])
def test_nothing_outside_the_root_is_hidden(path: str) -> None:
    assert not RooIgnore("/p", "*\n").ignores(path)


@given(st.text(max_size=30), st.text(max_size=20))
def test_any_text_can_be_read_as_patterns(text: str, path: str) -> None:
    assert RooIgnore("/p", text).ignores(path.replace("\0", "")) in (True, False)


@pytest.mark.parametrize(
    ("path", "guarded"),
    [
        (".roomodes", True),
        (".roo", False),
        (".roo/rules/", True),
        (".roo/x", True),
        ("nested/.roo/x", False),
        ("nested/AGENTS.md", True),
        ("agents.md", True),
        ("a.code-workspace", True),
        (".roorules-code", True),
        ("roorules", False),
        ("src/a.ts", False),
    ],
)
def test_guarded_files(path: str, guarded: bool) -> None:
    assert RooProtected("/p").protects(f"/p/{path}") is guarded
