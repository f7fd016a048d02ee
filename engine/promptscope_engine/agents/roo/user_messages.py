"""The API of user messages, as the recordings use it."""

from .mentions.line_numbers import add_line_numbers
from .replay.content import approval_content, resume, task_content
from .replay.environment import environment_details
from .replay.history import request_messages
from .replay.labels import tool_label
from .replay.mentions import expand_content, expand_mentions
from .replay.metrics import api_metrics, estimate_tokens, max_output_tokens
from .replay.truncation import truncate
from .terminal import compress_output

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
