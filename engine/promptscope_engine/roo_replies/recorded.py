"""Replies to tool calls and user messages, by the names that recordings use."""

from promptscope_engine.agents.roo.ignore import RooIgnore as RooIgnore
from promptscope_engine.agents.roo.ignore import RooProtected as RooProtected
from promptscope_engine.agents.roo.mentioned_files import add_line_numbers as add_line_numbers
from promptscope_engine.agents.roo.terminal import compress_output as compress_output

from . import format_response as format_response
from .completion import attempt_completion as attempt_completion
from .history import api_metrics as api_metrics
from .history import approval_content as approval_content
from .history import estimate_tokens as estimate_tokens
from .history import max_output_tokens as max_output_tokens
from .history import request_messages as request_messages
from .history import resume as resume
from .history import task_content as task_content
from .history import truncate as truncate
from .labels import tool_label as tool_label
from .plain_facts import environment_details as environment_details
from .plain_facts import expand_content as expand_content
from .plain_facts import expand_mentions as expand_mentions
