"""The settings of spoken replies: the user's own preferences override the configuration (specs/openclaw.md 7)."""

from __future__ import annotations

from dataclasses import replace

from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.agents.kit.settings import mapping, positive, text
from promptscope_engine.agents.openclaw.levers import OVERLAY, Settings
from promptscope_engine.agents.openclaw.materials import Speech
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.json5 import parse_json5
from promptscope_engine.javascript.text import utf16_len
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import FileDraft, computed
from promptscope_engine.prompt.known import first_set
from promptscope_engine.workspace import Workspace

from .config import short_path

DEFAULT_MAX_LENGTH = 1_500
AUTO = ("off", "always", "inbound", "tagged")


def speech(config: Settings, own: Settings) -> Speech:
    """Whether replies are spoken, and how long they may be; length and summary are settings of the user's own."""
    by_config = config.first(_auto, "messages.tts.auto", default=None)
    # one overlay for both keys: `auto` counts before `enabled`
    enabled = config.first(_enabled, "messages.tts.enabled", default=None)
    enabled = replace(enabled, source=replace(enabled.source, overlay=f"{OVERLAY}.messages.tts.auto"))
    mine = (own.first(_auto, "tts.auto", default=None), own.first(_enabled, "tts.enabled", default=None))
    auto = first_set(*mine, by_config, enabled, replace(by_config, value=None), default="off")
    return Speech(
        auto=auto.value,
        on=auto.is_("always", "inbound", "tagged", unset="off"),
        inbound_only=auto.is_("inbound", unset="always"),
        tagged_only=auto.is_("tagged", unset="always"),
        length=computed("messages.tts.maxLength", str(positive(own.get("tts.maxLength"), DEFAULT_MAX_LENGTH))),
        summarized=own.known("tts.summarize", own.get("tts.summarize") is not False).is_(True),
    )


def preferences(workspace: Workspace, state: str, home: str) -> tuple[Settings, tuple[FileDraft, ...]]:
    """The user's own preferences for speech, and their file if there is one. No param simulates it."""
    path = f"{state}/settings/tts.json"
    file = workspace.read(path)
    if not file.found:
        return Settings({}, path, short_path(path, home), simulated=False), ()
    when = Observed("file", file.path, True, "it overrides messages.tts", "")
    draft = file_row(file, "settings", "always", when, chars=utf16_len(file.text))
    values = mapping(parse_json5(file.text).value)
    return Settings(values, path, short_path(path, home), file.text, simulated=False), (draft,)


def _auto(value: Json) -> str | None:
    named = (text(value) or "").lower()
    return named if named in AUTO else None


def _enabled(value: Json) -> str | None:
    return ("always" if value else "off") if isinstance(value, bool) else None
