"""The front matter of a SKILL.md (specs/codex.md 8.5)."""

from __future__ import annotations

import re

from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.heads import Mending
from promptscope_engine.agents.kit.settings_schema import Schema
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.front_matter import FrontMatter
from promptscope_engine.formats.yaml import CORE_WRITTEN, YamlError
from promptscope_engine.frozen import frozen

from .lossy import single_line, trimmed

MAX_NAME = 64
MAX_DESCRIPTION = 1024
DOTS = "..."
"""What a description ends with that is cut; they count."""
_CLOSERS = {"[": "]", "{": "}"}
_MENDING = Mending(
    re.compile(r"(?P<key>[^\s:#-][^:]*):[ \t]+(?P<value>[^\s\"'|>&*!%#](?:.*\S)?)[ \t]*"),
    lambda value: ": " in value or value[0] in "@`" or _CLOSERS.get(value[0], value[-1]) != value[-1],
)
"""What holds `: `, begins with a sign that no text may begin with, or opens a list and does not end it."""
_TEXTS = ("name", "description")


@frozen
class Described:
    """What a SKILL.md says of itself. `problem` is why it is not taken, "" if it is; `line` is the description's."""

    name: str
    description: str
    problem: str = ""
    line: int = 1
    whole: int = 0
    """Characters of the description before it is cut."""


def described(text: str, folder: str) -> Described:
    """The name, the folder's own where none is given, and the description."""
    front = _front_matter(text)
    if front is None:
        return Described(folder, "", "it has no front matter between lines of `---` at its very beginning")
    try:
        values, _ = _MENDING.parse(front, CORE_WRITTEN, _are_texts)
    except YamlError as error:
        return Described(folder, "", f"its front matter is no YAML: {error.message}", error.line or 1)
    if not isinstance(values.value, dict):
        return Described(folder, "", "its front matter has no keys", front.line)
    for key in _TEXTS:
        if not _fits(values.value.get(key)):
            return Described(folder, "", f"`{key}` is no text", values.line((key,)) or front.line)
    name = single_line(values.value.get("name") or "") or single_line(folder) or "skill"
    given = single_line(values.value.get("description") or "")
    description = given if len(given) <= MAX_DESCRIPTION else f"{given[: MAX_DESCRIPTION - len(DOTS)]}{DOTS}"
    line = values.value_line(("description",)) or front.line
    if not description:
        return Described(name, "", "it has no description", front.line)
    if len(name) > MAX_NAME:
        return Described(
            name, description, f"its name has {len(name)} characters, of which {MAX_NAME} are allowed", line
        )
    return Described(name, description, "", line, len(given))


def _front_matter(text: str) -> FrontMatter | None:
    """The text between the first line and the next `---`; a byte order mark in front of it breaks it."""
    lines = text.split("\n")
    if trimmed(lines[0]) != "---":  # a byte order mark is no white space to Rust
        return None
    for number, line in enumerate(lines[1:], 1):
        if trimmed(line) == "---":
            inner = "\n".join(part.removesuffix("\r") for part in lines[1:number])
            return FrontMatter(inner) if inner.strip() else None
    return None


def _are_texts(values: Json) -> bool:
    """The agent asks for texts, and gets what is written; what it cannot read it tries once more, mended."""
    return not isinstance(values, dict) or all(_fits(values.get(key)) for key in _TEXTS)


def _fits(value: Json) -> bool:
    return value is None or isinstance(value, str)


_SKILL = FOLDER.agent["shapes"]["skill"]
_FORMS = {"Product": ("(?i:codex|chatgpt|atlas)", "a product")}


def allows_implicit(values: Json) -> bool:
    """Whether `agents/openai.yaml` lets the model use the skill without being told to (8.6)."""
    return _policy(values).get("allow_implicit_invocation") is not False


def is_for_codex(values: Json) -> bool:
    """Whether `agents/openai.yaml` offers the skill to Codex; a list without a product offers it to all [0.169.0]."""
    products = _policy(values).get("products") or []
    return not products or any(product.lower() == "codex" for product in products)


def _policy(values: Json) -> dict[str, Json]:
    """The policy of a file that fits; one with a wrong type or an unknown product counts as none [0.169.0]."""
    fits = not Schema(_SKILL, forms=_FORMS).findings(values)
    return (values.get("policy") or {}) if fits and isinstance(values, dict) else {}
