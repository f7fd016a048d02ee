"""Hooks: whether one would run, and what it is imagined to print (specs/codex.md 10.1). None is ever run."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from promptscope_engine.agents.codex.params import CodexParams
from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.agents.kit.settings import below
from promptscope_engine.formats.document import Json, too_deep
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft, Piece, param_value
from promptscope_engine.prompt.leaves import flag, given
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .lossy import trimmed
from .settings import Settings

EVENTS = ("SessionStart", "UserPromptSubmit")


@frozen
class Hook:
    """What a hook adds, and when."""

    pieces: tuple[Piece, ...]
    when: Condition


def hooks(
    params: CodexParams,
    settings: Settings,
    folders: Sequence[str],
    codex_home: str,
    workspace: Workspace,
    switched_on: Condition,
    files: list[FileDraft],
    diagnostics: list[Diagnostic],
) -> dict[str, Hook]:
    """The hooks by event. `folders`: those of the settings; hooks lie in each of them [source]."""
    path = f"{codex_home}/hooks.json"
    every = [_read(f"{folder}/hooks.json", workspace, files, diagnostics) for folder in folders]
    trusted = flag("args.bypassHookTrust", yes="hooks run without being trusted", no="nobody has trusted the hooks")
    found = {}
    for event in EVENTS:
        named = any(_names(values, event) for values in (*every, settings.plain))
        ok = Observed(
            "file", f"{path}:{event}", named, f"a hook for {event} is set", f"no hook is set for {event}",
            remedy=f"add a hook for {event} to {path}",
        )  # fmt: skip
        output = getattr(params.hooks, event) or ""
        text = added(output)
        says = given(
            f"hooks.{event}", yes="it is imagined to print something", no="nothing is imagined of what it prints"
        )
        empty = Observed(
            "flag", f"hooks.{event}.context", bool(text) or not output, "it prints a text",
            "it prints nothing for the model",
            remedy=f"let `hooks.{event}` be a text, or JSON with hookSpecificOutput.additionalContext",
        )  # fmt: skip
        pieces = (param_value(f"hooks.{event}", text),) if text else ()
        found[event] = Hook(pieces, switched_on & ok & trusted & says & empty)
    return found


def _read(path: str, workspace: Workspace, files: list[FileDraft], diagnostics: list[Diagnostic]) -> Json:
    values, problem = _json(path, workspace)
    file = workspace.read(path)
    if file.problem != "missing":
        no, remedy = problem or file.detail, f"write JSON with `hooks` into {path}"
        readable = Observed("file", path, values is not None, "it names hooks", no, remedy=remedy)
        files.append(file_row(file, "settings", "always", readable))
    if problem:
        diagnostics.append(Diagnostic("warning", "bad-hooks", problem, path, 1))
    return values


def added(output: str) -> str:
    """What a hook's output adds for the model: the text, or the additionalContext of JSON.

    What begins like JSON and is no object adds nothing: a text is not made of a mistake [source].
    """
    text = trimmed(output)
    if not text.startswith(("{", "[")):
        return text
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    context = below(value, ("hookSpecificOutput", "additionalContext"))
    return trimmed(context) if isinstance(context, str) else ""


def _names(values: Json, event: str) -> bool:
    """Whether a command is set for the event. One for the start of a session can be kept to some kinds [source]."""
    groups = below(values, ("hooks", event))
    for group in groups if isinstance(groups, list) else ():
        commands = group.get("hooks") if isinstance(group, dict) else None
        if event == "SessionStart" and isinstance(group, dict) and not _of_new_sessions(group.get("matcher")):
            continue
        for command in commands if isinstance(commands, list) else ():
            if isinstance(command, dict) and command.get("type") == "command" and command.get("command"):
                return True
    return False


def _of_new_sessions(matcher: Json) -> bool:
    """Whether a matcher lets in a session that is started afresh: it names kinds, one beside the other."""
    if not isinstance(matcher, str) or matcher in ("", "*"):
        return True
    return "startup" in re.split(r"[^a-z_]+", matcher.lower()) or ".*" in matcher


def _json(path: str, workspace: Workspace) -> tuple[Json, str]:
    file = workspace.read(path)
    if not file.found:
        return None, ""
    try:
        value: Json = json.loads(file.text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        return None, f"it is no JSON: {error}"
    if not isinstance(value, dict):
        return None, "it is no JSON object"
    return (None, problem) if (problem := too_deep(value)) else (value, "")
