"""Screens over the main one that follow the prompt."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from promptscope_tui.session.snapshot import Snapshot


@runtime_checkable
class Following(Protocol):
    """A screen that is made anew when something was assembled."""

    def renew(self, snapshot: Snapshot) -> None:
        """The prompt changed."""
