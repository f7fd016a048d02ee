"""Reading what the model wrote, what the guidelines have against it, and the paths of a `read_file` call."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.roo_replies.spoken import SpokenCall, SpokenText, file_paths, parse_spoken, remarks


def test_texts_and_calls_in_their_order() -> None:
    raw = "So: <read_file>\n<path> a.ts </path>\n</read_file> then <b>bold</b>"
    assert parse_spoken(raw) == (
        SpokenText("So:"),
        SpokenCall("read_file", {"path": "a.ts"}, partial=False),
        SpokenText("then <b>bold</b>"),
    )


def test_a_file_may_hold_its_own_closing_tag() -> None:
    raw = "<write_to_file><path>x</path><content>a</content>b</content></write_to_file>"
    assert parse_spoken(raw) == (SpokenCall("write_to_file", {"path": "x", "content": "a</content>b"}, partial=False),)


@pytest.mark.parametrize(
    ("raw", "call"),
    [
        (
            "<write_to_file><path>x</path><content></path></content></write_to_file>",
            SpokenCall("write_to_file", {"path": "x", "content": "</path>"}, partial=False),
        ),
        (
            "<insert_content><content>a</content>b</content></insert_content>",
            SpokenCall("insert_content", {"content": "a"}, partial=False),
        ),
        (
            "<write_to_file><content>a</content>b</content>",
            SpokenCall("write_to_file", {"content": "a</content>b"}, partial=True),
        ),
    ],
)
def test_only_the_content_of_a_file_may_hold_its_own_closing_tag(raw: str, call: SpokenCall) -> None:
    assert parse_spoken(raw) == (call,)


@pytest.mark.parametrize(
    ("raw", "params"),
    [
        ("<attempt_completion>", {}),
        ("<attempt_completion><res", {}),
        ("<attempt_completion><result>Do", {"result": "Do"}),
        ("<attempt_completion><result>Done</result>", {"result": "Done"}),
        ("<attempt_completion><result>Done</result></attempt", {"result": "Done"}),
    ],
)
def test_what_is_cut_off_is_partial(raw: str, params: dict[str, str]) -> None:
    assert parse_spoken(raw) == (SpokenCall("attempt_completion", params, partial=True),)


@pytest.mark.parametrize(
    ("result", "command", "words"),
    [
        ("All is done.", None, ()),
        ("Is that so? Yes, done.", "xdg-open index.html", ()),
        ("Done. Is that all?", None, ("question",)),
        ("Done. Let me know if you need more.", None, ("offer",)),
        ("Done.", "npm ci && npm start", ("several commands",)),
        ("Done.", "git log --grep 'a; b'", ()),
        ("Done.", "cat README.md", ("only prints",)),
        ("Done.", "echo a | sort", ("several commands", "only prints")),
        ("Great, all is done.", None, ("“Great”",)),
        ("Certainly! Done.", None, ("“Certainly”",)),
        ("The greatest common divisor is found.", None, ()),
        ("The parser is partially rewritten.", None, ("“partially”",)),
        ("The tests pass. The rest will follow.", None, ("“The rest will”",)),
        ("Done.", "open index.html", ("`open` is a command of macOS",)),
        ("Done.", "Get-Content README.md", ("`Get-Content` is a command of Windows",)),
        ("Done.", "npm start", ()),
    ],
)
def test_remarks_that_the_guidelines_ask_for(result: str, command: str | None, words: tuple[str, ...]) -> None:
    found = remarks(result, command, "linux")
    assert len(found) == len(words)
    assert all(word in remark for word, remark in zip(words, found, strict=True))


@pytest.mark.parametrize(
    ("args", "paths"),
    [
        ("<file><path>a.ts</path></file>", ["a.ts"]),
        ("<file>\n  <path> a.ts </path>\n</file>\n<file><path>b.ts</path></file>", ["a.ts", "b.ts"]),
        ("<file><path>a</path><path>b</path></file>", ["a,b"]),
        ("<file><path></path></file>", []),
        ("<file><path></path><path></path></file>", [","]),
        ("<file><name>a</name></file>", []),
        ("<other><path>a</path></other>", []),
        ("<args><file><path>a</path></file></args>", []),
        ("text", []),
        ("", []),
        # any closing tag closes the innermost element, and one too many closes nothing
        ("</file><file><path>a</path></file>", ["a"]),
        ("<file><path>a</x></y></z><file><path>b", ["a", "b"]),
        ("<file/><file ><path/><path>a</path></file>", [",a"]),
        # what is more than its text is an object
        ("<file><path><b>a</b></path></file>", ["[object Object]"]),
        ('<file><path kind="x">a</path></file>', ["[object Object]"]),
        ("<file><path kind>a</path></file>", ["a"]),
        ('<file><path x=">">a</path></file>', ["[object Object]"]),
        ("<file><path>a&lt;b&amp;lt;</path></file>", ["a<b&lt;"]),
        ("<file><path>a<!-- > -->b</path></file>", ["ab"]),
        ("<file><path>a<!---->b</path></file>", ["ab"]),
        ("<file><path>a<!-->b-->c</path></file>", ["ac"]),
        ("<file><path>a<![CDATA[ <b> ]]>c</path></file>", ["a <b> c"]),
        ("<?xml version='1'?><!DOCTYPE x><file><path>a</path></file>", ["a"]),
    ],
)
def test_the_paths_of_a_call(args: str, paths: list[str]) -> None:
    assert file_paths(args) == paths


@pytest.mark.parametrize(
    "args", ["<file", "</file", "<!-- a", "<!-->", "<![CDATA[ a", "<?xml", "<!D", "<a x='>", "<a x='b>"]
)
def test_what_never_ends_cannot_be_parsed(args: str) -> None:
    with pytest.raises(ValueError, match=r"not found|does not end"):
        file_paths(args)


@given(st.text(alphabet="<>/!-[]?D'\"=& apth", max_size=60))
def test_any_text_is_parsed_or_refused(args: str) -> None:
    try:
        assert all(file_paths(args))
    except ValueError:
        return
