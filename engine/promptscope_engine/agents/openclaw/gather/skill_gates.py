"""What holds a skill back: the configuration, the system, programs, variables, the agent's own list."""

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import and_

from msgspec import Struct

from promptscope_engine.agents.kit.settings import mapping, text
from promptscope_engine.agents.openclaw.gather.skill_folders import BUNDLED, CUSTODIAN, Skill
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Named
from promptscope_engine.prompt.model import Lever
from promptscope_engine.workspace import Workspace

ON_PATH = "env.PATH"
"""Whether a program is there is a fact about the machine."""

CONFIG_DEFAULTS = {"browser.enabled": True, "browser.evaluateEnabled": True}
"""Configuration paths that are on by default."""


class Machine(Struct, frozen=True):
    """What the gates depend on: configuration, system, environment variables, the folders of PATH, the filter."""

    settings: SettingLevers
    platform: str
    env: Mapping[str, str]
    path: tuple[str, ...]
    only: tuple[str, ...] | None
    """The names that the agent's own list admits; None: no list. An empty list admits none."""
    only_from: str = "skillFilter"


def gate(skill: Skill, machine: Machine, workspace: Workspace) -> Condition:
    """The condition under which the skill is listed, limits aside."""
    return reduce(and_, _gates(skill, machine, workspace))


def _gates(skill: Skill, machine: Machine, workspace: Workspace) -> Iterator[Condition]:
    if skill.plugin:
        yield skill.plugin
    settings, wanted, only = machine.settings, skill.names("os"), machine.only
    path: Path = ("skills", "entries", skill.key)
    entry, no = mapping(settings.get(path)), f"skills.entries.{skill.key}.enabled is false"
    ok = entry.get("enabled") is not False
    yield settings.decides((*path, "enabled"), ok, "it is not switched off", no, on=True, off=False)
    # It limits bundled skills only, and an empty list limits nothing.
    key = "skills.allowBundled"
    listed = settings.get(key)
    names = [name for each in listed if (name := js_trim(str(each)))] if isinstance(listed, list) else []
    if names and skill.source in (BUNDLED, CUSTODIAN):
        ok = skill.key in names or skill.name in names
        yield settings.decides(key, ok, f"{key} names it", f"{key} does not name it", on=[*names, skill.key])
    if wanted:  # it counts even where the metadata says always
        yield Fact(
            "flag", "environment.platform", machine.platform in wanted, "it is made for {actual}",
            f"it is made for {', '.join(wanted)}, not for {{actual}}", wanted=list(wanted), actual=machine.platform,
            remedy="run the agent on such a system",
        )  # fmt: skip
    met: Condition = reduce(and_, _required(skill, entry, machine, workspace), ALWAYS)
    if skill.own("always") is True:
        always = Fact("file", "always", True, "its metadata says always", "")
        yield always if met is ALWAYS else always | met
    elif met is not ALWAYS:
        yield Named("all", "requires", met, "what it requires is there")
    if only is not None:
        whose = machine.only_from
        on = (Lever("skillFilter", [*only, skill.name]),)
        yes, no, remedy = f"{whose} names it", f"{whose} does not name it", f"add it to {whose}"
        yield Fact("flag", whose, skill.name in only, yes, no, on=on, remedy=remedy)
    yes, no = "the model may call it", "disable-model-invocation: only a person may call it"
    remedy = f"take disable-model-invocation out of {skill.path}"
    yield Fact("file", "disable-model-invocation", not skill.hidden, yes, no, remedy=remedy)


def _required(skill: Skill, entry: Mapping[str, Json], machine: Machine, workspace: Workspace) -> Iterator[Condition]:
    for name in skill.names("requires.bins"):
        there = _on_path(name, machine, workspace)
        yes, no = f"the program {name} is there", f"the program {name} is not on PATH"
        yield Fact("flag", ON_PATH, there, yes, no, wanted=name, remedy=f"install {name}")
    some = skill.names("requires.anyBins")
    if some:
        there = any(_on_path(name, machine, workspace) for name in some)
        listed = ", ".join(some)
        yes, no = f"one of {listed} is there", f"none of {listed} is on PATH"
        yield Fact("flag", ON_PATH, there, yes, no, wanted=[*some], remedy=f"install one of {listed}")
    for name in skill.names("requires.env"):
        own = mapping(entry.get("env")).get(name) or (text(skill.own("primaryEnv")) == name and entry.get("apiKey"))
        there = bool(machine.env.get(name) or own)
        path = ("skills", "entries", skill.key, "env", name)
        is_set = machine.settings.decides(path, there, f"{name} is set", f"{name} is not set", on="imagined")
        yield Named("flag", f"env.{name}", is_set, f"{name} is set")
    for key in skill.names("requires.config"):
        there = _truthy(machine.settings, key)
        no = f"{key} is not set in the configuration"
        is_set = machine.settings.decides(key.strip("."), there, f"{key} is set", no, on=True)
        yield Named("flag", "env.OPENCLAW_CONFIG_PATH", is_set, f"{key} is set")


def _on_path(name: str, machine: Machine, workspace: Workspace) -> bool:
    return any(workspace.is_executable(f"{folder}/{name}") for folder in machine.path)


def _truthy(settings: SettingLevers, path: str) -> bool:
    value = settings.get(path.strip("."))
    if value is None:
        return CONFIG_DEFAULTS.get(path, False)
    if isinstance(value, str):
        return bool(js_trim(value))
    return bool(value) if isinstance(value, (bool, int, float)) else True
