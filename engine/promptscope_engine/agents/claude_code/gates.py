"""The conditions that several parts of Claude Code's prompt share (specs/claude-code.md 1, 3, 4, 6).

`Gates` is made once per scenario: settings come from files and variables from `env`, so most of them carry an observed
fact; where a param does the same, it is the lever.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition, Facts, Levers, Named, Observed
from promptscope_engine.prompt.leaves import flag, given, mode_is, version_is
from promptscope_engine.prompt.model import Lever, Verdict

from .versions import V100, V329, Layout

TRUE_WORDS = ("1", "true", "yes", "on")
FIRST_PARTY = "api.anthropic.com"


@dataclass(frozen=True)
class Settable(Observed):
    """An observed fact that a param overrides: with the levers' values in force it is what they make it."""

    def _after(self, facts: Facts) -> bool:
        levers = self.off if self.ok else self.on
        set_so = bool(levers) and all(
            lever.param in facts.params and facts.params[lever.param] == lever.value for lever in levers or ()
        )
        return self.ok is not set_so

    def holds(self, facts: Facts) -> bool:
        return self._after(facts)

    def evaluate(self, facts: Facts) -> Verdict:
        now = self._after(facts)
        return super().evaluate(facts) if now is self.ok else replace(self, ok=now, actual=None).evaluate(facts)


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


def env_is_on(env: Mapping[str, str], name: str) -> bool:
    """Whether the variable is set to something that the agent takes for true."""
    return env.get(name, "").strip().lower() in TRUE_WORDS


def env_switch(env: Mapping[str, str], name: str) -> Condition:
    """The environment variable is on. No param sets it, so there is no lever."""
    return Observed(
        "flag",
        f"env.{name}",
        env_is_on(env, name),
        f"`{name}` is set",
        f"`{name}` is not set",
        actual=env.get(name, ""),
    )


def setting(settings: Mapping[str, Json], name: str, wanted: bool, default: bool) -> Condition:
    """The setting in force (files, then `params.settings`) has the value; the lever is `params.settings`."""
    actual = settings.get(name, default)
    return Settable(
        "flag",
        f"settings.{name}",
        actual == wanted,
        f"`{name}` is {{actual}}",
        f"`{name}` is {{actual}}",
        wanted=wanted,
        actual=actual,
        on=(Lever(f"settings.{name}", wanted),),
        off=(Lever(f"settings.{name}", not wanted),),
    )


@dataclass(frozen=True, slots=True)
class Gates:
    """The shared conditions of one scenario.

    bare: `--bare` or CLAUDE_CODE_SIMPLE · replaced: --system-prompt or --agent stand in for the sections ·
    full: neither of both, so the agent's own sections stand · repository: cwd lies in a git repository ·
    git_instructions: neither the setting nor the variable turned them off · git_status: the status is sent at all ·
    auto_memory: not turned off · claude_mds: instruction files are read at all · tool_search: tools are deferred ·
    caching: DISABLE_PROMPT_CACHING is not set · attribution: the trailer is not turned off · external: imports may
    leave cwd · layout: of layout `layout`.
    """

    layout: Layout
    bare: Condition
    replaced: Condition
    full: Condition
    repository: Condition
    git_instructions: Condition
    git_status: Condition
    auto_memory: Condition
    claude_mds: Condition
    tool_search: Condition
    caching: Condition
    attribution: Condition
    external: Condition
    agent_body: Condition
    """--agent names an agent that was found."""


def tool_search_gate(version: str, env: Mapping[str, str], first_party: bool, heavy: bool) -> Condition:
    """ENABLE_TOOL_SEARCH, or its default: on in 2.1.329, in 2.1.100 only at the first-party host (6).

    `heavy`: the tools that would be deferred are more than the share that `auto:N` names.
    """
    value = env.get("ENABLE_TOOL_SEARCH", "").strip().lower()
    name = "env.ENABLE_TOOL_SEARCH"
    if value.startswith("auto"):
        return Observed("flag", name, heavy, "the tools are many", "the tools are few", actual=value)
    if value:
        on = value in TRUE_WORDS
        return Observed("flag", name, on, "tool search is on", "`ENABLE_TOOL_SEARCH` is off", actual=value)
    if version == V329:
        return Observed("version", "", True, "tool search is on by default", "", actual=version)
    return Observed(
        "flag",
        "env.ANTHROPIC_BASE_URL",
        first_party,
        "the host is the first-party one, where tool search is on",
        "tool search is off at a custom host",
        actual=env.get("ANTHROPIC_BASE_URL", FIRST_PARTY),
    )


def is_first_party(env: Mapping[str, str]) -> bool:
    """Whether requests go to the vendor's own host: the global cache scope exists only there (1.1)."""
    url = env.get("ANTHROPIC_BASE_URL", "").strip()
    host = url.partition("://")[2] or url
    return not url or host.split("/")[0].split(":")[0] == FIRST_PARTY


def gates_of(
    *,
    layout: Layout,
    version: str,
    env: Mapping[str, str],
    settings: Mapping[str, Json],
    repository: bool,
    git_there: bool,
    agent_asked: bool,
    agent_found: bool,
    external_approved: bool,
    heavy_tools: bool,
) -> Gates:
    """The gates of a scenario whose files and settings have been looked at."""
    bare = Named(
        "flag",
        "bare",
        flag("args.bare", yes="--bare is given", no="--bare is not given") | env_switch(env, "CLAUDE_CODE_SIMPLE"),
        yes="bare mode is on",
        no="bare mode is off",
    )
    agent_body = Named(
        "flag",
        "args.agent",
        given("args.agent", yes="--agent is given", no="no --agent is given")
        & Observed("file", "agent", agent_found, "the agent file was found", "no agent of that name was found"),
        yes="--agent replaces the sections",
        no=None if agent_asked else "no --agent is given",
    )
    replaced = Named(
        "flag",
        "replaced",
        SYSTEM_PROMPT | agent_body,
        yes="--system-prompt or --agent replaces the sections",
        no="nothing replaces the sections",
    )
    full = Named("all", "full", ~bare & ~replaced, yes="the agent's own sections stand")
    instructions = Named(
        "flag",
        "git instructions",
        setting(settings, "includeGitInstructions", True, True)
        & ~env_switch(env, "CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS"),
        yes="git instructions are on",
        no="git instructions are off",
    )
    in_repository = Observed(
        "file", ".git", repository, "the working directory is a git repository", "no git repository"
    )
    answered = Observed("file", "git", git_there, "git answered", "git is not there or did not answer")
    git_status = in_repository & answered & instructions & ~replaced
    if version == V329:  # bare mode of 2.1.100 keeps git status (12)
        git_status = git_status & ~bare
    memory = (
        ~env_switch(env, "CLAUDE_CODE_DISABLE_AUTO_MEMORY") & setting(settings, "autoMemoryEnabled", True, True) & ~bare
    )
    mds = ~env_switch(env, "CLAUDE_CODE_DISABLE_CLAUDE_MDS") & ~bare
    return Gates(
        layout=layout,
        bare=bare,
        replaced=replaced,
        full=full,
        repository=in_repository,
        git_instructions=instructions,
        git_status=git_status,
        auto_memory=Named("flag", "auto memory", memory, yes="auto memory is on"),
        claude_mds=Named("flag", "instruction files", mds, yes="instruction files are read"),
        tool_search=tool_search_gate(version, env, is_first_party(env), heavy_tools) & ~bare,
        caching=~env_switch(env, "DISABLE_PROMPT_CACHING"),
        attribution=setting(settings, "includeCoAuthoredBy", True, True) & instructions & ~bare,
        external=_external(external_approved),
        agent_body=agent_body,
    )


def _external(approved: bool) -> Condition:
    """External imports are approved, by the param or by the answer in `.claude.json`."""
    param = flag("approvedExternalImports")
    levers: Levers = (Lever("approvedExternalImports", True),)
    answer = Observed(
        "file", ".claude.json", approved, "the dialog was answered with yes", "the dialog was not answered", on=levers
    )
    return Named(
        "flag",
        "external imports",
        param | answer,
        yes="external imports are approved",
        no="it lies outside of the working directory, and external imports are not approved",
    )
