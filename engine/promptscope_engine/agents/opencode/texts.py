"""OpenCode's texts and tools, and what they may name in one scenario (agent.toml, sections/, tools/)."""

from collections.abc import Mapping

from msgspec.structs import replace

from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.markup import IN_QUOTES
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.leaves import equals
from promptscope_engine.prompt.sourced import variable

INTERACTIVE: Condition = equals("entry", "interactive", yes="the session is interactive", no="it is `opencode run`")
EXPERIMENTAL = "OPENCODE_EXPERIMENTAL"


def switched(env: Mapping[str, str], name: str, *wanted: str) -> Condition:
    """A variable is on: `1` or `true`, in any case, or one of the values."""
    found = variable(env, name)
    return replace(found, value=found.value.lower()).is_(*(wanted or ("1", "true")), unset="")


def experimental(env: Mapping[str, str], name: str) -> Condition:
    """A flag of its own, or that of all experiments, from which its own may be taken out again."""
    own = switched(env, f"{EXPERIMENTAL}_{name}")
    if env.get(f"{EXPERIMENTAL}_{name}", "").lower() in ("0", "false"):
        return own
    return own | switched(env, EXPERIMENTAL)


_WORDS = frozenset({"on", "experiment"})
FOLDER = Folder.of(__file__, {"interactive": INTERACTIVE}, words=_WORDS)
IN_ALL_QUOTES = IN_QUOTES | str.maketrans({"'": "&#39;"})
