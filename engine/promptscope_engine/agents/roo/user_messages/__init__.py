"""What stands in a request beside the system prompt: the user's messages and what becomes of them."""

from .content import approval_content, resume, task_content
from .environment_details import environment_details
from .history import request_messages
from .labels import tool_label
from .line_numbers import add_line_numbers
from .mentions import expand_content, expand_mentions
from .metrics import api_metrics, estimate_tokens, max_output_tokens
from .terminal_output import compress_output
from .truncation import truncate

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
