"""How 2026.9.6 cuts files and the directory of tools: everything counts, and pairs stay whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.openclaw.directory import form_of, room_of, shortened
from promptscope_engine.agents.openclaw.gather.cuts import digested, policies, within
from promptscope_engine.agents.openclaw.tool_policy import Offer
from promptscope_engine.javascript.text import utf16_len
from promptscope_engine.prompt.conditions import ALWAYS


@given(st.integers(1, 400), st.text(alphabet="ab🦞 \n", min_size=500, max_size=900))
def test_a_cut_file_has_at_most_its_limit(limit: int, text: str) -> None:
    for parts, _ in (within("SOUL.md", text, limit), digested(text, limit)):
        whole = "".join(part.text for part in parts)
        assert utf16_len(whole) <= limit
        assert not any("\ud800" <= char <= "\udfff" for char in whole)


@pytest.mark.parametrize(("limit", "kept"), [(20_000, (14_920, 4_973, 20_001)), (40, (12, 4, 20_001))])
def test_what_is_kept_leaves_room_for_the_marker(limit: int, kept: tuple[int, ...]) -> None:
    head, tail, length = within("SOUL.md", "b" * 20_001, limit)[1] or ()
    assert (head, tail, length) == kept


def test_a_digest_takes_rules_with_the_prose_before_them() -> None:
    text = "Why it is so.\n- Keep calm\n\nplain\n\n```\nYou must not.\nplain\n"
    assert list(policies(text)) == [("Why it is so.\n- Keep calm", False), ("You must not.", True)]


def test_the_directory_shrinks_before_it_leaves_rows_out() -> None:
    offers = [(Offer(f"tool_{n:02}", ALWAYS, row=ALWAYS), "word " * 60) for n in range(30)]
    assert form_of(offers, "tools", 18_000) == (180, 30, 0)
    assert form_of(offers, "tools", 4_000) == (64, 30, 0)
    assert form_of(offers, "tools", 1_600) == (0, 30, 0)
    most, rows, left_out = form_of(offers, "tools", room_of(1_000))
    assert (most, rows + left_out) == (0, 30)
    assert left_out > 0
    assert shortened("a  b\n" * 99, 10) == "a b a b..."
