"""Which of a run's requests is the main one, and what the others are for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import Struct

from .model import Content, Label, Recorded
from .protocols import content_of, is_count

_LONG = 1_000
"""Characters from which on a block of the system prompt tells conversations apart."""
_GENERATES = ("POST", "WEBSOCKET")
"""The methods of a request for an answer: claude-tap names a message over a websocket so."""
_HEAD = 6_000
"""Characters of a small request that are looked at for what it is for."""

_WORDS: tuple[tuple[Label, tuple[str, ...]], ...] = (
    ("title", ("title",)),
    ("memory", ("memory", "memories")),
    ("router", ("router", "routing", "classif", "complexity")),
)


def labelled(requests: Sequence[Recorded], prompt: str | None) -> tuple[Recorded, ...]:
    """The requests with their labels. `prompt` is what was typed, None if that is not known."""
    looked = [_Looked.at(request, prompt) for request in requests]
    main = _main(looked)
    return tuple(replace(each.request, label=_label(each, main)) for each in looked)


def has_come(requests: Sequence[Recorded], prompt: str | None) -> bool:
    """Whether the main request is certainly among them: it holds the typed prompt and has tools."""
    looked = (_Looked.at(request, prompt) for request in requests)
    return any(each.has_tools and each.has_prompt for each in looked)


class _Looked(Struct, frozen=True):
    """A request and what its label is told by."""

    request: Recorded
    content: Content | None = None
    has_tools: bool = False
    has_prompt: bool = False
    chars: int = 0

    @classmethod
    def at(cls, request: Recorded, prompt: str | None) -> _Looked:
        generates = request.method in _GENERATES and not is_count(request.path)
        if request.protocol is None or request.body is None or not generates:
            return cls(request)
        content = content_of(request.protocol, request.path, request.body)
        said = [block.text for message in content.messages for block in message.blocks if message.role == "user"]
        typed = prompt is None or any(prompt.strip() in text for text in said)
        return cls(request, content, bool(content.tools), typed, sum(len(block.text) for block in content.blocks()))


def _main(looked: Sequence[_Looked]) -> _Looked | None:
    """A generation that holds the typed prompt and has tools; otherwise the largest."""
    asked = [each for each in looked if each.content is not None]
    for fits in (
        [each for each in asked if each.has_tools and each.has_prompt],
        [each for each in asked if each.has_tools],
    ):
        if fits:
            return fits[0]
    return max(asked, key=lambda each: each.chars, default=None)


def _label(looked: _Looked, main: _Looked | None) -> Label:
    if is_count(looked.request.path) and looked.request.protocol is not None:
        return "count"
    if looked.content is None or main is None or main.content is None:
        return "other"
    if looked is main or _same_conversation(looked.content, main.content):
        return "main"
    small = "\n".join(block.text for block in looked.content.blocks())[:_HEAD].lower()
    purpose = next((label for label, words in _WORDS if any(word in small for word in words)), None)
    if looked.has_tools and purpose != "memory":
        return "sub-agent"
    return purpose or "other"


def _same_conversation(one: Content, main: Content) -> bool:
    """A later turn, or another try: the same tools, and the system prompt begins alike."""
    names = [tool.name for tool in one.tools] == [tool.name for tool in main.tools]
    return bool(main.tools) and names and _opening(one) == _opening(main)


def _opening(content: Content) -> list[str]:
    """How the system prompt's blocks begin; what changes by the turn (a date, a hash) stands further back."""
    return [block.text[:200] for block in content.system if len(block.text) > _LONG] or [
        block.text[:200] for block in content.system[-1:]
    ]
