"""Environment variables as switches, and the catalogue of models."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.leaves import equals
from promptscope_engine.prompt.sourced import variable

INTERACTIVE: Condition = equals("entry", "interactive", yes="the session is interactive", no="it is `opencode run`")
EXPERIMENTAL = "OPENCODE_EXPERIMENTAL"


@cache
def catalogue() -> Mapping[str, Json]:
    """`models.json`: the providers' packages, the variants, and the models by provider."""
    found: Mapping[str, Json] = json.loads((Path(__file__).parent / "models.json").read_text("utf-8"))
    return found


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
