"""Codex's tools: texts, schemas, and in which shape a model is given them."""

from .drafts import tool_drafts
from .table import namespace_texts, rows

__all__ = ["namespace_texts", "rows", "tool_drafts"]
