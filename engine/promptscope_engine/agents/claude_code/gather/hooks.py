"""Which hooks may speak, and what is sent of what they say [recorded 2.1.332]."""

import json
from collections.abc import Iterator, Mapping

from promptscope_engine.agents.claude_code.materials import Hook
from promptscope_engine.agents.kit.settings import mapping
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import Params
from promptscope_engine.javascript.text import utf16_len, utf16_slice
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts
from promptscope_engine.prompt.drafts import Span, computed, label, param_value, unpredictable
from promptscope_engine.prompt.model import Diagnostic, Lever

from .memory import memory_folder, size_shown
from .session import Session
from .settings import MANAGED

_EVENTS = ("SessionStart", "UserPromptSubmit")
_MOST = 10_000
"""UTF-16 units of what a hook says; more is put into a file, and its start is sent."""
_START = 2_000


def gather_hooks(session: Session) -> dict[str, Hook]:
    """What the hooks of each event say. What one prints is a text, or an object whose `additionalContext` counts."""
    found: dict[str, Hook] = {}
    for event in _EVENTS:
        printed: str = getattr(session.params.hooks, event).strip()
        said = _object(printed)
        own = mapping((said or {}).get("hookSpecificOutput"))
        context = own.get("additionalContext") if own.get("hookEventName") == event else None
        text = printed if said is None else context if isinstance(context, str) else ""
        found[event] = Hook(_may_speak(session, event), tuple(_spans(event, text, session)), said is not None)
    return found


def stopped(params: Params, hooks: Mapping[str, Hook], facts: Facts) -> tuple[Diagnostic, Condition] | None:
    """Why nothing is sent, if a hook blocks the prompt. A SessionStart hook cannot [recorded 2.1.332]."""
    said = _object(params.hooks.UserPromptSubmit.strip()) or {}
    keeps = said.get("decision") == "block" or said.get("continue") is False
    if not keeps or params.subagent is not None or not hooks["UserPromptSubmit"].speaks.holds(facts):
        return None
    name, why = "hooks.UserPromptSubmit", "the UserPromptSubmit hook stops the prompt, so nothing is sent"
    return Diagnostic("error", "agent-refuses", why), Fact("flag", name, False, "", why, on=(Lever(name, ""),))


def _may_speak(session: Session, event: str) -> Condition:
    """Whether `disableAllHooks` silences the hooks.

    In an organisation's file it silences all of them; elsewhere it leaves the organisation's, as do that file's
    `allowManagedHooksOnly` and `strictPluginOnlyCustomization`.
    """
    settings = session.settings
    own = settings.of(MANAGED)
    decides = settings.layer_of("disableAllHooks")
    if event in own.table("hooks") and (decides is None or decides.kind != MANAGED):
        return ALWAYS
    off, only = settings.known("disableAllHooks", default=False), own.known("allowManagedHooksOnly", default=False)
    others = "`allowManagedHooksOnly` is on, and no managed settings have such a hook"
    return (
        off.is_(False, unset=True, no="`disableAllHooks` is on")
        & only.is_(False, no=others)
        & session.sources.of("hooks").open
    )


def _object(printed: str) -> dict[str, Json] | None:
    """The JSON object that is printed; None if this is not an object."""
    if not printed.startswith("{"):
        return None
    try:
        value: dict[str, Json] = json.loads(printed)
    except (ValueError, RecursionError):
        return None
    return value


def _spans(event: str, text: str, session: Session) -> Iterator[Span]:
    """All of the text, or its start up to the end of a line in its second half."""
    said, size = f"hooks.{event}", utf16_len(text)
    project = memory_folder(session.written, session.cwd).removesuffix("/memory")
    if size <= _MOST:
        yield param_value(said, text)
        return
    head = utf16_slice(text, 0, _START)
    end = head.rfind("\n")
    yield label("<persisted-output>\nThis is too large (")
    yield computed("hook.size", size_shown(size))
    yield label("). All of it is in: ")
    yield unpredictable("hook.file", f"{project}/00000000-0000-0000-0000-000000000000/tool-results/hook-{event}.txt")
    yield label("\n\nIts first 2KB:\n")
    yield param_value(said, head[:end] if end > 0 and utf16_len(head[:end]) > _START // 2 else head)
    yield label("\n...\n</persisted-output>")
