"""The context window: what the session may use of it, and where it compacts (specs/codex.md 4.6)."""

from __future__ import annotations

from promptscope_engine.prompt.drafts import BY_SOURCE, Window

from .catalogue import COMPACT_PERCENT, USABLE_PERCENT
from .materials import Materials


def budget(m: Materials) -> Window:
    """Tokens that the session is shown, and the total at which it compacts: the setting if it comes first [source]."""
    compact_at = m.window * COMPACT_PERCENT // 100
    if m.compact_limit is not None:
        compact_at = min(compact_at, m.compact_limit)
    return Window(m.window * USABLE_PERCENT // 100, 0, compact_at, compaction=BY_SOURCE)
