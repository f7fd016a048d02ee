"""Assemblies of sections made up for a test: no agent is asked."""

from __future__ import annotations

from typing import Any

from promptscope_engine.prompt.model import Assembly, Channel, Fragment, Origin, Reason, Section, TokenSummary
from promptscope_engine.wire.request import Request

TOKENS = TokenSummary("o200k_base", True, 0, 0, None, {}, 200_000, 0, None, None)
WHY = Reason("always")
OURS = Origin("builtin", id="ours")


def section(name: str, *parts: Fragment, channel: Channel = "system", present: bool = True, **more: Any) -> Section:
    values: dict[str, Any] = {
        "title": name.title(), "heading": None, "why": WHY, "stability": "static", "tokens": None,
        "expected_tokens": None, "chars": sum(len(part.text) for part in parts), "confidence": "exact",
        "reference_tokens": None,
    }  # fmt: skip
    return Section(id=name, channel=channel, present=present, fragments=parts, **{**values, **more})


def ours(text: str) -> Fragment:
    """Fixed prose of the agent in our words."""
    return Fragment(text, OURS)


def of_file(text: str, path: str = "/shop/CLAUDE.md", line: int | None = 1) -> Fragment:
    return Fragment(text, Origin("file", path=path, start_line=line))


def assembly_of(*sections: Section, tools: tuple[dict[str, Any], ...] = (), blocks: tuple[str, ...] = ()) -> Assembly:
    """An assembly whose system prompt is these sections and then these blocks, and whose only message is theirs too."""
    joined = {c: "".join(s.text for s in sections if s.present and s.channel == c) for c in ("system", "messages")}
    system = tuple({"type": "text", "text": text} for text in (joined["system"], *blocks) if text)
    said = ({"role": "user", "content": joined["messages"]},) if joined["messages"] else ()
    request = Request(system=system, messages=said, tools=tools)
    return Assembly("claude-code", "1.2.3", None, None, "/shop", "/home/u", sections, (), (), request, TOKENS)
