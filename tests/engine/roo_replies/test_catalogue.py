"""The catalogue of replies: complete, made from its examples, strict about what it is given; and the guides."""

from __future__ import annotations

import inspect
import re
from functools import partial

import pytest
import yaml

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.replies import (
    Input,
    Reply,
    block_text,
    completion_of,
    count_blocks,
    find_reply,
    replies_of,
)
from promptscope_engine.roo_replies import format_response
from promptscope_engine.roo_replies.catalogue import CATALOGUE, fetch_instructions

ROO = load_agent("roo")


def test_every_reply_is_in_the_catalogue() -> None:
    names = {reply.name for reply in CATALOGUE}
    public = {name for name, each in vars(format_response).items() if inspect.isfunction(each) and name[0] != "_"}
    assert public - {"push_tool_result", "resumption", "text_block"} <= names
    assert all(callable(getattr(format_response, name)) for name in names - {"fetch_instructions"})
    assert not hasattr(format_response, "tool_deniedd")


@pytest.mark.parametrize("reply", CATALOGUE, ids=lambda reply: reply.name)
def test_every_reply_is_made_from_its_examples(reply: Reply) -> None:
    blocks = reply.blocks()
    assert all(block["type"] in ("text", "image") for block in blocks)
    taken = inspect.signature(reply.make).parameters.values()
    if all(each.kind is not each.VAR_KEYWORD for each in taken):
        assert {each.name for each in taken} == {each.name for each in reply.inputs}
    assert reply.purpose
    assert reply.when
    for each in reply.inputs:
        assert each.parse(each.shown(each.example)) == each.example


def test_inputs_are_laid_over_the_examples() -> None:
    error = find_reply(ROO, "tool_error")
    assert "EACCES" in block_text(error.blocks({"error": "EACCES"})[0])
    assert "undefined" in block_text(error.blocks({"error": None})[0])
    assert count_blocks(error.blocks(), len) == len(block_text(error.blocks()[0]))


def test_images_are_named_and_count_nothing() -> None:
    (image,) = find_reply(ROO, "image_blocks").blocks()
    assert block_text(image).startswith("[image image/png, ")
    assert count_blocks((image,), len) == 0


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("tool_error", {"eror": "x"}, "did you mean error"),
        ("tool_erro", {}, "did you mean tool_error"),
        ("line_count_truncation_error", {"lines": "many"}, "expected an integer, got"),
        ("line_count_truncation_error", {"lines": True}, "expected an integer, got"),
        ("unknown_mcp_server_error", {"available": [1]}, "expected a list of strings, got"),
        ("image_blocks", {"images": ["x"]}, "not a data URL"),
    ],
)
def test_what_does_not_fit_is_said(name: str, given: dict[str, object], says: str) -> None:
    with pytest.raises(ScenarioError, match=says):
        find_reply(ROO, name).blocks(given)


@pytest.mark.parametrize(
    ("kind", "typed", "value"),
    [
        ("text", "a: b", "a: b"),
        ("text", '"a\\nb"', "a\nb"),
        ("text", '"open', '"open'),
        ("number", "12", 12),
        ("switch", "on", True),
        ("list", "[a, b]", ["a", "b"]),
        ("list", "", []),
    ],
)
def test_what_is_typed_becomes_a_value(kind: str, typed: str, value: object) -> None:
    assert Input("x", kind, None, "").parse(typed) == value  # type: ignore[arg-type]  # a kind


@pytest.mark.parametrize(("kind", "typed"), [("number", "x"), ("switch", "[1"), ("list", "a")])
def test_what_is_typed_wrong_is_an_error(kind: str, typed: str) -> None:
    with pytest.raises(ScenarioError):
        Input("x", kind, None, "").parse(typed)  # type: ignore[arg-type]  # a kind


def test_other_agents_have_none() -> None:
    other = load_agent("openclaw")
    assert replies_of(other) == ()
    assert completion_of(other) is None
    with pytest.raises(ScenarioError, match="no catalogue"):
        find_reply(other, "tool_error")


@pytest.mark.parametrize(
    ("given", "marks"),
    [
        ({}, ["🛡️ AGENTS.md", "🔒 secrets/key.pem"]),
        ({"shields": False}, ["AGENTS.md", "🔒 secrets/key.pem"]),
        ({"show_ignored": False}, ["🛡️ AGENTS.md"]),
        ({"rooignore": None}, ["AGENTS.md", "secrets/key.pem"]),
        ({"rooignore": ""}, ["🛡️ AGENTS.md", "secrets/key.pem"]),
    ],
)
def test_marks_of_a_files_list(given: dict[str, object], marks: list[str]) -> None:
    text = block_text(find_reply(ROO, "format_files_list").blocks(given)[0])
    assert [line for line in text.split("\n") if "AGENTS" in line or ".pem" in line] == marks


def test_a_files_list_takes_absolute_paths_as_they_are() -> None:
    given = {"directory": "/tmp/x/", "files": ["/tmp/x/A.md", "/tmp/x/src/", "b.md", "/tmp/other.md"]}
    text = block_text(find_reply(ROO, "format_files_list").blocks(given)[0])
    assert sorted(text.split("\n")) == ["../other.md", "A.md", "b.md", "src/"]


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
