"""Paths and addresses as they may stand in a prompt (specs/openclaw.md 1, "Display workspace dir")."""

from __future__ import annotations

import unicodedata


def literal(text: str) -> str:
    """The text without control and format characters and line separators: what they held apart joins up."""
    return "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf") and c not in "\u2028\u2029")
