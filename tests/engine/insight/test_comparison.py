"""Two assemblies compared with each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.engine.insight.made_up import WHY, assembly_of, of_file, ours, section

from promptscope_engine import Scenario, assemble
from promptscope_engine.insight.comparison import (
    FileChange,
    ProblemChange,
    SectionChange,
    ToolChange,
    changed_sections,
    compare,
    short_path,
)
from promptscope_engine.prompt.model import Assembly, Diagnostic, SourceFile, Tool, ToolTokens


def assembled(folder: Path, **files: str) -> Assembly:
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text)
    return assemble(Scenario(agent="openclaw", workspace=str(folder), home=str(folder), env={}))


def test_only_what_differs_is_told_and_by_how_much(tmp_path: Path) -> None:
    before = assembled(tmp_path, SOUL="one\n", USER="kept\n", TOOLS="gone\n")
    (tmp_path / "TOOLS.md").unlink()
    after = assembled(tmp_path, SOUL="one\ntwo\n", AGENTS="new\n")
    found = {change.id.rpartition("/")[2]: change for change in changed_sections(before, after)}
    soul = next(change for name, change in found.items() if "SOUL" in name)
    assert (soul.change, soul.unified()[2:]) == ("changed", (" one", "+two"))
    assert soul.tokens in (2, 3), "the length of the path decides how an estimate is rounded"
    assert not any("USER" in name for name in found)
    assert changed_sections(after, assembled(tmp_path)) == ()


def test_what_came_or_went_counts_whole_and_what_is_not_counted_is_not_known(tmp_path: Path) -> None:
    scenario = Scenario(agent="roo", workspace=str(tmp_path), home=str(tmp_path), env={})
    without = assemble(scenario)
    (tmp_path / "AGENTS.md").write_text("one\ntwo\n")
    more, uncounted = assemble(scenario), assemble(scenario, cached_only=True)
    added = [change for change in changed_sections(without, more) if change.change == "added"]
    removed = [change for change in changed_sections(more, without) if change.change == "removed"]
    sizes = {s.id: s.expected_tokens or 0 for s in more.sections}
    assert added
    assert all(change.tokens == sizes[change.id] > 0 for change in added)
    assert {change.id: change.tokens for change in removed} == {change.id: -sizes[change.id] for change in added}
    (tmp_path / "AGENTS.md").write_text("another\n")
    counted = assemble(scenario)
    for before, after in ((uncounted, counted), (counted, uncounted)):
        assert {change.tokens for change in changed_sections(before, after)} == {None}


def order(assembly: Assembly, *ids: str) -> Assembly:
    """The assembly with these sections alone, in this order."""
    return replace(assembly, sections=tuple(section for id in ids if (section := assembly.section(id))))


def test_as_few_as_possible_have_moved(tmp_path: Path) -> None:
    whole = assembled(tmp_path, SOUL="one\n", USER="two\n", TOOLS="three\n", AGENTS="four\n")
    ids = [section.id for section in whole.sections if section.present][:5]
    a, b, c, d, e = ids
    before = order(whole, *ids)
    assert changed_sections(before, order(whole, *ids)) == ()
    found = changed_sections(before, order(whole, e, a, b, c, d))
    assert [(change.id, change.change, change.moved, change.tokens) for change in found] == [(e, "moved", True, 0)]
    edited = replace(whole.sections[0], id=b, fragments=())
    after = replace(whole, sections=(*order(whole, a, c, d, e).sections, edited))
    assert [(change.id, change.change, change.moved) for change in changed_sections(before, after)] == [
        (b, "changed", True)
    ]


def test_everything_that_differs_is_in_the_comparison(tmp_path: Path) -> None:
    scenario = Scenario(agent="claude-code", workspace=str(tmp_path), home=str(tmp_path / "home"), env={})
    (tmp_path / "CLAUDE.md").write_text("one\n@x.md\n")
    (tmp_path / "x.md").write_text("imported\n")
    before = assemble(scenario)
    (tmp_path / "CLAUDE.md").write_text("two\n@y.md\n")
    (tmp_path / "AGENTS.md").write_text("unread\n")
    after = assemble(scenario.with_value("mode", "plan"))
    found = compare(before, after, ("old", "new"))
    assert (found.before.name, found.after.name, found.after.mode) == ("old", "new", "plan")
    assert {file.path: file.change for file in found.files} == {"CLAUDE.md": "changed", "x.md": "removed"}
    assert found.tokens == (after.tokens.expected or 0) - (before.tokens.expected or 0)
    parts = sum(change.tokens or 0 for change in (*found.sections, *(t for t in found.tools if not t.section)))
    assert abs(parts - found.tokens) <= len(found.sections) + len(found.tools)
    assert found.differs
    assert not compare(before, before).differs


def test_tools_tell_what_changed_once(tmp_path: Path) -> None:
    scenario = Scenario(agent="claude-code", workspace=str(tmp_path), home=str(tmp_path), env={})
    tools = compare(assemble(scenario), assemble(scenario.with_value("agent_version", "2.1.100"))).tools
    assert {tool.change for tool in tools} == {"added", "removed", "changed"}
    changed = next(tool for tool in tools if tool.change == "changed")
    assert changed.before != changed.after
    assert '"properties"' in changed.before
    roo = scenario.with_value("agent", "roo")
    modes = [roo.with_value("mode", mode) for mode in ("ask", "code")]
    described = compare(*(assemble(mode) for mode in modes)).tools
    assert {tool.change for tool in described} == {"added"}
    assert all(tool.section for tool in described)


def test_a_comparison_is_json_and_has_a_schema(tmp_path: Path) -> None:
    from promptscope_engine import schema

    whole = assembled(tmp_path, SOUL="one\n")
    (tmp_path / "SOUL.md").unlink()
    values = json.loads(json.dumps(compare(whole, assembled(tmp_path)).to_dict()))
    described = schema("diff")
    properties = described["properties"]
    assert isinstance(properties, dict)
    assert described["$id"] == values["schema"] == "promptscope.diff.v1"
    assert values.keys() == properties.keys()
    definitions = described["$defs"]
    assert isinstance(definitions, dict)
    section = definitions[SectionChange.__name__]
    assert isinstance(section, dict)
    assert isinstance(section["properties"], dict)
    assert values["sections"][0].keys() == section["properties"].keys()


@pytest.mark.parametrize(
    ("path", "short"),
    [
        ("CLAUDE.md", "CLAUDE.md"),
        ("/work/shop/docs/../x.md", "x.md"),
        ("/home/ada/.claude/CLAUDE.md", "~/.claude/CLAUDE.md"),
        ("/etc/x", "/etc/x"),
        ("~/x", "~/x"),
    ],
)
def test_paths_are_the_same_on_every_machine(tmp_path: Path, path: str, short: str) -> None:
    placed = replace(assembled(tmp_path), workspace="/work/shop", home="/home/ada")
    assert short_path(path, placed) == short


# --- of parts made up for it --------------------------------------------------------------------------------------


def test_a_changed_section_shows_two_lines_around_each_change() -> None:
    lines = [f"{number}\n" for number in range(9)]
    before, after = ("".join([*lines[:4], word, *lines[5:]]) for word in ("old\n", "new\n"))
    (found,) = changed_sections(assembly_of(section("a", ours(before))), assembly_of(section("a", ours(after))))
    assert found.unified() == ("@@ -3,5 +3,5 @@", " 2", " 3", "-old", "+new", " 5", " 6")


def tool(name: str, description: str = "", schema: Any = None, tokens: int | None = 3, **more: Any) -> Tool:
    values = {"group": "g", "present": True, "why": WHY, "parameters": (), "variant": None, "confidence": "exact"}
    counts = ToolTokens(None, None, tokens)
    given: dict[str, Any] = {**values, "tokens": counts, "reference_tokens": None, **more}
    return Tool(name=name, description=description, input_schema=schema, **given)


def of_tools(before: tuple[Tool, ...], after: tuple[Tool, ...]) -> tuple[ToolChange, ...]:
    return compare(*(replace(assembly_of(), tools=tools) for tools in (before, after))).tools


def test_a_tool_is_what_the_model_is_told_of_it() -> None:
    schema = {"properties": {"ä": {}}}
    written = '{\n  "properties": {\n    "ä": {}\n  }\n}'
    read = tool("read", "Reads.", schema)
    assert of_tools((), (read,)) == (ToolChange("read", "added", 3, "", f"Reads.\n\n{written}", None, 0, 3),)
    assert of_tools((tool("plain", "Does."),), ()) == (ToolChange("plain", "removed", -3, "Does.", "", None, 3, 0),)
    assert of_tools((), (tool("bare"),)) == (ToolChange("bare", "added", 3, "", "bare", None, 0, 3),)
    assert of_tools((read,), (replace(read, description="Shows."),)) == (
        ToolChange("read", "changed", 0, f"Reads.\n\n{written}", f"Shows.\n\n{written}", None, 3, 3),
    )
    assert of_tools((read,), (read,)) == ()
    assert of_tools((tool("gone", "Does.", present=False),), ()) == ()
    assert of_tools((tool("read", "Reads.", tokens=None),), (tool("read", "Shows."),))[0].tokens is None


def test_a_tool_that_a_section_describes_is_told_by_that_section() -> None:
    one, other = tool("read", "Reads.", section="a"), tool("read", "Shows.", section="b")
    assert of_tools((one,), (other,)) == ()
    assert [each.section for each in of_tools((), (other,))] == ["b"]
    assert [each.section for each in of_tools((one,), ())] == ["a"]
    beside = tool("read", "Shows.")
    assert [(each.change, each.section) for each in of_tools((one,), (beside,))] == [("changed", None)]


def of_problems(before: tuple[Diagnostic, ...], after: tuple[Diagnostic, ...]) -> tuple[ProblemChange, ...]:
    return compare(*(assembly_of().with_diagnostics(each) for each in (before, after))).problems


def test_a_diagnostic_that_came_or_went_is_told_with_short_paths() -> None:
    found = Diagnostic("warning", "code", "in /shop/a.md and /home/u/b.md and /etc/c", "/shop/docs/a.md", 4)
    told = ("warning", "code", "in a.md and ~/b.md and /etc/c", "docs/a.md", 4)
    assert of_problems((), (found,)) == (ProblemChange("added", *told),)
    assert of_problems((found,), ()) == (ProblemChange("removed", *told),)
    assert of_problems((found,), (replace(found, line=5),)) == ()
    assert of_problems((found,), (found,)) == ()
    assert [each.change for each in of_problems((found,), (replace(found, path="/shop/b.md"),))] == ["added", "removed"]
    nowhere = Diagnostic("info", "code", "everywhere")
    assert of_problems((), (nowhere,)) == (ProblemChange("added", "info", "code", "everywhere", None, None),)


def file(path: str, tokens: int | None = 3, *, present: bool = True, size: int = 9) -> SourceFile:
    return SourceFile(path, path, "rules", "always", present, WHY, size, size, size, False, tokens)


def of_files(before: Assembly, after: Assembly) -> tuple[FileChange, ...]:
    return compare(before, after).files


def test_a_file_that_came_went_or_changed_is_told() -> None:
    nothing, one, gone = assembly_of(), file("/shop/a.md"), file("/shop/a.md", present=False)
    there, absent = (replace(nothing, files=(each,)) for each in (one, gone))
    assert of_files(nothing, there) == (FileChange("a.md", "added", 3, "", 0, 3),)
    assert of_files(there, absent) == (FileChange("a.md", "removed", -3, "always", 3, 0),)
    assert of_files(absent, there) == (FileChange("a.md", "added", 3, "always", 0, 3),)
    assert of_files(absent, nothing) == of_files(there, there) == ()
    larger = replace(nothing, files=(file("/shop/a.md", 5, size=10),))
    assert of_files(there, larger) == (FileChange("a.md", "changed", 2, "", 3, 5),)
    both = replace(nothing, files=(gone, one, gone))
    assert of_files(there, both) == (), "of several entries the one that is present counts"
    twice = replace(nothing, files=(one, file("/shop/a.md", 5)))
    assert of_files(twice, nothing) == (FileChange("a.md", "removed", -3, "", 3, 0),), "and the first of them"


def test_titles_have_the_short_paths_of_their_own_side() -> None:
    def at(folder: str, text: str) -> Assembly:
        titled = section("a", ours(text), title=f"{folder}/docs/a.md and {folder}")
        return replace(assembly_of(titled), workspace=folder)

    nothing = replace(assembly_of(), workspace="/new")
    one, other = at("/old", "one"), at("/new", "two")
    assert [each.title for each in compare(one, other).sections] == ["docs/a.md and /new"]
    assert [each.title for each in compare(one, nothing).sections] == ["docs/a.md and /old"]
    assert [each.title for each in compare(at("/", "one"), nothing).sections] == ["//docs/a.md and /"]


def test_a_file_has_changed_if_its_text_in_the_prompt_has() -> None:
    def of(text: str, size: int, *, present: bool = True) -> Assembly:
        with_text = section("a", of_file(text, "/shop/a.md"), present=present)
        return replace(assembly_of(with_text), files=(file("/shop/a.md", size=size),))

    assert of_files(of("one", 9), of("one", 10)) == (), "what of it is not in the prompt makes no difference"
    assert [each.change for each in of_files(of("one", 9), of("two", 9))] == ["changed"]
    assert [each.change for each in of_files(of("one", 9, present=False), of("one", 10, present=False))] == ["changed"]


def test_sections_that_the_client_calls_by_one_name_are_one_whatever_their_ids() -> None:
    before = assembly_of(section("learned.total", ours("9 left"), names=("total",)), section("gone", ours("x")))
    after = assembly_of(section("tokens_left", ours("8 left"), names=("total",)), section("kept", ours("x")))
    found = [(each.id, each.change, each.before, each.after) for each in changed_sections(before, after)]
    assert found == [
        ("tokens_left", "changed", "9 left", "8 left"),
        ("kept", "added", "", "x"),
        ("gone", "removed", "x", ""),
    ]
    unnamed = assembly_of(section("tokens_left", ours("8 left")))
    assert [each.change for each in changed_sections(before, unnamed)] == ["added", "removed", "removed"]
