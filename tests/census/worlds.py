"""The base worlds: rich little folder trees in which every knob has something to act on, and variants of them.

`worlds/AGENT.yaml` holds an agent's, as README.md describes it. `turned` makes a situation of a world and some turns.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from tests.oracle.clients import NAMES, named
from tests.oracle.situation import Content, Json, Situation

from .knobs import ABSENT, Turn

WORLDS = Path(__file__).parent / "worlds"

AGENTS = ("claude-code", "codex", "copilot", "gemini", "openclaw", "opencode")
"""The agents that can be asked, each in its newest version."""

_NO_TREE = {"copy", "link", "dir", "base64", "numbered", "front"}
"""Keys of a file's content that say what it is, so that it is no tree of its own."""

_SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}


def offers(name: str) -> Json:
    """What the server of a name answers."""
    tools = [
        {"name": f"{name}_{verb}", "description": f"mark-{name}-{verb} does it", "inputSchema": _SCHEMA}
        for verb in ("one", "two")
    ]
    instructions = f"mark-{name}-instructions of the server"
    return {"tools": tools, "resources": [{"uri": "x://a", "name": "res"}], "instructions": instructions}


@cache
def _worlds(agent: str) -> Json:
    found: Json = yaml.safe_load((WORLDS / f"{agent}.yaml").read_text())
    return found


def variants(agent: str) -> tuple[str, ...]:
    """The names of an agent's worlds; the first is `base`."""
    return ("base", *_worlds(agent).get("variants", {}))


def version_of(agent: str) -> str:
    """The version that is asked."""
    return next(named(name).version for name in reversed(NAMES) if named(name).agent == agent)


def world_of(agent: str, variant: str = "base") -> Json:
    """A world: files, args, env, told and how the agent starts. A variant lays its own keys over the base's, and
    `each` its `world` once for every number below its `count`, which stands in it for `<n>`."""
    data = _worlds(agent)
    found: Json = {"agent": agent, "version": version_of(agent), "servers": {}, **copy.deepcopy(data["base"])}
    if variant != "base":
        found = _laid(found, copy.deepcopy(data["variants"][variant]))
    each = found.pop("each", {"count": 0})
    for number in range(each["count"]):
        found = _laid(found, _numbered(each["world"], number))
    return found


@dataclass(frozen=True)
class Start:
    """A situation, and of its start what an oracle's situation has no place for.

    `words` are more words of the command line, `client_env` variables for the client alone, `unset` those that aren't
    set, `servers` which stand-in answers under a server's name.
    """

    situation: Situation
    words: list[str] = field(default_factory=list)
    client_env: dict[str, str] = field(default_factory=dict)
    unset: list[str] = field(default_factory=list)
    servers: dict[str, str] = field(default_factory=dict)


def turned(agent: str, variant: str, turns: Iterable[Turn] = ()) -> Start:
    """A world with some knobs turned."""
    world = world_of(agent, variant)
    words: list[str] = []
    for turn in turns:
        words += _turn(world, turn)
    servers = {**_named_servers(world["files"]), **world["servers"]}
    env = world.get("env", {})
    situation = Situation(
        agent=agent,
        version=world["version"],
        seed=0,
        files={path: _content(path, what) for path, what in world["files"].items() if what is not None},
        told=_expanded(world.get("told", {})),
        env={name: value for name, value in env.items() if value is not None},
        **{
            key: _expanded(world[key])
            for key in ("args", "git", "cwd", "prompt", "reads", "calls", "request")
            if key in world
        },
    )
    unset = [name for name in env if env[name] is None]
    return Start(situation, _expanded(words), world.get("client_env", {}), unset, servers)


def _turn(world: Json, turn: Turn) -> list[str]:
    """Change the world; the words that it adds to the command line."""
    knob, value = turn.knob, copy.deepcopy(turn.value)
    for name in knob.servers:
        world["servers"][name] = name
    for more in knob.also:
        _write(world["files"], more["at"], more.get("path"), more["value"])
    _tell(world, turn)
    how = knob.turned_as
    if how == "flag":
        more = value if isinstance(value, list) else [] if value is True else [value]
        return [knob.knob, *map(str, more)]
    if how == "env":
        world.setdefault("env", {})[knob.knob] = None if value in ABSENT or value is None else str(value)
    elif how in ("prompt", "cwd"):
        world[how] = value
    elif how == "files":
        for path, keys, content in _files(turn):
            _write(world["files"], path, keys, content)
    elif how == "file":
        _write(world["files"], knob.file if knob.file != "=" else knob.knob, None, value)
    else:
        _write(world["files"], knob.file, knob.keys, value)
    return []


def _files(turn: Turn) -> Iterator[tuple[str, list[Any], Any]]:
    """The files, or keys of a file, that a turn writes at once."""
    knob, value = turn.knob, turn.value
    if isinstance(value, dict):
        yield from ((path, [], content) for path, content in value.items())
        return
    for number, one in enumerate(value):
        text = _numbered(knob.template.replace("<value>", one), number)
        keys = [number if key == "<n>" else _numbered(key, number) for key in knob.path]
        yield _numbered(knob.file, number), keys, json.loads(text) if keys else text


def _numbered(value: Any, number: int) -> Any:
    return json.loads(json.dumps(value).replace("<n>", str(number)))


def _tell(world: Json, turn: Turn) -> None:
    """Tell promptscope what it can't find in the files."""
    knob, value = turn.knob, turn.value
    if knob.arg:
        below = world.get("args", {}).get(knob.arg)
        said = [*(below or []), *(value if isinstance(value, list) else [value])] if knob.as_list else value
        _put(world, ("told", "params", "args", knob.arg), said)
    for path, told in knob.tell.items():
        said = value if told == "<value>" else [value] if told == "<list>" else told
        _put(world, ("told", *path.split(".")), said)


def _write(files: Json, path: str, keys: Any, value: Any) -> None:
    """Write a file, or a key of one that is a tree, has front matter, or isn't there yet."""
    if not keys:
        files[path] = None if value in ABSENT else value
        return
    tree = files.get(path)
    if not isinstance(tree, dict):
        tree = files[path] = {"front": {}, "body": tree or ""} if path.endswith((".md", ".mdc")) else {}
    _put(tree["front"] if "front" in tree and list(keys) != ["body"] else tree, keys, value)


def _put(tree: Any, keys: Any, value: Any) -> None:
    """Set a key of a tree, with the objects on the way to it; a value that is an object is laid over the old one."""
    for key in keys[:-1]:
        below = tree[key] if isinstance(key, int) else tree.get(key)
        if not isinstance(below, dict | list):
            below = tree[key] = {}
        tree = below
    if value in ABSENT:
        tree.pop(keys[-1], None)
    elif isinstance(value, dict) and isinstance(tree, dict) and isinstance(tree.get(keys[-1]), dict):
        tree[keys[-1]] = {**tree[keys[-1]], **value}
    else:
        tree[keys[-1]] = value


def _content(path: str, what: Any) -> Content:
    """The text of a file of a world: a tree becomes TOML or JSON by its name, front matter its lines."""
    what = _expanded(what)
    if isinstance(what, list) or (isinstance(what, dict) and not {*what} & _NO_TREE):
        return _toml(what) if path.endswith(".toml") else json.dumps(what, ensure_ascii=False)
    if isinstance(what, dict) and "front" in what:
        lines = [f"{key}: {one if isinstance(one, str) else json.dumps(one)}\n" for key, one in what["front"].items()]
        return f"---\n{''.join(lines)}---\n{what['body']}\n"
    found: Content = what
    return found


def _toml(tree: Json) -> str:
    """A document of one line a key, with inline tables. TOML has no null: such a key is left out."""
    return "".join(f"{_toml_key(key)} = {_toml_value(value)}\n" for key, value in tree.items() if value is not None)


def _toml_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml_key(key)} = {_toml_value(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _named_servers(value: Any, name: str = "") -> dict[str, str]:
    """Which stand-in is configured under which name, anywhere in the files."""
    if isinstance(value, list):
        return {key: one for item in value for key, one in _named_servers(item).items()}
    if not isinstance(value, dict):
        return {}
    is_own = isinstance(value.get("server"), str) and not {"command", "args"} & {*value}
    here = {name: value["server"]} if is_own else {}
    return here | {key: one for inner, item in value.items() for key, one in _named_servers(item, inner).items()}


def _expanded(value: Any) -> Any:
    """With `{"server": NAME}` as the command that starts it (as OpenCode has it, with `"local": true`), and
    `{"command of": NAME}` as its words."""
    if isinstance(value, list):
        return [_expanded(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "command of" in value:
        return _command(value["command of"])
    if "server" in value and isinstance(value["server"], str):
        words = _command(value["server"])
        rest = {key: one for key, one in value.items() if key not in ("server", "local")}
        own = {"type": "local", "command": words} if value.get("local") else {"command": words[0], "args": words[1:]}
        return {**own, **_expanded(rest)}
    return {key: _expanded(one) for key, one in value.items()}


def _command(name: str) -> list[str]:
    # without what a machine's Python loads by itself: a late answer is none
    return ["python3", "-ISE", "{ROOT}/server.py", json.dumps(offers(name))]


def _laid(below: Json, above: Json) -> Json:
    found = dict(below)
    for key, value in above.items():
        old = found.get(key)
        found[key] = (
            _laid(old, value) if isinstance(old, dict) and isinstance(value, dict) and key != "front" else value
        )
    return found
