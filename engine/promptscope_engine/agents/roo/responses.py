"""What the agent answers to a tool call, the tool `attempt_completion`, and the files that it may touch."""

from .features.replies import format_response
from .features.replies.completion import attempt_completion
from .ignore import RooIgnore, RooProtected

__all__ = ["RooIgnore", "RooProtected", "attempt_completion", "format_response"]
