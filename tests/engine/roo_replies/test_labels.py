"""The paths of a `read_file` call, read as leniently as the agent's parser reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.roo_replies.labels import file_paths


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
