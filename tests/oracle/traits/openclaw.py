"""Traits of OpenClaw that take more than a table: configs that are text."""

from __future__ import annotations

import json

from tests.oracle.clients.openclaw import CONFIG, OWN_KEYS
from tests.oracle.sketch import Sketch, mark_of

from . import trait

_FOLDER = "home/.openclaw"
_WHOLE = json.dumps(OWN_KEYS)
_KEYS = _WHOLE[1:-1]
_TOOLS = '"tools": {"deny": ["cron"]}'
_SHAPES = {
    "comment": f"{{{_KEYS}, /* c */ {_TOOLS} // d\n}}",
    "trailing comma": f"{{{_KEYS}, {_TOOLS},}}",
    "bare keys and single quotes": f"{{{_KEYS}, tools: {{deny: ['cron']}}}}",
    "mark": f"\ufeff{{{_KEYS}, {_TOOLS}}}",
    "twice": f'{{{_KEYS}, "tools": {{"deny": ["read"]}}, {_TOOLS}}}',
    "cut": f"{{{_KEYS}, {_TOOLS}",
    "list": f"[{{{_KEYS}}}]",
    "null": "null",
    "empty": "",
    "hexadecimal": f'{{{_KEYS}, "skills": {{"limits": {{"maxSkillsInPrompt": 0x0A}}}}, {_TOOLS}}}',
    "variable": f'{{{_KEYS}, "tools": {{"deny": ["${{ORACLE_TOOL}}"]}}}}',
    "variable unset": f'{{{_KEYS}, "tools": {{"deny": ["${{ORACLE_NONE}}"]}}}}',
    "variable escaped": f'{{{_KEYS}, "tools": {{"deny": ["$${{ORACLE_NONE}}", "cron"]}}}}',
    "variable in lower case": f'{{{_KEYS}, "tools": {{"deny": ["${{oracle_tool}}", "cron"]}}}}',
    "include": f'{{{_KEYS}, "$include": "./more.json5"}}',
    "include of a list": f'{{{_KEYS}, "$include": ["./more.json5", "./other.json5"]}}',
    "include below": f'{{{_KEYS}, "tools": {{"$include": "./tools.json5"}}}}',
    "include missing": f'{{{_KEYS}, "$include": "./none.json5"}}',
    "include outside": f'{{{_KEYS}, "$include": "../outside.json5"}}',
    "include of itself": f'{{{_KEYS}, "$include": "./openclaw.json"}}',
}
_INCLUDED = {
    f"{_FOLDER}/more.json5": f"{{{_TOOLS}}} // c\n",
    f"{_FOLDER}/other.json5": "{tools: {deny: ['nodes']}}\n",
    f"{_FOLDER}/tools.json5": "{deny: ['cron']}\n",
    "home/outside.json5": f"{{{_TOOLS}}}\n",
}


_HOMES = {
    "plain": ({}, "home", "home/.openclaw"),
    "OPENCLAW_HOME": ({"OPENCLAW_HOME": "{ROOT}/oh"}, "oh", "oh/.openclaw"),
    "OPENCLAW_HOME below ~": ({"OPENCLAW_HOME": "~/oh"}, "home/oh", "home/oh/.openclaw"),
    "OPENCLAW_HOME is blank": ({"OPENCLAW_HOME": " "}, "home", "home/.openclaw"),
    "OPENCLAW_HOME is ~": ({"OPENCLAW_HOME": "~"}, "home", "home/.openclaw"),
    "a profile": ({"OPENCLAW_PROFILE": "work"}, "home", "home/.openclaw"),
    "a state folder below its ~": ({"OPENCLAW_HOME": "{ROOT}/oh", "OPENCLAW_STATE_DIR": "~/st"}, "oh", "oh/st"),
    "a state folder": ({"OPENCLAW_STATE_DIR": "{ROOT}/st"}, "home", "st"),
    "a state folder by its older name": ({"CLAWDBOT_STATE_DIR": "{ROOT}/st"}, "home", "st"),
    "both": ({"CLAWDBOT_STATE_DIR": "{ROOT}/st", "OPENCLAW_STATE_DIR": "{ROOT}/oh/st"}, "home", "oh/st"),
    "an empty state folder": ({"OPENCLAW_STATE_DIR": "{ROOT}/none"}, "home", "home/.openclaw"),
    "a config by its older name": ({"CLAWDBOT_CONFIG_PATH": "{ROOT}/st/openclaw.json"}, "home", "st"),
    ".clawdbot": ({}, "home", "home/.clawdbot"),
    ".moltbot": ({}, "home", "home/.moltbot"),
    ".moldbot in OPENCLAW_HOME": ({"OPENCLAW_HOME": "{ROOT}/oh"}, "oh", "oh/.moldbot"),
}
"""What is set, the folder that `~` then stands for, and where the config lies."""


@trait("openclaw")
def homes(s: Sketch) -> None:
    """What moves the home and the state folder, and older names: a tool that is denied shows which config counts."""
    how = s.one(*_HOMES)
    env, home, state = _HOMES[how]
    for name, value in env.items():
        s.variable(name, value)
    file = s.one("openclaw.json", "openclaw.json", "clawdbot.json", "moltbot.json")
    place = s.one("{REPO}", "~/ws")
    own = json.loads(_WHOLE.replace("{REPO}", place))
    s.put(f"{state}/{file}", json.dumps({**own, "tools": {"deny": ["cron"]}}))
    if s.perhaps(0.4):
        s.put(f"{state}/moldbot.json", json.dumps({**own, "tools": {"deny": ["nodes"]}}))
    if s.perhaps(0.2) and state.endswith("bot"):
        s.put(f"{home}/.openclaw/x", "the newer folder without a config\n")
    s.start_in("repo" if place == "{REPO}" else f"{home}/ws")
    s.put(f"{s.situation.cwd}/AGENTS.md", s.text(f"rules, {how}"))
    folders = {f"{state}/skills", f"{home}/.openclaw/skills", f"{home}/.agents/skills", "home/.agents/skills"}
    for folder in s.some(sorted(folders), 1, 4):
        name = s.name("sk", f"{how}, skill in {folder}")
        s.put(f"{folder}/{name}/SKILL.md", f"---\nname: {name}\ndescription: {mark_of(name)} does\n---\nbody\n")
    s.label_tools(f"{how}, {file}")


@trait("openclaw", "openclaw-2026.9")
def config_syntax(s: Sketch) -> None:
    """JSON5, includes and variables; the tool `cron` shows whether the config counts."""
    kind = s.one(*_SHAPES)
    s.put(CONFIG, _SHAPES[kind])
    for path, text in _INCLUDED.items():
        s.put(path, text)
    s.variable("ORACLE_TOOL", "cron")
    s.add("repo/AGENTS.md", s.text(f"AGENTS.md beside config: {kind}"))
    s.label_tools(f"config: {kind}")


@trait("openclaw", "openclaw-2026.9")
def skill_limits(s: Sketch) -> None:
    """More skills than fit."""
    limits = s.one({}, {"maxSkillsPromptChars": 2000}, {"maxSkillsInPrompt": 9}, {"maxSkillsPromptChars": 6000})
    label = f"skill limits {limits}"
    if limits:
        s.settings(CONFIG, {"skills": {"limits": limits}})
    for _ in range(s.chance.randint(12, 40)):
        name = s.name("sk", label)
        words = s.one("sort boxes ", "größe <a> & 'b' ", "😀 ") * s.one(2, 10, 60, 90)
        folder = s.one("repo/skills", f"{_FOLDER}/skills", "home/.agents/skills")
        text = f"---\nname: {name}\ndescription: ZQ{name[2:]} {words}\n---\nb\n"
        s.put(f"{folder}/{name}/SKILL.md", text)
