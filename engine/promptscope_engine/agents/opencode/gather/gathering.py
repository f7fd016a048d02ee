"""From scenario, disk and machine to materials."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from operator import attrgetter

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.disk.servers import Says, some
from promptscope_engine.agents.kit.disk.settings import Names, mapping, unmatched
from promptscope_engine.agents.kit.text.choosing import first_row, fits
from promptscope_engine.agents.kit.text.params import facts_of
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.agents.opencode.materials import Materials, Model
from promptscope_engine.agents.opencode.permissions import left_open
from promptscope_engine.agents.opencode.texts import FOLDER
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.collation import in_locale_order
from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.conditions import Condition, Facts, Named, any_of
from promptscope_engine.prompt.derived import Derivation, because, in_home
from promptscope_engine.prompt.drafts import BY_SOURCE, Span, Window, environment, label
from promptscope_engine.prompt.model import ModeChoice, SettingSource
from promptscope_engine.prompt.sourced import Sourced, by_setting, from_settings, unless_given
from promptscope_engine.workspace import Workspace

from .agents import Agents, Skills, ignored_keys, keeps
from .instructions import InstructionFiles
from .model import body_options, endpoint_of, model_named, output_of
from .plugins import plugins
from .references import references
from .request import Conversation
from .servers import Servers, in_catalogue, own_tools
from .settings import Session, managed_folder, named_by, settings_home

_JUDGED = {
    "write": "edit",
    "apply_patch": "edit",
    "list_mcp_resources": "read",
    "list_mcp_resource_templates": "read",
    "read_mcp_resource": "read",
}
"""The permission by which a tool is judged where that is not its name."""
_OTHER_PERMISSIONS = ("doom_loop", "external_directory", "plan_enter", "list", "patch")
"""Permissions that no tool has for a name."""
_PATCHING = {"if": {"api": {"all": ["gpt-"], "none": ["oss", "gpt-4"]}}}
"""The models that are given `apply_patch` in place of `edit` and `write` (kit/text/choosing.py)."""
_RESERVED = 20_000
_KEPT, _KEPT_LEAST, _KEPT_MOST = 0.25, 2_000, 15_000
"""The share of what is usable that the newest turns may take after a compaction, and its bounds [asked of 1.18.33]."""
_UNFIT_SHELLS = ("fish", "nu")
"""Shells that the client passes over, and the one that it takes then [source]."""
_LAST_SHELL = "bash"
_OUTPUT = {"max_lines": 2_000, "max_bytes": 51_200}
"""How much a command may print before the rest is cut, where `tool_output` says nothing."""


def roots(inputs: Inputs) -> tuple[str, ...]:
    """The folders that variables and params name."""
    files = (resolve(inputs.workspace, path.partition("?")[0]) for path in inputs.params.files)
    named = named_by(inputs, "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR")
    return (settings_home(inputs), managed_folder(inputs), *named, *files)


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """Everything that sections and tools need."""
    return _Gatherer(inputs, workspace).gather()


class _Gatherer:
    def __init__(self, inputs: Inputs, workspace: Workspace) -> None:
        self.inputs, self.session = inputs, Session(workspace=workspace, inputs=inputs)
        self.agents, params = Agents(self.session), inputs.params
        command = mapping(self.session.settings.at("command", params.command)) if params.command else {}
        chosen = self.agents.chosen(params.agent or inputs.mode)
        self.agent = self.agents.every.get(str(command.get("agent") or ""), chosen)
        self.model = self._model(command)

    def _model(self, command: Mapping[str, Json]) -> Model:
        """The command line's, the agent's, that of the settings, the client's own."""
        self.named = self.session.settings.text("model")
        self.by_agent = not self.inputs.model and bool(self.agent.model)
        usual = self.named.value or FOLDER.agent["model"]
        named = command.get("model") or self.inputs.model or self.agent.model or usual
        found = model_named(self.session, str(named))
        if found is None:
            source = self.named.source if named == self.named.value else SettingSource("model")
            self.session.refuse(f"the model {named} is unknown", source)
        return found or Model(str(named), "", str(named), str(named), "", "chat", is_known=False)

    def gather(self) -> Gathered[Materials]:
        """Everything else, in the order in which it is listed."""
        session, agent, model = self.session, self.agent, self.model
        files, skills = InstructionFiles(session), Skills(session, agent)
        instructions = files.gather()
        servers, own = Servers(session, agent), own_tools(session, agent)
        named = tuple(self._references())
        gates = self._gates(servers, named, skills)
        parts = tuple(Conversation(session, self.agents, agent, files, skills).parts(model))
        variant = session.params.variant or (agent.variant if self.by_agent else "")
        self._notes(gates, skills, instructions=bool(instructions))
        self.agents.guard_rows(agent)
        marked = (word in text for word in ("claude", "anthropic") for text in (model.name, model.api))
        name = attrgetter("name")
        names = {
            **gates, **self._values(), "references": named, "instructions": instructions, "servers": servers.told,
            "skill_list": in_locale_order(skills.listed, name), "catalogue": [*map(in_catalogue, servers.tools)],
            "missing": [] if instructions else [Says("", (), gates["instructed"])],
            "subagents": in_locale_order(self.agents.listed(agent), name),
        }  # fmt: skip
        window = self._window(gates)
        materials = Materials(
            model=model, agent=agent, gates=gates, scope=Scope(names),
            base=agent.base or str(first_row(FOLDER.agent["rows"]["base"], model.facts)["is"]),
            tools={name: keeps(agent, _JUDGED.get(name, name)) for name in FOLDER.tool_names()},
            mcp_tools=servers.tools, own_tools=own, parts=parts,
            options=body_options(model, agent, variant, session.env),
            cached=model.protocol == "messages" or any(marked), window=window, kept=self._kept(window),
        )  # fmt: skip
        modes = tuple(
            ModeChoice(each.name, each.name, source=(each.source and each.source.path) or "built in")
            for each in self.agents.shown
        )
        facts = facts_of(self.inputs, agent.name, modes, model.named)
        more = {"derived": tuple(self._derived()), "configured": servers.configured, "idle": tuple(servers.idle)}
        endpoint = endpoint_of(session, model)
        return Gathered.of(session, facts, materials, endpoint=endpoint, programs=self.programs, **more)

    def _gates(self, servers: Servers, references: Sequence[object], skills: Skills) -> dict[str, Condition]:
        """What decides, by the names that the texts use."""
        agent, model, answering = self.agent, self.model, servers.answering
        found = {
            "patching": fits(_PATCHING, model.facts), "by_provider": model.provider == "opencode",
            "connected": bool(answering), "resources": servers.resources, "own_prompt": bool(agent.prompt),
            "has_references": bool(references), "told": False, "skilled": False, "instructed": False,
        }  # fmt: skip
        told = FOLDER.decided(found, {"model": model.api, "agent": agent.name}, self.session.words)
        listed = any_of((skill.when for skill in skills.listed), told["skilled"])
        return {
            **told,
            "has_instructions": any_of((server.when for server in servers.told), told["told"]),
            "skills_listed": keeps(agent, "skill"),
            "any_skill": Named("file", "skills", listed, "a skill is let in"),
        }

    def _values(self) -> dict[str, object]:
        session, model, machine = self.session, self.model, self.inputs.environment
        at = datetime.fromisoformat(machine.date or machine.read_at)
        timeout = session.env.get("OPENCODE_EXPERIMENTAL_BASH_DEFAULT_TIMEOUT_MS", "")
        temporary = (session.env.get("TMPDIR") or "/tmp").rstrip("/")
        here = {"cwd": session.cwd, "root": session.root, "platform": machine.platform or ""}
        here |= {"date": f"{at:%a %b %d} {at.year:04}", "temporary": f"{temporary}/opencode"}
        return {
            **{name: environment(name, text) for name, text in here.items()},
            "repository": label("yes" if session.is_repository else "no"),
            "api": model.api,
            "exact": f"{model.provider}/{model.api}",
            "muse": "Muse Glimmer" if "muse-glimmer" in model.api else "Muse Spark",
            **{key: str(session.settings.at("tool_output", key) or most) for key, most in _OUTPUT.items()},
            "shell": self._shell(),
            "timeout": timeout if timeout.isdigit() and int(timeout[:9]) else "120000",
        }

    def _shell(self) -> str:
        """The name of the shell that commands run in: one that is not there or not fit is passed over [asked]."""
        named = self.session.settings.text("shell").value or self.session.env.get("SHELL", "")
        name = named.rpartition("/")[2]
        is_fit = bool(named) and name not in _UNFIT_SHELLS and self.session.workspace.is_executable(named)
        return name if is_fit else _LAST_SHELL

    def _references(self) -> Iterator[Mapping[str, str | Span]]:
        for name, folder, text in references(self.session):
            yield {"name": name, "path": environment("path", folder), "description": text}

    def _window(self, gates: Mapping[str, Condition]) -> Window:
        """The model's window, and the total at which the conversation is summed up [source]."""
        settings, model = self.session.settings, self.model
        size = model.context or FOLDER.agent["window"]
        is_off = settings.at("compaction", "auto") is False or not gates["compacts"].holds(Facts())
        if is_off or not model.context:
            return Window(
                size, compaction="switched off" if is_off else "not observed: the model's window is not known"
            )
        most, reserved = output_of(model, self.session.env), settings.at("compaction", "reserved")
        reserved = reserved if isinstance(reserved, int) else min(_RESERVED, most)
        return Window(size, 0, max(model.input - reserved if model.input else size - most, 0), compaction=BY_SOURCE)

    def _kept(self, window: Window) -> tuple[int, int | None]:
        """The tokens and turns that a compaction may keep of the newest turns; None: any number of turns."""
        of_all = window.compact_at or window.size
        usual = int(min(max(of_all * _KEPT, _KEPT_LEAST), _KEPT_MOST))
        tokens, turns = (
            self.session.settings.at("compaction", key) for key in ("preserve_recent_tokens", "tail_turns")
        )
        return tokens if isinstance(tokens, int) else usual, turns if isinstance(turns, int) else None

    def _notes(self, gates: Mapping[str, Condition], skills: Skills, *, instructions: bool) -> None:
        """What surprises people: `[notes]` of agent.toml."""
        session, agent, model = self.session, self.agent, self.model
        self.programs = tuple(plugins(session, gates["plugged"]))
        rewriting = next((each for each in self.programs if each.covers and each.when.holds(Facts())), None)
        about = {
            "prompt-replaces-base": agent.source if agent.prompt else None,
            "no-repository": instructions and not session.is_repository,
            "plugins": rewriting is not None and SettingSource("plugin", rewriting.path, line=rewriting.line),
            "unknown-provider": bool(model.provider) and not model.is_known,
        }
        session.note(
            FOLDER.agent["notes"],
            about,
            agent=agent.name,
            provider=model.provider,
            plugin=rewriting.name if rewriting else "",
        )
        ignored_keys(session)
        named = {"task": self.agents.listed(agent), "skill": skills.listed}
        for name, listed in named.items():
            if found := left_open(agent.rules, name, sorted(each.name for each in listed)):
                place, others = found
                session.diagnostics.append(FOLDER.note("left-open", place, permission=name, others=some(others)))
        tools = [*FOLDER.tool_names(), *_JUDGED.values(), *_OTHER_PERMISSIONS]
        plain = (name for name in session.settings.table("tools") if "*" not in name and "_" not in name)
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
        yield from from_settings(params, self.session.settings.known)
