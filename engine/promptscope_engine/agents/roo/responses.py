"""The API of replies to tool calls, as the recordings use it."""

from .features.replies import format_response
from .features.replies.completion import attempt_completion
from .ignore import RooIgnore, RooProtected

__all__ = ["RooIgnore", "RooProtected", "attempt_completion", "format_response"]
