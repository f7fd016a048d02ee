"""Every tool."""

from promptscope_engine.prompt.drafts import ParameterDraft, ToolDraft, builtin
from toy.gates import SEARCH

_SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}


def tools() -> tuple[ToolDraft, ...]:
    """One tool, behind its switch."""
    text = builtin("tools.search", "Find text in the workspace.")
    return (ToolDraft("search", "Files", (text,), SEARCH, (ParameterDraft("query"),), _SCHEMA),)
