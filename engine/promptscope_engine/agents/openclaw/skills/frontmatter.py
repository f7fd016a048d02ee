"""The head of a SKILL.md, as the two readers of the agent take it (specs/openclaw.md 3).

The loader parses the head as YAML 1.2 and loads nothing from a file whose head it cannot parse. The gates read the
same head once more, by lines: a value that begins with a brace there is JSON5, whatever YAML made of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import yaml

from promptscope_engine.agents.shared.settings import at, mapping, text
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.json5 import parse_json5
from promptscope_engine.javascript.text import js_trim

MAX_HEAD_CHARS = 32_000
"""YAML is read at 100 kB a second: a longer head would make a screen wait, and no person wrote it."""
MAX_ALIASES = 100
"""The agent's YAML reader gives up there too."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a head says. `problem` says why the loader takes no skill from the file, with its line."""

    name: str | None = None
    description: str = ""
    description_line: int = 1
    name_line: int = 1
    hidden: bool = False
    metadata: Mapping[str, Json] | None = None
    problem: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Metadata:
    """The part of `metadata.openclaw` that gates ask for."""

    always: bool = False
    skill_key: str | None = None
    primary_env: str | None = None
    os: tuple[str, ...] = ()
    bins: tuple[str, ...] = ()
    any_bins: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    config: tuple[str, ...] = ()


@lru_cache(maxsize=2048)
def read_head(content: str) -> Head:
    """The head of a file's text. Never raises."""
    normalized = content.replace("\r\n", "\n").replace("\r", "\n")
    # a BOM before the dashes hides the head
    end = normalized.find("\n---", 3) if normalized.startswith("---") else -1
    if end < 0:
        return Head(problem="it has no front matter")
    block, above = normalized[4:end], 1 + normalized[:4].count("\n")
    if len(block) > MAX_HEAD_CHARS:
        return Head(problem=f"its front matter is longer than {MAX_HEAD_CHARS:,} characters", line=1)
    try:
        values, lines = _yaml(block)
    except _RefusedError as refused:
        return Head(problem=str(refused), line=None if refused.line is None else above + refused.line)
    return _head(values, {key: above + line for key, line in lines.items()}, block)


def _head(values: Mapping[str, Any], lines: Mapping[str, int], block: str) -> Head:
    name, description = values.get("name"), values.get("description")
    if not description or (isinstance(description, str) and not js_trim(description)):
        return Head(problem="it has no description", line=lines.get("description"))
    if not isinstance(description, str):
        return Head(problem="its description is no text", line=lines.get("description"))
    if name and not isinstance(name, str):
        return Head(problem="its name is no text", line=lines.get("name"))
    return Head(
        name=name or None,
        description=description,
        description_line=lines.get("description", 1),
        name_line=lines.get("name", 1),
        hidden=_is_yes(values.get("disable-model-invocation")),
        metadata=_metadata(values.get("metadata"), block),
    )


def openclaw_metadata(head: Head) -> Metadata:
    """`metadata.openclaw` as the gates read it; anything of the wrong kind counts as not there."""
    own = mapping(mapping(head.metadata).get("openclaw"))
    requires = own.get("requires")
    return Metadata(
        always=own.get("always") is True,
        skill_key=text(own.get("skillKey")),
        primary_env=text(own.get("primaryEnv")),
        os=_names(own.get("os")),
        bins=_names(at(requires, "bins")),
        any_bins=_names(at(requires, "anyBins")),
        env=_names(at(requires, "env")),
        config=_names(at(requires, "config")),
    )


def _names(value: Json) -> tuple[str, ...]:
    items = value if isinstance(value, list) else value.split(",") if isinstance(value, str) else []
    return tuple(name for item in items if isinstance(item, str | int | float) and (name := js_trim(str(item))))


def _is_yes(value: Any) -> bool:
    return js_trim(str(value)).lower() in ("true", "1", "yes", "on")


def _metadata(value: Any, block: str) -> Mapping[str, Json] | None:
    written = _line_value(block, "metadata")
    if written.startswith(("{", "[")):
        value = written
    if isinstance(value, str):
        value = parse_json5(value).value
    return value if isinstance(value, Mapping) else None


def _line_value(block: str, key: str) -> str:
    """The last value that stands behind `key:`, or indented below it; quotes around it are taken off."""
    lines = block.split("\n")
    value = ""
    for number, line in enumerate(lines):
        found = re.fullmatch(rf"{key}:\s*(.*)", line)
        if not found:
            continue
        inline = js_trim(found[1])
        if not inline and number + 1 < len(lines) and lines[number + 1].startswith((" ", "\t")):
            below = []
            for follower in lines[number + 1 :]:
                if follower and not follower.startswith((" ", "\t")):
                    break
                below.append(follower)
            inline = js_trim("\n".join(below))
        elif len(inline) > 1 and inline[0] == inline[-1] and inline[0] in "\"'":
            inline = inline[1:-1]
        value = inline or value
    return value


# --- YAML 1.2, core schema --------------------------------------------------------------------------------------------


class _RefusedError(Exception):
    """What the agent's YAML reader would throw at, with the line inside the head."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class _Core(yaml.SafeLoader):
    """YAML 1.2: `yes` and dates are text, keys must differ, unknown tags are ignored."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - PyYAML's own shape
    aliases = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            self.aliases += 1
            if self.aliases > MAX_ALIASES:
                raise _RefusedError(f"its front matter has more than {MAX_ALIASES} aliases")
        return super().compose_node(parent, index)


for _tag, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
     "-+.0123456789"),
):  # fmt: skip
    _Core.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_pattern})\Z"), [*_first])
_Core.yaml_implicit_resolvers[""] = [("tag:yaml.org,2002:null", re.compile(r"\Z"))]


def _yaml(block: str) -> tuple[dict[str, Any], dict[str, int]]:
    """The head's values and the lines they begin on (0-based)."""
    loader = _Core("")
    try:
        # YAML 1.2 takes a tab behind the colon, PyYAML does not
        block = re.sub(r"(?m)^([\w-]+:)[ \t]+", r"\1 ", block)
        loader = _Core(block + "\n")  # the break before the closing dashes belongs to the text
        node = loader.get_single_node()
        if node is None:
            return {}, {}
        if not isinstance(node, yaml.MappingNode):
            raise _RefusedError("its front matter is no object", node.start_mark.line)
        values: dict[str, Any] = {}
        lines: dict[str, int] = {}
        made: dict[int, Any] = {}
        for key, value in node.value:
            name = str(_plain(key, made)) if isinstance(key, yaml.ScalarNode) else ""
            if name in values:
                raise _RefusedError(f"its front matter has the key {name} twice", key.start_mark.line)
            values[name], lines[name] = _plain(value, made), value.start_mark.line
        return values, lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        message = f"its front matter is not YAML: {error.problem}"
        raise _RefusedError(message, mark.line if mark else None) from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise _RefusedError(f"its front matter is not YAML: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise _RefusedError("its front matter is nested too deeply") from None
    finally:
        loader.dispose()


def _plain(node: yaml.Node, made: dict[int, Any]) -> Any:
    """A node's value. A node that aliases repeat is made once: a few lines of them can stand for a full memory."""
    if id(node) in made:
        return made[id(node)]
    if isinstance(node, yaml.MappingNode):
        found: dict[str, Any] = {}
        made[id(node)] = found
        found |= {key.value: _plain(value, made) for key, value in node.value if isinstance(key, yaml.ScalarNode)}
        return found
    if isinstance(node, yaml.SequenceNode):
        items: list[Any] = []
        made[id(node)] = items
        items += [_plain(item, made) for item in node.value]
        return items
    kind = node.tag.rpartition(":")[2]
    if kind == "bool":
        return node.value.lower() == "true"
    if kind == "null":
        return None
    return _number(node.value) if kind in ("int", "float") else node.value


def _number(written: str) -> int | float:
    try:
        return int(written, 0) if written[:2] in ("0o", "0x") else int(written)
    except ValueError:
        return float(written.lower().replace(".inf", "inf").replace(".nan", "nan"))
