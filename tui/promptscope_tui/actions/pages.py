"""The README's table of keys."""

from __future__ import annotations

from .table import groups, show_key


def key_table() -> str:
    """Every action with its keys, as Markdown."""
    lines = ["| keys | what they do |", "|---|---|"]
    for actions in groups().values():
        for action in actions:
            keys = " ".join(f"`{show_key(key)}`" for key in action.keys.split(","))
            lines.append(f"| {keys} | {action.help} |")
    return "\n".join(lines) + "\n"
