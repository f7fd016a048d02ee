"""How YAML is understood, and how much of it is read."""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from .document import FormatError, Path

MAX_CHARS = 500_000
"""Characters of a text, and of all its scalars once its aliases are written out."""

MAX_NODES = 50_000
"""Values once the aliases are written out: five times the largest settings file seen."""

MAX_ALIASES = 1_000

NPM_MAX_ALIASES = 100
"""maxAliasCount of the npm package `yaml`."""


class Schema(Struct, frozen=True):
    """One way to understand YAML: that of a parser, and what a program asks of it."""

    parser: Literal["PyYAML", "yaml", "js-yaml", "bun", "serde"] = "yaml"
    is_unique: bool = True
    """Whether two equal keys are refused; else the last one counts."""
    as_written: bool = False
    """Whether numbers and truth values are texts as they are written."""
    fields: Mapping[Path, tuple[str, ...]] = {}
    """Of `serde`: the mappings that a program knows, with the keys that may be there once; nothing is an empty one."""
    lists: frozenset[Path] = frozenset()
    """Of `serde`: the lists that a program knows; nothing is an empty one, though a written null is none."""


YAML_1_1: Final = Schema("PyYAML", is_unique=False)
"""As PyYAML's SafeLoader: `yes` is true, `<<` merges, other tags are refused."""

CORE: Final = Schema()
"""YAML 1.2 as the npm package `yaml` reads it by default: aliases are counted, other tags ignored."""

BUN: Final = Schema("bun", is_unique=False)
"""As CORE, but as the runtime Bun has it: the last of equal keys counts, `<<` merges, and quotes make a text."""

JS_YAML: Final = Schema("js-yaml")
"""As CORE, but as the npm package `js-yaml` has it: `<<` merges, other tags are refused, dates and bytes objects."""

SERDE: Final = Schema("serde", is_unique=False, as_written=True)
"""As Rust's serde reads YAML: no control characters, and keys count that a program knows."""


class YamlError(FormatError):
    """Text that is not valid YAML."""


class YamlLimitError(YamlError):
    """Text that may be YAML, but more of it than is read here."""
