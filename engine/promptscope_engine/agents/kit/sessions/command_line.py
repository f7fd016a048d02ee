"""What a captured command line says of an agent's inputs: an input's title is the name of its option."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from promptscope_engine.agents.kit.disk.settings import object_in
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import ParamField


def options_from_argv(
    command: Sequence[str], fields: Iterable[ParamField], table: Mapping[str, Any]
) -> dict[str, Json]:
    """The values of a command's options by the dotted names of inputs: `--x VALUE` or `--x=VALUE`.

    `table` is `[command_line]` of agent.toml: `aliases` of options, the input behind others (`also`), the input that
    takes a JSON object (`json`; any other value is a file's path), lists that are split at commas and spaces
    (`split`), whether a list takes `several` words, but for those of `single`, and words that set inputs by themselves
    (`sets`). Of an option that is given twice the last one counts.
    """
    kinds = {field.title: (field.name, field.kind) for field in fields if field.title.startswith("-")}
    kinds |= {option: (name, "text") for option, name in table.get("also", {}).items()}
    found: dict[str, Json] = {}
    for at, word in enumerate(command):
        option, equals, value = word.partition("=")
        option = table.get("aliases", {}).get(option, option)
        found |= table.get("sets", {}).get(word, {})
        if option not in kinds:
            continue
        name, kind = kinds[option]
        after = [value] if equals else command[at + 1 :]
        if kind == "bool":
            found[name] = True
        elif option in table.get("json", ()):
            value = after[0] if after else ""
            given, inner = object_in(value), table["json"][option]
            for old in (name, inner):
                found.pop(old, None)
            found[name if given is None else inner] = value if given is None else given
        elif kind != "object":
            found[name] = after[0] if after else ""
        else:
            several = table.get("several", False) and not equals and option not in table.get("single", ())
            words = [*takewhile(lambda each: not each.startswith("-"), after)] if several else [*after[:1]]
            if option in table.get("split", ()):
                words = [part for each in words for part in re.split(r"[,\s]+", each) if part]
            found.setdefault(name, []).extend(words)
    return found


def entry_from_argv(command: Sequence[str], table: Mapping[str, Any]) -> dict[str, Json]:
    """The input `entry`: `headless` without a command line or with one of the `headless_words`, else `attended`."""
    said = {word.partition("=")[0] for word in command}
    is_headless = not said or said.intersection(table["headless_words"])
    return {"entry": table["headless" if is_headless else "attended"]}
