"""Settings whose values keep the client from starting: it uses them without a look at their type (recorded 0.61.0)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.gemini.variables import SEATBELT
from promptscope_engine.agents.kit.settings_schema import Schema, Shape
from promptscope_engine.inputs.machine import search_path
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import truthy
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.workspace import Workspace

from .settings import Settings

_USABLE = FOLDER.agent["usable"]
_MODE = "general.defaultApprovalMode"
_FORMS = {"Positive": (r"\s*\+?0*(?:[1-9]\d*(?:\.\d*)?|\.0*[1-9]\d*)\s*", "the same as a string")}
_MODES: Shape = "=default|auto_edit|plan|yolo"
_WORD = re.compile(r"\s*([\w.+-]+)(?=\s|$)")
"""A program's name at the start of a command, if it is a plain one."""


def usable_settings(settings: Settings, inputs: Inputs, workspace: Workspace) -> Condition:
    """No value ends the start. Where the approval mode is given, the setting of it does not count."""
    when: Condition = ALWAYS
    login = settings.at("security.auth.selectedType")
    by_scenario = {
        **({_MODE: _MODES} if inputs.mode is None else {}),
        **({"security.auth.enforcedType": f"={login}"} if login and isinstance(login, str) else {}),
    }
    for key, shape in {**_USABLE["shapes"], **by_scenario}.items():
        known = settings.known(key)
        schema = Schema(shape, forms=_FORMS)
        if (
            known.value is None
            or (key not in _USABLE["even_falsy"] and not truthy(known.value))
            or not schema.findings(known.value)
        ):
            continue
        no = f"`{key}` {known.source.place} must be {schema.described(shape)}"
        remedy = f"edit `{key}` {known.source.place}".strip()
        when = when & Observed("flag", key, False, "", no, remedy=remedy, source=known.source)
    return when & _no_null_group(settings) & _programs_there(settings, inputs, workspace)


def _no_null_group(settings: Settings) -> Condition:
    when: Condition = ALWAYS
    for key in _USABLE["groups"]:
        layer = next((layer for layer in reversed(settings.layers) if layer.path and key in layer.values), None)
        if layer is not None and layer.values[key] is None:
            source = layer.source((key,))
            no = f"`{key}` {source.place} must not be null"
            when &= Observed("flag", key, False, "", no, remedy=f"edit `{key}` {source.place}", source=source)
    return when


def _programs_there(settings: Settings, inputs: Inputs, workspace: Workspace) -> Condition:
    when: Condition = ALWAYS
    path = search_path(inputs.env)
    for key, programs in _programs(settings, inputs):
        there = any(workspace.is_executable(f"{folder}/{name}") for name in programs for folder in path)
        source = settings.known(key).source
        listed = " or ".join(programs)
        no = f"`{key}` {source.place} needs {listed}, which is not on PATH"
        when &= Observed("flag", key, there, "", no, remedy=f"install {listed}", source=source)
    return when


def _programs(settings: Settings, inputs: Inputs) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Settings that need a program, and the programs of which one has to be there."""
    command = settings.at("tools.discoveryCommand")
    if isinstance(command, str) and (word := _WORD.match(command)):
        yield "tools.discoveryCommand", (word[1],)
    sandbox = settings.at("tools.sandbox")
    if isinstance(sandbox, dict):
        sandbox = sandbox.get("enabled") is True and sandbox.get("command", True)
    if sandbox is True or sandbox == "true":
        own = (SEATBELT,) if inputs.environment.platform == "darwin" else ()
        yield "tools.sandbox", (*own, "docker", "podman")
    elif isinstance(sandbox, str) and sandbox not in ("", "false"):
        yield "tools.sandbox", (sandbox,)
