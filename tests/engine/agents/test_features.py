"""What an agent may offer beside its prompt, as values."""

from __future__ import annotations

from promptscope_engine.agents.features import Category, ContextReport


def test_of_the_window_the_used_rows_are_used() -> None:
    report = ContextReport((Category("prompt", 5), Category("free", 90, used=False), Category("more", 3)), 100, 2, None)
    assert (report.used, report.conversation, report.reported) == (8, 0, None)
