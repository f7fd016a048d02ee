"""Disk, settings and machine to materials."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.copilot.materials import Materials, Model, model_named, table
from promptscope_engine.agents.copilot.texts import FOLDER, INTERACTIVE, MODES
from promptscope_engine.agents.kit.disk.settings import unmatched
from promptscope_engine.agents.kit.text.markup import IN_TEXT
from promptscope_engine.agents.kit.text.params import facts_of
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.machine import zone_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import AnyOf, Condition, Fact
from promptscope_engine.prompt.derived import Derivation, in_home
from promptscope_engine.prompt.drafts import Span, Window, computed, environment, label, param_value, unpredictable
from promptscope_engine.prompt.leaves import flag, in_list
from promptscope_engine.prompt.model import ModeChoice
from promptscope_engine.prompt.sourced import from_settings, unless_given, variable
from promptscope_engine.workspace import Workspace

from .instructions import Instructions
from .language_servers import language_servers
from .lists import lists_of_names
from .message import message, tagged
from .request import attachments, endpoint_of, options, protocol_of
from .servers import Servers
from .session import Session, model_of
from .skills import WITH_ANY, Lists, tools_of

_WHEN = {
    "apply_patch": "patch",
    "create": "not patch",
    "edit": "not patch",
    "web_fetch": "not offline",
    "semantic_code_search": "not offline",
    "ask_user": '(entry == "interactive" or autopilot) and not args.noAskUser and asks_user',
    "task_complete": "planning or autopilot",
    "exit_plan_mode": 'planning and (entry == "interactive" or autopilot)',
    "tool_search_tool": "chosen_agent",
    "update_todo": "chosen_agent",
    "list_canvas_capabilities": "extensions",
    "open_canvas": "extensions",
    "invoke_canvas_action": "extensions",
    "manage_schedule": "extensions",
    "extensions_reload": "extensions",
    "extensions_manage": "extensions",
    "lsp": "any_language_server",
    "rg": "patch",
    "grep": "not patch",
}
"""When there is each of the client's own tools that is not always there."""
_DEFAULT = "claude-sonnet-5"
_WINDOW, _COMPACTS_AT = 128_000, 0.8
"""The window of a model whose limits nobody tells [source: the client's own display was not recorded], and the share of
it at which the client compacts beside the turn, by its own count [asked of 1.0.102]."""
_UNSURE = "if the window is so large: the client's own is not known"


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """Everything that sections and tools need."""
    return _Gatherer(Session(workspace=workspace, inputs=inputs)).gather()


class _Gatherer:
    """One scenario's gathering: settings first, as they decide what else is looked for."""

    def __init__(self, session: Session) -> None:
        self.session, self.params, self.inputs = session, session.params, session.inputs
        self.model = self._model()
        self.protocol = protocol_of(self.inputs, self.params.login, self.model)
        self.lists = Lists(session)
        modes = tuple(ModeChoice(slug, slug, ()) for slug in MODES)
        named = None if session.refusals else self.model.name
        self.facts = facts_of(self.inputs, self._mode(), modes, named)

    def _model(self) -> Model:
        """With a provider of one's own the settings do not name the model; with a login something always does."""
        session, login = self.session, self.params.login
        named = session.settings.text("model").value if login else None
        asked = model_of(self.inputs)[0] or named
        if asked is None and login:
            session.note(table("notes"), {"model-assumed": True}, model=_DEFAULT)
        elif asked is None:
            session.refuse("no model is named: with a provider of your own, set COPILOT_MODEL or pass --model")
        return model_named(asked or _DEFAULT)

    def _mode(self) -> str:
        args, named = self.params.args, self.inputs.mode
        if named not in (None, *MODES):
            raise unknown("mode", str(named), MODES, where="mode")
        usual = self.session.settings.text("defaultMode").value if self.params.entry == "interactive" else None
        return next((each for each in (named, args.mode, usual) if each in MODES), "interactive")

    def gather(self) -> Gathered[Materials]:
        """Everything else, in the order in which it is listed."""
        session, lists = self.session, self.lists
        session.gather_hooks()
        self.hooks = {"session": session.hooked("sessionStart"), "prompt": session.hooked("userPromptSubmitted")[-1:]}
        self.hooks["tool"] = session.hooked("preToolUse") if session.inputs.reads else ()
        files = Instructions(session)
        files.gather()
        skills, agents, chosen = lists.gather_skills(), lists.gather_agents(), lists.chosen()
        servers = Servers(session, self.protocol, chosen.values if chosen else {})
        self.of_servers = servers.names
        self.only = tools_of(chosen, servers.names) if chosen else None
        gates = self._gates(chosen=bool(chosen))
        gates["any_language_server"], of_languages = language_servers(session)
        tools = self._tools(gates)
        # what is listed for a tool is there with the tool alone
        session.guard(lambda row: row.kind == "agent", tools["task"])
        session.guard(lambda row: row.kind in ("skill", "command"), tools["skill"])
        self._notes()
        own = next((each.path for each in agents if each.path), "")
        session.note(table("notes"), {"subagent-requests": not chosen and own})
        session.diagnostics += unmatched(lists_of_names(session, servers))
        attached = attachments(session)
        preferred = lists.preferred_models()
        added = [each for each in session.folders["added"] if each != session.cwd]
        direct = {name: tools[name] for name in ("rg", "grep", "glob", "view", "apply_patch", "edit")}
        names = {
            **gates, **files.named(), **self._values(), "woken": files.woken, "servers": servers.said,
            "language_servers": of_languages,
            "prompt": self._prompt([path for path, _ in attached]),
            "agent_body": lists.chosen_text(),
            "direct": AnyOf(tuple(direct.values())), "direct_tools": _listed(direct), "listed_skills": skills,
            "any_added": Fact(
                "flag", "args.addDir", bool(added), "a folder is added", "no folder is added",
                remedy="pass --add-dir",
            ), "further_folders": [{"folder": environment("added", each)} for each in added],
            "preferred_models": preferred, "any_preferred": Fact(
                "flag", "subagents", bool(preferred), "`subagents` names a model", "`subagents` names no model",
                remedy="name a model in `subagents.agents`",
            ), "any_agent": bool(agents), "first_agent": agents[:1], "further_agents": agents[1:],
        }  # fmt: skip
        given = self.inputs.env.get("COPILOT_PROVIDER_MAX_PROMPT_TOKENS", "")
        size, unsure = (int(given), "") if given.isdigit() else (_WINDOW, _UNSURE)
        scope = Scope(names, {"tool": tools.__getitem__, "subagent": lists.offers})
        materials = Materials(
            model=self.model, protocol=self.protocol, scope=scope, tools=tools,
            kinds=(*lists.built_in(), *(each.name for each in agents)),
            mcp_tools=tuple(replace(tool, when=tool.when & self._kept(tool.name)) for tool in servers.tools),
            attached=tuple(data for _, data in attached), split=gates["split"].holds(self.facts),
            options=options(session, self.model, self.protocol),
            window=Window(size, 0, int(size * _COMPACTS_AT), compaction=unsure),
        )  # fmt: skip
        more = {"derived": tuple(self._derived()), "configured": servers.configured, "idle": tuple(servers.idle)}
        goes_to = endpoint_of(self.inputs, self.params.login, self.model, self.protocol)
        return Gathered.of(session, self.facts, materials, endpoint=goes_to, programs=session.hooks(), **more)

    # --- conditions -----------------------------------------------------------------------------------------------

    def _kept(self, name: str) -> Condition:
        """The command line leaves a tool, and so does the chosen agent. Of two lists the one of those kept counts."""
        wanted = bool(self.params.args.availableTools)
        kind = "available" if wanted else "excluded"
        given = self._said(getattr(self.params.args, f"{kind}Tools"), name)
        found = in_list(f"args.{kind}Tools", f"--{kind}-tools", given, name, wanted=wanted)
        if self.only is not None and name not in WITH_ANY:
            yes, no = f"the agent's `tools` name {name}", f"the agent's `tools` do not name {name}"
            found = found & Fact("tool", name, name in self.only, yes, no, remedy="change `tools` of the agent's file")
        return found

    def _said(self, given: list[str], name: str) -> list[str]:
        """The names of a list, cut at commas; rg and grep are one tool, a server names its tools, too [asked]."""
        given = [each.strip() for several in given for each in several.split(",")]
        keys = (key.lower() for each in given for key in (each, f"{each}/*") if "/" in key)
        is_other = {"rg": "grep", "grep": "rg"}.get(name) in given
        return [*given, name] if is_other or any(name in self.of_servers.get(key, ()) for key in keys) else given

    def _tools(self, gates: Mapping[str, Condition]) -> dict[str, Condition]:
        """When each of the client's own tools is there, in the order in which the chosen agent gives them."""
        names = table("tools")["order"]
        order = dict.fromkeys(name for name in (*(self.only or ()), *names) if name in names)
        whens = {name: FOLDER.condition(_WHEN.get(name, ""), Scope(gates), FOLDER.main) for name in order}
        return {name: when & self._kept(name) for name, when in whens.items()}

    def _gates(self, *, chosen: bool) -> dict[str, Condition]:
        """What decides, by the names that the texts use: `[facts]` of agent.toml, settings and variables."""
        session, env, protocol = self.session, self.inputs.env, self.protocol
        found = {
            **self.model.traits,
            "in_parts": protocol == "messages" or (protocol == "responses" and self.model.known),
            "blocks": protocol == "messages",
            "chosen_agent": chosen,
            "is_repository": session.is_repository,
            "on_github": bool(session.remote),
            **{f"{name}_hook": bool(texts) for name, texts in self.hooks.items()},
        }
        said = {"env": lambda name, value: variable(env, name).is_(value, unset="")}
        told = FOLDER.decided(found, {"model": self.model.name}, said)
        own = session.settings
        sandboxed = own.flag("sandbox", "enabled", default=False)
        told["sandboxed"] = sandboxed.is_(True, unset=False, yes="the sandbox is on", no="the sandbox is off")
        told["extensions"] = INTERACTIVE & (flag("args.experimental") | own.enabled("experimental", False))
        told["asks_user"] = own.enabled("askUser", True)
        return {"coauthored": own.enabled("includeCoAuthoredBy", True), **told}

    # --- values ---------------------------------------------------------------------------------------------------

    def _values(self) -> dict[str, object]:
        """The values that texts name."""
        session = self.session
        here = {"cwd": session.cwd, "platform": self.inputs.environment.platform or "linux", "root": session.root}
        here |= {"repository": session.remote, "programs": ", ".join(self.params.programs)}
        folder = environment("session_folder", f"{session.home}/session-state/")
        return {
            "version_number": label(FOLDER.versions[-1]),
            "model_name": self.model.name,
            "model_shown": self._shown_model(),
            "here": {name: environment(name, text.translate(IN_TEXT)) for name, text in here.items()},
            "session": {"folder": (folder, unpredictable("session", "00000000-0000-4000-8000-000000000000"))},
            "now": unpredictable("clock", _clock(self.inputs)),
            **self._checkpoints(),
            "hooks": self.hooks,
        }

    def _checkpoints(self) -> dict[str, object]:
        """How many compactions there were, each a checkpoint, and the line of the newest."""
        after = self.inputs.after
        count = after.compactions if after else 0
        name = unpredictable("checkpoint", "001-session-00000000.md - Session 00000000")
        return {"checkpoints": computed("checkpoints", f"{count}") if count else None, "checkpoint": name}

    def _shown_model(self) -> str:
        """What it is called: in a session by its name on the wire [asked of 1.0.102]."""
        wired = self.inputs.env.get("COPILOT_PROVIDER_WIRE_MODEL") if self.params.entry == "interactive" else None
        return wired or self.model.name

    def _prompt(self, attached: list[str]) -> tuple[Span, ...]:
        """The prompt, or what a hook puts in its place, with the paths of images, and what it mentions."""
        session = self.session
        prompt = session.hooked("modifiedPrompt")[-1:] or message(session, self.lists.typed)
        mentioned = [computed("tagged_files", text)] if (text := tagged(session)) else []
        return (*prompt, *(param_value("args.attachment", f"\n{path}") for path in attached), *mentioned)

    def _notes(self) -> None:
        """What surprises people: `[notes]` of agent.toml."""
        session, args = self.session, self.params.args
        disabled = session.settings.flag("disableAllHooks", default=False)
        own = session.of_repository.flag("includeCoAuthoredBy", default=True)
        about = {
            "hooks-not-stopped": disabled.value and bool(session.hook_texts) and disabled.source,
            "setting-ignored": not own.value and own.source,
            "excluded-tools-ignored": bool(args.availableTools and args.excludedTools),
            "denied-tools-offered": bool(args.denyTool),
        }
        session.note(table("notes"), about)

    def _derived(self) -> Iterator[Derivation]:
        known, inputs = self.session.settings.known, self.inputs
        yield from unless_given("model", inputs.model, self.model.name, known("model"), "it is assumed")
        yield in_home("COPILOT_HOME", f"{inputs.home.rstrip('/')}/.copilot", inputs.env.get("COPILOT_HOME"))
        yield from from_settings(self.inputs.params, known)


def _listed(tools: Mapping[str, Condition]) -> list[dict[str, object]]:
    """The names one after the other, with a comma before each that is not the first one present."""
    whens = [*tools.values()]
    gaps = ["", *(label(", ", when=AnyOf(tuple(whens[:number]))) for number in range(1, len(whens)))]
    return [{"gap": gap, "name": name, "when": tools[name]} for gap, name in zip(gaps, tools, strict=True)]


def _clock(inputs: Inputs) -> str:
    """The time as it is written; a day alone begins at midnight."""
    given = datetime.fromisoformat(inputs.environment.date or "2026-01-01")
    zone = zone_of(inputs.env.get("TZ") or inputs.environment.timezone) or UTC
    at = given.astimezone(zone) if given.tzinfo else given.replace(tzinfo=zone)
    return at.isoformat(timespec="milliseconds")
