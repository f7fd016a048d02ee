"""Counting stops when its job was cancelled."""

from __future__ import annotations

import pytest

from promptscope_engine.tokens import CountCache, get_tokenizer
from promptscope_tui.session.worker import CancellableCounter, Cancelled


def test_it_stops_only_before_a_new_text() -> None:
    cancelled = False
    counter = CancellableCounter(get_tokenizer("o200k_base"), None, lambda: cancelled)
    known = counter.count("counted before")
    cancelled = True
    assert counter.count("counted before") == known
    assert counter.count("") == 0
    with pytest.raises(Cancelled):
        counter.count("new")


def test_another_tokenizer_is_cancelled_in_the_same_way() -> None:
    counter = CancellableCounter(get_tokenizer("o200k_base"), CountCache(), lambda: True)
    assert counter.by(counter.tokenizer) is counter
    other = counter.by(get_tokenizer("cl100k_base"))
    assert other.cache is counter.cache
    with pytest.raises(Cancelled):
        other.count("new, and not to be found in any cache: ⟪new⟫")
