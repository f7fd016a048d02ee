"""The head of a skill's file, which OpenClaw reads twice: by lines and as YAML (docs/agents/openclaw.md#skills)."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from promptscope_engine.agents.kit.disk.heads import is_yes
from promptscope_engine.formats.document import Json, Parsed
from promptscope_engine.formats.yaml import CORE, FrontMatter, YamlError, YamlLimitError, read_yaml
from promptscope_engine.javascript.json import parse_json5
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.wire.request import wire_json

MAX_HEAD_CHARS = 32_000
"""No person wrote a longer one."""
MAX_ALIASES = 100
"""The agent's YAML reader gives up there too."""

_COLON = re.compile(r"(?m)^([\w-]+:)[ \t]+")
_METADATA = re.compile(r"(?m)^metadata:[^\S\n]*(.*)((?:\n[ \t].*(?:\n(?:[ \t].*)?)*)?)")
"""The key with what is on its line, and the indented lines below it."""

MAX_NAME, MAX_DESCRIPTION = 64, 1024


class Head(Struct, frozen=True):
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


def head_of(content: str) -> str:
    """What `read_head` has to read; nothing where it refuses the head for its length."""
    end = content.find("\n---", 3)
    return content[:end] if content.startswith("---") and end in range(MAX_HEAD_CHARS + 1) else ""


NO_TEXT = "its description must be a string"
_DESCRIPTION = re.compile(r"(?m)^(description:[ \t]+)(\S[^\r\n]*)")


def with_texts_quoted(content: str) -> str:
    """The text with a description in quotes that YAML takes for no text, or not at all.

    2026.9.6 takes it as it is written, without a quote that it both begins and ends with, and a list as JSON. It does
    not mind a byte order mark either [asked].
    """
    content = content.removeprefix("\ufeff")
    line, problem = _DESCRIPTION.search(head_of(content)), read_head(content).problem
    if line is None or not problem:
        return content
    value = read_yaml(line[2], CORE).value if problem == NO_TEXT else None
    text = wire_json(value) if isinstance(value, list) else _unquoted(js_trim(line[2]))
    quoted = f"{line[1]}'{text.replace(chr(39), chr(39) * 2)}'"
    return content[: line.start()] + quoted + content[line.end() :]


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


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
        return Head(problem="its front matter must be an object", line=document.line(()))
    name, description = values.get("name"), values.get("description")
    description_line = document.value_line(("description",)) if "description" in values else None
    if not description or (isinstance(description, str) and not js_trim(description)):
        return Head(problem="it has no description", line=description_line)
    if not isinstance(description, str):
        return Head(problem=NO_TEXT, line=description_line)
    if name and not isinstance(name, str):
        return Head(problem="its name must be a string", line=document.value_line(("name",)))
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


def _metadata(value: Any, block: str) -> tuple[Mapping[str, Json] | None, int]:
    """The metadata, and how many characters of it the slow parser had to read."""
    slow = 0
    written = _written_metadata(block)
    if written.startswith(("{", "[")):
        value = written
    if isinstance(value, str):
        parsed = parse_json5(value)
        slow = 0 if parsed.is_plain else len(value)
        value = parsed.value
    return (value if isinstance(value, Mapping) else None), slow


def _written_metadata(block: str) -> str:
    """The last value behind `metadata:`, or indented below it, without quotes."""
    value = ""
    for found in _METADATA.finditer(block):
        inline = js_trim(found[1])
        if not inline:
            inline = js_trim(found[2])
        elif quoted := re.fullmatch(r"([\"'])(.*)\1", inline):
            inline = quoted[2]
        value = inline or value
    return value
