"""Traits of OpenClaw that take more than a table: configs that are text."""

from __future__ import annotations

import json

from tests.oracle.clients.openclaw import CONFIG, OWN_KEYS
from tests.oracle.sketch import Sketch

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
