"""The API of user messages, as the recordings use it."""

from promptscope_engine.agents.roo.mentioned_files import add_line_numbers as add_line_numbers
from promptscope_engine.agents.roo.terminal import compress_output as compress_output

from .replay.content import approval_content as approval_content
from .replay.content import resume as resume
from .replay.content import task_content as task_content
from .replay.environment import environment_details as environment_details
from .replay.history import request_messages as request_messages
from .replay.history import truncate as truncate
from .replay.labels import tool_label as tool_label
from .replay.mentions import expand_content as expand_content
from .replay.mentions import expand_mentions as expand_mentions
from .replay.metrics import api_metrics as api_metrics
from .replay.metrics import estimate_tokens as estimate_tokens
from .replay.metrics import max_output_tokens as max_output_tokens
