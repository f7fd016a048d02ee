"""Settings, front matter and patterns that were written to break their reader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.insight.lazy_rules import find_lazy_rules
from promptscope_engine.workspace import Workspace

from .runs import AGENTS, TARGETS, hold, mixed, put, scenario, starts

pytestmark = pytest.mark.slow

LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 8)}]\n" for n in range(1, 8)
)
TEXTS = {
    "laughs": LAUGHS + "description: *a7\npaths: *a7\ncustomModes: *a7\n",
    "cycle": "description: &m {openclaw: *m}\ncustomModes: &c [*c]\n",
    "aliases": "a: &a x\nb: [" + "*a, " * 3_000 + "]\n",
    "anchors": "x: " + "&a " * 2_000 + "1\n",
    "merges": "a: &a {x: 1}\nb: {<<: [" + "*a, " * 500 + "]}\n<<: 5\n",
    "brackets": "description: " + "[" * 3_000 + "\n",
    "braces": "metadata: " + "{openclaw: " * 2_000 + "\n",
    "dashes": "- " * 3_000 + "x\n",
    "indents": "".join(" " * n + "a:\n" for n in range(200)),
    "questions": "? " * 500 + "x\n",
    "tags": "description: !!python/object:os.system x\npaths: !<tag:x> y\nname: !!binary x\n",
    "wrong tags": 'name: !!int ""\ndescription: !!float x\npaths: !!timestamp "9999-99-99"\nx: !!bool z\n',
    "directives": "%YAML 9.9\n%TAG ! tag:x,2000:\n%FOO\n---\nname: x\n",
    "documents": "name: x\n...\n---\nname: y\n",
    "numbers": f"description: {'9' * 4_000}\nname: 1e999\npaths: .inf\nx: -.inf\ny: .nan\nz: 0x{'f' * 2_000}\n",
    "dates": "name: 2026-99-99\ndescription: 0000-00-00T99:99:99Z\npaths: 2026-01-01\n",
    "keys": "1: 2\nnull: 3\n? {a: b}\n: c\n? [d]\n: e\n=: f\ntrue: g\n",
    "doubles": "name: a\nname: b\ndescription: c\ndescription: d\n" * 20,
    "escapes": 'name: "\\e[2J\\0\\ud800\\U0010ffff"\ndescription: "\\x9b\\u202e"\npaths: "\\q"\n',
    "controls": "name: \x00\x01\x1b[2J\x7f\x85\u2028\ufeff\ndescription: \x0b\x0c\n",
    "tabs": "name:\tx\n\tdescription: y\npaths:\n\t- a\n",
    "spaces": "name: x" + " " * 20_000 + "y\npaths: *" + " " * 20_000 + "b\n" + " " * 20_000 + "\n",
    "colons": "a: " * 3_000 + "\n",
    "quotes": "name: '" + "'" * 5_001 + '\ndescription: "' + '\\"' * 5_000 + "\n",
    "blocks": "name: |9\n x\ndescription: >-2+\n  y\npaths: |\n" + "\n" * 2_000,
    "comments": "#" * 20_000 + "\n" + "# x\n" * 2_000,
    "globs": "paths: ['**/" + "**/" * 60 + "x', '" + "*a" * 60 + "b', '{" + "a,b" * 60 + "}', '[[[', '![!', '']\n",
    "nested braces": "paths: '" + "{a," * 500 + "b" + "}" * 500 + "'\n",
    "lists": "paths: " + "[" * 90 + "a" + "]" * 90 + "\ntools: [[a, [b]], {c: d}, null, 5]\n",
    "wrong types": "name: {a: b}\ndescription: [1, null]\npaths: {x: y}\ntools: 5\nmodel: []\nmetadata: 7\nhooks: x\n",
}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("start", starts(TEXTS))
def test_front_matter_and_yaml(place: Path, agent: str, start: int) -> None:
    for name, text in mixed(agent, TEXTS.values(), start):
        put(place, name, f"---\n{text}---\nBody.\n" if name.endswith(".md") else text)
    hold(scenario(agent, place))


SETTINGS = {
    "deep lists": "[" * 50_000,
    "deep objects": '{"a":' * 50_000,
    "closed": '{"mcpServers": ' + "[" * 900 + "]" * 900 + "}",
    "two hundred levels": '{"permissions": ' + '{"deny": ' * 200 + "1" + "}" * 200 + "}",
    "infinite": '{"skillListingBudgetFraction": Infinity, "agents": {"defaults": {"contextTokens": -Infinity}}}',
    "not a number": '{"skillListingBudgetFraction": NaN, "skills": {"limits": {"maxSkillsInPrompt": NaN}}}',
    "large numbers": '{"skillListingBudgetFraction": 1e999, "agents": {"defaults": {"bootstrapMaxChars": 1e999}}, "x": '
    + "9" * 4_000 + "}",
    "more digits": '{"x": ' + "9" * 5_000 + "}",
    "half pairs": '{"language": "\\ud800", "outputStyle": "\\udfff", "mcpServers": {"\\ud800": {"command": "x"}}}',
    "wrong types": '{"permissions": 5, "env": [1], "hooks": "x", "mcpServers": [null], "agents": 7, "tools": [], '
    '"skills": 1, "claudeMdExcludes": {"a": 1}, "enabledPlugins": 5, "model": {}, "outputStyle": [], "channels": 5}',
    "nulls": '{"permissions": null, "env": null, "mcpServers": null, "agents": null, "tools": null, "skills": null}',
    "no object": "null",
    "text": '"x"',
    "globs": json.dumps({"claudeMdExcludes": ["**/" * 500 + "x", "*a" * 1_000 + "b", "{a,b}" * 500, "/" * 4_000],
                         "permissions": {"deny": ["mcp__" + "*a" * 500 + "b"] * 20},
                         "tools": {"deny": ["*a" * 500 + "b"] * 20, "allow": ["*" * 5_000]}}),
    "variables": json.dumps({"env": {"A=B": "x", "": "y", "\x1b": "\x1b[2J", "PATH": "\0"}, "x": "${A${B}}$$$${"}),
    "many": json.dumps({"permissions": {"deny": [f"mcp__a{n}__*" for n in range(3_000)]},
                        "mcpServers": {f"s{n}": {"command": "x"} for n in range(1_000)}}),
    "comments": "// " * 2_000 + "\n/*" + "*" * 5_000,
    "json5": "{a: 'b', /* c */ d: +.5e-3, e: 0xff, f: [1,,], 'g\\\n': Infinity, $_: \"\\v\\0\",}",
    "json5 deep": "{a: " * 400 + "1" + "}" * 400,
    "includes": '{"$include": ["openclaw.json", "./openclaw.json", "/dev/zero", "../../../etc/passwd", "\\u0000", 5]}',
    "prototype": '{"__proto__": {"mcpServers": {}}, "constructor": {"prototype": 1}, "toString": 5}',
    "doubles": '{"mcpServers": {"a": {"command": "x"}, "a": 5}, "mcpServers": {"b": {}}}',
    "modes": json.dumps({"customModes": [{"slug": "x", "name": "x", "roleDefinition": "x", "groups": [
        ["edit", {"fileRegex": "(" * 900 + "a+" + ")+" * 900}], ["edit", {"fileRegex": "(a+)+" * 50}]]}]}),
    "many modes": json.dumps({"customModes": [
        {"slug": f"m{n}", "name": "x", "roleDefinition": "x", "groups": []} for n in range(600)]}),
}  # fmt: skip


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("kind", SETTINGS)
def test_settings(place: Path, agent: str, kind: str) -> None:
    for name in TARGETS[agent]:
        if not name.endswith(".md"):
            put(place, name, SETTINGS[kind])
    hold(scenario(agent, place))


PATTERNS = {
    "spaces": " " * 100_000 + "x",
    "stars": "*a" * 40 + "b",
    "folders": "**/" * 40 + "x",
    "both": "**/*a*a*a*a/**/*a*a*a*a*b",
    "braces": "{a,b}" * 500,
    "nested": "{" * 1_000 + "a,b" + "}" * 1_000,
    "brackets": "[" * 3_000 + "]",
    "sets": "[!a-z][z-a][[:alpha:]][]a][\\]]" * 50,
    "questions": "?" * 300 + "*" * 300 + "?",
    "escapes": "\\" * 999,
    "no": "!" * 999 + "*",
    "zeros": "\0" * 100_000,
    "long": "a" * 300 + "*" + "a" * 300,
    "slashes": "/" * 3_000 + "*/" * 900,
}


@pytest.mark.parametrize("agent", ["roo", "claude-code"])
@pytest.mark.parametrize("kind", PATTERNS)
def test_patterns_are_held_against_long_names(place: Path, agent: str, kind: str) -> None:
    for n in range(20):
        put(place, f"{'a' * 200}/{'a' * 200}{n}.ts", "x")
    (place / "workspace" / ".git").mkdir()
    pattern = PATTERNS[kind]
    for name in (".rooignore", ".gitignore", ".ignore"):
        put(place, name, f"{pattern}\n!{pattern}\n{pattern}/**\n")
    put(place, ".claude/rules/a.md", f"---\npaths: [{json.dumps(pattern)}, {json.dumps('!' + pattern)}]\n---\nRule.\n")
    put(place, ".claude/settings.json", json.dumps({"claudeMdExcludes": [pattern], "permissions": {"deny": [pattern]}}))
    asked = scenario(agent, place, reads=[f"{'a' * 200}/{'a' * 200}1.ts"])
    hold(asked)
    workspace = Workspace()
    agent_object, inputs = resolve(asked, workspace)
    find_lazy_rules(agent_object, inputs, workspace)


BODIES = {
    "backticks": "".join("`" * n + " " for n in range(1, 300)),
    "quotes": ">" * 30_000,
    "stars": "*a " * 20_000 + "**" * 20_000,
    "underscores": "_a" * 30_000,
    "links": "](" * 10_000 + "[" * 10_000 + "[a](" * 5_000,
    "tags": "<a" * 10_000 + "<!--" * 10_000,
    "comments": "<!-- x\n" * 5_000 + "--><!-- -->" * 5_000,
    "fences": "```\n~~~\n" * 5_000,
    "lists": "- " * 20_000 + "\n" + "".join(" " * n + "- x\n" for n in range(300)),
    "tables": "|" * 30_000 + "\n" + "| a |\n" * 3_000,
    "at": "@" * 30_000 + " @a" * 5_000,
    "escapes": "\\" * 30_000 + "@\\ " * 5_000,
    "blank": "\n" * 50_000 + " " * 50_000 + "\t" * 50_000,
    "dashes": "---\n" * 10_000,
    "open head": "---\n" + "a: b\n" * 10_000,
}


@pytest.mark.parametrize("kind", BODIES)
def test_markdown_in_which_imports_are_looked_for(place: Path, kind: str) -> None:
    put(place, "CLAUDE.md", f"@x.md {BODIES[kind]} @y.md")
    put(place, ".claude/rules/a.md", BODIES[kind])
    hold(scenario("claude-code", place))


@pytest.mark.parametrize("width", [1, 3, 60])
def test_a_web_of_imports(place: Path, width: int) -> None:
    text = "".join(f"@i{n}.md\n" for n in range(width))
    for n in range(width):
        put(place, f"i{n}.md", f"{text}@CLAUDE.md\n@./i{n}.md\n@../workspace/i{n}.md\n")
    put(place, "CLAUDE.md", text)
    assembly = hold(scenario("claude-code", place))
    assert sum(file.path.endswith("i0.md") and file.present for file in assembly.files) == 1
