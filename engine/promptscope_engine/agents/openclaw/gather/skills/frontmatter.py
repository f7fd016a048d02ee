"""The head of a SKILL.md, as the two readers of the agent take it (specs/openclaw.md 3).

The loader parses the head as YAML 1.2 and loads nothing from a file whose head it cannot parse. The gates read the
same head once more, by lines: a value that begins with a brace there is JSON5, whatever YAML made of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from promptscope_engine.agents.kit.heads import is_yes
from promptscope_engine.agents.kit.settings import at, mapping, text
from promptscope_engine.formats.document import Json, Parsed
from promptscope_engine.formats.front_matter import FrontMatter
from promptscope_engine.formats.yaml import CORE, YamlError, YamlLimitError
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.json5 import parse_json5
from promptscope_engine.javascript.text import js_trim

MAX_HEAD_CHARS = 32_000
"""No person wrote a longer one."""
MAX_ALIASES = 100
"""The agent's YAML reader gives up there too."""

_COLON = re.compile(r"(?m)^([\w-]+:)[ \t]+")


@frozen
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
    json5_chars: int = 0
    """Characters of metadata that are no plain JSON."""


@frozen
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


def head_of(content: str) -> str:
    """What `read_head` has to read; nothing where it refuses the head for its length."""
    end = content.find("\n---", 3)
    return content[:end] if content.startswith("---") and end in range(MAX_HEAD_CHARS + 1) else ""


@lru_cache(maxsize=2048)
def read_head(content: str) -> Head:
    """The head of a file's text. Never raises."""
    normalized = content.replace("\r\n", "\n").replace("\r", "\n")
    head, closing, _ = normalized.removeprefix("---").partition("\n---")
    if not normalized.startswith("---") or not closing:  # a BOM before the dashes hides the head
        return Head(problem="it has no front matter")
    block, above = head[1:], 1 + head[:1].count("\n")
    if len(block) > MAX_HEAD_CHARS:
        return Head(problem=f"its front matter is longer than {MAX_HEAD_CHARS:,} characters", line=1)
    # YAML 1.2 takes a tab behind the colon, PyYAML does not; the break before the closing dashes belongs to the text
    front_matter = FrontMatter(_COLON.sub(r"\1 ", block) + "\n", above)
    try:
        document = front_matter.parse(CORE, max_aliases=MAX_ALIASES)
    except YamlLimitError as error:
        return Head(problem=f"its front matter is not read: {error.message}", line=error.line)
    except YamlError as error:
        return Head(problem=f"its front matter is not YAML: {error.message}", line=error.line)
    return _head(document, block)


def _head(document: Parsed, block: str) -> Head:
    values = {} if document.value is None else document.value
    if not isinstance(values, dict):
        return Head(problem="its front matter is no object", line=document.line(()))
    name, description = values.get("name"), values.get("description")
    description_line = document.value_line(("description",)) if "description" in values else None
    if not description or (isinstance(description, str) and not js_trim(description)):
        return Head(problem="it has no description", line=description_line)
    if not isinstance(description, str):
        return Head(problem="its description is no text", line=description_line)
    if name and not isinstance(name, str):
        return Head(problem="its name is no text", line=document.value_line(("name",)))
    metadata, json5_chars = _metadata(values.get("metadata"), block)
    return Head(
        name=name or None,
        description=description,
        description_line=description_line or 1,
        name_line=(document.value_line(("name",)) if "name" in values else None) or 1,
        hidden=is_yes(values.get("disable-model-invocation")),
        metadata=metadata,
        json5_chars=json5_chars,
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


def _metadata(value: Any, block: str) -> tuple[Mapping[str, Json] | None, int]:
    """The metadata, and how many characters of it the slow parser had to read."""
    slow = 0
    written = _line_value(block, "metadata")
    if written.startswith(("{", "[")):
        value = written
    if isinstance(value, str):
        parsed = parse_json5(value)
        slow = 0 if parsed.is_plain else len(value)
        value = parsed.value
    return (value if isinstance(value, Mapping) else None), slow


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
        elif quoted := re.fullmatch(r"([\"'])(.*)\1", inline):
            inline = quoted[2]
        value = inline or value
    return value
