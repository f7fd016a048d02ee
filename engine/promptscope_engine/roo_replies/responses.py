"""The API of replies to tool calls, as the recordings use it."""

from promptscope_engine.agents.roo.ignore import RooIgnore, RooProtected

from . import format_response
from .completion import attempt_completion

__all__ = ["RooIgnore", "RooProtected", "attempt_completion", "format_response"]
