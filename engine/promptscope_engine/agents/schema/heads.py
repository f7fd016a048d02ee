"""The front matter of texts: one value a line, nested once."""

from promptscope_engine.inputs.models import Model

Choice = str | dict[str, str]
"""One value, or one for each condition, the last one `else`."""
Lines = dict[str, str]
"""Lines of their own below the key."""


class SectionHead(Model):
    """The front matter of a section. What it does not say, its `[[sections]]` may."""

    id: str
    """the section's id; without it the file's name, of `each` with parts of the item: `woken:{path}`"""
    title: str
    """as it is shown; without it the heading or the id"""
    heading: Choice
    """the line in front of the text, or one for each condition; `{{ name }}` in it is a value"""
    when: str
    """the condition under which it is in the prompt"""
    place: str
    """one of `[places]`"""
    parent: str
    """the section that it belongs to"""
    each: str
    """a list: there is a section for each of its items, which the text has as `each`"""
    stability: str
    """how often it changes: `static`, `session` or `turn`; without it the text tells"""
    opens: str
    """exact text before it"""
    closes: str
    """exact text behind it"""
    prefix: str
    """what the ids of its wording begin with; without it the id"""
    breaks: str
    """`leading`: a line break belongs to the line after it"""
    measured: bool | Choice
    """whether the size of the agent's own text was measured, or the name that it was measured under"""


class ToolHead(Model):
    """The front matter of a tool. What is bundled has `since`, `until`, `when` and `breaks` alone."""

    group: str
    """the heading under which it is listed"""
    when: str
    """the condition under which it is offered"""
    exists: Choice
    """the condition under which there is such a tool, where the agent selects its tools"""
    since: str
    """the first version with it"""
    until: str
    """the last version with it"""
    parameters: Lines
    """parameters by name: `required` or `optional`, and a condition: `required if settings.newTaskRequireTodos`"""
    variants: Lines
    """names of its forms, each with its condition, the last one `else`"""
    summary: bool | str
    """one line on it, for lists of tools"""
    returns: bool | str
    """the type of what it returns, where a script calls it"""
    opens: str
    """exact text before its description"""
    prefix: str
    """what the ids of its wording begin with"""
    breaks: str
    """`leading`: a line break belongs to the line after it"""


SECTION_KEYS, TOOL_KEYS = frozenset(SectionHead.model_fields), frozenset(ToolHead.model_fields)
ITEM_KEYS = frozenset(("since", "until", "when", "breaks"))
"""Of what is bundled; `keys` of agent.toml says what else the agent's own tools and kinds have."""
_KINDS = {name: info.annotation for head in (SectionHead, ToolHead) for name, info in head.model_fields.items()}
NESTED = frozenset(name for name, kind in _KINDS.items() if kind == Lines)
CHOICES = frozenset(name for name, kind in _KINDS.items() if kind in (Choice, bool | Choice))
TEXTS = frozenset(name for name, kind in _KINDS.items() if kind in (str, Choice, Lines))
"""Keys with lines of their own below them; those that may have some; those that are no truth value."""
