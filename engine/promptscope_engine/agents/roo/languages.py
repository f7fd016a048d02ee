"""The languages that Roo knows by name (specs/roo.md 4.1)."""

from __future__ import annotations

LANGUAGES = {
    "ca": "Català", "de": "Deutsch", "en": "English", "es": "Español", "fr": "Français", "hi": "हिन्दी",
    "id": "Bahasa Indonesia", "it": "Italiano", "ja": "日本語", "ko": "한국어", "nl": "Nederlands", "pl": "Polski",
    "pt-BR": "Português", "ru": "Русский", "tr": "Türkçe", "vi": "Tiếng Việt", "zh-CN": "简体中文",
    "zh-TW": "繁體中文",
}  # fmt: skip
"""The eighteen languages that have a name; any other code is its own name."""


def language_name(code: str) -> str:
    """What the prompt calls a language."""
    return LANGUAGES.get(code, code)
