"""A request with its reply as some tool recorded it, made into one of ours: without keys, with its protocol."""

import json
import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

from promptscope_engine.formats.document import Json, unfit, with_texts
from promptscope_engine.wire.request import wire_json

from .model import Answer, Protocol, Recorded, Usage
from .protocols import content_of, protocol_of, protocol_of_body

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
