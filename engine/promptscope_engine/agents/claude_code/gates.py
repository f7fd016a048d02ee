"""The conditions that several parts of Claude Code's prompt share (specs/claude-code.md 1, 3, 4, 6; variants a-f)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import ALWAYS, Any, Condition, Named, Observed, Setting
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.leaves import flag, given, mode_is, version_is
from promptscope_engine.prompt.model import Lever, SettingSource

from .variables import AGENT, FALSE_WORDS, FIRST_PARTY_URL, TRUE_WORDS, is_first_party, is_on
from .versions import CURRENT_MODEL, LATER, OLDER_MODEL, V100, Layout, Model

IS_100: Condition = version_is(V100)
IS_LATER: Condition = version_is(*LATER)

HEADLESS: Condition = flag("args.print", yes="the session is headless", no="the session is interactive")
INTERACTIVE: Condition = ~HEADLESS
PLAN: Condition = mode_is("plan")
# An interactive run takes the switch and does nothing with it (claude-code-new-facts.md).
EXCLUDE_DYNAMIC: Condition = (
    flag(
        "args.excludeDynamicSystemPromptSections",
        yes="the dynamic sections are moved into the first message",
        no="the dynamic sections stay in the system prompt",
    )
    & HEADLESS
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


def _is_given(variable: Known[str]) -> Condition:
    """The environment variable is set to anything, be it `0` or `false`."""
    name = variable.source.key.removeprefix("env.")
    return variable.is_given("1", "", yes=f"`{name}` is set", no=f"`{name}` is not set")


NO_TRAFFIC = "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"
NO_BETAS = "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS"
SAFE_MODE = "CLAUDE_CODE_SAFE_MODE"
NO_BUILT_IN_AGENTS = "CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS"


PLAIN = [
    (said["gate"].removeprefix("not "), name, said["gate"].startswith("not "))
    for name, said in AGENT["variables"].items()
    if "gate" in said
]
"""The gates that are one variable each: name, variable, and whether that switches it off."""


def memory_switch(variable: Known[str], enabled: Condition) -> Condition:
    """CLAUDE_CODE_DISABLE_AUTO_MEMORY; said to be off, it beats a setting that switches auto memory off."""
    if variable.value.strip().lower() in FALSE_WORDS:
        return ~variable_is_on(variable)
    return ~variable_is_on(variable) & enabled


@frozen
class Gates:
    """The shared conditions of one scenario.

    bare: `--bare` or CLAUDE_CODE_SIMPLE · delegated: a sub-agent's prompt is shown · main: neither of them ·
    agent_body: --agent names an agent that was found · replaced: --system-prompt or --agent stand in for the
    sections · full: nothing replaces the agent's own sections · git_instructions: neither the setting nor
    the variable turned them off · git_status: the status is sent at all · auto_memory: not turned off · claude_mds:
    instruction files are read at all · tool_search: tools are deferred · caching: prompt caching is on ·
    hour_cache: cache entries live an hour, not five minutes ·
    attribution: commits or pull requests are credited · commit_trailer, pull_request_footer: each of the two ·
    skills: skills are on at all · bundled_skills: neither a setting nor a variable switches the bundled ones off ·
    tasks: 2.1.100 keeps a list of tasks, not of todos · external: imports may leave cwd ·
    quiet: a variable keeps the agent from asking which features are on · traffic: non-essential traffic is allowed ·
    betas: experimental features of the API may be used · names_tools: tools that could be deferred are listed, whether
    they are or not · attachments: what stands beside the prompt is put together · unsafe: safe mode, which leaves
    everything of one's own out, is off or not there · first_party: requests go to the
    vendor's own host · artifacts: pages can be published · auto_mode: the session approves calls by itself ·
    plain: the variables that agent.toml gives a gate, by the gate's name.
    """

    version: str
    model: Model
    layout: Layout
    """The layout of the system prompt."""
    messages: Layout
    """The layout of the messages: that of the prompt, but for Sonnet 5."""
    bare: Condition
    delegated: Condition
    main: Condition
    agent_body: Condition
    replaced: Condition
    full: Condition
    git_instructions: Condition
    git_status: Condition
    auto_memory: Condition
    claude_mds: Condition
    tool_search: Condition
    caching: Condition
    hour_cache: Condition
    attribution: Condition
    commit_trailer: Condition
    pull_request_footer: Condition
    skills: Condition
    bundled_skills: Condition
    workflows: Condition
    tasks: Condition
    external: Condition
    quiet: Condition
    traffic: Condition
    betas: Condition
    names_tools: Condition
    attachments: Condition
    unsafe: Condition
    first_party: Condition
    artifacts: Condition
    auto_mode: Condition
    plain: Mapping[str, Condition]

    @property
    def by_name(self) -> Mapping[str, Condition]:
        """All of them, as texts name them."""
        every = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**{name: each for name, each in every.items() if isinstance(each, Condition)}, **self.plain}

    def layout_is(self, *layouts: Layout) -> Condition:
        """The system prompt has one of these layouts. Version and model decide it together."""
        return self._laid_out("layout", self.layout, layouts)

    def messages_are(self, *layouts: Layout) -> Condition:
        """The messages have one of these layouts."""
        return self._laid_out("messages", self.messages, layouts)

    def _laid_out(self, name: str, actual: Layout, layouts: tuple[Layout, ...]) -> Condition:
        # Another model is nearer than another version.
        others = [layout for layout in _LAYOUTS if layout not in layouts]
        others.sort(key=lambda to: any(lever.param == "agent_version" for lever in self._to(to)))
        what = "messages" if name == "messages" else "a prompt"
        fact = f"{self.model.name} has {what} of the layout {actual} in {self.version}"
        return Observed(
            "model",
            name,
            actual in layouts,
            fact,
            fact,
            wanted=list(layouts),
            actual=actual,
            on=self._to(layouts[0]),
            off=self._to(others[0]) if others else None,
        )

    def about_model(self, name: str, ok: bool, yes: str, no: str, *, such: str, other: str) -> Condition:
        """A fact about the model; `such` and `other` are ids of models for which it holds and does not.

        `{model}` in a sentence is the model's name.
        """
        model = self.model.name
        yes, no = yes.replace("{model}", model), no.replace("{model}", model)
        on, off = (Lever("model", such),), (Lever("model", other),)
        return Observed("model", name, ok, yes, no, actual=model, on=on, off=off)

    def counts_tokens(self) -> Condition:
        """The model is told how many tokens are left (variants, d)."""
        return self.about_model(
            "total_tokens",
            self.model.counts_tokens,
            "{model} is told how many tokens are left",
            "{model} is not told how many tokens are left",
            such="claude-haiku-5-5",
            other=CURRENT_MODEL,
        )

    def model_is(self, family: str, *versions: tuple[int, int]) -> Condition:
        """The model is of this family, and of one of the versions."""
        ok = self.model.family == family and self.model.version in versions
        ids = ["-".join(("claude", family, *(str(part) for part in version if part))) for version in versions]
        names = " or ".join(ids)
        other = CURRENT_MODEL if CURRENT_MODEL not in ids else "claude-sonnet-5-5"
        return self.about_model(names, ok, f"the model is {names}", "the model is {model}", such=ids[0], other=other)

    def _to(self, layout: Layout) -> tuple[Lever, ...]:
        version, model = _LAYOUTS[layout]
        same = (version == V100) == (self.version == V100)
        levers = () if same else (Lever("agent_version", version),)
        return levers if model is None else (*levers, Lever("model", model))


_LAYOUTS: dict[Layout, tuple[str, str | None]] = {
    "A": (V100, None),
    "A'": (LATER[0], OLDER_MODEL),
    "B": (LATER[0], CURRENT_MODEL),
}
"""The version and the model that give a layout; None where any does."""


def first_party_gate(variable: Known[str], env: Mapping[str, str]) -> Condition:
    """ANTHROPIC_BASE_URL names no custom host."""
    overlay = variable.source.overlay
    return Setting(
        variable.source,
        is_first_party(env),
        "in",
        (True, None, "", FIRST_PARTY_URL),
        "requests go to the first-party host",
        "requests go to a custom host (`ANTHROPIC_BASE_URL`)",
        on=Lever(overlay, FIRST_PARTY_URL) if overlay else None,
        off=Lever(overlay, "http://localhost:8080") if overlay else None,
    )


def _searchable(model: Model, version: str) -> Condition:
    """Tool search needs a model that can load tools: not Claude 3, in 2.1.100 no Haiku either (variants, d and f)."""
    ok = not model.known or (model.version >= (4, 0) and (version != V100 or model.family != "haiku"))
    yes, no = f"{model.name} can search for tools", f"{model.name} cannot search for tools"
    return Observed("model", "tool search", ok, yes, no, actual=model.name, on=(Lever("model", "opus"),))


def searches_by_default(first_party: Condition, version: str, model: Model) -> Condition:
    """What follows for tool search where ENABLE_TOOL_SEARCH is not set (6)."""
    return (IS_LATER | first_party) & _searchable(model, version)


@frozen
class ToolSearch:
    """ENABLE_TOOL_SEARCH. `defers`: tools are left out until they are searched for; `names`: they are listed."""

    defers: Condition
    names: Condition


def tool_search_gate(variable: Known[str], version: str, model: Model, first_party: bool, heavy: bool) -> ToolSearch:
    """The switch, or its default: on in 2.1.329, in 2.1.100 only at the first-party host (6).

    `auto` and `auto:N` send the tools whole as long as they take no more than their share of the window, here `heavy`,
    and list their names all the same; a share of 0 is on, one of 100 off (recorded 2.1.332).
    """
    able = _searchable(model, version)
    share = auto_share(variable.value)
    if version != V100 and share is not None and 0 < share < 100:
        defers = _switch(variable.source, heavy, "the tools are many", "the tools are few")
        names = _switch(variable.source, True, "tool search decides by the size of the tools", "tool search is off")
        return ToolSearch(defers & able, names & able)
    switch = _search_switch(variable, version, first_party, heavy, share) & able
    return ToolSearch(switch, switch)


_AUTO_SHARE = 10


def auto_share(value: str) -> int | None:
    """The percentage N of `auto:N`, 10 if N is not a number; None for any other value."""
    word, colon, number = value.partition(":")
    if word != "auto":
        return None
    digits = re.match(r"\s*([+-]?\d{1,9})", number) if colon else None
    return int(digits[1]) if digits else _AUTO_SHARE


def _search_switch(variable: Known[str], version: str, first_party: bool, heavy: bool, share: int | None) -> Condition:
    value = variable.value.strip().lower()
    if share is not None and version == V100:
        return _switch(variable.source, heavy, "the tools are many", "the tools are few")
    if share is not None:
        return _switch(variable.source, share <= 0, "tool search is on", f"`ENABLE_TOOL_SEARCH` is {variable.value}")
    if value in FALSE_WORDS or (value and version == V100):
        return _switch(variable.source, is_on(value), "tool search is on", "`ENABLE_TOOL_SEARCH` is off")
    if version != V100:
        return _switch(variable.source, True, "tool search is on by default", "tool search is off")
    there, elsewhere = "the host is the first-party one, where tool search is on", "tool search is off at a custom host"
    return _switch(variable.source, first_party, there, elsewhere)


def gates_of(
    *,
    version: str,
    model: Model,
    layout: Layout,
    messages: Layout,
    env: Mapping[str, str],
    variable: Callable[[str], Known[str]],
    setting: Callable[[str, Json], Known[Json]],
    safe_mode: Known[str],
    git: Condition,
    delegated: Condition,
    sees_project: Condition,
    agent_body: Condition,
    external: Condition,
    tool_search: ToolSearch,
) -> Gates:
    """The gates of a scenario whose files and settings have been looked at.

    `variable` and `setting` look one up by name, a setting with its default; `safe_mode`: the variable for it, which a
    project cannot set; `git`: git told of a repository.
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
    # Recorded in 2.1.329: an interactive run keeps git status where --system-prompt replaces the sections.
    git_status = git & instructions & sees_project & (delegated | ~replaced | INTERACTIVE)
    if version != V100:  # bare mode of 2.1.100 keeps git status (12)
        git_status = git_status & ~bare

    def credited(kind: str) -> Condition:
        """A text of one's own, which may be empty, goes before the switch for both [D]."""
        own = setting(f"attribution.{kind}", None)
        is_own = isinstance(own.value, str)
        return own.is_given("Helped-by: Claude", "") if is_own else enabled("includeCoAuthoredBy")

    trailer, footer = credited("commit"), credited("pr")
    traffic = ~_is_given(variable(NO_TRAFFIC))
    unasked = (
        _is_given(variable("DISABLE_TELEMETRY")),
        is_set("DO_NOT_TRACK"),
        is_set("DISABLE_GROWTHBOOK"),
    )
    quiet = Named(
        "flag",
        "quiet",
        Any((~traffic, *unasked)),
        yes="it does not ask which features are on",
        no="no variable keeps it from asking which features are on",
    )
    unsafe = ~Named("flag", "safe", variable_is_on(safe_mode), yes="safe mode is on", no="safe mode is off")
    unsafe = ALWAYS if version == V100 else unsafe  # which has no such mode
    betas = IS_100 | ~is_set(NO_BETAS)
    attachments = ~bare & (IS_100 | ~is_set("CLAUDE_CODE_DISABLE_ATTACHMENTS"))
    memory = memory_switch(variable("CLAUDE_CODE_DISABLE_AUTO_MEMORY"), enabled("autoMemoryEnabled")) & ~bare & unsafe
    mds = ~is_set("CLAUDE_CODE_DISABLE_CLAUDE_MDS") & ~bare & unsafe & sees_project
    first_party = first_party_gate(variable("ANTHROPIC_BASE_URL"), env)
    artifacts = Named(
        "flag",
        "artifacts",
        IS_LATER & INTERACTIVE & traffic & first_party,
        yes="an interactive session at the first-party host can publish pages",
    )
    caching = ~is_set("DISABLE_PROMPT_CACHING")
    return Gates(
        version=version,
        model=model,
        layout=layout,
        messages=messages,
        bare=bare,
        delegated=delegated,
        main=Named("all", "main", ~bare & ~delegated, yes="it is the main session's prompt"),
        agent_body=agent_body,
        replaced=replaced,
        full=Named("all", "full", ~bare & ~replaced & ~delegated, yes="nothing replaces the agent's own sections"),
        git_instructions=instructions,
        git_status=git_status,
        auto_memory=Named("flag", "auto memory", memory, yes="auto memory is on"),
        claude_mds=Named("flag", "instruction files", mds, yes="instruction files are read"),
        tool_search=tool_search.defers & betas & ~bare,
        names_tools=tool_search.names & betas & ~bare,
        caching=caching,
        hour_cache=IS_LATER & caching & is_set("ENABLE_PROMPT_CACHING_1H"),  # no effect in 2.1.100
        attribution=Named("flag", "attribution", trailer | footer, yes="commits are credited") & instructions & ~bare,
        commit_trailer=trailer,
        pull_request_footer=footer,
        # --disable-slash-commands has no effect in 2.1.100
        skills=~bare & (sees_project | IS_LATER) & (IS_100 | SLASH_COMMANDS),
        bundled_skills=~is_set("CLAUDE_CODE_DISABLE_BUNDLED_SKILLS")
        & setting("disableBundledSkills", False).is_(False, unset=True, no="`disableBundledSkills` is on"),
        workflows=setting("disableWorkflows", False).is_(False, unset=True, no="`disableWorkflows` is on"),
        tasks=INTERACTIVE | is_set("CLAUDE_CODE_ENABLE_TASKS"),
        external=external,
        quiet=quiet,
        traffic=traffic,
        betas=betas,
        attachments=attachments,
        unsafe=unsafe,
        first_party=first_party,
        artifacts=artifacts,
        auto_mode=IS_LATER & mode_is("auto"),
        plain={gate: ~is_set(name) if off else is_set(name) for gate, name, off in PLAIN},
    )
