"""The tones of `spans.py` as component classes and styles, for widgets that draw spans."""

from __future__ import annotations

from promptscope_tui.text.spans import TONES

TONE_CLASSES = {f"tone--{tone}" for tone in TONES}

_RULES = {
    "strong": "text-style: bold;",
    "title": "color: $tone-dim; text-style: bold;",
    "dim": "color: $tone-dim;",
    "faint": "color: $tone-faint;",
    "accent": "color: $primary;",
    "more": "color: $tone-more;",
    "fewer": "color: $success;",
    "warn": "color: $warning;",
    "error": "color: $error;",
    "good": "color: $success;",
    "builtin": "color: $tone-builtin;",
    "file": "color: $success;",
    "param": "color: $warning;",
    "environment": "color: $primary;",
    "tool": "color: $secondary;",
}


def tone_css(widget: str) -> str:
    """The rules that give a widget's tones their colours."""
    rules = "\n".join(f"& > .tone--{tone} {{ {rule} }}" for tone, rule in _RULES.items())
    return f"{widget} {{\n{rules}\n}}\n"
