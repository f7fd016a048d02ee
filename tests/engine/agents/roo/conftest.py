"""Materials made by hand, so that sections and tools are tested without a disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import pytest

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.agents.roo.builtin_modes import BUILTIN_MODES, BuiltinMode
from promptscope_engine.agents.roo.gates import mcp_gate
from promptscope_engine.agents.roo.layout import request_layout
from promptscope_engine.agents.roo.materials import Materials, Mode, Override, Server
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.agents.roo.sections import generated_sections, override_sections
from promptscope_engine.agents.roo.tools import tool_drafts
from promptscope_engine.assembly import assembler, resolve
from promptscope_engine.inputs.params import Params, fields_of, flatten
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import McpServer, Scenario
from promptscope_engine.prompt.conditions import Facts, Observed
from promptscope_engine.prompt.drafts import Layout, SectionDraft, ToolDraft, Window, builtin, label
from promptscope_engine.prompt.model import Assembly, ModeChoice
from promptscope_engine.tokens import Counter, get_tokenizer
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import EmptyDisk

MODES_FIRST = BuiltinMode("lister", "Lister", ("modes", "read"), "Lists.", "You list.", "", "")
OVERRIDE = "Only this."


def mode(of: BuiltinMode) -> Mode:
    """A built-in mode as the gatherer makes it."""
    return Mode(
        of.slug,
        of.name,
        of.groups,
        listed=(builtin(f"mode.{of.slug}.when_to_use", of.when_to_use),),
        role=(builtin(f"mode.{of.slug}.role", of.role),),
        instructions=(),
    )


def server(of: McpServer) -> Server:
    """A stand-in as the gatherer passes it on."""
    return Server(
        of.name,
        of.status,
        of.config,
        of.instructions,
        tuple(of.tools),
        tuple(of.resources),
        tuple(of.resourceTemplates),
    )


def materials_of(inputs: Inputs) -> Materials:
    """What a gatherer would find on an empty disk; the variable OVERRIDE stands for an override file."""
    params = cast(RooParams, inputs.params)
    modes = tuple(mode(each) for each in (*BUILTIN_MODES, MODES_FIRST))
    chosen = next((each for each in modes if each.slug == inputs.mode), modes[0])
    facts = Facts(
        params=flatten(params.model_dump(mode="json")),
        choices={f.name: tuple(value for _, value in f.choices) for f in fields_of(RooParams)},
        mode=chosen.slug,
        modes=tuple(ModeChoice(each.slug, each.name, each.groups) for each in modes),
        model=inputs.model,
        version=inputs.agent_version,
    )
    configured = inputs.mcp_servers or ()
    enabled = tuple(server(each) for each in configured if not each.disabled)
    overridden = Observed("file", "override", "OVERRIDE" in inputs.env, "a file overrides it", "no file overrides it")
    return Materials(
        inputs=inputs,
        params=params,
        facts=facts,
        mode=chosen,
        modes=modes,
        override=Override("/override", overridden, (label(OVERRIDE),)),
        mcp=mcp_gate(len(enabled), len(configured)),
        servers=enabled,
        shell="/bin/bash",
        custom_instructions=(),
        generated=~overridden,
    )


@dataclass(frozen=True)
class StandIn:
    """The package with a gatherer that reads nothing."""

    id: str = "roo-stand-in"
    name: str = "Roo Code"
    versions: tuple[str, ...] = ("3.28.16",)
    params: type[Params] = RooParams
    own_files: tuple[str, ...] = ()

    def models(self, version: str) -> Mapping[str, str]:  # noqa: ARG002 - the protocol's shape
        return {}

    def roots(self, inputs: Inputs) -> tuple[str, ...]:  # noqa: ARG002
        return ()

    def gather(self, inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:  # noqa: ARG002
        materials = materials_of(inputs)
        return Gathered(materials.facts, materials)

    def tools(self, materials: Materials) -> tuple[ToolDraft, ...]:
        return tool_drafts(materials)

    def sections(self, materials: Materials, tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        return (*generated_sections(materials, tools), *override_sections(materials))

    def layout(self, gathered: Gathered[Materials]) -> Layout:  # noqa: ARG002
        return request_layout

    def window(self, gathered: Gathered[Materials]) -> Window:  # noqa: ARG002
        return Window(200_000)

    def length(self, text: str) -> int:
        return len(text)


StandIn.__module__ = "promptscope_engine.agents.roo.agent"  # measured sizes are looked for beside an agent's module


@pytest.fixture(scope="module")
def assembled() -> Iterator[Callable[[Scenario], Assembly]]:
    """Assembles a scenario of the stand-in; nothing is counted twice."""
    workspace, counter = Workspace(EmptyDisk()), Counter(get_tokenizer("o200k_base"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resolve, "load_agent", lambda name: StandIn() if name == StandIn.id else load_agent(name))
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
