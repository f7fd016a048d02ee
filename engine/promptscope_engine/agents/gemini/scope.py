"""What the texts may name in one scenario, and the tools that are registered and pass the policy."""

from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from operator import and_, or_

from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.hooks import CONTEXT, said_by
from promptscope_engine.agents.kit.text.texts import Scope, parameters_of
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Setting, said_if, stated
from promptscope_engine.prompt.drafts import (
    Choice,
    Span,
    ToolDraft,
    computed,
    environment,
    label,
    of_server,
    param_value,
)
from promptscope_engine.prompt.leaves import given
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.wire.request import FixedSchema

from .materials import Materials, McpTool
from .texts import FOLDER, HEADLESS, INTERACTIVE, approval
from .tool_policy import MODES, TITLES, TOOLS, Mode, Rule, registers

MCP_GROUP = "MCP"


def active(m: Materials, name: str) -> Condition:
    """A built-in tool is registered, and stays."""
    return registered(m, name) & allowed(m, name)


def offered(m: Materials) -> tuple[tuple[str, Condition], ...]:
    """Every tool that a request may hold, in its order, with the condition under which it does."""
    again = "activate_skill" if m.skills else ""  # registered once more, and so the last of all
    found = {name: active(m, name) for name in TOOLS if name != again}
    for tool in m.mcp_tools:
        found.setdefault(tool.name, tool.offered & allowed(m, tool.name, read_only=tool.read_only))
    if again:
        found[again] = active(m, again)
    return tuple(found.items())


def registered(m: Materials, name: str) -> Condition:
    """What the tool itself takes, and `tools.core`: by which activate_skill is let in again where there are skills."""
    core = _core(m, name)
    if name == "activate_skill":
        core = core | m.gates["skills"] if core is not ALWAYS else ALWAYS
    return FOLDER.exists(name, Scope(m.gates), ALWAYS) & core


def _core(m: Materials, name: str) -> Condition:
    if m.core is None:
        return ALWAYS
    hit = next((entry for entry in m.core if registers(entry.value, name)), None)
    source = hit.source if hit else m.core_source
    source = SettingSource(source.key, source.path, source.shown, source.line, is_set=True)
    return Setting(source, hit is not None, "is", True, f"`tools.core` names {name}", f"`tools.core` leaves {name} out")


def in_plan_mode(m: Materials) -> Iterator[tuple[str, str, Condition]]:
    """(name, server, condition) of every tool that plan mode may leave, under the condition that it is in force."""
    for name in TOOLS:
        session = _plan_session(m, name)
        if session is not None and name != "enter_plan_mode":
            yield name, "", (registered(m, name) if name != "exit_plan_mode" else _core(m, name)) & session
    for tool in {tool.name: tool for tool in reversed(m.mcp_tools)}.values():
        session = _plan_session(m, tool.name, read_only=tool.read_only)
        if session is not None:
            yield tool.name, tool.server, tool.offered & session


def _plan_session(m: Materials, name: str, *, read_only: bool = False) -> Condition | None:
    """The sessions in which plan mode leaves a tool; None for none."""
    headless, dialog = (
        m.policy.verdict(name, "plan", interactive=interactive, read_only=read_only).stays
        for interactive in (False, True)
    )
    if headless and dialog:
        return ALWAYS
    return m.gates["headless"] if headless else INTERACTIVE if dialog else None


# --- what the policy leaves -------------------------------------------------------------------------------------------

Region = dict[bool, list[Mode]]
"""The modes in which a rule decides, headless (False) and interactive (True)."""


def allowed(m: Materials, name: str, *, read_only: bool = False) -> Condition:
    """The policy's verdict as a condition: wherever a rule decides that denies the tool, it is not there.

    So the sentence is about the one rule that decides in the session at hand, and levers lead out of its reach. Where
    `tools.core` keeps a tool from being registered, or lets it be and allows it, that is said once.
    """
    regions: dict[Rule | None, Region] = {}
    for interactive in (False, True):
        for mode in MODES:
            verdict = m.policy.verdict(name, mode, interactive=interactive, read_only=read_only)
            rule = verdict.rule
            if (not verdict.stays or (rule and rule.source)) and not _is_said(m, name, rule):
                region = regions.setdefault(rule, {False: [], True: []})
                region[interactive].append(mode)
    clauses: list[Condition] = []
    for each, region in regions.items():
        everywhere = len(region[False]) == len(region[True]) == len(MODES)
        clauses.append(_leaf(each) if everywhere else _outside(m, region) | _leaf(each))
    return reduce(and_, clauses, ALWAYS)


def _is_said(m: Materials, name: str, rule: Rule | None) -> bool:
    """Whether the registration of a tool says already what a rule of `tools.core` says."""
    if rule is None or rule.source is None or rule.source.key != "tools.core":
        return False
    if name not in TOOLS or name == "activate_skill":  # these are registered whatever the list says
        return False
    return (rule.decision != "deny") is any(registers(entry.value, name) for entry in m.core or ())


def _outside(m: Materials, region: Region) -> Condition:
    """The session is none of those in which the rule decides."""
    if region[False] == region[True]:
        return ~_modes(m, region[True])
    sides = [(HEADLESS, region[False]), (INTERACTIVE, region[True])]
    parts = [session & _modes(m, modes) for session, modes in sides if modes]
    return ~reduce(or_, parts)


def _modes(m: Materials, modes: list[Mode]) -> Condition:
    """The approval mode is one of these: said of those besides the usual one, or of their opposite."""
    if len(modes) == len(MODES):
        return ALWAYS
    if "default" in modes:
        return ~_modes(m, [mode for mode in MODES if mode not in modes])
    free = [mode for mode in modes if mode != "plan"]
    parts = [approval(*free, trusted=m.gates["trusted"])] if free else []
    parts += [m.gates["plan"]] if "plan" in modes else []
    return reduce(or_, parts)


def _leaf(rule: Rule | None) -> Condition:
    """What the rule does, in a sentence, with the place of the setting that made it."""
    if rule is None:
        no = "no rule allows it in a headless session"
        return Fact("tool", "policy", False, "", no, remedy="add a policy rule that allows it")
    stays = rule.decision != "deny"
    if rule.source is None:
        remedy = "add a policy rule of a higher priority that allows it"
        return stated("tool", "policy", stays, rule.words, remedy=remedy)
    return Setting(rule.source, rule.decision, "in", ("allow", "ask"), *said_if(stays, rule.words))


@lru_cache(maxsize=1)  # sections and tools of one scenario
def scope_of(m: Materials) -> Scope:
    """Its gates, the values that are in texts, and the word that asks for a tool."""
    said = {name: said_by(output, *CONTEXT) for name, output in m.params.hooks}
    hooks = {name: text.replace("<", "&lt;").replace(">", "&gt;") for name, text in said.items()}
    names = {
        **m.gates,
        "skills.listed": computed("skills", ", ".join(f"'{skill.name}'" for skill in m.skills)),
        "plans": computed("plans", f"{m.plans_shown}/"),
        "plans.absolute": computed("plans", f"{m.plans}/"),
        "plan_tools": lambda: list(_plan_tools(m)),
        "context_files": tuple(_context_files(m)),
        "private_memory": computed("private_memory", m.private_memory),
        "global_memory": computed("global_memory", m.global_memory),
        "tracker.folder": computed("tracker", m.tracker),
        "date": computed("date", m.date),
        "platform": environment("platform", m.inputs.environment.platform or ""),
        "temporary": computed("temporary", m.temporary),
        "directories": [{"path": computed("directory", folder)} for folder in m.directories],
        "hooks": {name: param_value("hooks", each) for name, each in hooks.items()},
        "session_hook": m.gates["session_hook"] & _adds(m, "SessionStart"),
        "prompt_hook": m.gates["prompt_hook"] & _adds(m, "BeforeAgent"),
        "first": m.prompt[0],
    }
    words = {"tool": lambda name: active(m, name), "switch": lambda name: m.switches[name]}
    return Scope(names, words, m.params)


def _adds(m: Materials, hook: str) -> Condition:
    name, output = f"hooks.{hook}", getattr(m.params.hooks, hook)
    yes, no = f"the hook {hook} adds something", f"no hook {hook} adds anything"
    if output and not said_by(output, *CONTEXT):
        return m.gates["hooks"] & Fact("flag", name, False, yes, f"its object has no `{'.'.join(CONTEXT)}`")
    return m.gates["hooks"] & given(name, yes=yes, no=no)


def text(m: Materials, name: str, **own: object) -> Iterable[Span]:
    """The spans of `sections/NAME.md` (`NAME@legacy.md` for older models), which may also name what is `own`."""
    older = f"{name}@legacy"
    legacy = m.model.variant == "legacy" and older in FOLDER.sources.sections
    return FOLDER.spans(older if legacy else name, scope_of(m).within(own))


def _context_files(m: Materials) -> Iterator[Span]:
    """The names of context files: `A`, `B` or `C`."""
    for number, name in enumerate(m.names):
        if number:
            yield label(" or " if number == len(m.names) - 1 else ", ")
        yield label("`")
        yield computed("context.fileName", name)
        yield label("`")


def _plan_tools(m: Materials) -> Iterator[dict[str, object]]:
    """The tools that plan mode leaves, sorted by what the client calls them on the screen."""
    rows = list(in_plan_mode(m))
    own, known = {tool.name: tool.own_name for tool in m.mcp_tools}, TITLES
    titles = [f"{own[name]} ({server} MCP Server)" if server else known[name] for name, server, _ in rows]
    for at in locale_order(titles):
        name, server, when = rows[at]
        said = computed("tool", name), label(f"` ({server})</tool>" if server else "`</tool>")
        yield {"said": of_server(server, *said) if server else said, "when": when}


# --- drafts -----------------------------------------------------------------------------------------------------------


def tool_drafts(m: Materials) -> tuple[ToolDraft, ...]:
    """The tools in the order of the request, the absent ones too."""
    built_in = frozenset(FOLDER.tool_names())
    of_servers = {tool.name: tool for tool in reversed(m.mcp_tools)}  # of one name the first counts
    return tuple(
        _built_in(m, name, when) if name in built_in else _mcp(of_servers[name], when) for name, when in offered(m)
    )


def _built_in(m: Materials, name: str, when: Condition) -> ToolDraft:
    draft = FOLDER.tool(name, scope_of(m), when, form="legacy" if m.model.family == "default-legacy" else "")
    if name != "activate_skill":
        return draft
    # With skills, the parameter takes one of their names.
    schema = draft.input_schema.otherwise
    listed = [skill.name for skill in m.skills]
    named = {**schema["properties"]["name"], "enum": listed}
    with_names = FixedSchema({**schema, "properties": {"name": named}}, listed)
    return replace(draft, input_schema=Choice(((m.gates["skills"], with_names),), schema))


def _mcp(tool: McpTool, when: Condition) -> ToolDraft:
    # The client adds a parameter of its own to every server's tool.
    wait = FOLDER.sources.schemas["list_background_processes"]["properties"]["wait_for_previous"]
    schema = {**tool.input_schema, "properties": {**tool.input_schema["properties"], "wait_for_previous": wait}}
    return ToolDraft(
        name=tool.name,
        group=MCP_GROUP,
        description=(computed(f"mcp.{tool.server}", tool.description),),
        when=when,
        parameters=parameters_of(schema),
        input_schema=schema,
        server=tool.server,
    )
