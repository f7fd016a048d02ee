"""Traits of Claude Code that take more than a table: budgets, settings about listed names, tools, plugins."""

from __future__ import annotations

import json
from typing import Any

from tests.oracle.situation import Json
from tests.oracle.sketch import Sketch, front_matter, mark_of

from . import trait

PROJECT, USER = "repo/.claude/", "home/.claude/"
_SETTINGS = (f"{PROJECT}settings.json", f"{PROJECT}settings.local.json", f"{USER}settings.json")
_PLUGINS = f"{USER}plugins/"


def skill(s: Sketch, folder: str, label: str) -> str:
    """A skill below this folder; returns its name."""
    name = s.name("sk", label)
    s.put(f"{folder}/{name}/SKILL.md", front_matter("body\n", name=name, description=f"{mark_of(name)} does"))
    return name


@trait("claude-code")
def skill_budget(s: Sketch) -> None:
    """More descriptions than fit."""
    how = s.one("haiku", "haiku", "sonnet", "variable", "setting")
    if how == "variable":
        budget = s.one("1500", "3000", "6000")
        s.variable("SLASH_COMMAND_TOOL_CHAR_BUDGET", budget)
        how = f"variable {budget}"
    elif how == "setting":
        share = s.one(0.001, 0.0005, 0.002)
        s.settings(f"{PROJECT}settings.json", {"skillListingBudgetFraction": share})
        how = f"fraction {share}"
    else:
        s.argument("model", f"claude-{how}-4-5")
    for _ in range(s.chance.randint(8, 14)):
        name = s.name("sk", f"skill budget by {how}")
        words = s.one("sort boxes by weight ", "größe ändern ", "<a> & b ") * 200
        text = f"{mark_of(name)} {words}"[: s.one(60, 120, 300, 642, 900, 1536, 1700) - 1]
        s.put(f"{PROJECT}skills/{name}/SKILL.md", front_matter("b\n", name=name, description=f"{text}x"))


_SKILL_SETTINGS: tuple[Json, ...] = (
    {"skillOverrides": {"ONE": "off", "TWO": "name-only", "dataviz": "off"}},
    {"skillOverrides": {"ONE": "user-invocable-only", "THREE": "on"}},
    {"skillOverrides": {"ONE": "hidden"}},
    {"skillOverrides": {"ONE": "OFF"}},
    {"skillListingMaxDescChars": 10},
    {"disableBundledSkills": True},
    {"skillListingBudgetFraction": "0.5"},
    {"skillListingBudgetFraction": 0},
    {"permissions": {"deny": ["Skill(ONE)"]}},
    {"permissions": {"deny": ["Skill"]}},
)


@trait("claude-code")
def skill_settings(s: Sketch) -> None:
    """Settings about skills, by their names."""
    value = s.one(*_SKILL_SETTINGS)
    label = f"skill under settings {json.dumps(value)}"
    names = {word: skill(s, f"{s.one(PROJECT, PROJECT, USER)}skills", label) for word in ("ONE", "TWO", "THREE")}
    text = json.dumps(value)
    for word, name in names.items():
        text = text.replace(word, name)
    s.settings(s.one(*_SETTINGS), json.loads(text))


_TOOLS = [
    "Bash",
    "Read",
    "Write",
    "Edit",
    "Skill",
    "Agent",
    "Task",
    "WebFetch",
    "WebSearch",
    "bash",
    "Bash(*)",
    "Bash()",
    "Bash(ls)",
    "Read(*)",
    "mcp__x",
    "*",
    "Workflow",
    "ToolSearch",
    "Glob",
    "Grep",
    "Nope",
    "NotebookEdit",
    "TodoWrite",
    "Web*",
    "Agent(Explore)",
]


@trait("claude-code")
def tools(s: Sketch) -> None:
    """Tools taken away or kept, by settings and arguments."""
    kind, names = s.one("deny", "deny", "disallowed", "tools", "ask", "mode"), s.some(_TOOLS, 1, 3)
    said: Any = names
    if kind == "deny":
        s.settings(s.one(*_SETTINGS), {"permissions": {"deny": names}})
    elif kind == "ask":
        s.settings(_SETTINGS[0], {"permissions": {"ask": names, "allow": names[:1]}})
    elif kind == "disallowed":
        s.argument("disallowedTools", names)
    elif kind == "tools":
        said = s.one(["Read"], ["Read", "Bash", "Skill"], [""], ["default"], ["Read", "Nope"], ["read"])
        s.argument("tools", said)
    else:
        said = s.one("plan", "acceptEdits", "dontAsk")
        s.argument("mode", said)
    s.label_tools(f"{kind} {said}")
    skill(s, f"{PROJECT}skills", f"skill beside {kind} {said}")
    s.add("repo/CLAUDE.md", s.text(f"CLAUDE.md beside {kind} {said}"))


_PLUGIN_FILES = {
    "skill": ("skills/{name}/SKILL.md", "---\nname: {name}\ndescription: {m} does\n---\nb\n"),
    "skill of another name": ("skills/{name}/SKILL.md", "---\nname: other{name}\ndescription: {m} does\n---\nb\n"),
    "skill without a description": ("skills/{name}/SKILL.md", "---\nname: {name}\n---\n{m} body\n"),
    "skill in the root": ("SKILL.md", "---\nname: {name}\ndescription: {m} does\n---\nb\n"),
    "nested skill": ("skills/g/{name}/SKILL.md", "---\nname: {name}\ndescription: {m} does\n---\nb\n"),
    "command": ("commands/{name}.md", "---\ndescription: {m} does\n---\nx\n"),
    "command in a folder": ("commands/team/{name}.md", "---\ndescription: {m} does\n---\nx\n"),
    "command without front matter": ("commands/{name}.md", "{m} text\n"),
    "agent": ("agents/{name}.md", "---\nname: {name}\ndescription: {m} does\n---\nx\n"),
}


@trait("claude-code")
def plugins(s: Sketch) -> None:
    """An installed plugin with skills, commands and agents."""
    enabled, source = s.one(True, True, True, True, False, "true", None), s.perhaps(0.7)
    where = s.one(*_SETTINGS)
    rest = f"enabled {enabled!r} in {where}, {'with its source' if source else 'in the cache only'}"
    plugin, files = s.name("plug", f"plugin itself, {rest}"), {}
    for kind in s.some(list(_PLUGIN_FILES), 3, 5):
        name = s.name("pl", f"plugin {kind}, {rest}")
        path, text = (part.replace("{name}", name).replace("{m}", mark_of(name)) for part in _PLUGIN_FILES[kind])
        files[path] = text
    install(s, plugin, files, in_source=source)
    if enabled is not None:
        s.settings(where, {"enabledPlugins": {f"{plugin}@market": enabled}})


def install(s: Sketch, plugin: str, files: dict[str, str], *, in_source: bool = True) -> None:
    """Put a plugin where Claude Code installs it, from a marketplace that is a folder."""
    version, moment = "1.0.0", "2026-01-01T00:00:00.000Z"
    cache = f"{_PLUGINS}cache/market/{plugin}/{version}"
    market = f"{_PLUGINS}marketplaces/market"
    manifest = json.dumps({"name": plugin, "version": version})
    for folder in (cache, f"{market}/{plugin}"):
        s.put(f"{folder}/.claude-plugin/plugin.json", manifest)
        for path, text in files.items() if in_source or folder == cache else ():
            s.put(f"{folder}/{path}", text)
    row = {"name": plugin, "source": f"./{plugin}", "version": version}
    offer = {"name": "market", "owner": {"name": "x"}, "plugins": [row]}
    s.put(f"{market}/.claude-plugin/marketplace.json", json.dumps(offer))
    place = "{HOME}/.claude/plugins/marketplaces/market"
    source = {"source": {"source": "directory", "path": place}, "installLocation": place, "lastUpdated": moment}
    s.put(f"{_PLUGINS}known_marketplaces.json", json.dumps({"market": source}))
    installed = {"scope": "user", "installPath": f"{{ROOT}}/{cache}", "version": version}
    installed |= {"installedAt": moment, "lastUpdated": moment}
    listed = {"version": 2, "plugins": {f"{plugin}@market": [installed]}}
    s.put(f"{_PLUGINS}installed_plugins.json", json.dumps(listed))


@trait("claude-code")
def long_hooks(s: Sketch) -> None:
    """Hooks that say more than is sent."""
    event, size, width = s.one("SessionStart", "UserPromptSubmit"), s.one(9_900, 10_200, 12_000), s.one(48, 1_300)
    letter, as_object = s.one("a", "é", "😀"), s.perhaps(0.3)
    units = len(letter.encode("utf-16-le")) // 2
    mark = s.mark(f"{event}, {size} units of {letter}, {width} a line, {'an object' if as_object else 'a text'}")
    line = letter * (width // units)
    said = "".join(f"{mark}n{number:04d} {line}\n" for number in range(1, size // (width + 12) + 1))
    if as_object:
        said = json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": said}})
    s.put("repo/said.txt", said)
    command = {"type": "command", "command": "cat '{REPO}/said.txt'"}
    s.settings("repo/.claude/settings.json", {"hooks": {event: [{"hooks": [command]}]}})
    s.tell("params", {"hooks": {event: said}})
