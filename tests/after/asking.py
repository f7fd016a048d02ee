"""The stand-in of a recorded run: it answers by a script, and notes what was asked at which step, and what for."""

from __future__ import annotations

import json
import re
import threading
import time
from typing import Any

from tests.oracle import replies
from tests.oracle.bodies import texts_of, tools_of
from tests.oracle.standin import TITLE

from .comparing import text_of

Json = Any
SUMMARY = (
    "<analysis>ZQTHOUGHTn0001</analysis>\n<summary>\nZQSUMMARYn0001 a made-up summary\n"
    "ZQSUMMARYn0002 its second line\n</summary>"
)
_TOKENS = 1000


class Script:
    """`replies` are those to the conversation's requests still to come; `asked` are (step, kind, body)."""

    def __init__(self, summary: str) -> None:
        self.summary, self.port, self.step, self.last = summary, 0, 0, 0.0
        self.replies: list[Json] = []
        self.asked: list[tuple[int, str, Json]] = []
        self._lock = threading.Lock()
        self._number = 0

    def answer(self, path: str, body: Json) -> replies.Reply | None:
        """The next reply of the script, or what is said to a request for a summary."""
        kind = kind_of(path.split("?")[0], body)
        if kind == "count":
            tokens = len(json.dumps(body)) // 4
            return json.dumps({"input_tokens": tokens, "totalTokens": tokens}).encode(), "application/json"
        with self._lock:
            self.last = time.monotonic()
            self._number += 1
            number = self._number
            self.asked.append((self.step, kind, body))
            reply = self.replies.pop(0) if kind == "main" and self.replies else {}
        if error := reply.get("error"):
            return json.dumps(error["body"]).encode(), "application/json", error["status"]
        text = reply.get("text") or (self.summary if kind == "summary" else f"ZQSAIDn{number:04}")
        said = replies.Said(text, reply.get("usage", _TOKENS))
        return replies.answered(path, body, reply.get("calls", []), number, said)


def kind_of(where: str, body: Json) -> str:
    """What a request is for, by its shape: `main`, `summary`, `count` of tokens, or `side`."""
    if where.endswith(("/count_tokens", ":countTokens")):
        return "count"
    if where.endswith("/responses"):
        told = json.loads((body.get("client_metadata") or {}).get("x-codex-turn-metadata") or "{}")
        return {"turn": "main", "compaction": "summary"}.get(told.get("request_kind", "turn"), "side")
    texts = [text for place, text in texts_of(body) if place.endswith(":user")] or [""]
    asks = re.search("<analysis>.*<summary>", _last(body), re.DOTALL)  # as Claude Code does
    if body.get("tool_choice") == "none" or (asks and len(texts) > 1 and "ZQ" not in asks[0]):
        return "summary"
    if {*tools_of(body)} == {"read", "write"}:  # OpenClaw lets the model write its memory down before it compacts
        return "side"
    if tools_of(body):
        return "main"
    schema = "responseJsonSchema" in (body.get("generationConfig") or {})
    small = schema or "metadata" in body or ("contents" in body and "systemInstruction" not in body)
    return "side" if small or texts[0].startswith(TITLE) else "summary"


def _last(body: Json) -> str:
    """The last text that the user's side said."""
    said = [each for each in body.get("messages") or [] if each.get("role") == "user"]
    content = said[-1]["content"] if said else ""
    return content if isinstance(content, str) else text_of(content[-1])
