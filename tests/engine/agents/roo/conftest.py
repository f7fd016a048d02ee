"""Materials made by hand, so that sections and tools are tested without a disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.agents.roo.agent import Roo
from promptscope_engine.agents.roo.gather.gather import gather
from promptscope_engine.agents.roo.gather.modes import KnownMode
from promptscope_engine.agents.roo.materials import Materials, Mode, Override
from promptscope_engine.assembly import assembler, resolve
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.conditions import Fact
from promptscope_engine.prompt.drafts import SectionDraft, ToolDraft, label
from promptscope_engine.prompt.model import Assembly, ModeChoice
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import EmptyDisk

TEXTS = {"whenToUse": "Lists.", "roleDefinition": "You list."}
MODES_FIRST = KnownMode("lister", "Lister", ("modes", "read"), TEXTS)
OVERRIDE = "Only this."


def mode(of: KnownMode) -> Mode:
    """A built-in mode as the gatherer makes it."""
    return Mode(
        of.slug,
        of.name,
        of.groups,
        listed=tuple(of.spans("whenToUse", of.texts["whenToUse"])),
        role=tuple(of.spans("roleDefinition", of.texts["roleDefinition"])),
        instructions=(),
        instructed=Fact("mode", "customInstructions", False, "", "the mode has no instructions"),
    )


def gathered(inputs: Inputs) -> Gathered[Materials]:
    """What is found on an empty disk, with one more mode; the variable OVERRIDE stands for an override file."""
    found = gather(inputs, Workspace(EmptyDisk()))
    modes = (*found.materials.modes, mode(MODES_FIRST))
    chosen = next((each for each in modes if each.slug == inputs.mode), modes[0])
    choices = tuple(ModeChoice(each.slug, each.name, each.groups) for each in modes)
    overridden = Fact("file", "override", "OVERRIDE" in inputs.env, "a file overrides it", "no file overrides it")
    materials = replace(
        found.materials,
        mode=chosen,
        modes=modes,
        override=Override(overridden, ~overridden, (label(OVERRIDE),)),
    )
    return Gathered(replace(found.facts, mode=chosen.slug, modes=choices), materials, derived=found.derived)


class StandIn(Roo):
    """The package on an empty disk, without custom instructions and messages."""

    id: str = "roo-stand-in"

    def gather(self, inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:  # noqa: ARG002
        return gathered(inputs)

    def sections(self, materials: Materials, tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        every = super().sections(materials, tools)
        return tuple(s for s in every if s.place.message is None and not s.id.startswith("custom_instructions"))


@pytest.fixture(scope="module")
def assembled() -> Iterator[Callable[[Scenario], Assembly]]:
    """Assembles a scenario of the stand-in; nothing is counted twice."""
    workspace, counter = Workspace(EmptyDisk()), Counter(get_tokenizer("o200k_base"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resolve, "registered_agent", lambda name: StandIn() if name == StandIn.id else load_agent(name))
        yield lambda scenario: assembler.assemble(scenario, workspace, counter, cached_only=True)


@pytest.fixture(scope="module")
def scenario() -> Callable[..., Scenario]:
    """A scenario of the stand-in: params by keyword, `mode`, `model`, `mcp_servers` and `env` beside them."""

    def make(**given: Any) -> Scenario:
        top = {key: given.pop(key) for key in ("mode", "model", "mcp_servers", "env") if key in given}
        return Scenario.model_validate(
            {
                "agent": "roo-stand-in",
                "workspace": "/home/user/project",
                "home": "/home/user",
                "mode": "code",
                "params": given,
                "environment": {"os_name": "Linux 6.1", "language": "en", "shell": "/bin/bash"},
                "env": {},
                "tokenizer": "o200k_base",
                **top,
            }
        )

    return make


@pytest.fixture(scope="module")
def roo(scenario: Callable[..., Scenario], assembled: Callable[[Scenario], Assembly]) -> Callable[..., Assembly]:
    """The assembly of the scenario with these params."""
    return lambda **given: assembled(scenario(**given))
