"""The texts that answer a tool call (docs/agents/roo.md#replies), by the names of the replies of catalogue.toml.

Tags, names and what comes from arguments are the agent's to the byte; the sentences are our own and say the
same.
"""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from promptscope_engine.agents.roo.ignore import format_files_list as format_files_list

from .diff import create_pretty_patch as create_pretty_patch

Block = dict[str, Any]
"""A content block as it goes over the wire: `{"type": "text", "text"}` or `{"type": "image", "source"}`."""

_CATALOGUE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("catalogue.toml").read_text("utf-8"))
ROWS: list[dict[str, Any]] = _CATALOGUE["replies"]
REFUSALS: dict[str, str] = _CATALOGUE["refusals"]
"""Why a result is refused; `{names}` are the calls, files or commands in the way."""
LABELS: dict[str, list[str]] = _CATALOGUE["labels"]
"""What the label of a call has behind the tool's name (see catalogue.toml)."""
PARAMETERS: list[str] = _CATALOGUE["parameters"]
REMINDER: str = _CATALOGUE["reminder"]
"""What the agent repeats wherever a reply could not be read as a tool call."""
RESUMPTION: str = _CATALOGUE["resumption"]
"""What a task resumes with where there is nothing else to send."""


def _reply(text: str, inputs: Sequence[str], none: str) -> Callable[..., str]:
    def made(*given: object, **named: object) -> str:
        values = dict.fromkeys(inputs) | dict(zip(inputs, given, strict=False)) | named
        return text.format_map({"reminder": REMINDER} | {name: _shown(value, none) for name, value in values.items()})

    return made


def _shown(value: object, none: str) -> object:
    """A value in a text; None prints `undefined`, as in JavaScript."""
    if isinstance(value, list | tuple):
        return ", ".join(value) or none
    return "undefined" if value is None else value


_TEXTS = {
    row["name"]: _reply(row.pop("text"), [each["name"] for each in row.get("inputs", ())], row.pop("none", ""))
    for row in ROWS
    if "text" in row
}


def __getattr__(name: str) -> Callable[..., str]:
    if name not in _TEXTS:
        raise AttributeError(name)
    return _TEXTS[name]


def line_count_truncation_error(lines: int, is_new_file: bool, diff_enabled: bool = False) -> str:
    """`write_to_file` came without `line_count`, a sign that the content may have been cut off.

    `lines` is how many lines did arrive. What is advised depends on whether the file is new and, for an
    existing one, on whether `apply_diff` can be used.
    """
    ways = "new" if is_new_file else "existing_with_diff" if diff_enabled else "existing"
    return _TEXTS["line_count_truncation_error"](lines, ways_out=_CATALOGUE["ways_out"][ways])


def text_block(text: str) -> Block:
    """`text` as a content block."""
    return {"type": "text", "text": text}


def tool_result(text: str, images: Sequence[str] | None = None) -> str | list[Block]:
    """A tool's result: the text itself, or with `images` (data URLs) a text block, then image blocks."""
    return [text_block(text), *image_blocks(images)] if images else text


def image_blocks(images: Sequence[str] | None = None) -> list[Block]:
    """Image blocks from data URLs (`data:image/png;base64,…`). One without a `:` is a ValueError."""
    return [_image_block(url) for url in images or ()]


def _image_block(url: str) -> Block:
    # Split at every comma, but only the first two parts are looked at.
    head, *rest = url.split(",")
    _, colon, media = head.partition(":")
    if not colon:
        raise ValueError(f"not a data URL: {url[:40]!r}")
    media_type = media.split(":")[0].split(";")[0]
    data = rest[0] if rest else None
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


# --- how results join in the user's next message ----------------------------------------------------------------------


def push_tool_result(label: str, result: str | Sequence[Block]) -> list[Block]:
    """The blocks that a result adds: `<label> Result:`, then the text or the blocks, nothing joined."""
    head = text_block(f"{label} Result:")
    if isinstance(result, str):
        return [head, text_block(result or _CATALOGUE["no_output"])]
    return [head, *result]


def resumption(words: str) -> str:
    """What the user says when a saved task is taken up again."""
    text: str = _CATALOGUE["resumption_with_words"]
    return text.format(words=words)
