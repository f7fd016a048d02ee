"""A recorded request with its reply, made into one of ours; and which of a run's requests is the main one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from msgspec import Struct

from promptscope_engine.formats.document import Json, unfit, with_texts
from promptscope_engine.wire.request import wire_json

from .model import Answer, Content, Label, Protocol, Recorded, Usage
from .protocols import content_of, is_count, protocol_of, protocol_of_body

MAX_TEXT = 2_000
"""Characters that are kept of a body that is not JSON."""

_BARE: dict[Protocol, str] = {
    "anthropic": "/v1/messages",
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
    "gemini": "/v1beta/models/unknown:generateContent",
}


class Exchange(Struct, frozen=True):
    """What came in. `body` is JSON, or a text that may be JSON; `status` is None without a reply."""

    method: str = "POST"
    path: str = ""
    headers: Mapping[str, str] = {}
    body: Json = None
    bytes: int | None = None
    time: str | None = None
    status: int | None = None
    usage: Usage | None = None
    note: str = ""


def bare(body: Json) -> Exchange | None:
    """A body without anything around it; None if it is a request of no known protocol."""
    protocol = protocol_of_body(body)
    return Exchange(path=_BARE[protocol], body=body) if protocol else None


def recorded(index: int, exchange: Exchange, secrets: frozenset[str] = frozenset()) -> Recorded:
    """The request as it is stored. `secrets` are values that are masked besides what looks like a key."""
    masker = Masker(secrets | secrets_of({}, exchange.headers))
    body, text = _parsed(exchange.body)
    size = exchange.bytes
    if size is None:
        size = len((text if body is None else wire_json(body)).encode("utf-8", "surrogatepass"))
    protocol = protocol_of(exchange.path) if body is not None else None
    return Recorded(
        index=index,
        method=exchange.method.upper(),
        path=masked_path(exchange.path),
        protocol=protocol if isinstance(body, dict) else None,
        time=exchange.time,
        headers=kept_headers(exchange.headers),
        body=masker.value(body),
        text=masker.text(text)[:MAX_TEXT] or None,
        bytes=size,
        masked=masker.count,
        response=None if exchange.status is None else Answer(exchange.status, exchange.usage),
        note=exchange.note,
    )


def _parsed(body: Json) -> tuple[Json, str]:
    """The body as JSON, or as the text that it is."""
    if isinstance(body, str):
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            return None, body
        return (value, "") if isinstance(value, (dict, list)) and unfit(value) is None else (None, body)
    return (None, "") if body is None or unfit(body) is not None else (body, "")


def is_empty(request: Recorded) -> bool:
    """Whether a request of a known protocol says nothing at all."""
    if request.protocol is None:
        return True
    content = content_of(request.protocol, request.path, request.body)
    return not (content.system or content.messages or content.tools)


# --- keys and tokens are never stored: which headers are kept, and what is masked in a body ---------------------------


KEPT_HEADERS = ("user-agent", "anthropic-beta", "anthropic-version", "openai-beta")
KEPT_PREFIX = "x-stainless-"
MASK = "[masked]"

SECRET_HEADERS = ("authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie")
"""Headers whose values are looked for in bodies, too."""

_SHAPES = re.compile(
    r"""
    -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----.*?(?:-----END\ [A-Z ]*PRIVATE\ KEY-----|\Z)
  | \bsk-[A-Za-z0-9_-]{20,}
  | \bAIza[A-Za-z0-9_-]{35}
  | \b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,}|glpat-[A-Za-z0-9_-]{20,})
  | \bxox[abeoprs]-[A-Za-z0-9-]{10,}
  | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b
  | \bya29\.[A-Za-z0-9_-]{20,}
  | \b(?:hf|npm|gsk|xai|pypi)[_-][A-Za-z0-9_-]{30,}
  | \beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}
  | (?<=Bearer\ )[A-Za-z0-9._~+/-]{16,}=*
    """,
    re.VERBOSE | re.DOTALL,
)
_NAMED = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)
_QUERY = re.compile(r"(?<=[?&])((?:api[_-]?key|key|access_token|token|auth)=)[^&#]+", re.IGNORECASE)
_SHORTEST = 8
"""Characters of a value that is looked for by itself: a shorter one would mask ordinary words."""


def kept_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers that may be stored, by lower-case name."""
    lower = {name.lower(): value for name, value in headers.items()}
    return {
        name: MASK if _SHAPES.search(value) else value
        for name, value in lower.items()
        if name in KEPT_HEADERS or name.startswith(KEPT_PREFIX)
    }


def masked_path(path: str) -> str:
    """The path without the values of keys in its query."""
    return _SHAPES.sub(MASK, _QUERY.sub(rf"\1{MASK}", path))


def secrets_of(env: Mapping[str, str], headers: Mapping[str, str] = {}) -> frozenset[str]:
    """The values that must not be stored: of variables named like keys, and of the headers that carry one."""
    found = [value for name, value in env.items() if _NAMED.search(name) and not _is_word(name, value)]
    for name, value in headers.items():
        if name.lower() in SECRET_HEADERS:
            found += [value, value.removeprefix("Bearer ").removeprefix("Basic ")]
    return frozenset(value for value in map(str.strip, found) if len(value) >= _SHORTEST)


def _is_word(name: str, value: str) -> bool:
    """Whether it is an ordinary word that would be masked wherever it is; a password may be one."""
    return value.isalpha() and value.islower() and "PASS" not in name.upper()


class Masker:
    """Masks values, and counts what it masked."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self.count = 0
        longest_first = sorted(set(secrets), key=lambda value: (-len(value), value))
        self._values = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def text(self, text: str) -> str:
        """The text with each key replaced by MASK."""
        if self._values is not None:
            text, found = self._values.subn(MASK, text)
            self.count += found
        text, found = _SHAPES.subn(MASK, text)
        self.count += found
        return text

    def value(self, value: Json) -> Json:
        """The JSON value with every text in it masked; keys of objects stay."""
        return with_texts(value, self.text)


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
    """A request, and what its label is derived from."""

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
