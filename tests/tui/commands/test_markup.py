"""Markup: text stays text, and nothing that acts or hides gets through."""

from __future__ import annotations

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from promptscope_tui.commands.html_page import Markup, joined, shown, tag
from promptscope_tui.text.escape import visible

ACTS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def test_attributes_and_text_are_escaped() -> None:
    assert (
        tag("p", tag("b", "<\x1b>\n"), "&", class_="a\"'=", data_from=0, hidden=True, id=None, open=False)
        == '<p class="a&quot;&#x27;&#61;" data-from="0" hidden><b>&lt;␛&gt;\n</b>&amp;</p>'
    )
    assert joined([Markup("<br>"), "<br>"], " & ") == "<br> &amp; &lt;br&gt;"


@given(st.text("<>&;#\"'= ax\n\r\t\x00\x1b\x7f\x9b\xad\u200d\u202e\u2066\ud83d\udcff\ufe0f\U0001f468字"))
def test_any_text_stays_what_it_is(text: str) -> None:
    page = shown(text)
    assert not ACTS.search(page)
    assert not re.search("[<>\"'=]", page)
    assert unescape(page) == "\n".join(map(visible, text.split("\n")))
    assert shown(page) is page
