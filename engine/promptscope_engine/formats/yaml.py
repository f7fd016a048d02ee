"""YAML that anybody may have written, as plain values with their lines: no tags, no cycles, nothing too large."""

from types import ModuleType

from .document import Parsed
from .yaml_limits import CORE as CORE
from .yaml_limits import CORE_LAST as CORE_LAST
from .yaml_limits import CORE_WRITTEN as CORE_WRITTEN
from .yaml_limits import JS_YAML as JS_YAML
from .yaml_limits import MAX_ALIASES as MAX_ALIASES
from .yaml_limits import MAX_CHARS as MAX_CHARS
from .yaml_limits import MAX_NODES as MAX_NODES
from .yaml_limits import NPM_MAX_ALIASES as NPM_MAX_ALIASES
from .yaml_limits import YAML_1_1 as YAML_1_1
from .yaml_limits import Schema as Schema
from .yaml_limits import YamlError as YamlError
from .yaml_limits import YamlLimitError as YamlLimitError


def read_yaml(
    text: str, schema: Schema = YAML_1_1, *, max_chars: int = MAX_CHARS, max_aliases: int = MAX_ALIASES
) -> Parsed:
    """The only document of `text`; None for an empty one. Raises YamlError and nothing else."""
    if len(text) > max_chars:
        raise YamlLimitError(f"{len(text):,} characters are too many to be parsed here (at most {max_chars:,})")
    parsed: Parsed = _parser().parse(text, schema, max_chars, max_aliases)
    return parsed


def weight(text: str) -> int:
    """The work of reading a text, in characters of prose: each value takes as long as ten of them."""
    size: int = _parser().weight(text)
    return size


def _parser() -> ModuleType:
    from . import yaml_parser  # PyYAML takes as long to import as all formats together

    return yaml_parser
