"""What is known of models by their names: window, longest answer, list price."""

from __future__ import annotations

import re

from msgspec import Struct

# --- names ------------------------------------------------------------------------------------------------------------


_LONG = re.compile(r"(?:\[1m\]|[-:]1m)$")
# "us.anthropic.claude-…", "openai.gpt-oss-…": words with dots after them. A version's dot follows a digit.
_VENDOR = re.compile(r"^(?:[a-z-]+\.)+(?=[a-z])")
# One or two digits, so that "20250929" is no version; not followed by letters, so that "-1m" is none.
_VERSION = re.compile(r"(?<!\d)(\d{1,2})(?:[.-](\d{1,2})(?![a-z0-9]))?(?!\d)")
_CLAUDE_ALIASES = frozenset({"sonnet", "opus", "haiku", "opusplan"})

NEWEST = (99, 0)
"""The version of a Claude name that gives none (`opus`, `claude-sonnet-latest`): it follows the newest."""


class ModelName(Struct, frozen=True):
    """A model's name, taken apart."""

    bare: str
    """Lower case, without provider, region, route (`:free`), deployment date (`@…`) and `[1m]`."""

    claude: tuple[int, int] | None
    """(major, minor) of a Claude model, `NEWEST` where the name gives none; None for every other model."""

    long_context: bool
    """The name ends in `[1m]`, `-1m` or `:1m`: the window of a million tokens is asked for."""


def parse_model(model: str) -> ModelName:
    """Take a model's name apart, in any spelling that providers and routers use.

    Understood are `anthropic/claude-sonnet-4.5`, `openrouter/openai/gpt-5:free`,
    `us.anthropic.claude-opus-4-1-20250805-v1:0`, `claude-sonnet-4-5@20250929`, `ft:gpt-4o:team::id`,
    `sonnet[1m]`. Never raises: an unknown name comes back as it is, in lower case.
    """
    name = model.strip().lower()
    without_long = _LONG.sub("", name)
    bare = without_long.rpartition("/")[2].removeprefix("ft:")
    bare = _VENDOR.sub("", re.split("[:@]", bare)[0])
    return ModelName(bare=bare, claude=_claude_version(bare), long_context=without_long != name)


def _claude_version(bare: str) -> tuple[int, int] | None:
    if bare in _CLAUDE_ALIASES:
        return NEWEST
    if "claude" not in bare:
        return None
    found = _VERSION.search(bare)
    return (int(found[1]), int(found[2] or 0)) if found else NEWEST


# --- limits: the vendors' published figures; most are in Roo Code's provider tables too (packages/types) --------------


DEFAULT_WINDOW = 200_000
"""Tokens; for a model that the table does not know."""

DEFAULT_MAX_OUTPUT = 8_192
"""Tokens; Roo Code's ANTHROPIC_DEFAULT_MAX_TOKENS, for a model that the table does not know."""

_LONG_WINDOW = 1_000_000

# (start of the bare name, window, longest answer); the first that fits decides.
_MODELS = (
    ("gpt-4o", 128_000, 16_384),
    ("chatgpt-4o", 128_000, 16_384),
    ("gpt-4.1", 1_047_576, 32_768),
    ("gpt-4.5", 128_000, 16_384),
    ("gpt-4-turbo", 128_000, 4_096),
    ("gpt-4-32k", 32_768, 32_768),
    ("gpt-4", 8_192, 8_192),
    ("gpt-3.5", 16_385, 4_096),
    ("gpt-35", 16_385, 4_096),
    ("gpt-5", 400_000, 128_000),
    ("gpt-oss", 131_072, 131_072),
    ("codex-mini", 200_000, 100_000),
    ("o1-mini", 128_000, 65_536),
    ("o1-preview", 128_000, 32_768),
    ("o1", 200_000, 100_000),
    ("o3", 200_000, 100_000),
    ("o4", 200_000, 100_000),
    ("gemini-1.5-pro", 2_097_152, 8_192),
    ("gemini-1.5", 1_048_576, 8_192),
    ("gemini-2.0", 1_048_576, 8_192),
    ("gemini", 1_048_576, 65_536),
    ("grok-code-fast-1", 256_000, 16_384),
    ("grok-4-fast", 2_000_000, 65_536),
    ("grok-4-1-fast", 2_000_000, 65_536),
    ("grok-4", 256_000, 8_192),
    ("grok-3", 131_072, 8_192),
)

# (first Claude version, window, longest answer), newest first. The windows of 5.5 are what Claude Code's
# /context displays for them without the `[1m]` suffix, and 128,000 is the max_tokens that it sends.
_CLAUDE_LIMITS = (
    # A name without a version does not tell the window: the smaller one promises nothing.
    (NEWEST, DEFAULT_WINDOW, 64_000),
    ((5, 5), _LONG_WINDOW, 128_000),
    ((4, 6), DEFAULT_WINDOW, 128_000),
    ((3, 7), DEFAULT_WINDOW, 64_000),
    ((3, 5), DEFAULT_WINDOW, 8_192),
    ((0, 0), DEFAULT_WINDOW, 4_096),
)


def context_window(model: str | None) -> int:
    """Tokens that a model takes in and gives out together; `DEFAULT_WINDOW` where it is not known."""
    return _limits(model)[0]


def max_output(model: str | None) -> int:
    """Tokens of the longest answer a model can give; `DEFAULT_MAX_OUTPUT` where it is not known."""
    return _limits(model)[1]


def _limits(model: str | None) -> tuple[int, int]:
    if model is None:
        return DEFAULT_WINDOW, DEFAULT_MAX_OUTPUT
    name = parse_model(model)
    window, output = DEFAULT_WINDOW, DEFAULT_MAX_OUTPUT
    if name.claude is not None:
        window, output = next(row[1:] for row in _CLAUDE_LIMITS if name.claude >= row[0])
        # Opus 4 and 4.1 alone stop at 32,000, by Anthropic's model table.
        if (4, 0) <= name.claude <= (4, 1) and "opus" in name.bare:
            output = 32_000
    else:
        for start, *limits in _MODELS:
            if name.bare.startswith(start):
                window, output = limits
                break
    return (_LONG_WINDOW if name.long_context else window), output


# --- prices: the vendors' list prices of one day; a model that is not in the table has none ---------------------------


DATE = "2026-10-27"
"""The day of which the prices are."""


class Price(Struct, frozen=True):
    """US dollars for a million tokens of input: plain, read from the cache, written to it for minutes and for an hour.

    A service that takes nothing extra for writing has the price of plain input there. Requests of more than
    `long_from` tokens cost `long_factor` times as much, all of them.
    """

    input: float
    read: float
    write: float
    write_hour: float
    long_from: int | None = None
    long_factor: float = 1.0

    def of_size(self, tokens: int) -> Price:
        """The prices that a request of so many tokens has."""
        if self.long_from is None or tokens <= self.long_from:
            return self
        by = self.long_factor
        return Price(self.input * by, self.read * by, self.write * by, self.write_hour * by)


def _claude(input: float, read: float, **long: float) -> Price:
    """Anthropic's: writing for five minutes takes 1.25 times the price of input, for an hour twice as much."""
    factor = long.get("factor", 1.0)
    return Price(input, read, input * 1.25, input * 2, int(long["above"]) if long else None, factor)


def _gpt(input: float, read: float, *, write: float = 1.0, long: bool = False) -> Price:
    """OpenAI's: newer models take 1.25 times the price of input for writing, and twice all of it above 272,000."""
    return Price(input, read, input * write, input * write, 272_000 if long else None, 2.0)


def _gemini(input: float, read: float, *, long: bool = False) -> Price:
    """Google's: writing costs nothing extra; keeping is charged by the hour, and left out here."""
    return Price(input, read, input, input, 200_000 if long else None, 2.0)


# (family, first and last version, price)
_CLAUDE_PRICES = (
    ("fable", (5, 1), (5, 1), _claude(10, 0.25)),
    ("fable", (5, 0), (5, 0), _claude(10, 1)),
    ("mythos", (5, 1), (5, 1), _claude(10, 0.25)),
    ("mythos", (5, 0), (5, 0), _claude(10, 1)),
    ("opus", (5, 5), (5, 5), _claude(4, 0.20)),
    ("opus", (4, 5), (5, 0), _claude(5, 0.50)),
    ("opus", (4, 0), (4, 1), _claude(15, 1.50)),
    ("sonnet", (5, 5), (5, 5), _claude(2, 0.10)),
    ("sonnet", (5, 0), (5, 0), _claude(2, 0.20)),
    ("sonnet", (3, 7), (4, 6), _claude(3, 0.30)),
    ("haiku", (5, 5), (5, 5), _claude(0.10, 0.01, above=100_000, factor=5)),
    ("haiku", (4, 5), (4, 5), _claude(1, 0.10)),
    ("haiku", (3, 5), (3, 5), _claude(0.80, 0.08)),
)

_OTHERS = {
    "gpt-6.1-sol": _gpt(2, 0.10, write=1.25, long=True),
    "gpt-6.1-terra": _gpt(1, 0.05, write=1.25, long=True),
    "gpt-6-astra": _gpt(10, 1, write=1.25, long=True),
    "gpt-6-sol": _gpt(2, 0.20, write=1.25, long=True),
    "gpt-6-luna": _gpt(0.10, 0.01, write=1.25, long=True),
    "gpt-5.6-sol": _gpt(4, 0.40, write=1.25, long=True),
    "gpt-5.6-terra": _gpt(2, 0.20, write=1.25, long=True),
    "gpt-5.6-luna": _gpt(0.20, 0.02, write=1.25, long=True),
    "gpt-5.5": _gpt(5, 0.50, long=True),
    "gpt-5": _gpt(1.25, 0.125),
    "gpt-5-codex": _gpt(1.25, 0.125),
    "gpt-5-mini": _gpt(0.25, 0.025),
    "gpt-4.1": _gpt(2, 0.50),
    "gpt-4o": _gpt(2.50, 1.25),
    "gemini-3.8-flash": _gemini(0.75, 0.075),
    "gemini-3.7-flash": _gemini(0.75, 0.075),
    "gemini-3.1-pro-preview": _gemini(2, 0.20, long=True),
    "gemini-3.1-pro-preview-customtools": _gemini(2, 0.20, long=True),
    "gemini-2.5-pro": _gemini(1.25, 0.125, long=True),
    "gemini-2.5-flash": _gemini(0.30, 0.03),
}

_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")


def price_of(model: str | None) -> Price | None:
    """The prices of a model, in any spelling that `parse_model` understands; None if it is not in the table.

    A Claude name without a version names none: it stands for whatever is newest.
    """
    if model is None:
        return None
    name = parse_model(model)
    version = name.claude
    if version is None:
        return _OTHERS.get(_DATED.sub("", name.bare))
    words = name.bare.split("-")
    return next(
        (price for family, low, high, price in _CLAUDE_PRICES if family in words and low <= version <= high), None
    )
