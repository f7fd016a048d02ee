"""Definitions of agents that were written to break their reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import Assembly, Scenario, ScenarioError, Workspace, assemble
from promptscope_engine.agents.declared import reading

from .runs import hold, put

pytestmark = pytest.mark.slow

FILE = "promptscope-agent.toml"
ID = 'id = "hostile"\n'
SECTION = '[[section]]\nid = "s{0}"\n{1}\n'


def asked(place: Path, **more: Any) -> Scenario:
    return frozen_scenario("hostile", place, **more)


def run(place: Path, text: str | bytes) -> Assembly | ScenarioError:
    """An assembly that holds, or an error that names the file."""
    put(place, FILE, text)
    try:
        return hold(asked(place))
    except ScenarioError as error:
        found = error
    assert str(found.where).startswith(str(place / "workspace" / FILE))
    return found


TEXTS: dict[str, str | bytes] = {
    "nothing": "",
    "zeros": b"\0" * 10_000,
    "bytes": bytes(range(256)),
    "half": ID.encode("utf-16"),
    "huge": "#" * 40_000_000,
    "deep list": ID + "x = " + "[" * 50_000,
    "closed list": ID + "x = " + "[" * 900 + "]" * 900,
    "deep table": ID + "x = " + "{a = " * 5_000 + "1" + "}" * 5_000,
    "deep key": ID + "a." * 20_000 + "b = 1",
    "deep header": ID + "[" + "a." * 20_000 + "b]",
    "digits": ID + "window = " + "9" * 10_000,
    "float": ID + "window = 1e999",
    "not a number": ID + "window = nan",
    "date": ID + "window = 1979-05-27",
    "types": "id = []\nsection = 5\ntool = {}\nmode = 'x'\nparams = []",
    "more types": ID + "section = [5, 'x', {}]\ntool = [[]]\nmode = [{slug = {}}]\n[params]\na = 5",
    "controls": 'id = "hostile"\nname = "\\u001b[2J"',
    "bidi": 'id = "hostile"\nname = "a\\u202eb"',
    "bidi id": 'id = "host\\u202eile"',
    "slug": ID + '[[mode]]\nslug = "\\u001b"',
    "param": ID + '[params."\\u202e"]',
    "dunder": ID + "[params.__class__]\n[params.model_config]",
    "sections": ID + "".join(SECTION.format(n, 'text = "t"') for n in range(10_000)),
    "tools": ID + "".join(f'[[tool]]\nname = "t{n}"\n' for n in range(10_000)),
    "choices": ID + "[params.a]\nchoices = [" + "'x', " * 10_000 + "]",
    "parentheses": ID + SECTION.format(0, f"text = 'x'\nwhen = '{'(' * 10_000}{')' * 10_000}'"),
    "nots": ID + SECTION.format(0, f"text = 'x'\nwhen = '{'not ' * 10_000}a'"),
    "ands": ID + "[params.a]\n" + SECTION.format(0, f"text = 'x'\nwhen = '{'a and ' * 600}a'"),
    "quotes": ID + SECTION.format(0, "text = 'x'\nwhen = '\"" + '\\"' * 1_000 + "'"),
    "names": ID + SECTION.format(0, 'text = "' + "{{mode}}" * 50_000 + '"'),
    "braces": ID + SECTION.format(0, 'text = "' + "{{" * 50_000 + " " * 50_000 + '"'),
    "escapes": ID + SECTION.format(0, 'text = "' + '\\n\\u0041\\"' * 30_000 + '"'),
    "stars": ID + SECTION.format(0, 'glob = "' + "**/" * 300 + 'x"'),
    "more stars": ID + SECTION.format(0, 'glob = "' + "*a" * 300 + 'b"'),
    "choice of patterns": ID + SECTION.format(0, 'glob = "' + "{a,b}" * 300 + '"'),
    "sets": ID + SECTION.format(0, 'glob = "' + "[" * 3_000 + '"'),
    "long pattern": ID + SECTION.format(0, 'glob = "' + "*" * 100_000 + '"'),
    "long path": ID + SECTION.format(0, 'file = "' + "a/" * 50_000 + '"'),
    "no path": ID + SECTION.format(0, 'file = "a\\u0000b"'),
    "itself": ID + SECTION.format(0, f'file = "{FILE}"') + SECTION.format(1, 'glob = "*"'),
    "schema": ID + '[[tool]]\nname = "t"\ninput_schema = {properties = [1], required = 5, type = {}}',
}


ANNOUNCED = {
    "sections": "10,000 of `section`: the first 500 are used",
    "tools": "10,000 of `tool`: the first 200 are used",
    "names": "the first 1,000 names are filled in, 49,000 are left",
}


@pytest.mark.parametrize("kind", [kind for kind in TEXTS if kind not in ANNOUNCED])
def test_texts(place: Path, kind: str) -> None:
    put(place, "a/x.md", "X.\n")
    run(place, TEXTS[kind])


@pytest.mark.parametrize(("kind", "says"), ANNOUNCED.items())
def test_what_is_left_out_is_announced(place: Path, kind: str, says: str) -> None:
    found = run(place, TEXTS[kind])
    assert isinstance(found, Assembly)
    [limit] = [d for d in found.diagnostics if d.severity != "info"]
    assert limit.code == "definition-limit"
    assert says in limit.message


def test_a_wide_tree(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_LOOKED", 300)
    for n in range(400):
        put(place, f"d{n % 20}/{n}.md", "x")
    found = run(place, ID + SECTION.format(0, 'glob = "**/**/**/*.md"'))
    assert isinstance(found, Assembly)
    assert any("only the first 300 names were looked at" in d.message for d in found.diagnostics)
    assert 0 < sum(section.present for section in found.sections) < 400


def test_links(place: Path) -> None:
    """Out of the announced folders: a row that says so, and nothing of the text; round and round: an end."""
    outside = place / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("quetzal")
    root = place / "workspace"
    (root / "linked.md").symlink_to(outside / "secret.md")
    (root / "folder").symlink_to(outside)
    (root / "round").symlink_to(root)
    (root / "loop.md").symlink_to("loop.md")
    names = ["linked.md", "folder/secret.md", "loop.md"]
    text = "".join(SECTION.format(n, f'file = "{name}"') for n, name in enumerate(names))
    found = run(place, ID + text + SECTION.format(9, 'glob = "**/*.md"'))
    assert isinstance(found, Assembly)
    assert "quetzal" not in json.dumps(found.to_dict())
    whys = {file.path.rpartition("/")[2]: file.why.text for file in found.files if not file.present}
    assert f"it leads to {outside}/secret.md" in whys["linked.md"]
    followed = assemble(asked(place, outside_links="follow"), Workspace(), cached_only=True)
    assert "quetzal" in followed.system_text


def test_a_definition_that_is_a_link(place: Path) -> None:
    (place / "outside").mkdir()
    (place / "outside" / "a.toml").write_text(ID)
    (place / "workspace" / FILE).symlink_to(place / "outside" / "a.toml")
    with pytest.raises(ScenarioError, match="cannot read the agent's definition: it leads to"):
        hold(asked(place))
    assert hold(asked(place, outside_links="follow")).agent == "hostile"


@pytest.mark.parametrize("agent", ["roo", "claude-code", "openclaw", "codex", "gemini"])
def test_the_id_of_another_agent(place: Path, agent: str) -> None:
    found = run(place, f'id = "{agent}"\n')
    assert isinstance(found, ScenarioError)
    put(place, FILE, f'id = "{agent}"\n')
    assert hold(frozen_scenario(agent, place)).agent == agent


TOOLS = {
    "deep": "[" * 100_000,
    "numbers": '{"name": "t", "input_schema": {"x": ' + "9" * 5_000 + "}}",
    "infinite": '{"name": "t", "input_schema": {"x": Infinity}}',
    "half pairs": '{"name": "t", "description": "\\ud800"}',
    "many": json.dumps([{"name": f"t{n}"} for n in range(5_000)]),
    "properties": json.dumps({"name": "t", "input_schema": {"properties": {"\x1b": 1}, "required": {"a": 1}}}),
    "large": '{"name": "t", "description": "' + "x" * 3_000_000 + '"}',
}


@pytest.mark.parametrize("kind", TOOLS)
def test_files_of_tools(place: Path, kind: str) -> None:
    put(place, "t.json", TOOLS[kind])
    assert isinstance(run(place, ID + '[[tool]]\nglob = "*.json"\n'), Assembly)


TEMPLATES = {
    "braces": "{{" * 50_000 + " " * 50_000,
    "blanks": "{{" + " " * 100_000 + "}}",
    "tags": "{% if " * 30_000,
    "remarks": "{#" * 90_000,
    "raws": "{% raw %}" * 20_000,
    "nested": "{% if not file('x') %}" * 8_000 + "{% endif %}" * 8_000,
    "ways": "{% if file('x') %}" + "{% elif file('x') %}" * 9_000 + "{% endif %}",
    "many": "{% if file('x') %}x{% endif -%}\n" * 6_000,
    "loops": "{% for t in modes %}{% for u in modes %}x{% endfor %}{% endfor %}",
    "values": "{{mode}}" * 20_000,
    "marks": "{.a" * 60_000,
    "front matter": "---\n" + ": a\n" * 40_000,
    "tabs": "---\n\ta: b\n---\n",
    "nothing in it": "---\ntitle:\nwhen:\n---\n",
    "heading": '---\nheading:\n  mode == "a": "{{ nope }}"\n  else: x\n---\n',
    "zeros": "\0" * 1_000,
}


@pytest.mark.parametrize("kind", TEMPLATES)
def test_texts_of_ones_own(place: Path, kind: str) -> None:
    """They hold, or an error names the file."""
    put(place, FILE, ID + '[[mode]]\nslug = "a"\n[[sections]]\norder = ["role"]\n')
    put(place, "sections/role.md", TEMPLATES[kind])
    try:
        hold(asked(place))
    except ScenarioError as error:
        found = str(error.where)
    else:
        return
    assert found.startswith(str(place / "workspace" / "sections/role.md"))
