"""The tokenizers that can be named, and which of them a model gets."""

import re
from math import ceil
from pathlib import Path

import msgspec

from promptscope_engine.nearest import nearest

from .encodings import EncodingName
from .models import parse_model


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


_TABLE = msgspec.json.decode(Path(__file__).with_suffix(".json").read_bytes(), type=tuple[Tokenizer, ...])

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
