"""A value of a scenario as an option on a command line, `--set args.print=true`, and back."""

import json
import shlex

from promptscope_engine.formats.document import MAX_DEPTH, Json
from promptscope_engine.formats.yaml import YamlError, read_yaml

from .scenario import TOP_LEVEL

_OWN = ("mode", "model", "agent_version", "agent", "tokenizer")
"""Keys that have an option of their own name."""
_TEXTS = (*TOP_LEVEL, "env", "environment")
"""Keys whose values are texts whatever they look like (`agent_version=2026.2` is not a number)."""
_KEYS = (*_TEXTS, "after", "reads", "mcp_servers", "params")


class OptionError(ValueError):
    """Text that is not NAME=VALUE, or a value that is neither JSON nor YAML."""


def written(name: str, value: Json) -> str:
    """The option that sets a value, quoted for a shell: as plain text where that is read as the same value."""
    if name == "reads" and isinstance(value, list) and value:
        return " ".join(f"--reads {shlex.quote(str(path))}" for path in value)
    if name in _OWN:
        return f"--{name.replace('_', '-')} {shlex.quote(str(value))}"
    plain, exact = f"{name}={value}", f"{name}={json.dumps(value, ensure_ascii=False)}"
    is_plain = isinstance(value, str) and _reads_as(plain, value)
    return f"--set {shlex.quote(plain if is_plain else exact)}"


def _reads_as(text: str, value: str) -> bool:
    try:
        return bool(parsed(text)[1] == value)
    except OptionError:
        return False


def parsed(text: str) -> tuple[str, Json]:
    """`NAME=VALUE` as the dotted name in the scenario and the value. Raises OptionError."""
    name, equals, raw = text.partition("=")
    name = name.strip()
    if not equals or not all(name.split(".")):
        raise OptionError(f"{text!r} is not NAME=VALUE")
    if name.count(".") >= MAX_DEPTH:
        raise OptionError(f"{name[:40]}… is nested too deeply")
    head = name.partition(".")[0]
    if head in _TEXTS:
        return name, None if raw == "null" else raw
    return (name if head in _KEYS else f"params.{name}"), _value(name, raw)


def _value(name: str, raw: str) -> Json:
    """JSON, or YAML's `{a: b}` and `[a, b]`; anything else is text (`on` and `off` work for a switch)."""
    try:
        found: Json = json.loads(raw)
    except RecursionError:
        raise OptionError(f"the value of {name} is nested too deeply") from None
    except ValueError:
        pass
    else:
        return found
    if not raw.startswith(("{", "[")):
        return raw
    try:
        return read_yaml(raw).value
    except YamlError:
        raise OptionError(f"the value of {name} is neither JSON nor YAML: {raw[:200]}") from None
