"""What is said of files that load when another file is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from promptscope_engine.agents.features import LazyFile
from promptscope_engine.insight import lazy_rules
from promptscope_engine.insight.lazy_rules import LazyRule, LazyRules, find_lazy_rules
from promptscope_engine.prompt.model import Reason
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import EmptyDisk
from promptscope_engine.workspace.repository import FileList


def rule(count: int, patterns: tuple[str, ...] = ("*.py", "*.md"), never: str = "") -> LazyRule:
    files = tuple(f"{number}.py" for number in range(min(count, 3)))
    return LazyRule(LazyFile("/r/a.md", "rule", "/r", patterns, lambda path: path == "/w/x.py", never), files, count)


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize(
    ("found", "why"),
    [
        (rule(0, ()), "loads when a file below /r is read"),
        (rule(0), "never loads: no file matches *.py, *.md (of {0})"),
        (rule(0, never="it begins with ./"), "never loads: it begins with ./ (of {0})"),
        (rule(1), "loaded by 1 file: 0.py (*.py, *.md)"),
        (rule(2), "loaded by 2 files: 0.py, 1.py (*.py, *.md)"),
        (rule(3), "loaded by 3 files: 0.py, 1.py, … (*.py, *.md)"),
        (rule(1234), "loaded by 1,234 files: 0.py, 1.py, … (*.py, *.md)"),
    ],
)
def test_one_line_says_what_loads_it(found: LazyRule, why: str, complete: bool) -> None:
    rules = LazyRules(FileList("/w", ("a", "b"), "git", complete), (found,))
    assert rules.why(found) == why.format("2 files" if complete else "the first 2 files")
    assert found.unmatched is ("never" in why)


def test_nothing_of_a_file_that_is_not_loaded_is_read() -> None:
    file = rule(1).as_file(Reason("loads later"))
    assert (file.present, file.bytes, file.raw_chars, file.injected_chars) == (False, 0, 0, 0)


@pytest.mark.parametrize(
    ("path", "loads"), [("", False), ("x.py", True), ("./a/../x.py", True), ("/w/x.py", True), ("../x.py", False)]
)
def test_what_reading_a_path_loads(path: str, loads: bool) -> None:
    rules = LazyRules(FileList("/w", (), "git"), (rule(1),))
    assert rules.loaded_by(path, "/w/") == ((rules.rules[0].file,) if loads else ())
    assert rules.of("/r/a.md") is rules.rules[0]
    assert rules.of("/r/b.md") is None


class Loads:
    """An agent with these lazy files."""

    def __init__(self, *files: LazyFile) -> None:
        self.files = files

    def lazy_files(self, *_: object) -> tuple[LazyFile, ...]:
        return self.files


def among(files: tuple[str, ...], *lazy: LazyFile, wanted: bool = True) -> LazyRules | None:
    listing = FileList("/w", files, "git")
    inputs: Any = None
    return find_lazy_rules(Loads(*lazy), inputs, Workspace(EmptyDisk()), lambda: wanted, listing)  # type: ignore[arg-type]


def lazy(path: str, base: str, *patterns: str) -> LazyFile:
    return LazyFile(path, "rule", base, patterns, lambda file: file.endswith(".py"))


def test_each_lazy_file_has_the_files_that_load_it() -> None:
    files = ("a.py", "b.md", "sub/c.py", "sub/d.md", "sub0/e.py")
    found = among(
        files, lazy("/w/.rules/x.md", "/w", "*.py"), lazy("/w/sub/d.md", "/w/sub/"), lazy("/w/y", "/w/sub", "*.py")
    )
    assert found is not None
    assert [(rule.files, rule.count) for rule in found.rules] == [
        (("a.py", "sub/c.py", "sub0/e.py"), 3),
        (("sub/c.py",), 1),  # any file below its folder, but not itself
        (("sub/c.py",), 1),
    ]
    assert among(files, lazy("/w/x", "/w", "*.py"), wanted=False) is None
    assert among((), lazy("/w/x", "/w", "*.py"), wanted=False) is not None, "there is nothing to look at"


def test_many_files_may_be_matched_at_once() -> None:
    asked: list[tuple[str, ...]] = []

    def load(files: Sequence[str]) -> list[int]:
        asked.append(tuple(files))
        return [n for n, file in enumerate(files) if file.endswith(".py")]

    at_once = replace(lazy("/w/x", "/w", "*.py"), loads_among=load)
    found = among(("a.py", "b.md", "c.py"), at_once)
    assert found is not None
    assert found.rules[0].files == ("a.py", "c.py")
    assert asked == [("/w/a.py", "/w/b.md", "/w/c.py")]


def test_200_names_are_kept_and_all_are_counted() -> None:
    for count in (199, 200, 201):
        found = among(tuple(f"{n:04}.py" for n in range(count)), lazy("/w/x", "/w", "*.py"))
        assert found is not None
        assert (len(found.rules[0].files), found.rules[0].count) == (min(count, 200), count)


@pytest.mark.parametrize(("most", "looked_at"), [(5, 2), (6, 3), (7, 3)])
def test_of_too_many_files_the_first_are_looked_at(monkeypatch: pytest.MonkeyPatch, most: int, looked_at: int) -> None:
    """Each of two patterns is one test of a file."""
    monkeypatch.setattr(lazy_rules, "MAX_TESTS", most)
    found = among(("a.py", "b.py", "c.py"), lazy("/w/x", "/w", "*.py"), lazy("/w/y", "/w", "*.md"), lazy("/w/z", "/w"))
    assert found is not None
    assert (len(found.listing.files), found.listing.complete) == (looked_at, looked_at == 3)
    assert found.rules[0].count == looked_at
