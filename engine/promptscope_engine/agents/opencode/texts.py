"""OpenCode's texts and tools, and what they may name in one scenario (agent.toml, sections/, tools/)."""

from collections.abc import Mapping

from msgspec.structs import replace

from promptscope_engine.agents.kit.text.folder import Folder
from promptscope_engine.agents.kit.text.markup import IN_QUOTES
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.leaves import equals
from promptscope_engine.prompt.sourced import variable

INTERACTIVE: Condition = equals("entry", "interactive", yes="the session is interactive", no="it is `opencode run`")


def switched(env: Mapping[str, str], name: str, *wanted: str) -> Condition:
    """A variable is on: `1` or `true`, in any case, or one of the values."""
    found = variable(env, name)
    return replace(found, value=found.value.lower()).is_(*(wanted or ("1", "true")), unset="")


FOLDER = Folder.of(__file__, {"interactive": INTERACTIVE}, words=frozenset({"on"}))
IN_ALL_QUOTES = IN_QUOTES | str.maketrans({"'": "&#39;"})
