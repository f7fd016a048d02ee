"""What holds a skill back, as conditions (specs/openclaw.md 3, "Eligibility"): each gate in question is a fact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import and_

from promptscope_engine.agents.kit.settings import mapping
from promptscope_engine.agents.openclaw.levers import Settings
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Named, Observed
from promptscope_engine.prompt.model import Lever
from promptscope_engine.workspace import Workspace

from .discovery import BUNDLED, Skill

ON_PATH = "env.PATH"
"""Whether a program is there is a fact about the machine."""

CONFIG_DEFAULTS = {"browser.enabled": True, "browser.evaluateEnabled": True}
"""Configuration paths that are on by default."""


@frozen
class Machine:
    """What the gates depend on: configuration, system, environment variables, the folders of PATH, the filter."""

    settings: Settings
    platform: str
    env: Mapping[str, str]
    path: tuple[str, ...]
    only: tuple[str, ...] | None
    """The names that the agent's own list admits; None: no list. An empty list admits none."""
    only_from: str = "skillFilter"


def gate(skill: Skill, machine: Machine, workspace: Workspace) -> Condition:
    """The condition under which the skill is listed, limits aside."""
    path: Path = ("skills", "entries", skill.key)
    entry, name = mapping(machine.settings.get(path)), f"skills.entries.{skill.key}.enabled"
    ok, no = entry.get("enabled") is not False, f"{name} is false"
    enabled = machine.settings.decides((*path, "enabled"), ok, "it is not switched off", no, on=True, off=False)
    yes, no = "the model may call it", "disable-model-invocation: only a person may call it"
    remedy = f"take disable-model-invocation out of {skill.path}"
    callable_ = Observed("file", "disable-model-invocation", not skill.hidden, yes, no, remedy=remedy)
    conditions = (
        skill.plugin or ALWAYS,
        enabled,
        *_allowed(skill, machine),
        *_system(skill, machine),
        _requirements(skill, entry, machine, workspace),
        *_filter(skill, machine),
        callable_,
    )
    return reduce(and_, conditions)


def _allowed(skill: Skill, machine: Machine) -> Iterator[Condition]:
    """`skills.allowBundled` limits bundled skills only; an empty list limits nothing."""
    key = "skills.allowBundled"
    listed = machine.settings.get(key)
    names = [js_trim(str(name)) for name in listed if js_trim(str(name))] if isinstance(listed, list) else []
    if names and skill.source == BUNDLED:
        ok = skill.key in names or skill.name in names
        yield machine.settings.decides(key, ok, f"{key} names it", f"{key} does not name it", on=[*names, skill.key])


def _system(skill: Skill, machine: Machine) -> Iterator[Condition]:
    """The system: it counts even where the metadata says always."""
    wanted = skill.metadata.os
    if wanted:
        yield Observed(
            "flag", "environment.platform", machine.platform in wanted, "it is made for {actual}",
            f"it is made for {', '.join(wanted)}, not for {{actual}}", wanted=list(wanted), actual=machine.platform,
            remedy="run the agent on such a system",
        )  # fmt: skip


def _requirements(skill: Skill, entry: Mapping[str, Json], machine: Machine, workspace: Workspace) -> Condition:
    met: Condition = reduce(and_, _required(skill, entry, machine, workspace), ALWAYS)
    if skill.metadata.always:
        always = Observed("file", "always", True, "its metadata says always", "")
        return always if met is ALWAYS else always | met
    return met if met is ALWAYS else Named("all", "requires", met, "what it requires is there")


def _required(skill: Skill, entry: Mapping[str, Json], machine: Machine, workspace: Workspace) -> Iterator[Condition]:
    for name in skill.metadata.bins:
        there = _on_path(name, machine, workspace)
        yes, no = f"the program {name} is there", f"the program {name} is not on PATH"
        yield Observed("flag", ON_PATH, there, yes, no, wanted=name, remedy=f"install {name}")
    some = skill.metadata.any_bins
    if some:
        there = any(_on_path(name, machine, workspace) for name in some)
        listed = ", ".join(some)
        yes, no = f"one of {listed} is there", f"none of {listed} is on PATH"
        yield Observed("flag", ON_PATH, there, yes, no, wanted=[*some], remedy=f"install one of {listed}")
    for name in skill.metadata.env:
        own = mapping(entry.get("env")).get(name) or (skill.metadata.primary_env == name and entry.get("apiKey"))
        there = bool(machine.env.get(name) or own)
        path = ("skills", "entries", skill.key, "env", name)
        is_set = machine.settings.decides(path, there, f"{name} is set", f"{name} is not set", on="imagined")
        yield Named("flag", f"env.{name}", is_set, f"{name} is set")
    for key in skill.metadata.config:
        there = _truthy(machine.settings, key)
        no = f"{key} is not set in the configuration"
        is_set = machine.settings.decides(key.strip("."), there, f"{key} is set", no, on=True)
        yield Named("flag", "env.OPENCLAW_CONFIG_PATH", is_set, f"{key} is set")


def _filter(skill: Skill, machine: Machine) -> Iterator[Condition]:
    if machine.only is not None:
        yes, no = f"{machine.only_from} names it", f"{machine.only_from} does not name it"
        on, remedy = (Lever("skillFilter", [*machine.only, skill.name]),), f"add it to {machine.only_from}"
        yield Observed("flag", machine.only_from, skill.name in machine.only, yes, no, on=on, remedy=remedy)


def _on_path(name: str, machine: Machine, workspace: Workspace) -> bool:
    return any(workspace.is_executable(f"{folder}/{name}") for folder in machine.path)


def _truthy(settings: Settings, path: str) -> bool:
    value = settings.get(path.strip("."))
    if value is None:
        return CONFIG_DEFAULTS.get(path, False)
    if isinstance(value, str):
        return bool(js_trim(value))
    return bool(value) if isinstance(value, (bool, int, float)) else True
