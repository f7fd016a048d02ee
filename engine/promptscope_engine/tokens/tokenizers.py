"""The tokenizers that can be named, and which of them a model gets."""

import re
from math import ceil

from msgspec import Struct

from promptscope_engine.nearest import nearest

from .encodings import EncodingName
from .models import parse_model


class Tokenizer(Struct, frozen=True):
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


_TABLE = (
    Tokenizer("o200k_base", "OpenAI o200k", "OpenAI's encoding from GPT-4o on", "o200k_base"),
    Tokenizer("cl100k_base", "OpenAI cl100k", "OpenAI's encoding of GPT-4 and GPT-3.5", "cl100k_base"),
    # Harmony adds special tokens only. Ordinary text has none, so the counts are o200k_base's,
    # and one loaded encoding and one set of cached counts serve both.
    Tokenizer(
        "o200k_harmony", "OpenAI o200k harmony", "o200k's ranks with the special tokens of gpt-oss", "o200k_base"
    ),
    # Published ratio over o200k for models up to 4.6, about 2 % off on whole prompts.
    Tokenizer(
        "claude-estimate",
        "Claude up to 4.6",
        "no public tokenizer: o200k_base × 1.18, within about 2 % on whole prompts",
        "o200k_base",
        factor=1.18,
        band=(1.156, 1.204),
    ),
    # Published ratios over o200k: whole prompts 1.50-1.61; prose 1.82, code 1.51, JSON 1.38.
    Tokenizer(
        "claude-5-estimate",
        "Claude 4.7 and later",
        "no public tokenizer: o200k_base × 1.53, whole prompts 1.50 to 1.61",
        "o200k_base",
        factor=1.53,
        band=(1.50, 1.61),
    ),
    # Four characters a token; this rule of thumb is 40 % off on JSON, either way to be safe.
    Tokenizer("gemini-estimate", "Gemini", "characters ÷ 4, up to 40 % off", None, factor=0.25, band=(0.15, 0.35)),
    # Nothing was measured for these models. The span is that of the published ratios over o200k.
    Tokenizer(
        "o200k-estimate",
        "Unknown tokenizer",
        "no public tokenizer: counted as o200k_base",
        "o200k_base",
        band=(1.0, 1.61),
    ),
)

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
