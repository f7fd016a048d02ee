"""The frontmatter that a file begins with: where it ends, how much is read, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.limit import limited

from promptscope_engine.agents.claude_code.gather.content import (
    Content,
    Described,
    Head,
    is_within,
    markdown_below,
    read_frontmatter,
)
from promptscope_engine.agents.claude_code.gather.content import process as process_for
from promptscope_engine.agents.kit.disk.heads import Budget
from promptscope_engine.formats.yaml import MAX_FRONT_MATTER, weight
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import FileText, Workspace
from promptscope_engine.workspace.disk import Entry, RealDisk

if TYPE_CHECKING:
    from .conftest import Project


V100, V329 = "2.1.100", "2.1.329"


def process(text: str) -> Content:
    return process_for(text, V329)


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("plain\n", "plain"),
        ("\ufeffbom\r\nline\r\n", "bom\r\nline"),
        ("end   \n\n\n", "end"),
        ("---\ntitle: t\n---\n\nbody\n", "body"),
        ("---\nno end\nbody\n", "---\nno end\nbody"),
        ("one\n<!-- gone -->\n\ntwo\n", "one\ntwo"),
        ("one\n<!-- over\nlines -->\ntwo\n", "one\ntwo"),
        ("text <!-- stays --> end", "text <!-- stays --> end"),
        ("<!-- gone --> tail", "tail"),
        ("```\n<!-- stays -->\n```", "```\n<!-- stays -->\n```"),
        ("```\n~~~\n<!-- stays -->\n```", "```\n~~~\n<!-- stays -->\n```"),
        ("````\n```\n<!-- stays -->\n````", "````\n```\n<!-- stays -->\n````"),
        ("```\n```x\n<!-- stays -->\n```", "```\n```x\n<!-- stays -->\n```"),
        ("```x\na\n```\n<!-- gone -->\nb", "```x\na\n```\nb"),
        ("```\na\n````  \n<!-- gone -->\nb", "```\na\n````  \nb"),
        ("~~~\na\n~~~\n<!-- gone -->\nb", "~~~\na\n~~~\nb"),
        ("- item\n\ntext\n<!-- gone -->\nb", "- item\n\ntext\nb"),
        ("- item\n\n\ttext\n\n\t<!-- stays -->\nb", "- item\n\n\ttext\n\n\t<!-- stays -->\nb"),
        ("<!-- gone -->tail", "tail"),
        ("\n<!-- gone -->\ntext", "text"),
        ("- item\n\n  <!-- stays -->", "- item\n\n  <!-- stays -->"),
        ("- item\n\n  text\n\n  <!-- stays -->", "- item\n\n  text\n\n  <!-- stays -->"),
        ("- item\n  <!-- stays -->", "- item\n  <!-- stays -->"),
        ("x\n\n    <!-- code -->", "x\n\n    <!-- code -->"),
        ("<!-- never closed", "<!-- never closed"),
        ("  \n\t\n", ""),
        ("\n\n  first\n", "first"),
        ("\n---\npaths: x\n---\nbody\n", "---\npaths: x\n---\nbody"),
        ("----\npaths: x\n---\nbody\n", "----\npaths: x\n---\nbody"),
        ("---\npaths: x\n...\nbody\n", "---\npaths: x\n...\nbody"),
        ("---  \r\npaths: x\r\n--- \r\nbody\r\n", "body"),
        ("---\nkey: [x\n---\nbody\n", "body"),
    ],
)
def test_what_is_sent(text: str, sent: str) -> None:
    assert process(text).text == sent


def test_frontmatter_values() -> None:
    assert process("---\npaths: src/**\nn: 3\n---\nx").frontmatter == {"paths": "src/**", "n": 3}


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize(
    "value",
    ["**/*.ts", "*.ts", "{src,lib}/**", "[ab]*.ts", "@first", "%x", "`x`", "use this: always", "[open"],
)
def test_a_value_that_is_no_yaml_is_taken_as_text(version: str, value: str) -> None:
    content = process_for(f"---\nfirst: 1\npaths: {value}\n---\nx", version)
    assert content.frontmatter == {"first": 1, "paths": value}
    assert (content.problem is not None) is value.endswith("open")
    # As an item of a list it is not.
    if value[0] in "*@%`":
        assert process_for(f"---\npaths:\n  - {value}\n---\nx", version).frontmatter == {}


@pytest.mark.parametrize(
    ("head", "older", "newer"),
    [
        ("a: 1\na: 2", {}, {"a": 2}),
        ("paths:\n\t- src/**", {}, {"paths": ["src/**"]}),
        ("a: x\n\tb: y", {}, {}),
        ("just words", {}, {}),
        ("a: yes", {"a": "yes"}, {"a": "yes"}),
        ("a: before # after", {"a": "before"}, {"a": "before"}),
        ("a: it's [open\nb: 'both'", {"a": "it's [open", "b": "both"}, {"a": "it's [open", "b": "both"}),
        ("a: use: it\nb: [x, y]", {"a": "use: it", "b": ["x", "y"]}, {"a": "use: it", "b": ["x", "y"]}),
        ("a:\tb\nc: \t d", {"a": "b", "c": "d"}, {"a": "b", "c": "d"}),
        ("", {}, {}),
    ],
)
def test_each_version_reads_yaml_its_own_way(head: str, older: dict[str, object], newer: dict[str, object]) -> None:
    assert process_for(f"---\n{head}\n---\nx", V100).frontmatter == older
    assert process_for(f"---\n{head}\n---\nx", V329).frontmatter == newer
    assert process_for(f"---\n{head}\n---\nx", V100).text == "x"


def test_what_a_read_loads_keeps_its_end() -> None:
    content = process("---\r\npaths: x\r\n---\r\nbody\r\n")
    assert [s.text for s in content.untrimmed] == ["body\r\n"]
    assert [(s.text, s.line) for s in process("\n\n  a\nb \n").stretches] == [("a\nb", 3)]


def test_bad_frontmatter_names_its_line() -> None:
    for bad in ("bad: [a", "- bad: [a"):
        content = process(f"---\nok: 1\n{bad}\n---\nbody")
        assert content.problem
        assert content.problem_line in (3, 4)
        assert content.text == "body"


@pytest.mark.parametrize(
    "frontmatter", ["- a\n", "a\n", "&a [*a]\n", "1: " + "[" * 5000 + "\n", "x" * 70_000 + ": 1\n"]
)
@pytest.mark.slow
def test_odd_frontmatter_never_raises(frontmatter: str) -> None:
    assert process(f"---\n{frontmatter}---\nbody").text == "body"


def bomb(first: str, rows: int, row: str) -> str:
    """Lines of which each repeats the one above."""
    names = "abcdefghijklmnopqrstuvwxyz"
    lines = [row.format(names[n + 1], names[n]) for n in range(rows)]
    return "\n".join(["name: x", "description: y", f"a: &a {first}", *lines, f"tools: [*{names[rows]}]"])


@pytest.mark.parametrize(
    "front_matter",
    [
        bomb("[x,x,x,x,x,x,x,x]", 7, "{0}: &{0} [*{1},*{1},*{1},*{1},*{1},*{1},*{1},*{1}]"),
        bomb("{{k: v}}", 24, "{0}: &{0} {{<<: [*{1},*{1}]}}"),
        "a: &a " + "x" * 30_000 + "\ntools: [*a, *a, *a]",
    ],
)
def test_a_bomb_of_aliases_is_a_problem(front_matter: str) -> None:
    content = process(f"---\n{front_matter}\n---\nbody")
    assert (content.text, content.frontmatter) == ("body", {})
    assert "once its aliases are written out" in str(content.problem)
    assert content.problem_line is not None


@pytest.mark.parametrize("size", [MAX_FRONT_MATTER - 1, MAX_FRONT_MATTER, MAX_FRONT_MATTER + 1])
def test_frontmatter_has_a_limit(size: int) -> None:
    content = process("---\na: " + "x" * (size - 4) + "\n---\nbody")
    assert content.problem == (None if size <= MAX_FRONT_MATTER else "the frontmatter is too large to be read")
    assert (content.problem_line, len(content.frontmatter)) == ((None, 1) if size <= MAX_FRONT_MATTER else (1, 0))


@given(st.text(alphabet="a <!->`~-\n\r\t#", max_size=200))
def test_stretches_are_verbatim(text: str) -> None:
    lines = text.split("\n")
    for stretch in process(text).stretches:
        end = stretch.line + stretch.text.count("\n")
        assert stretch.text in "\n".join(lines[stretch.line - 1 : end])
    assert process(text).text == process(text).text.strip()


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("- a\n<!-- x -->\n- b", "- a\n- b"), ("- a\n  <!-- x -->\n- b", "- a\n  <!-- x -->\n- b"),
        ("1. a\n <!-- x -->\n2. b", "1. a\n2. b"), ("1. a\n   <!-- x -->\n2. b", "1. a\n   <!-- x -->\n2. b"),
        ("- a\n\n<!-- x\n\ny -->\n- b", "- a\n\n- b"), ("- a\n-\n<!-- x -->\nb", "- a\n-\nb"),
        ("a\n<!-- x --><!-- y -->\nb", "a\nb"), ("a\n<!-- x --> - <!-- y --> c\nb", "a\n -  c\nb"),
        ("a\n\n\n<!-- x -->\n\n\nb", "a\n\n\nb"), ("a\r\n<!-- x -->\r\nb\r\n", "a\nb"),
        ("<div>\n<!-- x -->\n</div>\n\n<!-- y -->\nb", "<div>\n<!-- x -->\n</div>\n\nb"),
        ("<rules>\n<!-- x -->\n</rules>", "<rules>\n<!-- x -->\n</rules>"),
        ("a\n<rules>\n<!-- x -->\nb", "a\n<rules>\nb"), ("a\n    <!-- x -->\nb", "a\n    <!-- x -->\nb"),
    ],
)  # fmt: skip
def test_comments_go_where_they_are_blocks_of_their_own(text: str, sent: str) -> None:
    assert process(text).text == sent


@pytest.mark.parametrize("part", ["<!-- \n", "<!-- a -->", "```\n", "---\n"])
def test_hostile_text_is_read_in_linear_time(part: str) -> None:
    assert isinstance(process(part * 20_000).text, str)


@pytest.mark.parametrize(
    ("text", "stretches"),
    [
        ("a\n<!-- x -->\nb\n<!-- x -->\nc", [("a\n", 1), ("b\n", 3), ("c", 5)]),
        ("a\n<!-- x\nx -->\n\nb\n<!-- x -->\n\nc", [("a\n", 1), ("b\n", 5), ("c", 8)]),
        ("<!-- x --> a\nb\n<!-- x -->\nc", [("a\n", 1), ("b\n", 2), ("c", 4)]),
        ("---\nk: v\n---\n<!-- x -->\na", [("a", 5)]),
        ("\n\n a\n", [("a", 3)]),
    ],
)
def test_what_is_left_keeps_its_lines(text: str, stretches: list[tuple[str, int]]) -> None:
    assert [(each.text, each.line) for each in process(text).stretches] == stretches


@pytest.mark.parametrize(
    ("text", "values", "length"),
    [
        ("---\na: b\n---\nbody", {"a": "b"}, 13),
        ("---\n---\nbody", {}, 8),
        ("---\n---", {}, 7),
        ("---\na: b\n---", {"a": "b"}, 12),
        ("---\na: b\n---\n\n\n body", {"a": "b"}, 16),
        ("--- \t\r\na: b\r\n--- \r\nbody", {"a": "b"}, 19),
        ("---\na: |\n  x\n  ---\n---\nbody", {"a": "x\n"}, 19),
        ("---\na: b\n----\nbody", {"a": "b"}, 12),
        ("---\na: b\n---x\n---\nbody", {"a": "b"}, 12),
        ("---\na: b --- c\n---\nbody", {"a": "b"}, 13),
        ("---\n\n\na: b\n---\nbody", {"a": "b"}, 15),
        ("---\u00a0\na: b\n---\nbody", {"a": "b"}, 14),
        ("---\na: b\n", {}, 0),
        ("body", {}, 0),
        (" ---\na: b\n---\n", {}, 0),
        ("---a: b\n---\n", {}, 0),
    ],
)
def test_where_a_frontmatter_ends(text: str, values: dict[str, object], length: int) -> None:
    found = read_frontmatter(text, V329)
    assert found.length == length
    if not found.problem:
        assert found.values == values


@pytest.mark.parametrize(
    ("head", "key", "line"),
    [
        ("a: [x", "a", 2),
        ("b: 1\na: {x", "a", 3),
        ("a: [[x]", "a", 2),
        ("a: [[x]\nb: {y", "a", 2),
        ("a: [x]]", None, None),
        ("a: [xxx]]", None, None),
        ("a: [x] y", None, None),
        ("a: b: c", None, None),
        ("a: [x]", None, None),
        ('a: ""', None, None),
    ],
)
@pytest.mark.parametrize("version", [V100, V329])
def test_a_value_that_is_not_closed_has_its_line(version: str, head: str, key: str | None, line: int | None) -> None:
    found = read_frontmatter(f"---\n{head}\n---\n", version)
    assert found.problem == (f"the value of `{key}` is not closed: it counts as a text" if key else None)
    assert found.line == line
    assert "a" in found.values


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('a: "x" & "y" z', '"x" & "y" z'),
        ("a: b: c", "b: c"),
        ("a: b: c ", "b: c "),
        ("a:   @b", "@b"),
        ("a-b_c: *x", "*x"),
        ("a: it's [b", "it's [b"),
        ('a: "x" \\d & y', '"x" \\d & y'),
    ],
)
def test_a_value_with_a_sign_is_tried_once_more_in_quotes(line: str, value: str) -> None:
    found = read_frontmatter(f"---\n{line}\n---\n", V329)
    assert list(found.values.values()) == [value]


@pytest.mark.parametrize(
    "line",
    [
        'a: "x" y', 'a: "x" & "y"', "a: 'x' & 'y'", "a: - x", "a: ? x", "a: x:", 'a: "x', "a: 'don't", "a1: @x",
        "é: @x", " a: b: c", '"a": b: c', 'a:\n  - "x" & y', "a: b: c\r\nb: d: e\r", "a: x\nb", "a: |\n  x\nb: c: d",
        'a: "\\d"', "a: \0",
    ],
)  # fmt: skip
def test_what_cannot_be_mended_takes_everything_with_it(line: str) -> None:
    found = read_frontmatter(f"---\n{line}\nlast: 1\n---\n", V329)
    assert found.values == {}
    assert str(found.problem).endswith(": the whole frontmatter is ignored")


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("[a, b]", ["a", "b"]),
        ("[a, b] # c", "[a, b] # c"),
        ("[a: b: c]", "[a: b: c]"),
        ("{a: b}", "{a: b}"),
        ("&a b", "&a b"),
        ("a # b", "a # b"),
        ("'a: b'", "a: b"),
        ("a", "a"),
    ],
)
def test_beside_a_broken_line_a_good_one_with_a_sign_is_a_text(value: str, meant: object) -> None:
    """Only a list that is well formed stays one."""
    assert read_frontmatter(f"---\nbroken: a: b\nv: {value}\n---\n", V329).values["v"] == meant


@pytest.mark.parametrize(("head", "line"), [("- a\n- [b", 4), ("a: 1\n\n  b: [c", 4), ("a: 1\n b: 2", 3)])
def test_a_frontmatter_that_is_no_yaml_has_the_line_of_its_error(head: str, line: int) -> None:
    found = read_frontmatter(f"---\n{head}\n---\n", V329)
    assert (found.values, found.line) == ({}, line)
    assert found.problem


def test_tabs_that_are_written_out_may_make_a_frontmatter_too_long_to_be_parsed() -> None:
    """Later versions take a tab for two blanks."""
    text = "---\na:\n" + "\t\n" * 30_000 + "---\n"
    older, newer = (read_frontmatter(text, version) for version in (V100, V329))
    assert "90,003 characters are too many" in str(newer.problem)
    assert (newer.line, newer.length) == (2, len(text))
    assert "too many" not in str(older.problem)


def test_a_frontmatter_beyond_the_budget_is_cut_off_and_not_read() -> None:
    text = "---\na: b\n---\nbody"
    problem = "the frontmatter is not read: this is more than 300,000 characters of all files of its kind"
    assert read_frontmatter(text, V329, within_budget=False) == Head({}, 13, problem, 1)
    assert read_frontmatter("body", V329, within_budget=False) == Head()


def test_the_budget_is_used_up_by_what_is_read() -> None:
    text = "---\na: b\n---\nbody"
    cost = weight("a: b\n")
    budget = Budget(2 * cost)
    assert [is_within(budget, text), budget.left] == [True, cost]
    assert [is_within(budget, "no frontmatter"), budget.left] == [True, cost]
    assert [is_within(budget, f"\ufeff{text}"), budget.left] == [True, 0]
    assert [is_within(budget, text), is_within(budget, text), budget.left] == [False, False, -cost]


@pytest.mark.parametrize("line", ["a:" + " " * 60_000 + "\r", "a: " + "x" * 60_000 + "\r", "a: [" + "[ " * 20_000])
def test_broken_lines_are_mended_soon(line: str) -> None:
    with limited(60):
        assert read_frontmatter(f"---\nb: c: d\n{line}\n---\n", V329).length > 0


SOURCE = """---
name: shown
description: one line
both: "two\\nlines"
on: true
half: 1.50
list: [a]
---
Body
"""


@pytest.fixture
def read() -> Described:
    return Described(FileText("/a.md", "/a.md", text=SOURCE), process_for(SOURCE, "2.1.329"))


@pytest.mark.parametrize(
    ("key", "text"),
    [("name", "shown"), ("on", "true"), ("half", "1.5"), ("list", ""), ("missing", ""), ("both", "two\nlines")],
)
def test_a_scalar_is_a_text(read: Described, key: str, text: str) -> None:
    assert read.text(key) == text


@pytest.mark.parametrize(("text", "line"), [("name", 2), ("one line", 3), ("Body", 9)])
def test_a_text_of_one_line_is_traced_to_it(read: Described, text: str, line: int) -> None:
    [span] = read.spans(text)
    origin = span.origin
    assert (span.text, origin.kind, origin.path, origin.start_line) == (text, "file", "/a.md", line)


@pytest.mark.parametrize("text", ["nowhere", "---\nname: hidden"])
def test_any_other_text_is_made_of_the_frontmatter(read: Described, text: str) -> None:
    [span] = read.spans(text)
    assert (span.text, span.origin.kind) == (text, "computed")
    assert read.spans("") == ()


@pytest.mark.parametrize(("key", "line"), [("name", 2), ("list", 7), ("Body", None)])
def test_a_setting_of_the_frontmatter_has_the_line_of_the_file(read: Described, key: str, line: int | None) -> None:
    found = read.setting(key)
    assert (found.path, found.line) == ("/a.md", line)


@pytest.mark.parametrize(("head", "line"), [("name: x", None), ("name: x\nlist: [a", 3), ("- a\n- [b", 4), ("{", 3)])
def test_what_is_wrong_with_a_frontmatter_has_its_place(head: str, line: int | None) -> None:
    text = f"---\n{head}\n---\n"
    found = process_for(text, "2.1.329")
    assert bool(found.problem) is (line is not None)
    assert found.problem_line == line


@pytest.fixture
def disk(tmp_path: Path) -> Workspace:
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    return workspace


def below(tmp_path: Path, disk: Workspace) -> tuple[list[str], list[Diagnostic]]:
    diagnostics: list[Diagnostic] = []
    found = markdown_below(disk, str(tmp_path), diagnostics)
    return [path.removeprefix(f"{tmp_path}/") for path in found], diagnostics


class FullDisk(RealDisk):
    """A disk on which every folder has so many files."""

    def __init__(self, count: int) -> None:
        self.count = count

    def scan(self, path: str) -> list[Entry]:  # noqa: ARG002
        return [Entry(f"{number:04}.md", "file") for number in range(self.count)]


@pytest.mark.parametrize("count", [1_999, 2_000, 2_001, 2_002])
def test_of_a_folder_two_thousand_files_are_taken(tmp_path: Path, count: int) -> None:
    full = Workspace(FullDisk(count))
    full.allow([str(tmp_path)])
    found, said = below(tmp_path, full)
    assert found == [f"{number:04}.md" for number in range(min(count, 2_000))]
    told = ("it holds more than 2,000 files; the others are left out", str(tmp_path))
    assert [(each.message, each.path) for each in said] == ([told] if count > 2_000 else [])


def test_folders_are_entered_eight_deep_and_each_once(tmp_path: Path, disk: Workspace) -> None:
    deep = "".join(f"{number}/" for number in range(1, 10))
    (tmp_path / deep).mkdir(parents=True)
    for levels in (1, 8, 9):
        (tmp_path / deep[: 2 * levels] / "a.md").write_text("")
    (tmp_path / "1/notes.txt").write_text("")
    (tmp_path / "1/x.md").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "link.md").symlink_to("1/a.md")
    (tmp_path / "nowhere.md").symlink_to("nothing")
    found, _ = below(tmp_path, disk)
    assert sorted(found) == ["1/2/3/4/5/6/7/8/a.md", "1/a.md", "link.md"]


STYLE = "---\nname: Terse\ndescription: d\n---\nBe terse.\n"


def present(project: Project, version: str, **more: object) -> dict[str, str]:
    return {s.id: s.text for s in project.assemble(version, **more).sections if s.present}


@pytest.mark.parametrize(("keep", "stays"), [("", False), ("keep-coding-instructions: true\n", True)])
def test_an_own_style_drops_the_coding_instructions(project: Project, keep: str, stays: bool) -> None:
    project.write(
        {"workspace/.claude/output-styles/terse.md": STYLE.replace("description: d\n", f"description: d\n{keep}")}
    )
    sections = present(project, "2.1.100", params={"settings": {"outputStyle": "Terse"}})
    assert ("doing_tasks" in sections) is stays
    assert sections["output_style"].strip() == "# Output Style: Terse\nBe terse."


def test_built_in_styles_keep_them(project: Project) -> None:
    sections = present(project, "2.1.100", params={"settings": {"outputStyle": "Explanatory"}})
    assert {"doing_tasks", "output_style", "output_style.reminder"} <= set(sections)


def test_where_it_stands(project: Project) -> None:
    project.write({"home/.claude/output-styles/terse.md": STYLE})
    params = {"settings": {"outputStyle": "Terse"}}
    section = project.assemble("2.1.329", params=params).section("output_style")
    assert section is not None
    assert section.channel == "messages"
    older = present(project, "2.1.329", params=params, model="claude-sonnet-4-5-20250929")
    assert "output_style.reminder" in older
    assert "output_style.reminder" in present(project, "2.1.329", params=params)


def test_an_organisations_style_goes_before_one_of_the_same_name(project: Project) -> None:
    project.write(
        {
            "managed/.claude/output-styles/terse.md": STYLE.replace("Be terse.", "By order."),
            "workspace/.claude/output-styles/terse.md": STYLE,
        }
    )
    for sources in (None, "user"):
        params = {"settings": {"outputStyle": "Terse"}, "args": {"settingSources": sources}}
        assert present(project, "2.1.329", params=params)["output_style"].strip().endswith("By order.")


def test_an_unknown_style_is_a_diagnostic(project: Project) -> None:
    assembly = project.assemble(params={"settings": {"outputStyle": "Nope"}})
    assert [d.code for d in assembly.diagnostics] == ["unknown-style"]


@pytest.mark.parametrize(
    ("name", "is_known"),
    [("default", True), ("Default", True), ("Explanatory", True), ("Terse", True), ("terser", False), ("", True)],
)
def test_which_styles_are_known(project: Project, name: str, is_known: bool) -> None:
    project.write({"workspace/.claude/output-styles/terse.md": STYLE})
    assembly = project.assemble(params={"settings": {"outputStyle": name}})
    assert ("unknown-style" not in [d.code for d in assembly.diagnostics]) is is_known


@pytest.mark.parametrize(
    ("name", "shown"),
    [("0", "0"), ("false", "false"), ("[a, [b]]", "a,b"), ("[]", "file"), ("[null]", "file"), ('""', "file")],
)
def test_a_style_is_called_by_its_name_as_a_text_or_by_its_file(project: Project, name: str, shown: str) -> None:
    project.write({"workspace/.claude/output-styles/file.md": f"---\nname: {name}\n---\nBe terse.\n"})
    params = {"settings": {"outputStyle": shown}}
    assert f"# Output Style: {shown}\n" in present(project, "2.1.332", params=params)["output_style"]


def test_of_two_styles_of_one_name_the_first_counts(project: Project) -> None:
    files = ("managed/.claude/output-styles/a.md", "workspace/.claude/output-styles/b.md")
    project.write(dict.fromkeys(files, STYLE))
    first, second = (project.file(name, params={"settings": {"outputStyle": "Terse"}}) for name in files)
    assert (first.present, second.present) == (True, False)
    assert second.why.text == "absent: another style has the same name"
    other = project.file(files[0])
    assert not other.present
    assert "another style" not in other.why.text


@pytest.mark.parametrize(("version", "is_known"), [("2.1.100", False), ("2.1.329", True)])
def test_the_older_version_has_two_styles_of_its_own(project: Project, version: str, is_known: bool) -> None:
    for name, known in (("Explanatory", True), ("Learning", True), ("Proactive", is_known)):
        said = project.gathered(version, params={"settings": {"outputStyle": name}}).diagnostics
        assert ("unknown-style" not in [d.code for d in said]) is known


def _command(place: str) -> dict[str, str]:
    name = place.replace("/", "-") or "top"
    return {f"{place}/.claude/commands/{name}.md".lstrip("/"): f"---\ndescription: of {name}\n---\nBody.\n"}


@pytest.mark.parametrize(
    ("cwd", "listed"),
    [
        ("workspace/sub", ["workspace-sub", "workspace", "top", "home"]),
        ("home/p/q", ["home-p-q", "home-p", "home"]),
        ("home", ["home"]),
    ],
)
def test_folders_without_a_repository_are_those_up_to_home_or_the_root(
    project: Project, cwd: str, listed: list[str]
) -> None:
    places = ("", "workspace", "workspace/sub", "home", "home/p", "home/p/q")
    project.write({path: text for place in places for path, text in _command(place).items()})
    workspace = str(project.cwd.parent / cwd)
    text = "".join(each.text for each in project.assemble("2.1.332", workspace=workspace).sections)
    names = [place.replace("/", "-") or "top" for place in places]
    assert {name for name in names if f"- {name}: of {name}\n" in text} == set(listed)


@pytest.mark.parametrize(
    ("version", "own", "listed"),
    [
        ("2.1.332", {}, {"main", "main-skill"}),
        ("2.1.332", {"wt/.claude/commands/own.md": "---\ndescription: of own\n---\n"}, {"own", "main-skill"}),
        ("2.1.100", {}, {"main"}),
    ],
)
def test_a_work_tree_has_what_it_lacks_from_the_main_checkout(
    project: Project, version: str, own: dict[str, str], listed: set[str]
) -> None:
    project.git("init", "-q")
    project.git("commit", "-q", "--allow-empty", "-m", "a")
    project.git("worktree", "add", "-q", "../wt")
    project.write(
        {
            "workspace/.claude/commands/main.md": "---\ndescription: of main\n---\n",
            "workspace/.claude/skills/main-skill/SKILL.md": "---\ndescription: of main-skill\n---\n",
            **own,
        }
    )
    found = project.assemble(version, workspace=str(project.cwd.parent / "wt"))
    text = "".join(each.text for each in found.sections)
    assert {name for name in ("main", "main-skill", "own") if f"- {name}: of {name}" in text} == listed
