"""From scenario, disk and machine to materials."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.params import facts_of
from promptscope_engine.agents.kit.servers import foreign
from promptscope_engine.agents.kit.settings import Names, mapping, unmatched
from promptscope_engine.agents.kit.walking import absolute
from promptscope_engine.agents.opencode.gates import INTERACTIVE, experimental, switched
from promptscope_engine.agents.opencode.materials import Materials, Model
from promptscope_engine.agents.opencode.texts import FOLDER
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Fact, Named
from promptscope_engine.prompt.derived import Derivation, because, in_home
from promptscope_engine.prompt.drafts import BY_SOURCE, Span, computed, environment, label
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import ModeChoice, SettingSource
from promptscope_engine.prompt.sourced import Sourced, by_setting, from_settings
from promptscope_engine.workspace import Workspace

from .agents import Agents, keeps
from .instructions import InstructionFiles
from .model import base_of, body_options, model_named, output_of, patches
from .request import Conversation
from .servers import Servers, own_tools
from .settings import Session, managed_folder, settings_home
from .skills import Skills

_RESERVED = 20_000
_OTHER_MODEL = "choose another model"
_SIMULATE = "connect a server: `mcp_servers` simulates one"


def roots(inputs: Inputs) -> tuple[str, ...]:
    """The folders that variables and params name."""
    named = (inputs.env.get(name) for name in ("OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR"))
    params = inputs.params
    files = [path.partition("?")[0] for path in getattr(params, "files", ())]
    around = [resolve(inputs.workspace, path) for path in (*filter(None, named), *files)]
    return (settings_home(inputs), managed_folder(inputs), *around)


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """Everything that sections and tools need."""
    return _Gatherer(inputs, workspace).gather()


class _Gatherer:
    def __init__(self, inputs: Inputs, workspace: Workspace) -> None:
        self.inputs, self.session = inputs, Session(workspace=workspace, inputs=inputs)
        self.agents = Agents(self.session)
        params = self.session.params
        command = mapping(self.session.at("command", params.command or ""))
        asked = params.agent or inputs.mode
        self.agent = self.agents.chosen(asked)
        if params.command and isinstance(command.get("agent"), str):
            self.agent = self.agents.every.get(command["agent"], self.agent)
        self.model = self._model(command)

    def _model(self, command: Mapping[str, Json]) -> Model:
        """The command line's, the agent's, that of the settings, the client's own."""
        self.named = self.session.settings.text("model")
        own = Sourced(self.agent.model or None, self.agent.source or SettingSource("agent"))
        self.by_agent = not self.inputs.model and bool(own.value)
        named = (
            command.get("model") or self.inputs.model or own.value or self.named.value or FOLDER.agent["usual_model"]
        )
        found = model_named(self.session, str(named))
        if found is None:
            source = self.named.source if named == self.named.value else SettingSource("model")
            self.session.refuse(f"the model {named} is unknown", source.path, source.line)
        return found or Model("", str(named), str(named), "", "chat", is_known=False)

    def gather(self) -> Gathered[Materials]:
        """Everything else, in the order in which it is listed."""
        session, inputs, params = self.session, self.inputs, self.session.params
        files, skills = InstructionFiles(session), Skills(session, self.agent)
        instructions = files.gather()
        servers, own = Servers(session), own_tools(session)
        references = tuple(self._references())
        gates = {**self._gates(servers), **self._by_finds(servers, references, skills)}
        parts = tuple(Conversation(session, self.agents, self.agent, files, skills).parts(self.model))
        variant = params.variant or (self.agent.variant if self.by_agent else "")
        options = body_options(self.model, self.agent, variant, session.env)
        self._notes(instructions=bool(instructions))
        judged = {*FOLDER.agent["judged"].values(), *FOLDER.tool_names(), *(tool.name for tool in own)}
        judged |= {name for server in servers.answering for name, _ in server.tools}
        compact_at, why = self._compacts()
        materials = Materials(
            model=self.model,
            base=self.agent.base or base_of(self.model),
            agent=self.agent,
            agents=tuple(self.agents.every.values()),
            gates=gates,
            allowed={name: keeps(self.agent, name) for name in judged},
            values=self._values(),
            references=references,
            instructions=instructions,
            skills=tuple(skills.every.values()),
            servers=servers.answering,
            own_tools=own,
            listed=tuple(self.agents.listed(self.agent)),
            parts=parts,
            options=options,
            cached=self.model.protocol == "messages" or any(
                word in text for word in ("claude", "anthropic") for text in (self.model.name, self.model.api)
            ),
            compact_at=compact_at,
            compaction=why,
        )  # fmt: skip
        known = [*(each.name for each in servers.answering), *(each.name for each in servers.idle)]
        others = foreign(session.workspace, f"{session.cwd.rstrip('/')}/.mcp.json", FOLDER.agent["no_mcp_json"], known)
        modes = tuple(
            ModeChoice(a.name, a.name, source=a.source.path or "built in" if a.source else "built in")
            for a in self.agents.every.values()
            if a.mode != "subagent" and not a.hidden
        )
        return Gathered(
            facts_of(inputs, self.agent.name, modes, self.model.named if self.model.provider else self.model.name),
            materials,
            tuple({file.path: file for file in session.files}.values()),
            tuple(dict.fromkeys(session.diagnostics)),
            derived=tuple(self._derived()),
            refused=session.refusals[0] if session.refusals else None,
            configured=servers.configured,
            idle=(*servers.idle, *others),
        )

    def _gates(self, servers: Servers) -> dict[str, Condition]:
        env, model = self.session.env, self.model
        patching = patches(model)
        web = experimental(env, "EXA") | experimental(env, "PARALLEL") | switched(env, "OPENCODE_ENABLE_EXA")
        yes, no = f"{model.api} is given `apply_patch`", f"{model.api} is given `edit` and `write`"
        up = bool(servers.answering)
        by_provider = Fact(
            "model", "id", model.provider == "opencode", "the provider is opencode", "it is another provider",
            remedy=_OTHER_MODEL,
        )  # fmt: skip
        client = switched(env, "OPENCODE_CLIENT", "", "cli", "app", "desktop")
        return {
            "patching": Fact("model", "id", patching, yes, no, actual=model.named, remedy=_OTHER_MODEL),
            "searches": web | switched(env, "OPENCODE_ENABLE_PARALLEL") | by_provider,
            "lsp": experimental(env, "LSP_TOOL"),
            "plan_mode": experimental(env, "PLAN_MODE"),
            "background": experimental(env, "BACKGROUND_SUBAGENTS"),
            "code_mode": experimental(env, "CODE_MODE")
            & Fact("mcp", "servers", up, "a server is connected", "no server is connected", remedy=_SIMULATE),
            "asks": INTERACTIVE & (client | switched(env, "OPENCODE_ENABLE_QUESTION_TOOL")),
            "resources": Fact(
                "mcp", "resources", servers.resources, "a server has some", "no server has any", remedy=_SIMULATE
            ),
            "own_prompt": Fact(
                "file", "prompt", bool(self.agent.prompt), f"the agent {self.agent.name} has a prompt of its own",
                f"the agent {self.agent.name} has no prompt of its own", remedy="write a `prompt` for the agent",
                source=self.agent.source,
            ),
            "planner": mode_is("plan"),
        }  # fmt: skip

    def _by_finds(self, servers: Servers, references: Sequence[object], skills: Skills) -> dict[str, Condition]:
        """What is there to be listed."""
        said = [server for server in servers.answering if server.instructions]
        kept = [AnyOf(tuple(keeps(self.agent, name) for name, _ in s.tools)) if s.tools else ALWAYS for s in said]
        none = Fact("mcp", "servers", False, "", "no connected server says anything of itself", remedy=_SIMULATE)
        listed = tuple(skill.when for skill in skills.every.values() if skill.description is not None)
        no_skill = Fact("file", "skills", False, "", "there is no skill", remedy="write a skill")
        return {
            "has_references": Fact(
                "flag", "references", bool(references), "a reference has a description",
                "no reference has a description", remedy="describe one in `references`",
            ),
            "has_instructions": AnyOf(tuple(kept)) if kept else none,
            "skills_listed": keeps(self.agent, "skill"),
            "any_skill": Named("file", "skills", AnyOf(listed) if listed else no_skill, "a skill is let in"),
        }  # fmt: skip

    def _values(self) -> dict[str, Span]:
        session, model, machine = self.session, self.model, self.inputs.environment
        at = datetime.fromisoformat(machine.date or machine.read_at)
        timeout = session.env.get("OPENCODE_EXPERIMENTAL_BASH_DEFAULT_TIMEOUT_MS", "")
        muse = "Muse Glimmer" if "muse-glimmer" in model.api else "Muse Spark"
        return {
            "api": computed("model.api", model.api),
            "exact": computed("model", f"{model.provider}/{model.api}"),
            "cwd": environment("cwd", session.cwd),
            "root": environment("root", session.root),
            "repository": label("yes" if session.walk.marker else "no"),
            "platform": environment("platform", machine.platform or ""),
            "today": environment("date", f"{_DAYS[at.weekday()]} {_MONTHS[at.month - 1]} {at.day:02} {at.year:04}"),
            "muse": computed("muse", muse),
            "temporary": environment("temporary", f"{(session.env.get('TMPDIR') or '/tmp').rstrip('/')}/opencode"),
            "timeout": computed("timeout", timeout if timeout.isdigit() and int(timeout[:9]) else "120000"),
        }

    def _references(self) -> Iterator[tuple[str, str, str]]:
        """Those with a description, by name."""
        said = {**self.session.settings.table("reference"), **self.session.settings.table("references")}
        for name in sorted(said):
            each = mapping(said[name])
            if (
                isinstance(each.get("path"), str)
                and isinstance(each.get("description"), str)
                and not each.get("hidden")
            ):
                yield name, absolute(each["path"], self.session.cwd, self.session.home), each["description"]

    def _compacts(self) -> tuple[int | None, str]:
        """The total at which the conversation is summed up [source]."""
        session, model = self.session, self.model
        if session.at("compaction", "auto") is False or session.is_on("OPENCODE_DISABLE_AUTOCOMPACT"):
            return None, "it is switched off"
        if not model.context:
            return None, "the model's window is not known"
        most = output_of(model, session.env)
        reserved = session.at("compaction", "reserved")
        reserved = reserved if isinstance(reserved, int) and not isinstance(reserved, bool) else min(_RESERVED, most)
        return max(model.input - reserved if model.input else model.context - most, 0), BY_SOURCE

    def _notes(self, *, instructions: bool) -> None:
        """What surprises people."""
        session, agent = self.session, self.agent
        if agent.prompt and agent.source:
            text = f"the prompt of the agent {agent.name} replaces the model's own text, all of it"
            session.say("info", "prompt-replaces-base", text, agent.source.path, agent.source.line)
        if not session.walk.marker and instructions:
            text = "without a git repository OpenCode looks for files in every folder up to /"
            session.say("info", "no-repository", text)
        plugins = [
            base
            for base in session.bases
            for name in ("plugin", "plugins")
            if session.workspace.is_dir(f"{base}/{name}")
        ]
        if (plugins or session.at("plugin")) and not session.is_on("OPENCODE_PURE"):
            text = "plug-ins may change every part of the request: promptscope runs none and shows it without them"
            session.say("info", "plugins", text, plugins[0] if plugins else None)
        if not self.model.is_known and self.model.provider:
            text = (
                f"nothing is known here of the provider {self.model.provider}: it is taken for one that speaks OpenAI's"
            )
            session.say("info", "unknown-provider", text)
        tools = [*FOLDER.tool_names(), *FOLDER.agent["judged"].values(), *FOLDER.agent["other_permissions"]]
        entries = [Sourced(n, session.settings.known("tools", n).source) for n in session.settings.table("tools")]
        session.diagnostics += unmatched(
            [Names("tools", "tool", [e for e in entries if "*" not in e.value and "_" not in e.value], tools)]
        )

    def _derived(self) -> Iterator[Derivation]:
        inputs, agent, params = self.inputs, self.agent, self.session.params
        if agent.name != inputs.mode:
            default = self.session.settings.text("default_agent")
            why = by_setting(default) if default.value else because("mode", "it is the first agent that is shown")
            yield Derivation("mode", agent.name, why)
        yield Derivation(
            "agent", agent.name, because("agent", "it is the agent in force"), params.agent, is_setting=True
        )
        if inputs.model is None and self.model.provider:
            usual = because("model", "the agent names it" if self.by_agent else "nothing names one")
            yield Derivation(
                "model", self.model.named, by_setting(self.named) if self.named.value and not self.by_agent else usual
            )
        yield in_home("XDG_CONFIG_HOME", f"{self.session.home}/.config", self.session.env.get("XDG_CONFIG_HOME"))
        yield from from_settings(fields_of(type(params)), lambda key: self.session.settings.known(*key.split(".")))


_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
