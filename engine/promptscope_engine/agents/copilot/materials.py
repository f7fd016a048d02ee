"""What was gathered, frozen: sections and tools are made of this alone."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from promptscope_engine.agents.kit.disk.servers import OfferedTool
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Span, Window
from promptscope_engine.wire.protocols import Protocol

from .texts import FOLDER

MODELS: Mapping[str, Mapping[str, Any]] = {
    "gpt-6.1-sol": {"kind": "gpt-6"},
    "gpt-6-sol": {"kind": "gpt-6"},
    "gpt-6-luna": {"kind": "gpt-6"},
    "gpt-6-astra": {"kind": "gpt-6"},
    "gpt-5.6-sol": {"kind": "gpt-5.6"},
    "gpt-5.6-terra": {"kind": "gpt-5.6"},
    "gpt-5.6-luna": {"kind": "gpt-5.6"},
    "gpt-5.5": {"kind": "gpt-5.5"},
    "gpt-5.4": {"kind": "gpt-5.4"},
    "gpt-5.4-mini": {"kind": "gpt-5.5"},
    "gpt-5.3-codex": {"kind": "gpt-5.5"},
    "gpt-5.2": {"kind": "gpt-5"},
    "gpt-5.1": {"kind": "gpt-5", "output": 64000},
    "gpt-5": {"kind": "gpt-5", "output": 0},
    "gpt-5-mini": {"kind": "gpt-5-mini", "output": 64000},
    "gpt-4.1": {"kind": "gpt-4.1", "output": 16384, "effort": ""},
    "claude-sonnet-5.5": {"kind": "claude-5.5", "bound": True},
    "claude-haiku-5.5": {"kind": "claude-5.5", "bound": True},
    "claude-fable-5.1": {"kind": "claude-5", "output": 64000, "messages": 32000, "bound": True},
    "claude-opus-5.5": {"kind": "claude-5", "output": 64000, "messages": 32000, "bound": True},
    "claude-fable-5": {"kind": "claude-5", "output": 64000, "messages": 32000},
    "claude-opus-5": {"kind": "claude-5", "output": 64000, "messages": 32000},
    "claude-opus-4.8": {"kind": "claude-5", "output": 64000, "messages": 32000},
    "claude-opus-4.8-fast": {"kind": "claude-5", "output": 64000, "messages": 32000},
    "claude-sonnet-5": {"kind": "claude-sonnet-5", "output": 64000, "messages": 32000},
    "claude-sonnet-4.6": {"kind": "claude", "output": 64000, "messages": 32000},
    "claude-haiku-4.5": {"kind": "claude", "output": 64000, "messages": 64000, "budget": 1024},
    "gemini-2.5-pro": {"kind": "gemini", "output": 64000},
    "gemini-4-argon": {"kind": "gemini", "output": 150000},
    "gemini-3.8-flash": {"kind": "gemini", "output": 64000},
    "gemini-3.7-flash": {"kind": "gemini", "output": 64000},
    "grok-4.7": {"kind": "other", "effort": "high"},
    "grok-4.6": {"kind": "other", "effort": "high"},
    "grok-4.5": {"kind": "other", "effort": "high"},
    "kimi-k3": {"kind": "kimi", "output": 131072, "effort": "high"},
    "mai-code-1.1-flash": {"kind": "other"},
}
"""Models by name: their kind, the tokens of an answer, and what else is known of each (see `Model`)."""
_KINDS: Mapping[str, tuple[str, ...]] = {
    "gpt-6": ("patch", "frontier", "silent", "simplest"),
    "gpt-5.6": ("patch", "frontier", "silent"),
    "gpt-5.5": ("patch",),
    "gpt-5.4": ("patch", "seldom"),
    "gpt-5": ("persistent",),
    "gpt-5-mini": ("persistent", "announces"),
    "gpt-4.1": ("persistent",),
    "claude-5.5": ("claude", "brief", "prefers", "strict_tools", "objects"),
    "claude-5": ("claude", "brief", "prefers_briefly", "objects"),
    "claude-sonnet-5": ("claude", "brief", "prefers_briefly"),
    "claude": ("claude", "prefers_briefly"),
    "gemini": ("gemini", "prefers"),
    "kimi": ("prefers",),
    "other": (),
}
"""What the prompt of a kind of model has, by the names of `[facts]` in agent.toml."""
_FAMILIES = {"gpt-": "gpt-5.6", "claude-": "claude", "gemini-": "gemini", "": "other"}
"""Kinds of models that are not known, by how their names begin."""


class Model(Struct, frozen=True):
    """A model as Copilot has it: `kind` names what its prompt has, `family` how its name begins.

    `output` and `messages` are tokens of an answer; `budget` are those that it may think, where it is given a number;
    `bound`: its thoughts are tied to the prompt.
    """

    name: str
    kind: str
    family: str
    known: bool = True
    output: int = 128_000
    messages: int = 0
    effort: str = "medium"
    budget: int = 0
    bound: bool = False

    @property
    def traits(self) -> dict[str, bool]:
        """By the name of a trait in `[facts]`: whether its prompt has it."""
        own = _KINDS[self.kind]
        return {"auto": self.name == "auto"} | {trait: trait in own for traits in _KINDS.values() for trait in traits}


def table(name: str) -> Any:
    """A table of agent.toml."""
    return FOLDER.agent[name]


def model_named(name: str) -> Model:
    """The model of a name, by the exact name; else what its beginning tells."""
    row = MODELS.get(name, {})
    family, kind = next((start, kind) for start, kind in _FAMILIES.items() if name.startswith(start))
    return Model(name, **{"kind": kind, **row}, family=family, known=bool(row))


class Instruction(Struct, frozen=True):
    """An instruction file that is sent: `spans` is its text with imports, escaped in one that a read brought along."""

    path: str
    spans: tuple[Span, ...]
    when: Condition
    shown: str = ""


class Named(Struct, frozen=True):
    """An instruction file that is only named, in a row of a table."""

    path: str
    first: str
    shown: str
    description: str
    when: Condition


class Materials(Struct, frozen=True, eq=False):
    """Everything that the prompt is made of.

    `scope` is what texts may name. `tools` says of each of the client's own when it is there, in the order in which the
    chosen agent gives them; `kinds` are the agents that `task` may start. `attached` are images, each a media type and
    data in base64; `split`: the system text is sent in two parts; `options` are the other keys of the body.
    """

    model: Model
    protocol: Protocol
    scope: Scope
    tools: Mapping[str, Condition]
    kinds: tuple[str, ...]
    mcp_tools: tuple[OfferedTool, ...]
    attached: tuple[tuple[str, str], ...]
    split: bool
    options: Mapping[str, Json]
    window: Window
