"""The worker gives way: what is wanted no more is not counted to its end."""

from __future__ import annotations

import pytest

from promptscope_engine.tokens import CountCache, get_tokenizer
from promptscope_tui.session.worker import HastyCounter, Superseded


def test_it_gives_up_only_before_a_new_text() -> None:
    superseded = False
    counter = HastyCounter(get_tokenizer("o200k_base"), None, lambda: superseded)
    known = counter.count("counted before")
    superseded = True
    assert counter.count("counted before") == known
    assert counter.count("") == 0
    with pytest.raises(Superseded):
        counter.count("new")


def test_another_tokenizer_gives_up_in_the_same_way() -> None:
    counter = HastyCounter(get_tokenizer("o200k_base"), CountCache(), lambda: True)
    assert counter.by(counter.tokenizer) is counter
    other = counter.by(get_tokenizer("cl100k_base"))
    assert other.cache is counter.cache
    with pytest.raises(Superseded):
        other.count("new, and not to be found in any cache: ⟪hasty⟫")
