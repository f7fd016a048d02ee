"""The generated sections: order, gaps, bullets and clauses per switch, origins, and reasons whose levers act."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptscope_engine import assemble
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly, Lever, Reason, Section

Roo = Callable[..., Assembly]

READY = {"enabled": True, "configured": True, "initialized": True}
SERVER = {"name": "weather", "status": "connected"}
PARTS = [
    "role",
    "markdown_rules",
    "tool_use",
    "tools",
    "tool_use_guidelines",
    "mcp_servers",
    "capabilities",
    "modes",
    "rules",
    "system_information",
    "objective",
    "override",
]


def section(assembly: Assembly, section_id: str) -> Section:
    found = assembly.section(section_id)
    assert found is not None, section_id
    return found


def gap(assembly: Assembly, heading: str) -> int:
    """Newlines directly before a heading."""
    before, found, _ = assembly.system_text.partition(f"\n{heading}\n")
    assert found, heading
    return len(before) + 1 - len(before.rstrip("\n"))


def bullets(assembly: Assembly, section_id: str) -> int:
    return len(re.findall(r"^- ", section(assembly, section_id).text, re.M))


def test_parts_stand_in_the_agents_order_and_absent_ones_keep_their_place(roo: Roo) -> None:
    assembly = roo()
    assert [s.id for s in assembly.sections if s.parent is None] == PARTS
    assert [s.id for s in assembly.sections if s.parent is None and not s.present] == ["mcp_servers", "override"]


@pytest.mark.parametrize(
    ("section_id", "heading"),
    [
        ("markdown_rules", "====\n\nMARKDOWN RULES\n\n"),
        ("tool_use", "====\n\nTOOL USE\n\n"),
        ("tools", "# Tools\n\n"),
        ("tool_use_guidelines", "# Tool Use Guidelines\n\n"),
        ("mcp_servers", "MCP SERVERS\n\n"),
        ("capabilities", "====\n\nCAPABILITIES\n\n"),
        ("modes", "====\n\nMODES\n\n"),
        ("rules", "====\n\nRULES\n\n"),
        ("system_information", "====\n\nSYSTEM INFORMATION\n\n"),
        ("objective", "====\n\nOBJECTIVE\n\n"),
    ],
)
def test_headings_are_exact(roo: Roo, section_id: str, heading: str) -> None:
    found = section(roo(mcp_servers=[SERVER]), section_id)
    assert found.text.startswith(heading)
    assert found.heading is not None
    assert found.heading in heading


def test_gaps_without_mcp(roo: Roo) -> None:
    assembly = roo()
    assert gap(assembly, "====\n\nCAPABILITIES") == 4
    assert gap(assembly, "====\n\nMODES") == 2
    assert gap(assembly, "====\n\nRULES") == 3
    assert gap(assembly, "# Tool Use Guidelines") == 3
    assert assembly.system_text.endswith("\n\n")


def test_gaps_with_mcp(roo: Roo) -> None:
    assembly = roo(mcp_servers=[SERVER])
    assert gap(assembly, "MCP SERVERS") == 2
    assert gap(assembly, "====\n\nCAPABILITIES") == 2
    assert gap(assembly, "====\n\nMODES") == 3


@pytest.mark.parametrize(
    ("given_params", "guidelines_end"),
    [
        ({}, 3),
        ({"settings": {"todoListEnabled": False}}, 3),
        ({"settings": {"todoListEnabled": False, "newTaskRequireTodos": True}}, 4),
        ({"experiments": {"runSlashCommand": True}}, 2),
    ],
)
def test_the_last_tool_decides_the_gap_before_the_guidelines(
    roo: Roo, given_params: dict[str, Any], guidelines_end: int
) -> None:
    assert gap(roo(**given_params), "# Tool Use Guidelines") == guidelines_end


@pytest.mark.parametrize(
    ("given_params", "capabilities", "rules"),
    [
        ({}, 5, 27),
        ({"supportsComputerUse": True}, 6, 28),
        ({"codeIndex": READY}, 6, 28),
        ({"codeIndex": READY, "supportsComputerUse": True}, 7, 29),
        ({"diffEnabled": False}, 5, 27),
        ({"diffStrategy": None}, 5, 27),
        ({"mcp_servers": [SERVER]}, 6, 27),
    ],
)
@pytest.mark.parametrize("mode", ["code", "ask"])
def test_bullets_per_switch_whatever_the_mode(
    roo: Roo, given_params: dict[str, Any], capabilities: int, rules: int, mode: str
) -> None:
    assembly = roo(mode=mode, **given_params)
    assert (bullets(assembly, "capabilities"), bullets(assembly, "rules")) == (capabilities, rules)


@pytest.mark.parametrize(
    "case",
    [
        ({}, "rules", "apply_diff", True),
        ({}, "capabilities", "apply_diff", True),
        ({"diffEnabled": False}, "rules", "apply_diff", False),
        ({"diffEnabled": False}, "capabilities", "apply_diff", False),
        ({"diffEnabled": False}, "capabilities", "the write_to_file tool", True),
        ({"supportsComputerUse": True}, "rules", "browser_action", True),
        ({"supportsComputerUse": True}, "capabilities", "browser_action", True),
        ({}, "rules", "browser_action", False),
        ({}, "capabilities", "MCP", False),
        ({}, "rules", "MCP", True),  # said even without any server
        ({}, "rules", "codebase_search", False),
        ({"codeIndex": READY}, "rules", "codebase_search", True),
        ({"codeIndex": READY}, "objective", "codebase_search", True),
        ({"codeIndex": {**READY, "initialized": False}}, "objective", "codebase_search", False),
    ],
)
@pytest.mark.parametrize("mode", ["code", "orchestrator"])
def test_optional_clauses(roo: Roo, mode: str, case: tuple[dict[str, Any], str, str, bool]) -> None:
    given_params, section_id, name, wanted = case
    assert (name in section(roo(mode=mode, **given_params), section_id).text) is wanted


@pytest.mark.parametrize(("index", "count"), [(None, 6), (READY, 7)])
def test_guidelines_are_numbered_through(roo: Roo, index: dict[str, bool] | None, count: int) -> None:
    text = section(roo(codeIndex=index), "tool_use_guidelines").text
    assert re.findall(r"^(\d)\. ", text, re.M) == [*map(str, range(1, count + 1)), "1", "2", "3", "4"]
    assert len(re.findall(r"^  - ", text, re.M)) == 4


@pytest.mark.parametrize("index", [None, READY])
def test_the_objective_has_five_points(roo: Roo, index: dict[str, bool] | None) -> None:
    text = section(roo(codeIndex=index), "objective").text
    assert re.findall(r"^(\d)\. ", text, re.M) == ["1", "2", "3", "4", "5"]


def test_modes_are_listed_and_point_to_the_instructions_in_every_mode(roo: Roo) -> None:
    text = section(roo(mode="orchestrator"), "modes").text
    assert re.findall(r'^  \* "(.+)" mode \((.+)\) - .', text, re.M)[:2] == [
        ("🏗️ Architect", "architect"),
        ("💻 Code", "code"),
    ]
    assert text.endswith("<task>create_mode</task>\n</fetch_instructions>\n\n\n")


def test_system_information_keeps_the_literal_path_of_the_agent(roo: Roo) -> None:
    found = section(roo(), "system_information")
    assert "\nOperating System: Linux 6.1\nDefault Shell: /bin/bash\nHome Directory: /home/user\n" in found.text
    assert "\nCurrent Workspace Directory: /home/user/project\n" in found.text
    assert found.text.count("'/test/path'") == 1


def test_facts_of_the_machine_are_told_apart_from_wording(roo: Roo) -> None:
    found = section(roo(), "rules")
    named = [f for f in found.fragments if f.origin.kind == "environment"]
    assert {f.text for f in named} == {"/home/user/project"}
    assert not any("/home/user" in f.text for f in found.fragments if f.origin.kind == "builtin")


def test_a_section_is_static_where_nothing_decides_its_words(roo: Roo) -> None:
    static = {s.id for s in roo().sections if s.stability == "static"}
    assert {"markdown_rules", "tool_use", "tools", "tools.attempt_completion"} <= static
    assert not static & {"role", "tools.read_file", "tools.search_files", "rules", "modes", "mcp_servers", "objective"}


def test_an_override_leaves_the_role_and_nothing_else(roo: Roo) -> None:
    assembly = roo(env={"OVERRIDE": "1"})
    assert [s.id for s in assembly.sections if s.present] == ["role", "override"]
    assert assembly.system_text == section(roo(), "role").text + "Only this.\n\n"
    for each in assembly.sections:
        assert each.present or each.why.text.startswith("absent: a file overrides it")


# --- properties ----------------------------------------------------------------------------------------------------

SERVERS = st.sampled_from([None, [], [SERVER], [{**SERVER, "disabled": True}], [{**SERVER, "status": "disconnected"}]])
SCENARIOS = st.fixed_dictionaries(
    {
        "mode": st.sampled_from(["architect", "code", "ask", "debug", "orchestrator", "lister", "nope", None]),
        "model": st.sampled_from([None, "claude-sonnet-4-5", "x-ai/grok-code-fast-1"]),
        "mcp_servers": SERVERS,
        "supportsComputerUse": st.booleans(),
        "diffEnabled": st.booleans(),
        "diffStrategy": st.sampled_from(["multi-search-replace", "multi-file-search-replace", None]),
        "codeIndex": st.sampled_from([None, READY, {**READY, "initialized": False}]),
        "partialReadsEnabled": st.booleans(),
        "enableMcpServerCreation": st.sampled_from([True, False, None]),
        "experiments": st.fixed_dictionaries(
            {name: st.booleans() for name in ("multiFileApplyDiff", "imageGeneration", "runSlashCommand")}
        ),
        "settings": st.fixed_dictionaries(
            {
                "maxConcurrentFileReads": st.integers(0, 20),
                "todoListEnabled": st.booleans(),
                "newTaskRequireTodos": st.booleans(),
            }
        ),
    }
)


@given(SCENARIOS)
@settings(max_examples=60, deadline=None)
@pytest.mark.slow
def test_present_sections_join_to_the_request_and_absent_things_say_why(roo: Roo, values: dict[str, Any]) -> None:
    assembly = roo(**values)
    text = "".join(s.text for s in assembly.sections if s.present)
    assert assembly.request.system == ({"type": "text", "text": text},)
    for tool in assembly.tools:
        assert tool.present or tool.why.text.startswith("absent: ")
    for each in assembly.sections:
        assert each.present or each.why.text.startswith("absent: ")
        assert all(f.why.text.startswith("absent: ") for f in each.absent)


@given(SCENARIOS, st.data())
@settings(max_examples=25, deadline=None)
@pytest.mark.slow
def test_levers_flip_what_they_belong_to(
    scenario: Callable[..., Scenario],
    assembled: Callable[[Scenario], Assembly],
    values: dict[str, Any],
    data: st.DataObject,
) -> None:
    asked = scenario(**values)
    assembly = assembled(asked)
    reasons = {f"section {s.id}": s.why for s in assembly.sections} | {f"tool {t.name}": t.why for t in assembly.tools}
    name = data.draw(st.sampled_from(sorted(n for n, why in reasons.items() if why.levers)))
    after = assembled(with_levers(asked, reasons[name].levers))
    kind, _, key = name.partition(" ")
    assert present(after, kind, key) is not present(assembly, kind, key)


def with_levers(asked: Scenario, levers: tuple[Lever, ...]) -> Scenario:
    for lever in levers:
        asked = asked.with_value(lever.param, lever.value)
    return asked


def present(assembly: Assembly, kind: str, key: str) -> bool:
    if kind == "tool":
        return next(t.present for t in assembly.tools if t.name == key)
    return section(assembly, key).present


def test_a_server_that_is_not_there_has_no_lever(roo: Roo) -> None:
    why: Reason = section(roo(), "mcp_servers").why
    assert why.text == "absent: no MCP server is configured"
    assert why.levers == ()


@pytest.mark.parametrize(
    ("section_id", "shown"),
    [
        ("rules", "/w/a/b"),
        ("system_information", "/w/a/b"),
        ("capabilities", "/w/a\\b"),
        ("tools.insert_content", "/w/a/b"),
        ("tools.list_files", "/w/a\\b"),
    ],
)
def test_a_backslash_in_the_workspace_is_a_slash_in_some_places(tmp_path: Path, section_id: str, shown: str) -> None:
    folder = tmp_path / "w" / "a\\b"
    folder.mkdir(parents=True)
    assembly = assemble(Scenario.model_validate({"agent": "roo", "workspace": str(folder), "home": str(tmp_path)}))
    heading = {"tools.insert_content": "## insert_content\n", "tools.list_files": "## list_files\n"}.get(section_id)
    text = assembly.system_text.partition(heading)[2] if heading else section(assembly, section_id).text
    assert f"{tmp_path}{shown}" in text.partition("\n## ")[0]
