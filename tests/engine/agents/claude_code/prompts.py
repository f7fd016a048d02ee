"""Assemblies on an empty disk, with the paths and variants that the sizes were measured with."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from promptscope_engine import Scenario, assemble
from promptscope_engine.prompt.model import Assembly, Section, Tool
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import EmptyDisk

V100, V329 = "2.1.100", "2.1.329"
SONNET_46, SONNET_45, OPUS_55 = "claude-sonnet-4-6", "claude-sonnet-4-5-20250929", "claude-opus-5-5"
LAYOUTS = {"A": (V100, SONNET_46), "A'": (V329, SONNET_45), "B": (V329, OPUS_55)}


def prompt(layout: str, mode: str | None = None, env: dict[str, str] | None = None, **params: Any) -> Assembly:
    """The assembly of a layout; `params` are the agent's own, headless unless `args` says otherwise."""
    version, model = LAYOUTS[layout]
    host = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    return _assembly(version, mode, {"args": {"print": True}, **params}, model=model, env={**host, **(env or {})})


def measured_prompt(version: str, differs: dict[str, Any], mode: str | None) -> Assembly:
    """Our assembly of a measured variant, as `measured` gives it."""
    params = dict(differs)
    top = {key: params.pop(key) for key in ("model", "env") if key in params}
    return _assembly(version, mode, params, **top)


def _assembly(version: str, mode: str | None, params: dict[str, Any], **top: Any) -> Assembly:
    scenario = {
        "agent": "claude-code",
        "agent_version": version,
        "workspace": "/repo/project",
        "home": "/home/user",
        "mode": mode,
        "params": params,
        "environment": {
            "platform": "linux",
            "os_type": "Linux",
            "os_version": "6.1.0",
            "shell": "/bin/bash",
            "date": "2026-11-20",
        },
        "env": {},
        "mcp_servers": [],
        "tokenizer": "o200k_base",
        **top,
    }
    return assemble(Scenario.model_validate(scenario), Workspace(EmptyDisk()), cached_only=True)


def section(assembly: Assembly, section_id: str) -> Section:
    found = assembly.section(section_id)
    assert found is not None, section_id
    return found


def tool(assembly: Assembly, name: str) -> Tool:
    return next(t for t in assembly.tools if t.name == name)


@cache
def reference(version: str) -> dict[str, Any]:
    """The measured sizes that the wing ships."""
    text = (files("promptscope_engine.agents.claude_code") / f"reference-{version}.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def measured(version: str) -> list[tuple[str, dict[str, Any], str | None, dict[str, Any]]]:
    """(variant, how it differs, mode, {"sections": …, "tools": …}) of everything that was measured."""
    return [
        (name, variant["differs_from_default"], None if mode == "null" else mode, sizes)
        for name, variant in reference(version)["variants"].items()
        for mode, sizes in variant["modes"].items()
    ]
