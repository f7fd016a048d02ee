"""A system prompt that a person copied from an agent, made into a capture: a text and nothing else."""

import json
from dataclasses import replace

from .exchange import Exchange, recorded
from .labels import labelled
from .model import Capture, CaptureError, End, Fidelity, Header

MAX_BYTES = 8 * 1024 * 1024
"""A text that is larger is no prompt."""

NOTE = "a pasted system prompt: no tools, no messages and no request body, so none of these is compared"
_ESCAPED = 3
"""So many `\\n` in a text of one line, and it is a JSON string without its quotation marks."""


def pasted(data: bytes, agent: str) -> Capture:
    """The text as a capture of `agent`; its problems say how it was read. Raises CaptureError for what is not text."""
    if len(data) > MAX_BYTES:
        raise CaptureError(f"the text is larger than {MAX_BYTES >> 20} MB")
    text, problems = _read(data)
    if not text.strip():
        raise CaptureError("the text is empty")
    body = {"messages": [{"role": "system", "content": text}]}
    request = replace(recorded(1, Exchange(path="/v1/chat/completions", body=body)), bytes=len(data), note=NOTE)
    header = Header(agent, source="prompt", fidelity=Fidelity(notes=(NOTE,)))
    return Capture(header, labelled([request], None), End("imported", main=1), tuple(problems))


def _read(data: bytes) -> tuple[str, list[str]]:
    """The text as the agent had it, and what was done to it."""
    problems: list[str] = []
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "utf-8", "replace").removeprefix("\ufeff")
    if "\ufffd" in text and "\ufffd".encode() not in data and not wide:
        problems.append("some of its bytes are not UTF-8")
    if "\0" in text:
        raise CaptureError("this is not text: it contains NUL characters")
    unescaped = _unescaped(text.strip())
    if unescaped is not None:
        text = unescaped
        problems.append("it is one JSON string: its escapes were resolved")
    # A clipboard changes all line ends; a carriage return at some of them is in a file of the prompt.
    if text.count("\r\n") == text.count("\n") > 0:
        text = text.replace("\r\n", "\n")
        problems.append("its lines end in CRLF: read as LF")
    return text, problems


def _unescaped(text: str) -> str | None:
    """What a JSON string says; None for a text that is none."""
    if not text.startswith('"'):
        if "\n" in text or text.count("\\n") < _ESCAPED:
            return None
        text = f'"{text}"'
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, str) else None
