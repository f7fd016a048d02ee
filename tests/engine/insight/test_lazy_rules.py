"""What is said of files that load when another file is read."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.features import LazyFile
from promptscope_engine.insight.lazy_rules import LazyRule, LazyRules
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


@pytest.mark.parametrize(
    ("path", "loads"), [("", False), ("x.py", True), ("./a/../x.py", True), ("/w/x.py", True), ("../x.py", False)]
)
def test_what_reading_a_path_loads(path: str, loads: bool) -> None:
    rules = LazyRules(FileList("/w", (), "git"), (rule(1),))
    assert rules.loaded_by(path, "/w/") == ((rules.rules[0].file,) if loads else ())
    assert rules.of("/r/a.md") is rules.rules[0]
    assert rules.of("/r/b.md") is None
