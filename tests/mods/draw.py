"""Draws the cases of this folder from a seed: python -m tests.mods.draw FOLDER writes them, without facts.

A case is a folder that a shell script builds, and how the client is started in it. What the client then does, the
facts, is recorded by the driver that README.md names. The cases were drawn before anybody looked at an answer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import yaml

SEED = "mods, third forty"
BEGIN = 'R=$1; cd "$R"; w(){ mkdir -p "$(dirname "$R/$1")"; sed "s#{ROOT}#$R#g" > "$R/$1"; }\n'
LAYERS = {
    "user": "home/.claude/settings.json",
    "project": "repo/.claude/settings.json",
    "local": "repo/.claude/settings.local.json",
    "managed": "etc/claude-code/managed-settings.json",
}
IDS = ("cc-plugin-agents-md@builtin", "agents-md@builtin", "agents-md")
MODES = {
    "instructionFiles": ("claude-md-or-agents-md", "claude-md-and-agents-md", "claude-md", "managed-only", "both", 7),
    "projectInstructions": ("both", "none", "claude", "agents-fallback", "managed-only", False),
}
HOOK = "async ($, e, next) => next(e)"


class Case:
    """One that is being drawn."""

    def __init__(self, name: str, title: str) -> None:
        self.name, self.title, self.launch, self._lines = name, title, dict[str, Any](), [BEGIN]
        self._settings: dict[str, dict[str, Any]] = {}

    def run(self, *commands: str) -> Case:
        self._lines += [f"{each}\n" for each in commands]
        return self

    def file(self, path: str, text: str) -> Case:
        self._lines.append(f"w {path} <<'EOF'\n{text.rstrip()}\nEOF\n")
        return self

    def settings(self, layer: str, values: Mapping[str, Any]) -> Case:
        merged = self._settings.setdefault(layer, {})
        for key, value in values.items():
            merged[key] = {**merged.get(key, {}), **value} if isinstance(value, dict) else value
        return self

    def mod(self, folder: str, module: str, name: str = "", file: str = "m.js", **manifest: Any) -> Case:
        own = {"name": name or folder.rpartition("/")[2], "version": "1.0.0", **manifest}
        self.file(f"{folder}/.claude-plugin/plugin.json", json.dumps(own))
        self.file(f"{folder}/hooks/hooks.json", json.dumps({"modules": [f"./{file}"]}))
        return self.file(f"{folder}/hooks/{file}", module) if module else self

    def as_json(self) -> dict[str, Any]:
        launch = dict(self.launch)
        for layer, values in self._settings.items():
            if layer == "--settings":
                launch["args"] = [*launch.get("args", []), "--settings", json.dumps(values)]
            else:
                self.file(LAYERS[layer], json.dumps(values))
        return {
            "id": self.name,
            "agent": "claude-code",
            "version": "2.1.332",
            "title": self.title,
            "build": "".join(self._lines),
            "launch": launch,
        }


def module(*hooked: str) -> str:
    return "".join(("export const register = (on) => {\n", *(f"  {each}\n" for each in hooked), "}\n"))


def on(event: str, matcher: str = "", hook: str = HOOK) -> str:
    return f"on('{event}', {f'{matcher}, ' if matcher else ''}{hook})"


# --- AGENTS.md --------------------------------------------------------------------------------------------------------


def agents_md(random: Random, number: int) -> Case:
    case = Case(f"agents-{number:02}", "")
    said = [*_modes(random, case)]
    case.run("git init -q repo")
    often = (0.6, 0.25, 0.3, 0.9, 0.3, 0.4)
    chosen = [path for path, share in zip(PATHS, often, strict=True) if random.random() < share]
    for at, path in enumerate(chosen):
        case.file(f"repo/{path}", f"MK_f{at} of {path}")
    _surrounded(random, case)
    case.title = "; ".join([*said, ", ".join(chosen), json.dumps(case.launch)])
    return case


PATHS = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude/AGENTS.md", ".claude/rules/r.md")


def _modes(random: Random, case: Case) -> Iterator[str]:
    """Settings of the built-in mod in one or two layers, and perhaps its switch; what they are."""
    layers = random.sample(["user", "--settings", "managed", "project", "local"], 1 if random.random() < 0.6 else 2)
    for layer in layers:
        name, option = random.choices(IDS, (5, 4, 1))[0], random.choices(tuple(MODES), (3, 2))[0]
        value = random.choice(MODES[option])
        case.settings(layer, {"pluginConfigs": {name: {"options": {option: value}}}})
        yield f"{layer}: {name} {option}={value}"
    if random.random() < 0.35:
        layer, name, value = random.choice([*LAYERS]), random.choice(IDS[:2]), random.random() < 0.3
        case.settings(layer, {"enabledPlugins": {name: value}})
        yield f"{layer}: {name} {value}"


def _surrounded(random: Random, case: Case) -> None:
    """What is around the repository's own files, and how the client starts."""
    if random.random() < 0.4:
        case.file("home/.claude/CLAUDE.md", "MK_home of home")
    if random.random() < 0.3:
        case.file("etc/claude-code/CLAUDE.md", "MK_org of the organisation")
    if random.random() < 0.4:
        for path in random.sample(["CLAUDE.md", "AGENTS.md", "low/AGENTS.md", "low/CLAUDE.md"], 2):
            case.file(f"repo/pkg/{path}", f"MK_n{path.replace('/', '').replace('.', '').lower()} below")
        case.file("repo/pkg/low/a.txt", "text")
        case.launch["reads"] = ["{REPO}/pkg/low/a.txt"]
    if random.random() < 0.25:
        case.launch["trusted"] = False
    if random.random() < 0.2:
        case.launch["args"] = ["--setting-sources", random.choice(["user", "project", "user,project", "local"])]
    elif random.random() < 0.2 and "reads" not in case.launch:
        case.launch["interactive"] = case.launch.get("trusted", True)


# --- mods -------------------------------------------------------------------------------------------------------------

ODD: dict[str, dict[str, str]] = yaml.safe_load(Path(__file__).with_name("modules.yaml").read_text())
PLACES = ("plugin-dir", "home skills", "project skills", "variable", "variable of user settings", "folder of folders")
SWITCHES = (
    ("user", {"disableAllHooks": True}),
    ("local", {"disableAllHooks": True}),
    ("user", {"enabledPlugins": {"{id}": False}}),
    ("project", {"enabledPlugins": {"{id}": False}}),
    ("managed", {"language": "french"}),
    ("managed", {"prependPlugins": []}),
    ("--settings", {"disableAllHooks": True}),
)


def mods(random: Random, number: int, kind: str) -> Case:
    case = Case(f"mods-{number:02}", "")
    place = random.choice(PLACES)
    folder = {"home skills": "home/.claude/skills/m", "project skills": "repo/.claude/skills/m"}.get(place, "plugs/m")
    name = "m@skills-dir" if "skills" in place else "m@inline"
    text, after = ODD[kind].get("module", ""), ODD[kind].get("after", "")
    case.run("git init -q repo").file("repo/CLAUDE.md", "MK_claude tabs").mod(folder, text)
    if kind == "two of one name":
        case.mod("home/.claude/skills/twin", module(on("prompt.section")), name="m")
    if after:
        case.run(after.replace("{d}", folder).replace("{m}", f"{folder}/hooks/m.js"))
    at = {"plugin-dir": "{ROOT}/plugs/m", "folder of folders": "{ROOT}/plugs"}.get(place)
    if at:
        case.launch["args"] = ["--plugin-dir", at]
    elif place == "variable":
        case.launch["env"] = {"CLAUDE_CODE_PLUGIN_DIRS": "{ROOT}/plugs/m"}
    elif place == "variable of user settings":
        case.settings("user", {"env": {"CLAUDE_CODE_PLUGIN_DIRS": "{ROOT}/plugs/m"}})
    switch = ""
    if random.random() < 0.35:
        layer, values = random.choice(SWITCHES)
        switch = json.dumps(values).replace("{id}", name)
        case.settings(layer, json.loads(switch))
        switch = f"{layer} {switch}"
    if random.random() < 0.2:
        case.launch["trusted"] = False
    case.title = ", ".join(filter(None, (kind, place, switch, "" if case.launch.get("trusted", True) else "untrusted")))
    return case


# --- hooks ------------------------------------------------------------------------------------------------------------

EVENTS = (
    ("SessionStart", ("", "startup", "resume", "startup|clear", "^start", "*")),
    ("UserPromptSubmit", ("", "nothing")),
    ("SessionEnd", ("",)),
    ("PreToolUse", ("Bash", "mcp__.*")),
    ("Stop", ("",)),
)
SAYS = (
    "echo MK_{n}",
    'echo \'{{"hookSpecificOutput": {{"hookEventName": "{e}", "additionalContext": "MK_{n}"}}}}\'',
    "echo MK_{n}; exit 1",
    "echo MK_{n} >&2",
    'echo \'{{"systemMessage": "MK_{n}"}}\'',
)


def hooks(random: Random, number: int) -> Case:
    case = Case(f"hooks-{number:02}", "")
    case.run("git init -q repo").file("repo/CLAUDE.md", "MK_claude tabs")
    told = []
    for at in range(random.choice((2, 3))):
        layer = random.choice(["user", "project", "local", "managed", "plugin"])
        event, matchers = random.choices(EVENTS, (5, 4, 1, 1, 1))[0]
        matcher, command = random.choice(matchers), random.choice(SAYS).format(n=f"h{at}", e=event)
        group = {"hooks": [{"type": "command", "command": command}], **({"matcher": matcher} if matcher else {})}
        if layer == "plugin":
            folder = f"plugs/p{at}"
            case.file(f"{folder}/.claude-plugin/plugin.json", json.dumps({"name": f"p{at}", "version": "1.0.0"}))
            case.file(f"{folder}/hooks/hooks.json", json.dumps({"hooks": {event: [group]}}))
            case.launch["args"] = [*case.launch.get("args", []), "--plugin-dir", f"{{ROOT}}/{folder}"]
        else:
            known = case._settings.get(layer, {}).get("hooks", {})
            case.settings(layer, {"hooks": {event: [*known.get(event, []), group]}})
        told.append(f"{layer} {event} {matcher!r} {command}")
    if random.random() < 0.3:
        layer, key = random.choice([("user", "disableAllHooks"), ("managed", "allowManagedHooksOnly")])
        case.settings(layer, {key: True})
        told.append(f"{layer} {key}")
    if random.random() < 0.3:
        case.launch["trusted"] = False
    case.title = "; ".join(told) + ("" if case.launch.get("trusted", True) else "; untrusted")
    return case


# --- the Agent SDK ----------------------------------------------------------------------------------------------------


def sdk(random: Random, number: int) -> Case:
    case = Case(f"sdk-{number:02}", "")
    case.run("git init -q repo").file("repo/CLAUDE.md", "MK_claude tabs").file("repo/AGENTS.md", "MK_agents spaces")
    case.file("home/.claude/CLAUDE.md", "MK_home of home").file("repo/CLAUDE.local.md", "MK_local of mine")
    name, option = random.choice(IDS[:2]), random.choice(tuple(MODES))
    mode = random.choice(MODES[option][:4])
    case.settings("user", {"pluginConfigs": {name: {"options": {option: mode}}}})
    options: dict[str, Any] = {}
    prompt = random.choice([None, {"type": "preset", "preset": "claude_code"}, "MK_text of one's own"])
    if prompt is not None:
        options["systemPrompt"] = prompt
    if random.random() < 0.75:
        options["settingSources"] = random.sample(["user", "project", "local"], random.choice((0, 1, 2)))
    if random.random() < 0.5:
        case.mod("home/.claude/skills/m", module(on("prompt.attachment")))
    case.launch["sdk"] = options
    case.title = f"{name} {option}={mode}; {json.dumps(options)}"
    return case


def drawn() -> Iterator[Case]:
    """All forty."""
    for number in range(1, 13):
        yield agents_md(Random(f"{SEED} agents {number}"), number)
    kinds = Random(f"{SEED} kinds").sample([*ODD], 16)
    for number, kind in enumerate(kinds, 1):
        yield mods(Random(f"{SEED} mods {number}"), number, kind)
    for number in range(1, 9):
        yield hooks(Random(f"{SEED} hooks {number}"), number)
    for number in range(1, 5):
        yield sdk(Random(f"{SEED} sdk {number}"), number)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for each in drawn():
        path = folder / f"{each.name}.json"
        path.write_text(json.dumps(each.as_json(), ensure_ascii=False, indent=1) + "\n")
