"""The conditions that several parts of Claude Code's prompt share (specs/claude-code.md 1, 3, 4, 6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition, Named, Observed, Setting
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.leaves import flag, given, mode_is, version_is
from promptscope_engine.prompt.model import Lever, SettingSource

from .variables import TRUE_WORDS, is_on
from .versions import CURRENT_MODEL, OLDER_MODEL, V100, V329, Layout, Model

IS_100: Condition = version_is(V100)
IS_329: Condition = version_is(V329)

HEADLESS: Condition = flag("args.print", yes="the session is headless", no="the session is interactive")
INTERACTIVE: Condition = ~HEADLESS
PLAN: Condition = mode_is("plan")
EXCLUDE_DYNAMIC: Condition = flag(
    "args.excludeDynamicSystemPromptSections",
    yes="the dynamic sections are moved into the first message",
    no="the dynamic sections stay in the system prompt",
)
SYSTEM_PROMPT: Condition = given(
    "args.systemPrompt", yes="--system-prompt replaces the sections", no="no --system-prompt is given"
)
APPEND: Condition = given(
    "args.appendSystemPrompt", yes="--append-system-prompt is given", no="no --append-system-prompt is given"
)
SLASH_COMMANDS: Condition = ~flag(
    "args.disableSlashCommands", yes="slash commands are disabled", no="slash commands are on"
)


def variable_is_on(variable: Known[str]) -> Condition:
    """The environment variable is set to something that the agent takes for true."""
    name = variable.source.key.removeprefix("env.")
    return _switch(variable.source, is_on(variable.value), f"`{name}` is set", f"`{name}` is not set")


def _switch(source: SettingSource, on: bool, yes: str, no: str) -> Condition:
    """A variable as a switch, whatever it is called on and off with."""
    overlay = source.overlay
    return Setting(
        source,
        str(on).lower(),
        "in",
        TRUE_WORDS,
        yes,
        no,
        on=Lever(overlay, "true") if overlay else None,
        off=Lever(overlay, "false") if overlay else None,
    )


@dataclass(frozen=True, slots=True)
class Gates:
    """The shared conditions of one scenario.

    bare: `--bare` or CLAUDE_CODE_SIMPLE · agent_body: --agent names an agent that was found · replaced:
    --system-prompt or --agent stand in for the sections · full: neither of both, so the agent's own sections stand ·
    git_instructions: neither the setting nor the variable turned them off · git_status: the status is sent at all ·
    auto_memory: not turned off · claude_mds: instruction files are read at all · tool_search: tools are deferred ·
    caching: prompt caching is on · attribution: the trailer is not turned off · skills: skills are on at all ·
    external: imports may leave cwd · background: commands and agents can run in the background · teams: agent teams.
    """

    version: str
    model: Model
    layout: Layout
    bare: Condition
    agent_body: Condition
    replaced: Condition
    full: Condition
    git_instructions: Condition
    git_status: Condition
    auto_memory: Condition
    claude_mds: Condition
    tool_search: Condition
    caching: Condition
    attribution: Condition
    skills: Condition
    external: Condition
    background: Condition
    teams: Condition

    def layout_is(self, *layouts: Layout) -> Condition:
        """The request has one of these layouts. Version and model decide it together."""
        others = [layout for layout in _LAYOUTS if layout not in layouts]
        fact = f"{self.model.name} has the layout {self.layout} in {self.version}"
        return Observed(
            "model",
            "layout",
            self.layout in layouts,
            fact,
            fact,
            wanted=list(layouts),
            actual=self.layout,
            on=self._to(layouts[0]),
            off=self._to(others[0]) if others else None,
        )

    def _to(self, layout: Layout) -> tuple[Lever, ...]:
        version, model = _LAYOUTS[layout]
        levers = () if version == self.version else (Lever("agent_version", version),)
        return levers if model is None else (*levers, Lever("model", model))


_LAYOUTS: dict[Layout, tuple[str, str | None]] = {
    "A": (V100, None),
    "A'": (V329, OLDER_MODEL),
    "B": (V329, CURRENT_MODEL),
}
"""The version and the model that give a layout; None where any does."""


def tool_search_gate(variable: Known[str], version: str, first_party: bool, heavy: bool) -> Condition:
    """ENABLE_TOOL_SEARCH, or its default: on in 2.1.329, in 2.1.100 only at the first-party host (6).

    `heavy`: the tools that would be deferred are more than the share that `auto:N` names.
    """
    value = variable.value.strip().lower()
    if value.startswith("auto"):
        return _switch(variable.source, heavy, "the tools are many", "the tools are few")
    if value:
        return _switch(variable.source, is_on(value), "tool search is on", "`ENABLE_TOOL_SEARCH` is off")
    if version == V329:
        return _switch(variable.source, True, "tool search is on by default", "tool search is off")
    there, elsewhere = "the host is the first-party one, where tool search is on", "tool search is off at a custom host"
    return _switch(variable.source, first_party, there, elsewhere)


def gates_of(
    *,
    version: str,
    model: Model,
    layout: Layout,
    variable: Callable[[str], Known[str]],
    setting: Callable[[str, Json], Known[Json]],
    git: Condition,
    agent_body: Condition,
    external: Condition,
    tool_search: Condition,
) -> Gates:
    """The gates of a scenario whose files and settings have been looked at.

    `variable` and `setting` look one up by name, a setting with its default; `git`: git told of a repository.
    """

    def is_set(name: str) -> Condition:
        return variable_is_on(variable(name))

    def enabled(name: str) -> Condition:
        return setting(name, True).is_(True, unset=False)

    bare = Named(
        "flag",
        "bare",
        flag("args.bare", yes="--bare is given", no="--bare is not given") | is_set("CLAUDE_CODE_SIMPLE"),
        yes="bare mode is on",
        no="bare mode is off",
    )
    replaced = Named(
        "flag",
        "replaced",
        SYSTEM_PROMPT | agent_body,
        yes="--system-prompt or --agent replaces the sections",
        no="nothing replaces the sections",
    )
    instructions = Named(
        "flag",
        "git instructions",
        enabled("includeGitInstructions") & ~is_set("CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS"),
        yes="git instructions are on",
    )
    git_status = git & instructions & ~replaced
    if version == V329:  # bare mode of 2.1.100 keeps git status (12)
        git_status = git_status & ~bare
    memory = ~is_set("CLAUDE_CODE_DISABLE_AUTO_MEMORY") & enabled("autoMemoryEnabled") & ~bare
    mds = ~is_set("CLAUDE_CODE_DISABLE_CLAUDE_MDS") & ~bare
    return Gates(
        version=version,
        model=model,
        layout=layout,
        bare=bare,
        agent_body=agent_body,
        replaced=replaced,
        full=Named("all", "full", ~bare & ~replaced, yes="the agent's own sections stand"),
        git_instructions=instructions,
        git_status=git_status,
        auto_memory=Named("flag", "auto memory", memory, yes="auto memory is on"),
        claude_mds=Named("flag", "instruction files", mds, yes="instruction files are read"),
        tool_search=tool_search & ~bare,
        caching=~is_set("DISABLE_PROMPT_CACHING"),
        attribution=enabled("includeCoAuthoredBy") & instructions & ~bare,
        skills=~bare & SLASH_COMMANDS,
        external=external,
        background=~is_set("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"),
        teams=is_set("CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS"),
    )
