"""Measured sizes are paired with those of our own text in the same variant."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Assembly, Counter, Scenario, Workspace, assemble
from promptscope_engine.assembly.measure import measure
from promptscope_engine.tokens.measured import digest
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.wire.request import wire_json, wire_tool
from promptscope_engine.workspace.disk import EmptyDisk

COUNT = Counter(get_tokenizer("o200k_base")).count


def measured(folder: Path, patch: pytest.MonkeyPatch, reference: dict[str, Any]) -> Any:
    """What `measure` makes of a package with this reference file."""
    package = folder / "measured_agent"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "reference.json").write_text(json.dumps(reference))
    patch.delitem(sys.modules, "measured_agent", raising=False)
    patch.syspath_prepend(folder)
    found = measure("measured_agent")
    sys.modules.pop("measured_agent", None)
    return found


def reference(agent: str, version: str, mode: str, **more: Any) -> dict[str, Any]:
    return {
        "agent": agent, "agent_version": version, "columns": ["bytes", "o200k_base"], "fragments": {},
        "paths": {"workspace": "/home/u/w", "home": "/home/u"},
        "variants": {"default": {"differs_from_default": {}, "modes": {mode: {"sections": {}, "tools": {}, **more}}}},
    }  # fmt: skip


def assembly(agent: str, version: str, mode: str | None) -> Assembly:
    environment = {"os_name": "Linux 6.1", "os_type": "Linux", "os_version": "6.1.0", "platform": "linux",
                   "date": "2026-11-20", "language": "en", "shell": "/bin/bash"}  # fmt: skip
    values = {"agent": agent, "agent_version": version, "mode": mode, "workspace": "/home/u/w", "home": "/home/u",
              "environment": environment, "env": {}, "tokenizer": "o200k_base"}  # fmt: skip
    return assemble(Scenario.model_validate(values), Workspace(EmptyDisk()), cached_only=True)


def test_sections_and_fragments_are_paired_with_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"rules": [0, 111], "tools": [0, 999], "mcp_servers": [0, 999], "unheard_of": [0, 999]}
    given = reference("roo", "3.28.16", "code", sections=sizes, tools={"read_file": [0, 222]})
    given["fragments"] = {"rules.no_home": [0, 7], "unheard.of": [0, 999]}
    found = measured(tmp_path, monkeypatch, given)
    ours = assembly("roo", "3.28.16", "code")
    rules, read = ours.section("rules"), ours.section("tools.read_file")
    assert rules is not None
    assert read is not None
    line = "".join(f.text for f in rules.fragments if f.origin.id == "rules.no_home")
    expected = {}
    for section, size in ((rules, 111), (read, 222)):
        wording = "".join(f.text for f in section.fragments if f.origin.kind == "builtin")
        expected[section.id] = {digest(wording): [size, COUNT(section.text.strip("\n"))]}
    expected["fragment:rules.no_home"] = {digest(line): [7, COUNT(line.strip())]}
    # what holds others (`tools`), what is absent and what is not ours is no pair
    assert found == {"3.28.16": {"o200k_base": expected, "cl100k_base": {}}}


def test_tools_of_the_request_are_paired_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = reference("claude-code", "2.1.330", "null", tools={"Read": [0, 50], "Unheard": [0, 9]})
    found = measured(tmp_path, monkeypatch, given)
    read = next(tool for tool in assembly("claude-code", "2.1.330", None).tools if tool.name == "Read")
    sent = wire_json(wire_tool(read.name, read.description, read.input_schema))
    pairs = {"tools.Read": {digest(read.description): [50, COUNT(sent)]}}
    assert found == {"2.1.330": {"o200k_base": pairs, "cl100k_base": {}}}


def test_texts_that_were_measured_one_by_one_are_paired_as_they_stand_in_the_first_scenario(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed = {"skillsPrompt": "theirs", "toolNames": ["read"], "sandboxInfo": {"enabled": True}}
    given = {
        "agent": "openclaw", "agent_version": "2026.2.24", "counted": ["label", "builtin"], "files": {},
        "sections": {"## Skills (mandatory)": {"o200k_base": 5}, "unheard of": {"o200k_base": 9}},
        "fragments": {"tooling.read": {"o200k_base": 7, "around": ["- read: ", "!"]}},
        "scenario": {
            "agent_version": "2026.2.24", "workspace": "/w", "home": "/h", "env": {},
            "params": {"tools": [], "promptParams": passed},
        },
        "scenarios": [{}, {"params": {"promptParams": {"skillsPrompt": "other"}}}],
    }  # fmt: skip
    pairs = measured(tmp_path, monkeypatch, given)["2026.2.24"]["o200k_base"]
    skills = assemble(Scenario.model_validate({"agent": "openclaw", **given["scenario"]}), Workspace(EmptyDisk()))
    section, tooling = skills.section("skills"), skills.section("tooling")
    assert section is not None
    assert tooling is not None
    own = "".join(f.text for f in section.fragments if f.origin.kind in ("label", "builtin"))
    bullet = next(f.text for f in tooling.fragments if f.origin.id == "tooling.read")
    assert pairs.keys() == {"## Skills (mandatory)", "fragment:tooling.read"}
    assert [*pairs["## Skills (mandatory)"].values()] == [[5, COUNT(own.strip("\n"))]]  # none of what was passed
    assert pairs["fragment:tooling.read"] == {digest(bullet): [7, COUNT(f"- read: {bullet}!")]}
