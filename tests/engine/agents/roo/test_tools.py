"""Which tools are in a prompt, in which order and form."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from promptscope_engine.prompt.model import Assembly, Tool

pytestmark = pytest.mark.slow

Roo = Callable[..., Assembly]

READY = {"enabled": True, "configured": True, "initialized": True}
READ = ["read_file", "fetch_instructions", "search_files", "list_files", "list_code_definition_names"]
EDIT = ["apply_diff", "write_to_file", "insert_content", "search_and_replace"]
ALWAYS = ["ask_followup_question", "attempt_completion", "switch_mode", "new_task", "update_todo_list"]
MCP = ["use_mcp_tool", "access_mcp_resource"]
SERVER = {"name": "weather", "status": "disconnected"}


def tool(assembly: Assembly, name: str) -> Tool:
    return next(t for t in assembly.tools if t.name == name)


def names(assembly: Assembly) -> list[str]:
    return [t.name for t in assembly.tools if t.present]


@pytest.mark.parametrize(
    ("mode", "wanted"),
    [
        ("architect", READ + EDIT + ALWAYS),
        ("code", [*READ, *EDIT, "execute_command", *ALWAYS]),
        ("ask", READ + ALWAYS),
        ("debug", [*READ, *EDIT, "execute_command", *ALWAYS]),
        ("orchestrator", ALWAYS),
        ("nope", READ + EDIT + ALWAYS),
        ("lister", ["switch_mode", "new_task", *READ, *ALWAYS[:2], "update_todo_list"]),
    ],
)
def test_tools_of_a_mode_in_its_order(roo: Roo, mode: str, wanted: list[str]) -> None:
    assert names(roo(mode=mode)) == wanted


@pytest.mark.parametrize(
    ("mode", "given_params", "added", "removed"),
    [
        ("code", {"codeIndex": READY}, {"codebase_search"}, set()),
        ("orchestrator", {"codeIndex": READY}, set(), set()),
        ("code", {"codeIndex": {**READY, "configured": False}}, set(), set()),
        ("code", {"diffEnabled": False}, set(), {"apply_diff"}),
        ("code", {"diffStrategy": None}, set(), {"apply_diff"}),
        ("code", {"supportsComputerUse": True}, {"browser_action"}, set()),
        ("orchestrator", {"supportsComputerUse": True}, set(), set()),
        ("code", {"experiments": {"imageGeneration": True}}, {"generate_image"}, set()),
        ("ask", {"experiments": {"imageGeneration": True}}, set(), set()),
        ("orchestrator", {"experiments": {"runSlashCommand": True}}, {"run_slash_command"}, set()),
        ("ask", {"settings": {"todoListEnabled": False}}, set(), {"update_todo_list"}),
        ("ask", {"mcp_servers": [SERVER]}, set(MCP), set()),
        ("ask", {"mcp_servers": [{**SERVER, "disabled": True}]}, set(), set()),
        ("orchestrator", {"mcp_servers": [SERVER]}, set(), set()),
        ("code", {"partialReadsEnabled": True}, set(), set()),
    ],
)
def test_what_a_switch_adds_and_removes(
    roo: Roo, mode: str, given_params: dict[str, Any], added: set[str], removed: set[str]
) -> None:
    before, after = set(names(roo(mode=mode))), set(names(roo(mode=mode, **given_params)))
    assert (after - before, before - after) == (added, removed)


@pytest.mark.parametrize("mode", ["code", "orchestrator", "lister"])
def test_every_tool_is_listed_once(roo: Roo, mode: str) -> None:
    listed = [t.name for t in roo(mode=mode).tools]
    assert len(listed) == len(set(listed)) == 21


def test_absent_groups_stand_where_they_would(roo: Roo) -> None:
    always, modes = [*ALWAYS, "run_slash_command"], ["switch_mode", "new_task"]
    grouped = [*READ, "codebase_search", *EDIT, "generate_image", "browser_action", "execute_command", *MCP]
    for mode in ("ask", "orchestrator"):
        assert [t.name for t in roo(mode=mode).tools] == grouped + always
    listed = [t.name for t in roo(mode="lister").tools]
    assert listed == modes + grouped + [name for name in always if name not in modes]


def test_a_tool_says_which_gate_is_closed(roo: Roo) -> None:
    assert tool(roo(), "generate_image").why.text == "absent: `experiments.imageGeneration` is off"
    assert tool(roo(mode="ask"), "execute_command").why.text == "absent: the mode lacks the group command"
    assert tool(roo(codeIndex={**READY, "initialized": False}), "codebase_search").why.text == (
        "absent: the code index is not ready"
    )


def test_a_tool_and_its_section_agree(roo: Roo) -> None:
    assembly = roo(supportsComputerUse=True, mcp_servers=[SERVER], codeIndex=READY)
    for each in assembly.tools:
        section = assembly.section(each.section or "")
        assert section is not None
        assert section.parent == "tools"
        assert section.heading == f"## {each.name}"
        assert section.present is each.present
        assert not each.present or section.text == each.description + "\n\n"


@pytest.mark.parametrize(
    "case",
    [
        ({}, True, False, True, "several files, no ranges", 0),
        ({"partialReadsEnabled": True}, True, True, True, "several files, line ranges", 0),
        ({"settings": {"maxConcurrentFileReads": 2}}, True, False, True, "several files, no ranges", 0),
        ({"settings": {"maxConcurrentFileReads": 1}}, False, False, True, "one file, no ranges", 2),
        ({"settings": {"maxConcurrentFileReads": 0}}, False, False, True, "one file, no ranges", 2),
        ({"model": "x-ai/grok-code-fast-1", "partialReadsEnabled": True}, False, False, False, "simple", 0),
        ({"model": "roo/code-supernova-1-million"}, False, False, False, "simple", 0),
    ],
)
def test_forms_of_read_file(roo: Roo, case: tuple[dict[str, Any], bool, bool, bool, str, int]) -> None:
    given_params, several, ranges, args, variant, end = case
    found = tool(roo(**given_params), "read_file")
    calls = re.findall(r"<read_file>.*?</read_file>", found.description, re.S)
    assert any(call.count("<file>") > 1 for call in calls) is several
    assert ("line_range" in found.description) is ranges
    assert ("<args>" in found.description) is args
    optional = {"args": args, "line_range": ranges}
    assert {p.name for p in found.parameters} == {"path"} | {name for name, there in optional.items() if there}
    assert {p.name for p in found.absent_parameters} == {name for name, there in optional.items() if not there}
    assert found.variant == variant
    assert len(found.description) - len(found.description.rstrip("\n")) == end


def test_read_file_names_its_limit(roo: Roo) -> None:
    description = tool(roo(settings={"maxConcurrentFileReads": 17}), "read_file").description
    assert len(re.findall(r"\b17\b", description)) == 4
    assert not re.search(r"\b5\b", description)


@pytest.mark.parametrize(
    ("given_params", "variant"),
    [
        ({}, "one file"),
        ({"experiments": {"multiFileApplyDiff": True}}, "several files"),
        ({"diffStrategy": "multi-file-search-replace"}, "several files"),
    ],
)
def test_forms_of_apply_diff(roo: Roo, given_params: dict[str, Any], variant: str) -> None:
    found = tool(roo(**given_params), "apply_diff")
    assert found.variant == variant
    assert ("<args>" in found.description) is (variant == "several files")
    for mark in ("<<<<<<< SEARCH", ":start_line:", "-------", "=======", ">>>>>>> REPLACE"):
        assert mark in found.description


@pytest.mark.parametrize(
    ("creation", "tasks"), [(True, 2), (None, 2), (False, 1)], ids=["on", "undefined counts as on", "off"]
)
def test_tasks_of_fetch_instructions(roo: Roo, creation: bool | None, tasks: int) -> None:
    description = tool(roo(enableMcpServerCreation=creation), "fetch_instructions").description
    assert len(set(re.findall("create_mcp_server|create_mode", description))) == tasks
    assert "Usage" not in description


@pytest.mark.parametrize("required", [True, False])
def test_todos_of_new_task(roo: Roo, required: bool) -> None:
    found = tool(roo(settings={"newTaskRequireTodos": required}), "new_task")
    assert bool(re.search(r"\btodos\b", found.description)) is required
    assert found.description.endswith("</new_task>\n\n" if required else "</new_task>\n")
    assert [p.name for p in found.parameters] == ["mode", "message", *["todos"] * required]
    assert [p.why.text for p in found.absent_parameters if p.why] == (
        [] if required else ["absent: `settings.newTaskRequireTodos` is off"]
    )


def test_the_viewport_is_named_twice(roo: Roo) -> None:
    description = tool(roo(supportsComputerUse=True, browserViewportSize="1280x800"), "browser_action").description
    assert re.findall(r"\b\d+x\d+\b", description) == ["1280x800", "1280x800"]


@pytest.mark.parametrize(
    ("name", "required", "optional"),
    [
        ("search_files", "path regex", "file_pattern"),
        ("list_files", "path", "recursive"),
        ("codebase_search", "query", "path"),
        ("write_to_file", "path content line_count", ""),
        ("insert_content", "path line content", ""),
        ("search_and_replace", "path search replace", "start_line end_line use_regex ignore_case"),
        ("generate_image", "prompt path", "image"),
        ("browser_action", "action", "url coordinate size text"),
        ("execute_command", "command", "cwd"),
        ("use_mcp_tool", "server_name tool_name arguments", ""),
        ("access_mcp_resource", "server_name uri", ""),
        ("ask_followup_question", "question follow_up", ""),
        ("attempt_completion", "result", ""),
        ("switch_mode", "mode_slug", "reason"),
        ("update_todo_list", "todos", ""),
        ("run_slash_command", "command", "args"),
    ],
)
def test_parameters_and_the_tags_that_show_them(roo: Roo, name: str, required: str, optional: str) -> None:
    found = tool(roo(), name)
    wanted = [(p, True) for p in required.split()] + [(p, False) for p in optional.split()]
    assert [(p.name, p.required) for p in found.parameters] == wanted
    for tag in (name, *required.split()):
        assert f"<{tag}>" in found.description
        assert f"</{tag}>" in found.description
    for word in optional.split():
        assert re.search(rf"\b{word}\b", found.description)


@pytest.mark.parametrize("name", ["codebase_search", "insert_content", "update_todo_list"])
def test_blocks_that_end_in_a_line_end(roo: Roo, name: str) -> None:
    description = tool(roo(codeIndex=READY), name).description
    assert len(description) - len(description.rstrip("\n")) == 1


@pytest.mark.parametrize("variant", [{}, {"experiments": {"multiFileApplyDiff": True}}])
def test_the_examples_of_apply_diff_change_what_stands_there(roo: Roo, variant: dict[str, Any]) -> None:
    text = tool(roo(**variant), "apply_diff").description
    listing = dict(re.findall(r"^ *(\d+) \| (.*)$", text, re.MULTILINE))
    changes = re.findall(r"SEARCH\n:start_line:(\d+)\n-------\n(.*)\n", text)
    assert changes
    assert all(listing.get(number, first) == first for number, first in changes)
