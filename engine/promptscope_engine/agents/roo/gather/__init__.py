"""From the scenario and the disk to the materials of the sections (specs/roo.md 1, 3, 4, 5)."""

from __future__ import annotations

from functools import cache
from typing import cast

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.agents.roo.sections.custom_instructions import custom_instructions
from promptscope_engine.agents.roo.sections.first_message import first_message, repeated_instructions
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import fields_of, flatten
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.model import ModeChoice
from promptscope_engine.workspace import Workspace

from .agents_md import agents_block, rooignore_block
from .mcp_config import find_servers
from .modes import find_modes
from .override import find_override
from .system_info import default_shell, language_code


def gather(inputs: Inputs, workspace: Workspace) -> Materials:
    """Everything that the sections and tools are made of. What is on the disk never raises; it is told instead."""
    params = cast(RooParams, inputs.params)
    language = language_code(params.language, inputs.environment.language)
    modes = find_modes(inputs, params, workspace)
    servers = find_servers(inputs, params, workspace)
    override = find_override(inputs, params, modes.asked, language, workspace)
    # A file override comes before the fallback for an unknown mode, so its mode rules are of the slug asked for.
    overridden = bool(override.override.text)
    rules_slug = modes.asked if overridden else modes.mode.slug
    agents = agents_block(workspace, inputs.workspace)
    blocks = (rooignore_block(workspace, inputs.workspace), agents)
    instructions = custom_instructions(inputs, params, workspace, modes.mode, rules_slug, language, blocks)
    # In the environment details they are built with the slug asked for, and without .rooignore (messages, 4.8).
    repeated = custom_instructions(inputs, params, workspace, modes.mode, modes.asked, language, (agents,))
    facts = Facts(
        params=flatten(params.model_dump(mode="json")),
        choices=_choices(),
        mode=modes.mode.slug,
        modes=tuple(ModeChoice(mode.slug, mode.name, mode.groups, mode.source) for mode in modes.modes),
        model=inputs.model,
        version=inputs.agent_version,
    )
    steering = repeated_instructions(repeated.sections, facts)
    message = first_message(inputs, params, workspace, modes.asked, modes.mode, steering)
    return Materials(
        inputs=inputs,
        params=params,
        facts=facts,
        mode=modes.mode,
        modes=modes.modes,
        override=override.override,
        mcp=servers.condition,
        servers=servers.servers,
        shell=default_shell(inputs, params.terminalShell),
        custom_instructions=instructions.sections,
        message=message.sections,
        files=(*modes.files, *servers.files, override.file, *instructions.files, *message.files),
        diagnostics=(
            *modes.diagnostics,
            *servers.diagnostics,
            *override.diagnostics,
            *instructions.diagnostics,
            *message.diagnostics,
        ),
        generated=override.generated,
    )


@cache
def _choices() -> dict[str, tuple[Json, ...]]:
    return {field.name: tuple(value for _, value in field.choices) for field in fields_of(RooParams) if field.choices}
