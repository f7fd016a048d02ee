"""Keys and tokens are never stored: which headers are kept, and what of a body is masked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from promptscope_engine.formats.document import Json, with_texts

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
    """Whether it is an ordinary word that would be masked wherever it stands; a password may be one."""
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
