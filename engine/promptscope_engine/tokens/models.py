"""What is known of models by their names: window, longest answer, list price; and which tokenizer each gets."""

from __future__ import annotations

import json
import re
from math import ceil
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from promptscope_engine.nearest import nearest

from .encodings import EncodingName

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

_MODELS: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))


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
        window, output = next(limits for first, *limits in _MODELS["claude"] if name.claude >= tuple(first))
        # Opus 4 and 4.1 alone stop at 32,000, by Anthropic's model table.
        if (4, 0) <= name.claude <= (4, 1) and "opus" in name.bare:
            output = 32_000
    else:
        for start, *limits in _MODELS["models"]:
            if name.bare.startswith(start):
                window, output = limits
                break
    return (_LONG_WINDOW if name.long_context else window), output


# --- prices: the vendors' list prices of one day; a model that is not in the table has none ---------------------------


DATE: str = _MODELS["date"]
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
        found = _MODELS["prices"].get(_DATED.sub("", name.bare))
    else:
        words, families = name.bare.split("-"), _MODELS["claude_prices"]
        fits = (p for family, low, high, p in families if family in words and tuple(low) <= version <= tuple(high))
        found = next(fits, None)
    return Price(**found) if found else None


class Tokenizer(msgspec.Struct, frozen=True):
    """How text becomes a number of tokens, and how far that number can be trusted."""

    id: str
    """The name in a scenario and in the output, e.g. `claude-estimate`."""

    title: str
    """The name on the screen."""

    note: str
    """One sentence on where the number comes from."""

    encoding: EncodingName | None
    """The encoding that is counted with; None: characters are counted, and nothing is ever loaded."""

    factor: float = 1.0
    """Tokens for one token of `encoding`, or for one character."""

    band: tuple[float, float] = (1.0, 1.0)
    """Lowest and highest `factor` to be expected for a whole prompt; both 1.0 where exact."""

    @property
    def exact(self) -> bool:
        """False: every number is an estimate and is shown with ≈ and its band."""
        return self.band == (1.0, 1.0)

    def tokens(self, base: int) -> int:
        """Tokens for `base` tokens of `encoding` (rounded), or for `base` characters (rounded up)."""
        if self.encoding is None:
            return ceil(self.factor * base)
        return round(self.factor * base)

    def span(self, tokens: int) -> tuple[int, int]:
        """Lowest and highest true count behind `tokens`, a number that this tokenizer gave."""
        low, high = self.band
        return round(tokens * low / self.factor), round(tokens * high / self.factor)


class UnknownTokenizer(ValueError):  # noqa: N818 - it names what is wrong, like LookupError
    """No tokenizer has this id; the message names the nearest ids, or all of them."""


_TABLE = msgspec.json.decode(Path(__file__).with_name("tokenizers.json").read_bytes(), type=tuple[Tokenizer, ...])

TOKENIZERS = {tokenizer.id: tokenizer for tokenizer in _TABLE}
"""Every tokenizer by its id."""

_CLAUDE_5 = (4, 7)
"""The first Claude version with the new tokenizer."""

# tiktoken's own table (tiktoken/model.py), as patterns; the first that matches at the start decides.
_BY_NAME = (
    (re.compile(r"gpt-oss"), "o200k_harmony"),
    (re.compile(r"gpt-4(?![.o\d])|gpt-3\.?5"), "cl100k_base"),
    (re.compile(r"gpt-(?:4[.o]|[5-9])|chatgpt-4o|o\d+(?:-|$)|codex-"), "o200k_base"),
    (re.compile(r"gemini"), "gemini-estimate"),
)


def get_tokenizer(id: str) -> Tokenizer:
    """The tokenizer with this id.

    Raises:
        UnknownTokenizer: no tokenizer has it.
    """
    try:
        return TOKENIZERS[id]
    except KeyError:
        near = nearest(id, TOKENIZERS) or list(TOKENIZERS)
        raise UnknownTokenizer(f"no tokenizer {id!r}; did you mean {' or '.join(near)}?") from None


def tokenizer_for_model(model: str | None) -> Tokenizer:
    """The tokenizer of a model, by its name in any provider's spelling (see `parse_model`).

    No model gives plain `o200k_base`. A model of a family that is not known gives `o200k-estimate`,
    which counts the same but is not exact. Never raises.
    """
    if model is None:
        return TOKENIZERS["o200k_base"]
    name = parse_model(model)
    if name.claude is not None:
        return TOKENIZERS["claude-5-estimate" if name.claude >= _CLAUDE_5 else "claude-estimate"]
    for pattern, id in _BY_NAME:
        if pattern.match(name.bare):
            return TOKENIZERS[id]
    return TOKENIZERS["o200k-estimate"]
