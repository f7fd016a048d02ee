"""What OpenClaw's gatherer found, ready for the sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition, Facts, Named, Observed
from promptscope_engine.prompt.drafts import FileDraft, ToolDraft
from promptscope_engine.prompt.model import Diagnostic, Lever

from .builder import Prompt
from .gather.bootstrap import Entry
from .gather.sessions import Session
from .gather.truncation import Injection
from .params import OpenClawParams


@dataclass(frozen=True, slots=True)
class Context:
    """A file of Project Context with what is injected of it (`amount` in words); `why` is false where nothing is.

    `widen` sets the limits so that nothing of it is lost; () where nothing is.
    """

    entry: Entry
    injection: Injection
    why: Condition
    amount: str
    widen: tuple[Lever, ...] = ()


@dataclass(frozen=True, slots=True)
class Materials:
    """Everything the sections need."""

    inputs: Inputs
    params: OpenClawParams
    facts: Facts
    session: Session
    prompt: Prompt
    config: Mapping[str, Json]
    sandboxed: Condition
    contexts: tuple[Context, ...]
    """The bootstrap files, those without text too; () where the scenario passes `contextFiles`."""
    tools: tuple[ToolDraft, ...]
    offered: Mapping[str, Condition]
    """Why each gathered tool is there or not, by its lower-cased name; {} where the scenario passes `toolNames`."""
    files: tuple[FileDraft, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def has_tool(self, name: str) -> Condition:
        """The tool is among those that the prompt was told of."""
        if name in self.offered:
            offered = self.offered[name]
            why = offered.evaluate(self.facts).text
            return Named("tool", name, offered, f"the tool {name} is there", f"there is no tool {name} ({why})")
        names = self.prompt.texts("toolNames")
        on = (Lever("promptParams.toolNames", [*names, name]),)
        off = (Lever("promptParams.toolNames", [known for known in names if known.lower() != name]),)
        there = name in {known.lower() for known in names}
        return Observed("tool", name, there, f"the tool {name} is there", f"there is no tool {name}", on=on, off=off)

    @property
    def has_soul(self) -> bool:
        """A file called SOUL.md, in any case and behind either slash, missing or not (4)."""
        return any(path.replace("\\", "/").rsplit("/", 1)[-1].lower() == "soul.md" for path in self.context_paths)

    @property
    def context_paths(self) -> list[str]:
        """The paths under Project Context: those with an injection, or the scenario's non-blank ones."""
        given = self.prompt.value("contextFiles")
        if given is None:
            return [context.entry.path for context in self.contexts if context.injection.parts]
        paths = (file.get("path") for file in given)
        return [js_trim(path) for path in paths if isinstance(path, str) and js_trim(path)]
