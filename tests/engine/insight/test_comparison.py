"""Two assemblies held against each other."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.insight.comparison import SectionChange, changed_sections, compare, short_path
from promptscope_engine.prompt.model import Assembly


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
    assert soul.tokens == 2
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
