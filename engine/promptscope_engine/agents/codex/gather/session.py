"""What the session brings along: the environment, images, and the body's options (specs/codex.md 1.2, 4.4, 5, 10.2)."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime

from promptscope_engine.agents.codex.catalogue import Model
from promptscope_engine.agents.codex.materials import Image
from promptscope_engine.agents.codex.params import CodexParams
from promptscope_engine.formats.document import Json, too_deep
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .settings import Settings, refusal

_SHELLS = {"zsh": "zsh", "bash": "bash", "sh": "sh", "pwsh": "powershell", "powershell": "powershell", "cmd": "cmd"}
_TYPES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}
"""By the first bytes: the name of a file decides nothing."""
MAX_IMAGE = 20 * 1024 * 1024
_TIERS = {"fast": "priority"}


def environment(inputs: Inputs, cwd: str) -> dict[str, str | None]:
    """The lines of the environment context. `SHELL` is not consulted, `TZ` moves the date alone (5.1)."""
    given = inputs.environment
    name = (given.shell or "").rpartition("/")[2].removesuffix(".exe")
    # Another login shell is passed over for the one that the system has [source].
    shell = _SHELLS.get(name, "zsh" if given.platform == "darwin" else "bash")
    date = _date(given.date, inputs.env.get("TZ"))
    return {"cwd": cwd, "shell": shell, "current_date": date, "timezone": given.timezone}


def _date(date: str | None, zone: str | None) -> str | None:
    if date is None:
        return None
    at = datetime.fromisoformat(date)  # the scenario was checked
    if zone and at.tzinfo is not None:
        from zoneinfo import ZoneInfo  # 8 ms

        with suppress(ValueError, OSError, LookupError, OverflowError):
            at = at.astimezone(ZoneInfo(zone.removeprefix(":")))
    return at.date().isoformat()


def images(
    params: CodexParams, cwd: str, workspace: Workspace, files: list[FileDraft], diagnostics: list[Diagnostic]
) -> tuple[Image, ...]:
    """The images of `--image`, as data URLs. In the place of one that cannot be read a text says so [source]."""
    found: list[Image] = []
    for number, path in enumerate(params.args.images, 1):
        full = os.path.normpath(os.path.join(cwd, path))  # noqa: PTH118
        file = workspace.read(full)
        kind = _image_type(file.data)
        fits = file.found and kind is not None and file.size <= MAX_IMAGE
        why = "it is no image" if file.found else f"it cannot be read: {file.detail}"
        there = Observed(
            "file", full, fits, "it goes with the prompt", why, remedy=f"put an image in the place of {full}"
        )
        files.append(FileDraft(full, file.real_path, "image", "always", there, file.size))
        data = base64.b64encode(file.data).decode("ascii") if fits else ""
        found.append(Image(number, path, f"data:{kind};base64,{data}" if fits else ""))
        if not fits:
            text = f"the image does not go with the prompt: {why}"
            diagnostics.append(Diagnostic("warning", "image", text, full))
    return tuple(found)


def _image_type(data: bytes) -> str | None:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for head, kind in _TYPES.items() if data.startswith(head)), None)


def options(
    model: Model, params: CodexParams, settings: Settings, cwd: str, workspace: Workspace
) -> tuple[dict[str, Json], Diagnostic | None]:
    """The body's keys besides input and tools; and why Codex does not start, if the schema of the answer is none."""
    made: dict[str, Json] = {"model": model.name, "tool_choice": "auto", "parallel_tool_calls": not model.lite}
    made["reasoning"] = _reasoning(model, settings)
    text: dict[str, Json] = {}
    if model.verbosity is not None:
        text["verbosity"] = settings.text("model_verbosity").value or model.verbosity
    schema, problem = _output_schema(params, cwd, workspace)
    if schema is not None:
        text["format"] = {"type": "json_schema", "strict": True, "schema": schema, "name": "codex_output_schema"}
    made["text"] = text or None
    made |= {"store": False, "stream": True, "include": ("reasoning.encrypted_content",)}
    tier = settings.text("service_tier").value
    made["service_tier"] = _TIERS.get(tier, tier) if tier else None
    return made, problem


def _reasoning(model: Model, settings: Settings) -> dict[str, Json]:
    """`ultra` is sent as `xhigh`; a summary only where one is asked for, or for a model that is not known."""
    effort = settings.text("model_reasoning_effort").value or model.effort
    summary = settings.text("model_reasoning_summary").value or (None if model.known else "auto")
    made: dict[str, Json] = {}
    if effort:
        made["effort"] = "xhigh" if effort == "ultra" else effort
    if summary and summary != "none":
        made["summary"] = summary
    if model.lite:
        made["context"] = "all_turns"
    return made


def _output_schema(params: CodexParams, cwd: str, workspace: Workspace) -> tuple[Json, Diagnostic | None]:
    given = params.args.outputSchema
    if given is None or isinstance(given, Mapping):
        return given, None
    path = os.path.normpath(os.path.join(cwd, given))  # noqa: PTH118
    file = workspace.read(path)
    try:
        value: Json = json.loads(file.text) if file.found else None
    except (ValueError, RecursionError):
        value = None
    if value is None or too_deep(value):
        return None, refusal(f"{path}, the schema of the answer, is no JSON", path)
    return value, None
