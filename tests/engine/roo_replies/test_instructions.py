"""The guides of `fetch_instructions` and the texts of calls that did not run."""

from __future__ import annotations

import re
from functools import partial

import pytest
import yaml

from promptscope_engine.roo_replies import format_response
from promptscope_engine.roo_replies.instructions import fetch_instructions

fetch = partial(fetch_instructions, servers_path="/mcp", settings_path="/s.json", modes_path="/m.yaml")


def test_the_guide_to_mcp_servers_holds_the_facts_of_the_moment() -> None:
    guide = fetch("create_mcp_server", connected_servers=["weather", "@MODES_PATH@"])
    assert 7_000 < len(guide) < 9_000
    assert "/mcp" in guide
    assert "/s.json" in guide
    assert "weather, @MODES_PATH@" in guide
    assert not re.search(r"@(SERVERS|SETTINGS)", guide)
    assert "(None running currently)" in fetch("create_mcp_server")


def test_the_guide_to_modes_holds_a_valid_example() -> None:
    guide = fetch("create_mode", has_diff_strategy=False)
    assert 3_000 < len(guide) < 4_000
    assert "/m.yaml" in guide
    example = re.search(r"```yaml\n(.*?)```", guide, re.DOTALL)
    assert example is not None
    [mode] = yaml.safe_load(example[1])["customModes"]
    assert {"slug", "name", "roleDefinition", "groups"} <= set(mode)
    name, options = mode["groups"][1]
    assert name == "edit"
    assert re.search(options["fileRegex"], "CHANGELOG.md")
    assert not re.search(options["fileRegex"], "src/a.ts")


def test_failures() -> None:
    assert "'task'" in fetch(None)
    assert "'task'" in fetch("", has_hub=False)
    assert "MCP hub not available" in fetch("create_mode", has_hub=False)
    assert fetch("create_mcp_server", has_diff_strategy=False).endswith('"}\n</error>')
    assert fetch("other").endswith("other\n</error>")


@pytest.mark.parametrize("text", [format_response.rejected_tool_text, format_response.interrupted_tool_text])
def test_calls_after_a_refusal_are_named_by_their_label(text: object) -> None:
    assert "[read_file for 'a']" in text("[read_file for 'a']")  # type: ignore[operator]


def test_only_one_tool_runs_and_the_others_are_named() -> None:
    assert "[read_file]" in format_response.second_tool_text("read_file")
    assert format_response.rejected_tool_text("[x]") != format_response.interrupted_tool_text("[x]")


def test_results_are_pushed_block_by_block() -> None:
    head = {"type": "text", "text": "[x] Result:"}
    assert format_response.push_tool_result("[x]", "r") == [head, {"type": "text", "text": "r"}]
    assert re.fullmatch(r"\(.+\)", format_response.push_tool_result("[x]", "")[1]["text"])
    assert format_response.push_tool_result("[x]", [{"type": "image"}]) == [head, {"type": "image"}]


def test_words_of_the_user_in_results() -> None:
    assert format_response.answer_text("yes") == "<answer>\nyes\n</answer>"
    assert format_response.command_feedback_text("stop").endswith("\n<feedback>\nstop\n</feedback>")
