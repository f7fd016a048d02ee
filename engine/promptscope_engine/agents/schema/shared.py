"""The tables that a built-in agent's agent.toml shares with a definition of one's own."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Tag

from promptscope_engine.inputs.models import field

from .table import Table

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_LONGEST_NAME = 60
_LONGEST_TITLE = 200


def named(pattern: str, example: str) -> AfterValidator:
    """A name of that form; the example says which one."""

    def check(value: str) -> str:
        if len(value) > _LONGEST_NAME or not re.fullmatch(pattern, value):
            raise ValueError(f"a name like {example}, of at most {_LONGEST_NAME} letters, digits and signs")
        return value

    return AfterValidator(check)


def _one_line(value: str) -> str:
    if len(value) > _LONGEST_TITLE or _CONTROLS.search(value):
        raise ValueError(f"one line of at most {_LONGEST_TITLE} characters, without any that nobody sees")
    return value


Line = Annotated[str, AfterValidator(_one_line)]
Slug = Annotated[str, named(r"[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*", "first-contact")]
ToolName = Annotated[str, named(r"[A-Za-z0-9_][A-Za-z0-9_.:-]*", "find_order")]
Stability = Literal["static", "session", "turn"]

TEXT, TABLE = "=text", "=table"
"""What is part of the place of an error in a value that is a text or a table: which of them it was taken for."""


def either(table: Any) -> Any:
    """A text, or a table in its place."""
    return Annotated[
        Annotated[str, Tag(TEXT)] | Annotated[table, Tag(TABLE)],
        Discriminator(lambda value: TEXT if isinstance(value, str) else TABLE),
    ]


class Mode(Table):
    """A mode."""

    slug: Slug
    """the name in conditions and on the command line"""
    name: Line | None = None
    """as it is shown; without it the slug"""


class Group(Table):
    """Sections in their order, and what holds for all of them unless their front matter says otherwise."""

    order: list[Annotated[str, named(r"@?[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*(?:\.\*)?", "rules.refunds")]]
    """`role` is sections/role.md, `rules.refunds` sections/rules/refunds.md, `rules.*` all of that folder, `@role` the
    `[[section]]` with this id"""
    when: str | None = None
    """the condition under which they are in the prompt"""
    place: str | None = None
    """`system`, `messages` or a `[places.NAME]`; without it `system`"""
    stability: Stability | None = None
    """how often they change; without it the text tells"""
    opens: str | None = None
    """exact text before each: `"# {heading}\\n"`"""
    closes: str | None = None
    """exact text behind each"""


class Place(Table):
    """Where sections are in the request."""

    block: Line | None = None
    """sections of one block are one text; without it the place's name"""
    message: int | None = field(None, ge=0, le=100)
    """the message's number; without it the system prompt"""
    role: Literal["user", "assistant"] = "user"
    """whose message it is"""
    gap: str | None = field(None, max_length=200)
    """the text between two sections; without it `gap`"""
    opens: str = field("", max_length=10_000)
    """exact text before the first one"""
    closes: str = field("", max_length=10_000)
    """exact text behind the last one"""


class Tools(Table):
    """The tools whose texts are files: tools/NAME.md the description, tools/NAME.json the schema."""

    groups: dict[str, list[ToolName]] = field(default_factory=dict)
    """names of tools by the heading under which they are listed, in their order"""
