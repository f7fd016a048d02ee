"""An agent's steps in order: gather, tools, sections, layout; and what is the same for every agent between them."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Describes, Gathered
from promptscope_engine.agents.features import GoesOn
from promptscope_engine.agents.kit.disk.front_matter import unknown_keys
from promptscope_engine.agents.kit.disk.rows import with_reasons, with_sizes
from promptscope_engine.agents.kit.disk.servers import PREFIX, known_servers, without_server
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.derived import contradictions, resolved
from promptscope_engine.prompt.drafts import Choice, Draft, LazySequence, SectionDraft, ToolDraft
from promptscope_engine.prompt.ids import with_portable_ids
from promptscope_engine.prompt.model import Assumption, Diagnostic, Lever, SettingSource, Variable
from promptscope_engine.prompt.windows import is_windows, native_sections, native_tools
from promptscope_engine.timings import timed
from promptscope_engine.wire.request import Request
from promptscope_engine.workspace import Workspace

from .resolve import Resolved


@timed("gathering", lambda *_: "")
def draft(scenario: Resolved, workspace: Workspace) -> Draft:
    """The agent's steps in order. Raises ScenarioError for inputs that make no sense."""
    agent, inputs = scenario
    gathered = agent.gather(inputs, workspace)
    offered = agent.tools(gathered.materials)
    drafted = agent.sections(gathered.materials, offered)
    if inputs.after is not None:
        drafted = _after(agent, gathered, drafted, inputs, workspace)
    servers = known_servers(inputs, gathered.configured, gathered.idle, offered, gathered.server_limit)
    tools = (*offered, *(ToolDraft(f"{PREFIX}{each.name}", "MCP server", (), each.when) for each in gathered.idle))
    sections = with_portable_ids(drafted, inputs.workspace, inputs.home)
    files, programs = gathered.files, gathered.programs
    facts = gathered.facts
    told = {each.param for each in gathered.derived}
    plain = (
        *resolved(inputs.mode, facts.mode, "mode", agent.name),
        *resolved(inputs.model, facts.model, "model", agent.name),
    )
    derived = (*(each for each in plain if each.param not in told), *gathered.derived)
    if is_windows(inputs.workspace, inputs.home):
        sections, tools = native_sections(sections, agent.about.in_slashes), native_tools(tools)
    refused = (gathered.refused,) if gathered.refused else ()
    if gathered.refused:
        starts = gathered.starts or _starts(gathered.refused)
        sections = tuple(replace(section, when=starts & section.when) for section in sections)
        tools = tuple(replace(tool, when=starts & tool.when, variant=_not_loaded(tool)) for tool in tools)
        servers = tuple(replace(server, when=starts & server.when) for server in servers)
        files = tuple(replace(f, when=starts & f.when) if f.injected else f for f in files)
        programs = tuple(replace(program, when=starts & program.when) for program in programs)
    reader, cwd = f"{agent.name} {inputs.agent_version}", inputs.workspace
    rows = with_reasons(workspace, files, cwd, follow=inputs.follow_links, reader=reader)
    return Draft(
        facts=facts,
        sections=sections,
        tools=tools,
        files=LazySequence(with_sizes(workspace, rows, cwd)),
        window=agent.window(gathered),
        layout=(lambda *_: Request()) if refused else agent.layout(gathered),
        diagnostics=(
            *refused,
            *gathered.diagnostics,
            *unknown_keys(agent.name, agent.about.front_matter, gathered.files, workspace, cwd),
            *without_server(agent.name, inputs, gathered.configured),
            *contradictions(derived, facts),
        ),
        variables=_variables(agent, inputs, gathered.variables),
        views=gathered.views,
        derived=derived,
        assumed=(*_assumed(agent, inputs), *gathered.assumed),
        servers=servers,
        known=gathered.known,
        endpoint=gathered.endpoint,
        programs=programs,
        length=agent.length,
    )


def _after(
    agent: Describes, gathered: Gathered[Any], drafted: tuple[SectionDraft, ...], inputs: Inputs, workspace: Workspace
) -> tuple[SectionDraft, ...]:
    """The sections of a later request. Raises ScenarioError for an agent whose later requests are not known."""
    if not isinstance(agent, GoesOn):
        raise ScenarioError(f"what {agent.name} sends after its first request is not modelled", where="after")
    return agent.after(gathered, drafted, inputs, workspace)


def _not_loaded(tool: ToolDraft) -> str | None:
    """A tool's variant where the agent does not start: then none can be loaded, either."""
    return None if isinstance(tool.variant, Choice) else tool.variant


def _assumed(agent: Describes, inputs: Inputs) -> Iterator[Assumption]:
    if inputs.attended:
        usual = {field.name: field.default for field in fields_of(agent.params)}
        yield Assumption("interactive", tuple(Lever(name, usual[name]) for name in inputs.attended))


def _variables(agent: Describes, inputs: Inputs, decided: tuple[Variable, ...]) -> tuple[Variable, ...]:
    """The variables of the agent that are set, in its order."""
    names = [field.title for field in agent.about.variables]
    process = {name: inputs.env[name] for name in names if name in inputs.env}
    found = {name: Variable(name, value, SettingSource(name, overlay=f"env.{name}")) for name, value in process.items()}
    found |= {variable.name: variable for variable in decided}
    return tuple(found[name] for name in names if name in found)


def _starts(refused: Diagnostic) -> Condition:
    """False: nothing is sent by an agent that does not start."""
    remedy = f"correct {refused.path}" if refused.path else "change what keeps it from starting"
    return Fact("flag", "starts", False, "", refused.message, remedy=remedy)
