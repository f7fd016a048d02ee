"""Claude Code: how the package is put together."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.features import ContextReport
from promptscope_engine.agents.kit.built_in import BuiltIn, Cache, CachedByOrder, Feature, messages, system_blocks
from promptscope_engine.agents.transcripts import Turn
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import Params, validate
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import Place, SectionDraft, ToolDraft, Window
from promptscope_engine.prompt.model import Assembly, Lever, Section, Tool
from promptscope_engine.wire.request import Request, wire_tool
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in

from .gather.gather import gather
from .gather.prompt import mentioned_paths
from .gather.session import added_directories, managed_folder, named_paths
from .materials import Materials
from .scope import tool_drafts
from .sections import message_sections, system_sections
from .selection import PLACEHOLDER
from .texts import FOLDER
from .versions import V100, aliases, by_sdk, config_folder
from .window import budget, compaction_note, report


class Wire(Struct, frozen=True):
    """A `Layout`: knows the breakpoints, and how tools are ordered.

    `system`: the cache_control by block of the system field, `message`: that of the last block of the last message;
    empty and None where prompt caching is off. `empty_system_message`: a message of role `system` without content
    follows (bare mode of layout B). `cached_role`: the last message of this role has the breakpoint; None: the last
    one of all.
    """

    system: Mapping[str, Cache]
    message: Cache | None
    empty_system_message: bool = False
    cached_role: str | None = None

    def __call__(self, sections: Sequence[tuple[Place, Section]], tools: Sequence[Tool]) -> Request:
        """The request."""
        found = messages(sections)
        cached = [message for message in found if self.cached_role in (None, message["role"])]
        if cached and self.message:
            cached[-1]["content"][-1]["cache_control"] = dict(self.message)
        if self.empty_system_message:
            found.append({"role": "system", "content": []})
        system = system_blocks(sections, self.system)
        return Request(system=system, messages=tuple(found), tools=tuple(self._tools(tools)))

    def _tools(self, tools: Sequence[Tool]) -> list[dict[str, Json]]:
        offered = [wire_tool(t.name, t.description, t.input_schema) for t in tools]
        held = next((tool for tool in offered if tool["name"] == PLACEHOLDER), None)
        if held is None:
            return offered
        # Recorded: before the last tool, whichever that is; it is never the only one.
        others = [tool for tool in offered if tool is not held]
        return [*others[:-1], {**held, "defer_loading": True}, *others[-1:]]


def wire(gathered: Gathered[Materials]) -> Wire:
    """The layout of a scenario."""
    m, facts = gathered.materials, gathered.facts
    betas = m.gates.betas.holds(facts)
    return Wire(
        *breakpoints(m, facts),
        empty_system_message=m.gates.messages == "B" and betas and m.gates.bare.holds(facts),
        cached_role=None if betas else "user",
    )


def breakpoints(m: Materials, facts: Facts) -> tuple[dict[str, Cache], Cache | None]:
    """The cache_control of the system blocks and of the last message's last block."""
    if not m.gates.caching.holds(facts):
        return {}, None
    plain: Cache = {"type": "ephemeral"}
    if m.gates.hour_cache.holds(facts):
        plain["ttl"] = "1h"
    if not m.splits:
        return {"identity": plain, "dynamic": plain}, plain
    # At the first-party host the static prefix is cached for everyone, and the identity needs no breakpoint. In 2.1.100
    # the dynamic part has none either.
    everyone: Cache = {**plain, "scope": "global"}
    return {"static": everyone, **({} if m.version == V100 else {"dynamic": plain})}, plain


# --- the request ------------------------------------------------------------------------------------------------------


class ClaudeCode(BuiltIn[Materials], CachedByOrder):
    """The agent as the registry knows it."""

    folder = FOLDER
    layout = staticmethod(wire)
    extra: Mapping[str, Json] = {"unattended": {"args.print": True}}

    def models(self, version: str) -> Mapping[str, str]:
        """The agent's names of models."""
        return {"default": aliases(version)["default"], **aliases(version)}

    def implied(self, params: Params, /) -> Mapping[str, Json]:
        """What the Agent SDK makes of its options [recorded of 0.3.332]."""
        return by_sdk(params.sdk)

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        """What the params name outside workspace and home."""
        params = inputs.params
        configured = config_folder(inputs.env, inputs.home, inputs.workspace)
        managed = () if inputs.managed else (managed_folder(inputs),)
        # Announce only what is outside the announced folders: a link inside them would announce its target.
        known = tuple(f"{folder.rstrip('/')}/" for folder in (inputs.workspace, inputs.home))
        typed = mentioned_paths(params.prompt, inputs.workspace, inputs.home)
        named = named_paths(params, inputs.workspace)
        elsewhere = inputs.env.get("CLAUDE_CODE_REMOTE_MEMORY_DIR")
        moved = (path_in(inputs.workspace, elsewhere),) if elsewhere else ()
        outside = (path for path in (configured, *typed, *named, *moved) if not path.startswith(known))
        return (*added_directories(inputs), *managed, *outside)

    def gather(self, inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
        """Everything that sections and tools need. It knows its folder by the real path [asked of 2.1.332]."""
        gathered = gather(replace(inputs, workspace=workspace.real_path(inputs.workspace)), workspace)
        note = compaction_note(gathered.materials)
        return replace(gathered, diagnostics=(*gathered.diagnostics, note)) if note else gathered

    def sections(self, materials: Materials, _tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        """Every section, the absent ones too."""
        return tuple(materials.extra.sections((*system_sections(materials), *message_sections(materials))))

    def tools(self, materials: Materials) -> tuple[ToolDraft, ...]:
        """Every tool, the absent ones too."""
        return materials.extra.tools(tool_drafts(materials))

    def window(self, gathered: Gathered[Materials]) -> Window:
        """The context window."""
        m = gathered.materials
        return budget(m.model, m.version, m.inputs.env, m.compaction_off)

    after = Feature("after")
    boundary = Feature("caching")
    forecast = Feature("caching")
    lazy_files = Feature("lazy_rules")
    started_by = Feature("captured")
    params_from_request = Feature("captured")
    servers = Feature("captured")
    alternatives = Feature("captured")

    def context(self, assembly: Assembly, params: Mapping[str, Json]) -> ContextReport:
        """What `/context` would print."""
        given = validate(self.params, params)
        return report(assembly, given.usage.lastTotal)

    def continue_from(self, _path: str, turn: Turn) -> tuple[Lever, ...]:
        """The total that the turn reports."""
        return (Lever("usage.lastTotal", turn.fill),)


CLAUDE_CODE = ClaudeCode()
