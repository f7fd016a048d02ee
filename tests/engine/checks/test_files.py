"""Findings about files, on assemblies made up for it: which row or diagnostic is one, and where it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.engine.insight.made_up import WHY, assembly_of
from tests.support.repository import write

from promptscope_engine.agents.features import LazyFile
from promptscope_engine.checks.context import Context
from promptscope_engine.checks.files import file_findings
from promptscope_engine.insight.lazy_rules import LazyRule, LazyRules
from promptscope_engine.prompt.model import Diagnostic, Limit, Reason, SourceFile, Verdict
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import FileList


def row(path: str, *, present: bool = True, why: Reason = WHY, **more: Any) -> SourceFile:
    values: dict[str, Any] = {"kind": "rules", "load": "always", "bytes": 1, "raw_chars": 1, "injected_chars": 1,
                              "truncated": False, "tokens": 1, **more}  # fmt: skip
    return SourceFile(path=path, real_path=path, present=present, why=why, **values)


def context(folder: Path, texts: dict[str, str] | None = None, lazy: LazyRules | None = None, **more: Any) -> Context:
    """Of a repository at `folder`, whose agent was started in `folder/app`."""
    root = folder / "shop"
    write(root, {"app/.keep": "", **(texts or {})})
    workspace = Workspace()
    workspace.allow([str(root)])
    assembly = replace(assembly_of(), workspace=f"{root}/app", home=str(folder / "home"), **more)
    return Context(str(root), assembly, lazy, workspace, Counter(get_tokenizer("o200k_base")))


def found(context: Context) -> list[tuple[str, str]]:
    return [(each.rule, each.place) for each in file_findings(context)]


# --- diagnostics --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("severity", "code", "path", "finding"),
    [
        ("error", "modes-yaml", "a.md", ("invalid-mode", "app/a.md:3")),
        ("info", "modes-yaml", "a.md", ("invalid-mode", "app/a.md:3")),
        ("warning", "of-its-own", "a.md", ("agent-warning", "app/a.md:3")),
        ("error", "of-its-own", "../a.md", ("agent-warning", "a.md:3")),
        ("info", "of-its-own", "a.md", None),
        ("warning", "of-its-own", None, None),  # about no file
        ("error", "agent-refuses", None, ("agent-refuses", ":3")),
        ("error", "agent-refuses", "/etc/a.md", ("agent-refuses", "/etc/a.md:3")),  # it counts wherever its cause is
        ("error", "modes-yaml", "~/a.md", ("invalid-mode", "~/a.md:3")),  # a home folder is read only if it was named
        ("error", "modes-yaml", "/etc/a.md", None),  # not theirs to mend
    ],
)
def test_what_the_agent_itself_says_of_a_file(
    tmp_path: Path, severity: Any, code: str, path: str | None, finding: tuple[str, str] | None
) -> None:
    said = Diagnostic(severity, code, "words", path, 3)
    assert found(context(tmp_path, diagnostics=(said,))) == ([] if finding is None else [finding])


def test_what_is_said_of_an_import_stands_where_it_is_imported(tmp_path: Path) -> None:
    files = (row("b.md"), row("c.md", imported_by="a.md"))
    texts = {"app/a.md": "first\n@c.md\n", "app/c.md": "c"}

    def told(code: str, path: str, files: tuple[SourceFile, ...] = files) -> list[tuple[str, str]]:
        said = Diagnostic("warning", code, "words", path, 7)
        return found(context(tmp_path, texts, files=files, diagnostics=(said,)))

    assert told("external-import", "c.md") == [("import-outside", "app/a.md:2")]
    assert told("external-import", "b.md") == [("import-outside", "app/b.md:7")]
    assert told("import-failed", "c.md") == [("unresolved-import", "app/c.md:7")]
    assert told("external-import", "~/c.md", (row("~/c.md", imported_by="a.md"),)) == [("import-outside", "app/a.md")]


# --- rows ---------------------------------------------------------------------------------------------------------


def test_a_file_that_is_cut_is_told_with_its_limits(tmp_path: Path) -> None:
    limits = (Limit("file", 1_000, 2_345), Limit("all", 9, 10), Limit("just", 7, 7))
    files = (row("a.md", truncated=True, limits=limits), row("b.md", truncated=True), row("/etc/c", truncated=True))
    messages = {each.place: each.message for each in file_findings(context(tmp_path, files=files))}
    assert messages == {
        "app/a.md": "Claude Code cuts it (file allows 1,000 of 2,345; all allows 9 of 10)",
        "app/b.md": "Claude Code cuts it",
    }
    said = Diagnostic("warning", "truncated", "words", "a.md", 3)
    assert found(context(tmp_path, files=files[:1], diagnostics=(said,))) == [("truncated", "app/a.md:3")], "once"


def leaf(op: Any, actual: Any, *, ok: bool = False) -> Verdict:
    return Verdict(op, "x", True, actual, ok, "words")


def tree(op: Any, *children: Verdict) -> Verdict:
    return Verdict(op, "", True, False, False, "words", children)


@pytest.mark.parametrize(
    ("verdict", "by"),
    [
        (leaf("file", "b.md"), "app/b.md"),
        (leaf("file", "/etc/b.md"), "/etc/b.md"),
        (leaf("file", False), None),
        (leaf("flag", "b.md"), None),
        (leaf("file", "b.md", ok=True), None),
        (tree("all", leaf("flag", False), leaf("file", "b.md")), "app/b.md"),
        (tree("all", leaf("file", "c.md", ok=True), leaf("file", "b.md")), "app/b.md"),
        (tree("any", leaf("file", "b.md"), leaf("file", "c.md")), "app/b.md"),
        (tree("not", leaf("file", "b.md")), None),
        (None, None),
    ],
)
def test_a_file_whose_place_another_one_takes(tmp_path: Path, verdict: Verdict | None, by: str | None) -> None:
    files = (row("a.md", present=False, why=Reason("absent: words", verdict)),)
    there = list(file_findings(context(tmp_path, {"app/a.md": ""}, files=files)))
    assert [each.message for each in there] == ([] if by is None else [f"not loaded: {by} takes its place"])
    assert {each.rule for each in there} <= {"suppressed"}
    assert found(context(tmp_path / "none", files=files)) == [], "what is not there is not suppressed"
    assert found(context(tmp_path, files=(replace(files[0], present=True),))) == []


@pytest.mark.parametrize(("kind", "size", "is_told"), [("skill", 1, True), ("skill", 0, False), ("rules", 1, False)])
def test_a_skill_that_is_there_and_not_listed(tmp_path: Path, kind: str, size: int, is_told: bool) -> None:
    files = (row("s/SKILL.md", present=False, why=Reason("absent: it has no name"), kind=kind, bytes=size),)
    told = [(each.rule, each.message) for each in file_findings(context(tmp_path, files=files))]
    assert told == [("skill-dropped", "it has no name")] * is_told


@pytest.mark.parametrize(
    ("names", "says"), [("a", "no room"), ("ab", "2 skills are not listed, this one first: no room")]
)
def test_skills_that_a_budget_leaves_out_are_one_finding(tmp_path: Path, names: str, says: str) -> None:
    why, limits = Reason("absent: no room"), (Limit("all", 1, 2),)
    files = tuple(row(f"{n}/SKILL.md", present=False, why=why, kind="skill", limits=limits) for n in names)
    told = [(each.message, each.place) for each in file_findings(context(tmp_path, files=files))]
    assert told == [(says, "app/a/SKILL.md")]


# --- imports ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "path", "rule", "place"),
    [
        ("x\nSee @docs/none.md.\n", "docs/none.md", "unresolved-import", "app/a.md:2"),
        ("@none.md, and more\n", "none.md", "unresolved-import", "app/a.md:1"),
        ("(@./docs/none)\n", "docs/none", "unresolved-import", "app/a.md:1"),  # no suffix, but a path
        ("@none\n", "none", None, ""),  # may be somebody's name
        ("@none.md#part\n", "none.md", "unresolved-import", "app/a.md:1"),
        ("@../none.md\n", "../none.md", "unresolved-import", "app/a.md:1"),
        ("@../../none.md\n", "../../none.md", "import-outside", "app/a.md:1"),
        ("x\n@~/none.md\n", "~/none.md", "import-outside", "app/a.md:2"),
        ("@/etc/none.md\n", "/etc/none.md", "import-outside", "app/a.md:1"),
        ("@/etc/none\n", "/etc/none", "import-outside", "app/a.md:1"),
        ("@other.md @none.md\n", "none.md", "unresolved-import", "app/a.md:1"),
        ("written otherwise\n", "none.md", "unresolved-import", "app/a.md"),
        ("written otherwise\n", "none", None, ""),
        ("@there.md\n", "there.md", None, ""),
    ],
)
def test_an_import_of_what_is_not_there(tmp_path: Path, text: str, path: str, rule: str | None, place: str) -> None:
    missing = row(path, present=False, imported_by="a.md")
    told = found(context(tmp_path, {"app/a.md": text, "app/there.md": ""}, files=(missing,)))
    assert told == ([] if rule is None else [(rule, place)])
    elsewhere = replace(missing, imported_by="/etc/a.md")
    assert found(context(tmp_path, {"app/a.md": text}, files=(elsewhere,))) == []


def test_an_import_is_looked_for_beside_the_file_that_imports(tmp_path: Path) -> None:
    missing = row("docs/none.md", present=False, imported_by="docs/a.md")
    assert found(context(tmp_path, {"app/docs/a.md": "x\n@none.md\n"}, files=(missing,))) == [
        ("unresolved-import", "app/docs/a.md:2")
    ]


def test_each_import_that_fails_is_told_though_the_file_was_told_of(tmp_path: Path) -> None:
    files = tuple(row(f"{name}.md", present=False, imported_by="a.md") for name in "bc")
    said = Diagnostic("warning", "import-failed", "words", "a.md", 9)
    told = found(context(tmp_path, {"app/a.md": "@b.md\n@c.md\n"}, files=files, diagnostics=(said,)))
    assert told == [("unresolved-import", f"app/a.md:{line}") for line in (9, 1, 2)]


# --- rules that never load ----------------------------------------------------------------------------------------


def never(path: str, *, patterns: tuple[str, ...] = ("*.zig",), count: int = 0) -> LazyRule:
    return LazyRule(LazyFile(path, "rules", "/", patterns, lambda _: False), (), count)


def listing(*, complete: bool = True) -> FileList:
    return FileList("/", ("a.py",), "git", complete)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\nname: z\npaths: '*.zig'\n---\nZig.\n", 3),
        ("---\nglobs: '*.zig'\n---\n", 2),
        ("---\n# x\napplyTo: '*.zig'\npaths: '*.zig'\n---", 4),  # `paths` comes first
        ("---\r\nname: z\r\npaths: '*.zig'\r\n---\r\n", 3),
        ("---\nname: z\n---\n", None),
        ("---\npaths: [\n---\n", None),
        ("paths: '*.zig'\n", None),
    ],
)
def test_a_rule_that_never_loads_is_told_at_its_patterns(tmp_path: Path, text: str, line: int | None) -> None:
    lazy = LazyRules(listing(), (never("z.md"),))
    place = "app/z.md" if line is None else f"app/z.md:{line}"
    assert found(context(tmp_path, {"app/z.md": text}, lazy)) == [("unmatched-rule", place)]


def test_a_rule_that_may_load_is_not_told_of(tmp_path: Path) -> None:
    for rules, all_files in (
        (never("z.md", count=1), listing()),
        (never("z.md", patterns=()), listing()),
        (never("~/z.md"), listing()),
        (never("z.md"), listing(complete=False)),
    ):
        assert found(context(tmp_path, {"app/z.md": ""}, LazyRules(all_files, (rules,)))) == []
