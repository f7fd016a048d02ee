"""What the agent answers to a tool call, the tool `attempt_completion`, and the files that it may touch."""

from . import format_response
from .completion import attempt_completion
from .ignore import RooIgnore, RooProtected

__all__ = ["RooIgnore", "RooProtected", "attempt_completion", "format_response"]
