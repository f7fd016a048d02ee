"""From scenario, disk and machine to materials."""

import re
from collections.abc import Iterable, Iterator
from functools import partial, reduce

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.claude_code.extra_body import NAME as EXTRA_BODY
from promptscope_engine.agents.claude_code.extra_body import ExtraBody
from promptscope_engine.agents.claude_code.materials import (
    GENERAL,
    GitStatus,
    InstructionFile,
    Later,
    Materials,
    SubAgent,
)
from promptscope_engine.agents.claude_code.selection import PLACEHOLDER, available, let_in, names, offers
from promptscope_engine.agents.claude_code.texts import (
    FOLDER,
    INTERACTIVE,
    Gates,
    auto_share,
    is_first_party,
    searches_by_default,
    tool_search_gates,
    variable_is_on,
    words_of,
)
from promptscope_engine.agents.claude_code.versions import (
    HOSTED,
    V100,
    by_sdk,
    config_folder,
    is_on,
    message_layout,
    prompt_layout,
    usual_output,
    window_of,
)
from promptscope_engine.agents.kit.disk.settings import unmatched
from promptscope_engine.agents.kit.text.endpoints import endpoint
from promptscope_engine.agents.kit.text.params import facts_of
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.after import After
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts, Named
from promptscope_engine.prompt.derived import Derivation, because, in_home
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Diagnostic, Endpoint, Lever, View
from promptscope_engine.prompt.sourced import Sourced, by_setting, from_settings
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in

from .choices import MODES, mode_meant, mode_of, model_of, resolved
from .commands import given_skills, typed_command, typed_notes
from .content import StyleGatherer
from .hooks import begins_as, hook_notes, list_hooks
from .instructions import InstructionLoader
from .later import gather_later
from .lists import lists_of_names, never_excluding
from .machine import Repository, git_status, shells
from .mcp import Servers, mcp_tools
from .memory import gather_memory, memory_folder, own_folder
from .mods import left_out, list_mods, mod_notes
from .prompt import MentionFinder, gather_hooks, stopped, woken_by
from .session import Session
from .settings import MANAGED, ClaudeCodeSettings
from .skills import (
    CHARS_PER_TOKEN,
    SkillGatherer,
    chars_per_token,
    listing_budget,
    listing_window,
    woken_skills,
)
from .starting import refusals
from .subagents import Agents

_SERVICES = {
    "bedrock": "CLAUDE_CODE_USE_BEDROCK",
    "vertex": "CLAUDE_CODE_USE_VERTEX",
    "foundry": "CLAUDE_CODE_USE_FOUNDRY",
}
"""The variables that choose a service. Asked of 2.1.332 with each of its addresses."""
_WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
_BUDGET = "SLASH_COMMAND_TOOL_CHAR_BUDGET"


def derived_inputs(
    m: Materials, settings: ClaudeCodeSettings, facts: Facts, asked: Sourced[str | None], answer: Condition
) -> Iterator[Derivation]:
    """The inputs that Claude Code computes. `asked`: the agent that drives; `answer`: external imports are approved."""
    yield from _mode_and_model(m, settings, facts)
    if asked.value is not None:
        yield Derivation("args.agent", asked.value, by_setting(asked), m.params.args.agent or None, is_setting=True)
    approved = answer.holds(facts)
    yield Derivation(
        "approvedExternalImports", approved, answer, m.params.approvedExternalImports or None, is_setting=True
    )
    for name, value in by_sdk(m.params.sdk).items():
        yield Derivation(
            name, value, because("sdk", "the Agent SDK has it so"), facts.params.get(name), is_setting=True
        )
    yield from _variables(m, settings, facts)
    yield from from_settings(m.params, settings.known)


def _mode_and_model(m: Materials, settings: ClaudeCodeSettings, facts: Facts) -> Iterator[Derivation]:
    """What decided the mode and the model that were not chosen (see choices.py)."""
    inputs, sub_agent, main_agent = m.inputs, m.sub_agent, m.main_agent
    if inputs.mode is None:
        configured = settings.known("permissions.defaultMode")
        entry = "a headless session" if m.params.args.print else f"an interactive session of {m.version}"
        usual = because("mode", f"{entry} starts in this mode")
        yield Derivation(
            "mode", facts.mode, by_setting(configured) if mode_meant(configured.value) == facts.mode else usual
        )
    if sub_agent and sub_agent.model:
        yield Derivation("model", m.model.shown, because("model", f"the sub-agent {sub_agent.name} names its model"))
    elif inputs.model is None:
        yield Derivation("model", m.model.shown, _by_default(m, settings, main_agent))


def _by_default(m: Materials, settings: ClaudeCodeSettings, main_agent: SubAgent | None) -> Condition:
    variable = settings.variable("ANTHROPIC_MODEL", m.inputs.env)
    plain = settings.known("model")
    if main_agent and main_agent.model and main_agent.model.value:
        return because("model", f"the agent {main_agent.name}, which drives the session, names its model")
    if variable.value:
        return by_setting(variable)
    if plain.value and isinstance(plain.value, str):
        return by_setting(plain)
    return because("model", f"it is the model of {m.version} where none is named")


def _variables(m: Materials, settings: ClaudeCodeSettings, facts: Facts) -> Iterator[Derivation]:
    """The environment variables that, not set, follow from version, host, session, model and home folder."""
    inputs, model, version = m.inputs, m.model, m.version
    searches = searches_by_default(m.gates.first_party, version, model)
    fraction = settings.known("skillListingBudgetFraction")
    tokens, characters = listing_window(model, version, inputs.env), chars_per_token(model, version)
    share = f"1 % of the window of {tokens:,} tokens, at {characters} characters each"
    whole = window_of(model, version, {key: value for key, value in inputs.env.items() if key != _WINDOW})
    budget = listing_budget(model, version, {**inputs.env, _BUDGET: ""}, fraction.value)
    of_budget = because("model", share) if fraction.value is None else by_setting(fraction)
    of_output = because("model", f"an answer of {model.name} may have so many tokens")
    found: tuple[tuple[str, Json, Condition], ...] = (
        ("ENABLE_TOOL_SEARCH", str(searches.holds(facts)).lower(), searches),
        ("CLAUDE_CODE_ENABLE_TASKS", str(int(INTERACTIVE.holds(facts))), INTERACTIVE),
        (_BUDGET, str(budget), of_budget),
        (_WINDOW, str(whole), because("model", f"it is the window of {model.name}")),
        ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", str(usual_output(model, version)), of_output),
    )
    for name, computed, cause in found:
        variable = settings.variable(name, inputs.env)
        if variable.value and variable.source.path:  # the `env` of a settings file
            yield Derivation(f"env.{name}", variable.value, by_setting(variable), is_setting=True)
        else:
            yield Derivation(f"env.{name}", computed, cause, variable.value or None, is_setting=True)
    folder = config_folder({}, inputs.home, inputs.workspace)
    yield in_home("CLAUDE_CONFIG_DIR", folder, inputs.env.get("CLAUDE_CONFIG_DIR"))


# --- what a run computes while nobody sets it -------------------------------------------------------------------------


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """Everything the sections need. The same files and scenario give the same materials.

    A typed command may ask for a model: the messages are then as for that one, all else as for the session's. One that
    asks for a fork is a sub-agent's task, and only that is sent [recorded 2.1.332].
    """
    found = _Gathering(inputs, workspace).gathered()
    m = found.materials
    if m.sub_agent is not None and _is_toolless(m, m.sub_agent, found.facts):
        alone = m.params.model_copy(update={"subagent": None})
        main = _Gathering(replace(inputs, params=alone), workspace).gathered()
        note = FOLDER.note("subagent-toolless", m.sub_agent.path or None, name=m.sub_agent.name)
        return replace(main, diagnostics=(*main.diagnostics, note))
    if m.typed is not None and m.typed.agent is not None and m.params.subagent is None:
        forked = _forked(inputs, m, m.typed.agent)
        return _Gathering(forked, workspace, agents_model=m.typed.model is None).gathered()
    if m.typed is None or m.typed.model is None:
        return found
    return _Gathering(inputs, workspace, m.typed.model.value).gathered()


def _is_toolless(m: Materials, agent: SubAgent, facts: Facts) -> bool:
    """Whether a sub-agent that lists tools would have none of them: then it isn't started [asked of 2.1.332]."""
    if agent.source == "built-in" or agent.tool_list is None or m.version == V100:
        return False
    every = [name for name in names(m) if name != PLACEHOLDER] + [tool.name for tool in m.mcp_tools]
    return not any(available(m, name).holds(facts) for name in every)


def _forked(inputs: Inputs, m: Materials, wanted: str) -> Inputs:
    """The scenario of the sub-agent that a command's text goes to: the one it names, else the general one."""
    agent = wanted if any(agent.name == wanted for agent in m.agents) else GENERAL
    model = m.typed.model.value if m.typed and m.typed.model else inputs.model
    return replace(inputs, params=m.params.model_copy(update={"subagent": agent}), model=model)


class _Gathering:
    """One pass. `asked` is the model a command asks for; with `agents_model` a sub-agent's own model counts."""

    def __init__(
        self, inputs: Inputs, workspace: Workspace, asked: str | None = None, *, agents_model: bool = True
    ) -> None:
        self.session = session = Session(inputs, workspace)
        self.spoken_to, self.inputs = resolved(session, asked) if asked else None, session.inputs
        self.agents, mode = Agents(session), mode_of(session)
        self._begin()
        self.model = model_of(session, mode, self.agents.sub if agents_model else None, self.agents.main)
        variable = session.variable(EXTRA_BODY)
        self.extra = ExtraBody(variable) if session.version == V100 else ExtraBody.of(variable)
        self.facts = facts_of(self.inputs, mode, MODES, self.extra.model or self.model.shown)
        self.servers = Servers(session, self.agents.sub or self.agents.main)
        self.connected = self.servers.connected(self.facts)
        places = {each.name: each.path for each in self.servers.configured}
        self.tools = mcp_tools(self.connected, session.version, places)
        self.git = git_status(session.repository, self.inputs, workspace)
        approved = session.project.get("hasClaudeMdExternalIncludesApproved") is True
        self.answer = FOLDER.reason("dialog", approved)
        self.gates = self._gates()
        if self.gates.auto_memory.holds(self.facts):
            self.agents.remember()
        self._instructions()
        self._prompt()

    def _begin(self) -> None:
        """Put what the agent that drives the session begins with before the prompt."""
        main, session = self.agents.main, self.session
        if main and main.initial and session.params.subagent is None:
            prompt = f"{main.initial.value}\n\n{session.params.prompt}"
            session.params = session.params.model_copy(update={"prompt": prompt})

    def _gates(self) -> Gates:
        session, version, env = self.session, self.session.version, self.inputs.env
        search = session.variable("ENABLE_TOOL_SEARCH")
        # `ENABLE_TOOL_SEARCH=auto:N`: tools of servers take more than N percent of the window [D]
        characters = sum(len(tool.description) + len(str(tool.input_schema)) for tool in self.tools)
        most = window_of(self.model, version, env) * (auto_share(search.value) or 0) / 100
        heavy = characters / CHARS_PER_TOKEN > most
        defers, lists = tool_search_gates(
            search, version, self.model, is_first_party(env.get("ANTHROPIC_BASE_URL", "")), heavy
        )
        no = "it is outside the working directory, and external imports are not approved"
        approved, yes = flag("approvedExternalImports") | self.answer, "external imports are approved"
        found = {
            "git": _git_answers(session.repository, self.git, session.workspace),
            **self.agents.conditions(),
            "external": Named("flag", "external imports", approved, yes, no),
            "defers": defers,
            "lists": lists,
            "may_fork": let_in(None if self.agents.sub else self.agents.main, "fork", version),
            "hosted": FOLDER.reason("hosted", session.started_as in HOSTED),
            "safe_mode": variable_is_on(session.safe_mode),
        }
        messages = message_layout(version, self.spoken_to or self.model)
        # of the session itself they would keep all that was read
        variable = partial(session.settings.variable, env=session.inputs.env)
        short = session.variable("CLAUDE_CODE_SIMPLE_SYSTEM_PROMPT").value
        layouts = prompt_layout(version, self.model, short), messages
        return Gates(version, self.model, layouts, found, words_of(variable, session.settings.known))

    def _instructions(self) -> None:
        """What loads at the start, auto memory and skills."""
        session, gates = self.session, self.gates
        layers = session.settings
        own = layers.without("project") if session.version == V100 else layers
        project, named = session.main_root or session.cwd, own.known("autoMemoryDirectory")
        moved = named.value
        if isinstance(moved, str) and moved and not own_folder(moved, session.home):
            session.diagnostics.append(FOLDER.note("memory-folder", named.source, folder=moved))
        elsewhere = session.inputs.env.get("CLAUDE_CODE_REMOTE_MEMORY_DIR") if session.version != V100 else None
        places = (path_in(session.cwd, elsewhere), elsewhere) if elsewhere else (session.config, session.written)
        folder, self.memory_folder = (memory_folder(place, project, moved, session.home) for place in places)
        # The index is an instruction file too: the switch that drops those drops it, and leaves the instructions on
        # memory.
        indexed = gates.auto_memory & gates.claude_mds
        self.memory, self.cut, self.memory_row = gather_memory(session, folder, self.memory_folder, indexed)
        self.instructions = InstructionLoader(session, gates, self.facts)
        self.instructions.load()
        self.skills = SkillGatherer(session, gates, self.facts)
        fraction = session.settings.known("skillListingBudgetFraction").value
        self.skills.gather(listing_budget(self.model, session.version, self.inputs.env, fraction))
        self.styles = StyleGatherer(session)
        self.style, self.style_setting = self.styles.gather()

    def _prompt(self) -> None:
        """What the prompt says and mentions, and what the reads load."""
        session, facts, gates = self.session, self.facts, self.gates
        later = session.version != V100
        self.typed = None
        if later and not gates.bare.holds(facts):
            self.typed = typed_command(self.skills, self.servers.prompting(facts))
        whole = self.typed and self.typed.kind in ("body", "path", "built-in", "server")
        said = self.typed.text if self.typed and whole else session.params.prompt
        self.said = said
        agents = {agent.name for agent in self.agents.listed if agent.when.holds(facts)}
        when = gates.attachments & gates.unsafe
        self.mentioned = MentionFinder(session, when)
        self.mentions = self.mentioned.find(said, agents)
        reads = woken_by(self.mentions) if later and when.holds(facts) else ()
        self.woken = self.instructions.load_lazily(reads)
        self.lazy = self.instructions.load_lazily(self.inputs.reads)
        self.instructions.near_misses()
        self.hooks = list_hooks(session, gates.bare, (*self.skills.files, *self.agents.files), facts)
        self.mods = list_mods(session, gates.bare, facts) if later else []
        self.left_out = left_out(self.mods, session, facts)
        session.diagnostics += (*hook_notes(self.hooks, session, facts), *mod_notes(self.mods, session, facts))

    def materials(self) -> Materials:
        """What the sections and tools need."""
        session, gates, facts, settings = self.session, self.gates, self.facts, self.session.settings
        return Materials(
            inputs=self.inputs,
            params=session.params,
            gates=gates,
            version=session.version,
            model=self.model,
            credited=self.spoken_to or self.model,
            extra=self.extra,
            workflow_size=settings.known("workflowSizeGuideline"),
            schema=session.arguments.schema,
            given_servers=frozenset(session.arguments.servers),
            denied=session.denied,
            splits=gates.first_party.holds(facts) and gates.full.holds(facts),
            cwd=session.cwd,
            started_as=session.started_as,
            shells=shells(self.inputs, session.workspace),
            additional=session.added,
            directories=settings.directories(self.inputs, session.workspace, trusted=session.trusted),
            git_root=session.root,
            memory_folder=self.memory_folder,
            config_folder=session.written,
            git=self.git or GitStatus(),
            instructions=(*map(self._in_worktree, self.instructions.order), self.memory),
            memory_cut=self.cut,
            lazy=self.lazy,
            mentions=self.mentions,
            woken=self.woken,
            typed=self.typed,
            hooks=gather_hooks(session, self.hooks),
            left_out_mods=self.left_out,
            attached=gates.attachments.holds(facts),
            skills=self.skills.listed,
            woken_skills=woken_skills(self.skills, self.inputs.reads),
            agents=tuple(self.agents.worded(gates)),
            main_agent=self.agents.main,
            sub_agent=self.agents.sub,
            language_servers=any(plugin.enabled and plugin.languages for plugin in session.plugins.all),
            thinks_hard=re.search(r"(?ai)\bultrathink\b", self.said) is not None,
            given_skills=tuple(given_skills(self.skills, self.agents.sub.skills if self.agents.sub else ())),
            style=self.style,
            style_setting=self.style_setting,
            language=_language(settings, session.workspace, session.version),
            commit_trailer=_own_text(settings.known("attribution.commit")),
            pull_request_footer=_own_text(settings.known("attribution.pr")),
            organised=any(settings.of(MANAGED).at(f"attribution.{kind}") for kind in ("commit", "pr")),
            begins_as=begins_as(self.inputs.after),
            compaction_off=_compaction_off(settings),
            later=self._later(self.inputs.after) if self.inputs.after else None,
            servers=self.connected,
            mcp_tools=self.tools,
            absent_servers=self.servers.absent(facts),
        )

    def _later(self, after: After) -> Later:
        loaded = [file for file in self.instructions.order if file.paths is None and file.when.holds(self.facts)]
        woken = {file.file.shown for file in self.lazy}
        return gather_later(self.session, self.skills, (f for f in loaded if f.shown not in woken), self.lazy, after)

    def _in_worktree(self, file: InstructionFile) -> InstructionFile:
        """A file of the repository as the worktree of --worktree shows it: CLAUDE.local.md isn't committed."""
        root, name = self.session.root, self.session.params.args.worktree
        private = file.shown.endswith("/CLAUDE.local.md") or file.shown.startswith(f"{self.session.config}/")
        if not name or not root or private or not file.shown.startswith(f"{root}/") or self.session.version == V100:
            return file
        folder = f"{root}/.claude/worktrees/{name.replace('/', '+')}"
        return replace(file, shown=f"{folder}{file.shown.removeprefix(root)}")

    def gathered(self) -> Gathered[Materials]:
        """The materials, and what the rest of the engine wants to know."""
        session, facts, m = self.session, self.facts, self.materials()
        refused, starts = stopped(session.params, m.hooks, facts) or (None, None)
        by_path = {draft.path: draft for draft in self._files(m)}
        notes = tuple(dict.fromkeys(self._notes()))
        programs = (*self.hooks, *self.mods)
        if any(note.code == "agent-refuses" for note in notes):
            ends = Fact("flag", "start", False, "", "Claude Code does not start")
            programs = tuple(replace(each, when=each.when & ends) for each in programs)
        agents = tuple(agent.name for agent in self.agents.listed if agent.when.holds(facts))
        return Gathered(
            replace(facts, model=self.spoken_to.shown) if self.spoken_to else facts,
            m,
            tuple(by_path.values()),
            notes,
            session.settings.variables(),
            tuple(_views(self.agents.listed, facts)),
            tuple(derived_inputs(m, session.settings, facts, self.agents.asked, self.answer)),
            configured=self.servers.configured,
            idle=tuple(self.servers.idle(facts)),
            server_limit=self.servers.limit,
            refused=refused,
            starts=starts,
            endpoint=self._endpoint(),
            programs=programs,
            known={"subagent": agents, "args.agent": agents, "settings.outputStyle": self.styles.names},
        )

    def _endpoint(self) -> Endpoint:
        env = self.inputs.env
        service = next((name for name, variable in _SERVICES.items() if is_on(env.get(variable, ""))), "")
        model = (self.spoken_to or self.model).shown
        return endpoint(FOLDER.agent["endpoints"], {**env, "service": service, "model": model}, env)

    def _files(self, m: Materials) -> Iterator[FileDraft]:
        """The rows; those of what the simulated reads load under the condition that the agent can read."""
        can_read = offers(m, "Read")
        by_path = dict.fromkeys((each.file.shown for each in m.lazy), can_read)
        by_path |= dict.fromkeys(m.woken_skills.paths, can_read & offers(m, "Skill"))

        def as_read(rows: Iterable[FileDraft]) -> Iterator[FileDraft]:
            return (replace(row, when=row.when & by_path.get(row.path, ALWAYS)) for row in rows)

        yield from self.session.files
        yield from as_read(self.instructions.drafts.values())
        yield self.memory_row
        yield from self.agents.files
        yield from self.agents.memory_rows()
        yield from map(self._with_body, as_read(self.skills.files))
        yield from self.styles.files
        yield from self.servers.files
        yield from self.mentioned.files

    def _with_body(self, row: FileDraft) -> FileDraft:
        """The row of a skill or a command, with its text where the prompt is that command: listed or not."""
        spans = self.typed.body if self.typed else ()
        body = "".join(span.text for span in spans if span.origin.kind == "file" and span.origin.path == row.path)
        if not body:
            return row
        is_listed = row.when.holds(self.facts)
        unlisted = row.when.evaluate(self.facts).text
        why = f"the prompt is its command; it is not listed, as {unlisted}"
        typed = Fact("file", row.path, True, why, "", actual=row.path)
        listed = row.injected if is_listed else ""
        return replace(row, injected=listed + body, when=row.when if is_listed else typed)

    def _notes(self) -> Iterator[Diagnostic]:
        session = self.session
        yield from session.diagnostics
        yield from refusals(session, str(self.facts.mode))
        yield from self.agents.problems(self.facts)
        for found in (self.instructions, self.agents, self.skills, self.styles, self.servers):
            yield from found.diagnostics
        yield from typed_notes(self.typed)
        yield from unmatched(lists_of_names(session, self.tools, self.agents.heads, self.skills, self.servers))
        yield from never_excluding(session.settings.items("claudeMdExcludes"), session.workspace)


def _views(agents: Iterable[SubAgent], facts: Facts) -> Iterator[View]:
    """The prompt of each agent that is listed, and the way back to the main session's."""
    for agent in agents:
        if agent.when.holds(facts):
            path = next((span.origin.path for span in (*agent.body, *agent.spans) if span.origin.path), None)
            yield View(agent.name, Lever("subagent", agent.name), "agents", path)
    yield View("the main session", Lever("subagent", None), "subagent_prompt")


def _git_answers(repository: Repository | None, git: GitStatus | None, workspace: Workspace) -> Condition:
    there = FOLDER.reason("repository", repository is not None)
    if repository is None:
        return there
    file = repository.waits_on(workspace)
    return there & FOLDER.reason("git_waits" if file else "git", git is not None, file=file)


_ENTITIES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\n", "&#10;"), ("\r", "&#13;"))
"""Signs of a language that are written otherwise [asked of 2.1.332]."""


def _compaction_off(settings: ClaudeCodeSettings) -> str:
    """The setting that switches compaction off, as the settings file has it."""
    return "`autoCompactEnabled`" if settings.known("autoCompactEnabled").value is False else ""


def _language(settings: ClaudeCodeSettings, workspace: Workspace, version: str) -> Sourced[str]:
    """The language to answer in, "" for none. A line is named only where the value is on it as it is."""
    found = settings.known("language")
    text = found.value if isinstance(found.value, str) else ""
    if version == V100:
        text = text if text.strip() else ""
    else:
        text = reduce(lambda said, sign: said.replace(*sign), _ENTITIES, text)
    path, line = found.source.path, found.source.line
    file = workspace.read(path).text if path else ""
    verbatim = line is not None and text in file.split("\n")[line - 1]
    return Sourced(text, found.source if verbatim else replace(found.source, line=None))


def _own_text(known: Sourced[Json]) -> Sourced[str] | None:
    # A text of several lines is on one line of the file, so that line is not where it is verbatim.
    text = known.value if isinstance(known.value, str) else None
    return None if text is None else Sourced(text, replace(known.source, line=None))
