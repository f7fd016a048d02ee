"""From scenario, disk and machine to materials."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.choosing import fits
from promptscope_engine.agents.kit.params import facts_in, facts_of
from promptscope_engine.agents.kit.servers import foreign
from promptscope_engine.agents.kit.settings import Names, mapping, unmatched
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.agents.kit.walking import absolute
from promptscope_engine.agents.opencode.gates import experimental, switched
from promptscope_engine.agents.opencode.materials import Materials, Model, Reference
from promptscope_engine.agents.opencode.texts import FOLDER
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Named
from promptscope_engine.prompt.derived import Derivation, because, in_home
from promptscope_engine.prompt.drafts import BY_SOURCE, Span, computed, environment, label
from promptscope_engine.prompt.model import ModeChoice, SettingSource
from promptscope_engine.prompt.sourced import Sourced, by_setting, from_settings, unless_given
from promptscope_engine.workspace import Workspace

from .agents import Agents, keeps
from .instructions import InstructionFiles
from .model import base_of, body_options, model_named, output_of
from .request import Conversation
from .servers import Servers, own_tools
from .settings import Session, managed_folder, settings_home
from .skills import Skills

_RESERVED = 20_000


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
        usual = self.named.value or FOLDER.agent["usual_model"]
        named = command.get("model") or self.inputs.model or own.value or usual
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
        gates = self._gates(servers, references, skills)
        parts = tuple(Conversation(session, self.agents, self.agent, files, skills).parts(self.model))
        variant = params.variant or (self.agent.variant if self.by_agent else "")
        options = body_options(self.model, self.agent, variant, session.env)
        self._notes(instructions=bool(instructions))
        judged = {*FOLDER.agent["judged"].values(), *FOLDER.tool_names(), *(tool.name for tool in own)}
        judged |= {tool.name for server in servers.answering for tool in server.tools}
        marked = (word in text for word in ("claude", "anthropic") for text in (self.model.name, self.model.api))
        materials = Materials(
            self.model, self.agent.base or base_of(self.model), self.agent, tuple(self.agents.every.values()), gates,
            {name: keeps(self.agent, name) for name in judged}, self._values(), references, instructions,
            tuple(skills.every.values()), servers.answering, own, tuple(self.agents.listed(self.agent)), parts, options,
            self.model.protocol == "messages" or any(marked), *self._compacts(),
        )  # fmt: skip
        known = [*(each.name for each in servers.answering), *(each.name for each in servers.idle)]
        others = foreign(session.workspace, f"{session.cwd.rstrip('/')}/.mcp.json", FOLDER.agent["no_mcp_json"], known)
        modes = tuple(
            ModeChoice(a.name, a.name, source=a.source.path or "built in" if a.source else "built in")
            for a in self.agents.every.values()
            if a.mode != "subagent" and not a.hidden
        )
        facts = facts_of(inputs, self.agent.name, modes, self.model.named if self.model.provider else self.model.name)
        more = {"derived": tuple(self._derived()), "configured": servers.configured, "idle": (*servers.idle, *others)}
        return Gathered.of(session, facts, materials, **more)

    def _gates(self, servers: Servers, references: Sequence[object], skills: Skills) -> dict[str, Condition]:
        """What decides, by the names that the texts use."""
        env, agent, model, answering = self.session.env, self.agent, self.model, servers.answering
        said = [server for server in answering if server.instructions]
        kept = [AnyOf(tuple(keeps(agent, tool.name) for tool in s.tools)) if s.tools else ALWAYS for s in said]
        listed = tuple(skill.when for skill in skills.every.values() if skill.description is not None)
        found = {
            "patching": fits(FOLDER.agent["patching"], model.facts), "by_provider": model.provider == "opencode",
            "connected": bool(answering), "resources": servers.resources, "own_prompt": bool(agent.prompt),
            "has_references": bool(references), "told": False, "skilled": False,
        }  # fmt: skip
        told = facts_in(FOLDER.agent["facts"], found, {"model": model.api, "agent": agent.name})
        words = {
            "on": lambda *given: switched(env, *given),
            "experiment": lambda name: experimental(env, name),
        }
        return {
            **told, **FOLDER.gates_of(Scope(told, words)),
            "has_instructions": AnyOf(tuple(kept)) if kept else told["told"],
            "skills_listed": keeps(agent, "skill"),
            "any_skill": Named("file", "skills", AnyOf(listed) if listed else told["skilled"], "a skill is let in"),
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
            "repository": label("yes" if session.is_repository else "no"),
            "platform": environment("platform", machine.platform or ""),
            "today": environment("date", f"{at:%a %b %d} {at.year:04}"),
            "muse": computed("muse", muse),
            "temporary": environment("temporary", f"{(session.env.get('TMPDIR') or '/tmp').rstrip('/')}/opencode"),
            "timeout": computed("timeout", timeout if timeout.isdigit() and int(timeout[:9]) else "120000"),
        }

    def _references(self) -> Iterator[Reference]:
        """Those with a description, by name: `hidden` hides one from the list to choose from alone [tried]."""
        said = {**self.session.settings.table("reference"), **self.session.settings.table("references")}
        for name in sorted(said):
            each = mapping(said[name])
            path, text = each.get("path"), each.get("description")
            if isinstance(path, str) and isinstance(text, str):
                where = environment("path", absolute(path, self.session.cwd, self.session.home))
                yield Reference(name, where, text)

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
        """What surprises people: `[notes]` of agent.toml."""
        session, agent, model = self.session, self.agent, self.model
        prompt = agent.source if agent.prompt else None
        folders = (f"{base}/{name}" for base in session.bases for name in ("plugin", "plugins"))
        plugin = next((folder for folder in folders if session.workspace.is_dir(folder)), None)
        has_plugins = bool(plugin or session.at("plugin")) and not session.is_on("OPENCODE_PURE")
        about = {
            "prompt-replaces-base": prompt,
            "no-repository": instructions and not session.is_repository,
            "plugins": has_plugins and (plugin or True),
            "unknown-provider": bool(model.provider) and not model.is_known,
        }
        session.note(FOLDER.agent["notes"], about, agent=agent.name, provider=model.provider)
        tools = [*FOLDER.tool_names(), *FOLDER.agent["judged"].values(), *FOLDER.agent["other_permissions"]]
        plain = [name for name in session.settings.table("tools") if "*" not in name and "_" not in name]
        entries = [Sourced(name, session.settings.known("tools", name).source) for name in plain]
        session.diagnostics += unmatched([Names("tools", "tool", entries, tools)])

    def _derived(self) -> Iterator[Derivation]:
        inputs, agent, params = self.inputs, self.agent, self.session.params
        if agent.name != inputs.mode:
            default = self.session.settings.text("default_agent")
            why = by_setting(default) if default.value else because("mode", "it is the first agent that is shown")
            yield Derivation("mode", agent.name, why)
        yield Derivation("agent", agent.name, because("agent", "it is in force"), params.agent, is_setting=True)
        if self.model.provider:
            named = replace(self.named, value=None) if self.by_agent else self.named
            usual = "the agent names it" if self.by_agent else "nothing names one"
            yield from unless_given("model", inputs.model, self.model.named, named, usual)
        yield in_home("XDG_CONFIG_HOME", f"{self.session.home}/.config", self.session.env.get("XDG_CONFIG_HOME"))
        yield from from_settings(fields_of(type(params)), lambda key: self.session.settings.known(*key.split(".")))
