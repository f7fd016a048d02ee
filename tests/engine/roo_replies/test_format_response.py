"""The texts that answer a tool call, and the patches in them, which read as the package `diff` 5.2.0 prints them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.roo_replies import format_response as fr
from promptscope_engine.roo_replies.format_response import create_pretty_patch

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


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "a\r\n", "é\n"]), max_size=14)
TEXTS = st.builds(lambda lines, tail: "".join(lines) + tail, LINES, st.sampled_from(["", "a", "z"]))

RECORDED = [
    ("", "x\n", "@@ -0,0 +1,1 @@\n+x\n"),
    ("", "x", "@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file\n"),
    ("x", "", "@@ -1,1 +0,0 @@\n-x\n\\ No newline at end of file\n"),
    ("a\n", "a", "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n"),
    # Marked after as many lines as the old side has, which is not where its last line stands.
    (
        "d\nc",
        "x\nz\nd\n",
        "@@ -1,2 +1,3 @@\n+x\n+z\n\\ No newline at end of file\n d\n-c\n",
    ),
    ("c", "x\nc", "@@ -1,1 +1,2 @@\n+x\n c\n\\ No newline at end of file\n"),
]

AMONG_EQUALS = [
    # Of two scripts of one length the package takes the one that adds first, unless removing leads further.
    ("a\nb\n", "b\na\n", "@@ -1,2 +1,2 @@\n+b\n a\n-b\n"),
    ("a\nb\n", "b\nb\n", "@@ -1,2 +1,2 @@\n-a\n b\n+b\n"),
    ("a\nb\n", "b\nc\n", "@@ -1,2 +1,2 @@\n-a\n b\n+c\n"),
]


def _apply(patch: str, old: str) -> str:
    """The new text, from the hunks alone."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", old)
    result: list[str] = []
    position = 0
    for line in patch.split("\n")[:-1]:
        head = re.match(r"@@ -(\d+),(\d+) \+\d+,\d+ @@$", line)
        if head:
            start = int(head[1]) - (head[2] != "0")
            result += lines[position:start]
            position = start
        elif line.startswith("\\"):
            continue
        elif line[0] == "+":
            result.append(line[1:] + "\n")
        else:
            assert lines[position].removesuffix("\n") == line[1:]
            if line[0] == " ":
                result.append(lines[position])
            position += 1
    return "".join(result + lines[position:])


@pytest.mark.parametrize(("old", "new", "patch"), RECORDED)
def test_ends_of_texts_are_marked_as_the_package_marks_them(old: str, new: str, patch: str) -> None:
    assert create_pretty_patch("f", old, new) == patch


@pytest.mark.parametrize(("old", "new", "patch"), AMONG_EQUALS)
def test_the_package_has_its_own_choice_among_equally_short_scripts(old: str, new: str, patch: str) -> None:
    assert create_pretty_patch("f", old, new) == patch


@pytest.mark.parametrize(("lines", "is_told"), [(3, True), (4, True), (5, False)])
def test_the_missing_end_of_a_text_is_told_where_it_is_shown(lines: int, is_told: bool) -> None:
    rest = "x\n" * (lines - 1) + "x"
    assert ("\\ No newline" in create_pretty_patch("f", "a\n" + rest, "b\n" + rest)) is is_told


@pytest.mark.parametrize(("lines", "hunks"), [(7, 1), (8, 1), (9, 2)])
def test_changes_near_each_other_share_a_hunk(lines: int, hunks: int) -> None:
    between = "x\n" * lines
    assert create_pretty_patch("f", f"a\n{between}a\n", f"b\n{between}b\n").count("@@ -") == hunks


@given(TEXTS)
def test_equal_texts_have_an_empty_patch(text: str) -> None:
    assert create_pretty_patch("f", text, text) == ""


@given(TEXTS, TEXTS)
def test_a_patch_leads_from_the_old_text_to_the_new_one(old: str, new: str) -> None:
    patched = _apply(create_pretty_patch("f", old, new), old)
    assert patched.removesuffix("\n") == new.removesuffix("\n")


@given(TEXTS, TEXTS)
def test_heads_count_the_lines_below_them(old: str, new: str) -> None:
    hunks = re.split(r"^(?=@@ )", create_pretty_patch("f", old, new), flags=re.MULTILINE)
    for hunk in filter(None, hunks):
        head, *lines = hunk.split("\n")[:-1]
        numbers = re.fullmatch(r"@@ -\d+,(\d+) \+\d+,(\d+) @@", head)
        assert numbers is not None
        assert sum(line[0] in " -" for line in lines) == int(numbers[1])
        assert sum(line[0] in " +" for line in lines) == int(numbers[2])


def test_four_lines_of_context_and_eight_between_changes_share_a_hunk() -> None:
    old = "".join(f"{n}\n" for n in range(30))
    near = old.replace("10\n", "x\n").replace("\n19\n", "\ny\n")
    far = old.replace("10\n", "x\n").replace("\n20\n", "\ny\n")
    assert [line for line in create_pretty_patch("f", old, near).split("\n") if line.startswith("@@")] == [
        "@@ -7,18 +7,18 @@"
    ]
    assert [line for line in create_pretty_patch("f", old, far).split("\n") if line.startswith("@@")] == [
        "@@ -7,9 +7,9 @@",
        "@@ -17,9 +17,9 @@",
    ]


def test_absent_texts_are_empty_ones_and_the_name_does_not_show() -> None:
    assert create_pretty_patch() == ""
    assert create_pretty_patch("name.txt", None, "a\n") == create_pretty_patch("other", "", "a\n")
