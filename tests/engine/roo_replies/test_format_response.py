"""The texts that answer a tool call."""

from __future__ import annotations

import re

import pytest

from promptscope_engine.roo_replies import format_response as fr

PNG = "data:image/png;base64,AAAA"


@pytest.mark.parametrize("reply", [fr.tool_denied_with_feedback, fr.tool_approved_with_feedback, fr.too_many_mistakes])
def test_feedback_stands_on_lines_of_its_own(reply: object) -> None:
    assert re.fullmatch(r"[^\n]+\n<feedback>\na\n\nb\n</feedback>", reply("a\n\nb"))  # type: ignore[operator]
    assert reply().endswith("\n<feedback>\nundefined\n</feedback>")  # type: ignore[operator]
    assert "\n<feedback>\n\n</feedback>" in reply("")  # type: ignore[operator]


def test_an_error_without_text_is_undefined() -> None:
    assert fr.tool_error().endswith("\n<error>\nundefined\n</error>")


def test_names_of_mcp_tools_and_servers() -> None:
    assert fr.unknown_mcp_tool_error("s", "t", ["a", "b"]).split("\n\n")[1].endswith(": a, b")
    assert fr.unknown_mcp_tool_error("s", "t", []).split("\n\n")[1].endswith(": No tools available")
    assert fr.unknown_mcp_server_error("s", []).endswith(": No servers available")
    assert "'s'" in fr.invalid_mcp_tool_argument_error("s", "t")


@pytest.mark.parametrize(("is_new", "diff", "count"), [(True, True, 3), (False, True, 4), (False, False, 3)])
def test_ways_out_of_a_cut_off_file(is_new: bool, diff: bool, count: int) -> None:
    text = fr.line_count_truncation_error(7, is_new, diff)
    assert re.findall(r"^(\d)\. ", text, re.MULTILINE) == ["1", "2", "3", "4"][:count]
    assert ("apply_diff" in text) is (diff and not is_new)
    assert text.endswith(f"\n\n{fr.REMINDER}")


def test_a_result_with_images_is_a_list_of_blocks() -> None:
    assert fr.tool_result("t", []) == "t"
    blocks = fr.tool_result("t", [PNG])
    assert isinstance(blocks, list)
    assert [block["type"] for block in blocks] == ["text", "image"]


def test_only_the_first_two_parts_of_a_data_url_count() -> None:
    [block] = fr.image_blocks(["data:image/png;charset=x;base64,AA,BB"])
    assert block["source"] == {"type": "base64", "media_type": "image/png", "data": "AA"}


def test_an_address_without_a_colon_is_refused() -> None:
    with pytest.raises(ValueError, match="not a data URL: 'image/png'"):
        fr.image_blocks(["image/png"])


def test_an_address_that_is_refused_is_told_by_its_beginning() -> None:
    with pytest.raises(ValueError, match=f"not a data URL: '{'x' * 40}'$"):
        fr.image_blocks(["x" * 41])
