"""Work that is cut short where a file asks for too much of it, and says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from promptscope_engine.agents.claude_code.gather import content as listed_files
from promptscope_engine.agents.claude_code.gather import instruction_files
from promptscope_engine.agents.openclaw.gather import skill_folders as discovery
from promptscope_engine.agents.roo import mentioned_files
from promptscope_engine.javascript.json import MAX_JSON5_CHARS

from .runs import hold, put, scenario

pytestmark = pytest.mark.slow

CONFIG = "../home/.openclaw/openclaw.json"


def test_lists_of_a_configuration_are_cut(place: Path) -> None:
    put(place, CONFIG, json.dumps({"tools": {"deny": [f"a{n}*" for n in range(2_000)]}}))
    [message] = [d.message for d in hold(scenario("openclaw", place)).diagnostics if d.code == "config"]
    assert message == "only the first 1,000 items of `tools.deny` are used"


@pytest.mark.parametrize("folder", [".claude/agents", ".claude/commands", ".claude/output-styles"])
def test_the_most_files_of_a_folder(place: Path, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    monkeypatch.setattr(listed_files, "MAX_FILES", 2)
    for name in ("a", "b/c", "b/d"):
        put(place, f"{folder}/{name}.md", "---\ndescription: d\n---\n")
    [found] = [d for d in hold(scenario("claude-code", place)).diagnostics if d.code == "too-many-files"]
    assert found.message == "it holds more than 2 files; the others are left out"
    assert found.path == str(place / "workspace" / folder)


def test_the_most_instruction_files(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instruction_files, "MAX_FILES", 2)
    for name in "abcd":
        put(place, f".claude/rules/{name}.md", "A rule.\n")
    [found] = [d for d in hold(scenario("claude-code", place)).diagnostics if d.code == "too-many-files"]
    assert found.message == "2 instruction files are shown; the others are left out"


def test_imports_are_looked_for_in_so_much_text(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instruction_files, "MAX_SEARCHED", 30)
    put(place, "a.md", "Imported.\n")
    put(place, "CLAUDE.md", "No address in here, so it does not count.\n")
    put(place, ".claude/rules/a.md", "@../../a.md me@b.example " + "long " * 20)
    put(place, ".claude/rules/b.md", "me@b.example\n")
    assembly = hold(scenario("claude-code", place))
    assert [file.present for file in assembly.files if file.path.endswith("workspace/a.md")] == [True]
    found = [str(d.path)[-4:] for d in assembly.diagnostics if d.code == "too-many-imports"]
    assert found == ["a.md", "b.md"]


def test_folders_whose_path_is_too_long_are_not_listed(place: Path) -> None:
    (place / "workspace" / "/".join(["dd"] * 400)).mkdir(parents=True)
    asked = scenario("roo", place, params={"task": "x", "editor": {"maxWorkspaceFiles": 500}})
    listed = hold(asked).section("environment_details.workspace_files")
    assert listed is not None
    assert "dd/" * 200 in listed.text
    assert "dd/" * 350 not in listed.text


def test_json5_is_read_as_far_as_one_file_of_it(place: Path) -> None:
    names = [f"i{n}.json" for n in range(3)]
    put(place, CONFIG, json.dumps({"$include": names}))
    for name in names:
        put(place, f"../home/.openclaw/{name}", "{a: 1}" + " " * (MAX_JSON5_CHARS // 2 + 1))
    [found] = [d for d in hold(scenario("openclaw", place)).diagnostics if d.code == "config"]
    assert found.message.startswith("the files before it hold more than 40,000 characters of JSON5")
    assert str(found.path).endswith("i2.json")


def test_json5_of_skills_counts_as_more(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "_JSON5_WEIGHT", 10_000)
    for name in ("a", "b", "c"):
        head = f"name: {name}\ndescription: d\nmetadata: {{openclaw: {{}}, x: 1}}\n"
        put(place, f"skills/{name}/SKILL.md", f"---\n{head}---\n")
    assembly = hold(scenario("openclaw", place))
    own = [file for file in assembly.files if file.kind == "skill" and file.path.startswith(str(place / "workspace"))]
    read = [file.path[-10:] for file in own if "not read" not in file.why.text]
    assert read == ["a/SKILL.md", "b/SKILL.md"]
    assert "the heads of the skills hold more than" in str(assembly.diagnostics)


def test_the_lines_of_large_mentioned_files_are_one_span(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mentioned_files, "MAX_TRACED", 4)
    monkeypatch.setattr(mentioned_files, "MAX_LINES", 9)
    put(place, "a.txt", "one\ntwo\n")
    put(place, "b.txt", "one\ntwo\n")
    put(place, "c.txt", "one\ntwo\nthree\nfour\n")
    assembly = hold(scenario("roo", place, params={"task": "@/a.txt @/b.txt @/c.txt"}))
    found = [fragment for section in assembly.sections for fragment in section.fragments]
    absent = [(span.text, span.why.text) for section in assembly.sections for span in section.absent]
    assert ("four\n", "absent: no more than 9 lines of mentioned files are shown") in absent
    spans = [(span.text, span.origin.kind) for span in found if span.text in ("two", "1 | one\n2 | two\n")]
    assert spans == [("two", "file"), ("1 | one\n2 | two\n", "computed")]
