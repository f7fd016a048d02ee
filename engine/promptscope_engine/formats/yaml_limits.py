"""How YAML is understood, and how much of it is read."""

from typing import Final, Literal

from .document import FormatError

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
    """Text that is not valid YAML."""


class YamlLimitError(YamlError):
    """Text that may be YAML, but more of it than is read here."""
