"""YAML that anybody may have written, as plain values with their lines: no tags, no cycles, nothing out of proportion.

PyYAML takes as long to import as all formats together, so the parser is imported for the first text.
"""

from __future__ import annotations

from typing import Final, Literal

from .document import FormatError, Parsed

MAX_CHARS = 500_000
"""Characters of a text, and of all its scalars once its aliases are written out."""

MAX_NODES = 50_000
"""Values once the aliases are written out: five times the largest settings file seen."""

MAX_ALIASES = 1_000

NPM_MAX_ALIASES = 100
"""maxAliasCount of the npm package `yaml`."""

Schema = Literal["1.1", "core", "core, the last counts", "core, as written", "js-yaml"]
"""One way to understand YAML."""

YAML_1_1: Final = "1.1"
"""As PyYAML's SafeLoader: `yes` is true, `<<` merges, the last of two equal keys counts, other tags are refused."""

CORE: Final = "core"
"""YAML 1.2 as the npm package `yaml` reads it by default: keys are unique, aliases counted, other tags ignored."""

CORE_LAST: Final = "core, the last counts"
"""As CORE, but the last of two equal keys counts."""


CORE_WRITTEN: Final = "core, as written"
"""As CORE, for a program that asks for texts: numbers and truth values are texts as they are written."""


JS_YAML: Final = "js-yaml"
"""As CORE, but as the npm package `js-yaml` has it: `<<` merges, other tags are refused, dates and bytes objects."""


class YamlError(FormatError):
    """Text that is no YAML."""


class YamlLimitError(YamlError):
    """Text that may be YAML, but more of it than is read here."""


def read_yaml(
    text: str, schema: Schema = YAML_1_1, *, max_chars: int = MAX_CHARS, max_aliases: int = MAX_ALIASES
) -> Parsed:
    """The only document of `text`; None for an empty one. Raises YamlError and nothing else."""
    if len(text) > max_chars:
        raise YamlLimitError(f"{len(text):,} characters are too many to be parsed here (at most {max_chars:,})")
    from .yaml_parser import parse

    return parse(text, schema, max_chars, max_aliases)


def weight(text: str) -> int:
    """What it takes to read a text, in characters of prose: each value takes as long as ten of them."""
    from .yaml_parser import weight

    return weight(text)
