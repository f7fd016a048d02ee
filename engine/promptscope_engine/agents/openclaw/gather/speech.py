"""How the voice section is made when nobody passes one (specs/openclaw.md 7, "TTS hint")."""

from __future__ import annotations

from promptscope_engine.agents.openclaw.builder import Given, written
from promptscope_engine.agents.shared.settings import at, mapping, positive, text
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.json5 import parse_json5
from promptscope_engine.javascript.text import utf16_len
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import FileDraft, builtin, computed, label
from promptscope_engine.workspace import Workspace

DEFAULT_MAX_LENGTH = 1_500
AUTO = ("off", "always", "inbound", "tagged")


def tts_hint(config: Json, workspace: Workspace, state: str) -> Given | None:
    """The hint, None while speech is off; the user's own preferences go before the configuration."""
    settings = mapping(at(config, "messages.tts"))
    own = mapping(at(_preferences(workspace, state), "tts"))
    auto = _auto(own) or _auto(settings) or "off"
    if auto == "off":
        return None
    longest = positive(own.get("maxLength"), DEFAULT_MAX_LENGTH)
    pieces = [builtin("voice.on", "Replies can be spoken (TTS is on).")]
    if auto == "inbound":
        pieces.append(builtin("voice.inbound", "\nSpeak only if the user's last message came as audio."))
    if auto == "tagged":
        pieces.append(builtin("voice.tagged", "\nSpeak only if your answer carries a [[tts]] tag."))
    pieces += [
        builtin("voice.length", "\nKeep what is spoken to at most "),
        computed("messages.tts.maxLength", str(longest)),
        builtin("voice.length", " characters, or it is summarized (summary "),
        label("off" if own.get("summarize") is False else "on"),
        builtin("voice.length", ")."),
        builtin(
            "voice.tags",
            "\nVoice and expression are set by [[tts:...]], spoken words of their own by [[tts:text]]...[[/tts:text]].",
        ),
    ]
    return written(pieces, "ttsHint")


def _auto(settings: Json) -> str | None:
    named = (text(mapping(settings).get("auto")) or "").lower()
    if named in AUTO:
        return named
    enabled = mapping(settings).get("enabled")
    return ("always" if enabled else "off") if isinstance(enabled, bool) else None


def preferences_file(workspace: Workspace, state: str) -> tuple[FileDraft, ...]:
    """The user's preferences for speech, if there are any."""
    file = workspace.read(f"{state}/settings/tts.json")
    if not file.found:
        return ()
    when = Observed("file", file.path, True, "it goes before messages.tts", "")
    size, chars = file.size, utf16_len(file.text)
    return (FileDraft(file.path, file.real_path, "settings", "always", when, bytes=size, raw_chars=chars),)


def _preferences(workspace: Workspace, state: str) -> Json:
    file = workspace.read(f"{state}/settings/tts.json")
    return parse_json5(file.text).value if file.found else None
