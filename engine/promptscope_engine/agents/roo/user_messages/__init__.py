"""What stands in a request beside the system prompt: the user's messages and what becomes of them."""

from promptscope_engine.agents.roo.user_messages.content import approval_content, resume, task_content
from promptscope_engine.agents.roo.user_messages.environment_details import environment_details
from promptscope_engine.agents.roo.user_messages.history import request_messages
from promptscope_engine.agents.roo.user_messages.labels import tool_label
from promptscope_engine.agents.roo.user_messages.line_numbers import add_line_numbers
from promptscope_engine.agents.roo.user_messages.mentions import expand_content, expand_mentions
from promptscope_engine.agents.roo.user_messages.metrics import (
    api_metrics,
    estimate_tokens,
    max_output_tokens,
)
from promptscope_engine.agents.roo.user_messages.terminal_output import compress_output
from promptscope_engine.agents.roo.user_messages.truncation import truncate

__all__ = [
    "add_line_numbers",
    "api_metrics",
    "approval_content",
    "compress_output",
    "environment_details",
    "estimate_tokens",
    "expand_content",
    "expand_mentions",
    "max_output_tokens",
    "request_messages",
    "resume",
    "task_content",
    "tool_label",
    "truncate",
]
