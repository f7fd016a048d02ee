"""What the agent answers to a tool call, the tool `attempt_completion`, and the files that it may touch."""

from promptscope_engine.agents.roo.responses import format_response
from promptscope_engine.agents.roo.responses.completion import attempt_completion
from promptscope_engine.agents.roo.responses.ignore import RooIgnore, RooProtected

__all__ = ["RooIgnore", "RooProtected", "attempt_completion", "format_response"]
