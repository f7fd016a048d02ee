"""Disk, settings and machine to materials."""

from collections.abc import Iterator
from datetime import UTC, datetime

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.copilot.materials import Materials, Model, model_named, table
from promptscope_engine.agents.copilot.texts import FOLDER
from promptscope_engine.agents.kit.markup import IN_TEXT
from promptscope_engine.agents.kit.params import facts_of
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.machine import zone_of
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.derived import Derivation, in_home
from promptscope_engine.prompt.drafts import Window, computed, environment, label, param_value, unpredictable
from promptscope_engine.prompt.leaves import in_list
from promptscope_engine.prompt.model import ModeChoice
from promptscope_engine.prompt.sourced import from_settings, unless_given, variable
from promptscope_engine.workspace import Workspace

from .instructions import Instructions
from .message import message, tagged
from .request import attachments, options, protocol_of
from .servers import Servers
from .session import Session, model_of
from .skills import Lists, tools_of

_DEFAULT = "claude-sonnet-5"
_MODES = ("interactive", "plan", "autopilot")


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
        modes = tuple(ModeChoice(slug, slug, ()) for slug in _MODES)
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
        if named not in (None, *_MODES):
            raise unknown("mode", str(named), _MODES, where="mode")
        usual = self.session.settings.text("defaultMode").value if self.params.entry == "interactive" else None
        return next((each for each in (named, args.mode, usual) if each in _MODES), "interactive")

    def gather(self) -> Gathered[Materials]:
        """Everything else, in the order in which it is listed."""
        session, lists = self.session, self.lists
        session.gather_hooks()
        instructions = Instructions(session)
        instructions.gather()
        skills, agents, chosen = lists.gather_skills(), lists.gather_agents(), lists.chosen()
        names = (*FOLDER.agent["tools"]["order"], *FOLDER.agent["tools"]["last"])
        only = tools_of(chosen, names) if chosen else None
        task, skill = self._kept("task", only), self._kept("skill", only)
        session.guard(lambda row: row.kind == "agent", task)  # what is listed for a tool is there with the tool alone
        session.guard(lambda row: row.kind in ("skill", "command"), skill)
        found = Servers(session, self.protocol, chosen.values if chosen else {})
        self._notes()
        attached = attachments(session)
        gates = self._gates(chosen=bool(chosen))
        window = Window(**table("window"))
        prompt_tokens = self.inputs.env.get("COPILOT_PROVIDER_MAX_PROMPT_TOKENS", "")
        selected = {name: self._kept(name, only) for name in (*names, *(tool.name for tool in found.tools))}
        materials = Materials(
            model=self.model, protocol=self.protocol, gates=gates, selected=selected, skills=skills, agents=agents,
            order=tuple(dict.fromkeys((*(only or ()), *names))),
            values=self._values([path for path, _ in attached], chosen.body.strip() if chosen else ""),
            instructions=tuple(instructions.sent), named=tuple(instructions.named), woken=tuple(instructions.woken),
            servers=tuple(found.said), mcp_tools=tuple(found.tools), attached=tuple(data for _, data in attached),
            split=gates["split"].holds(self.facts), options=options(session, self.model, self.protocol),
            window=replace(window, size=int(prompt_tokens)) if prompt_tokens.isdigit() else window,
        )  # fmt: skip
        more = {"derived": tuple(self._derived()), "configured": found.configured, "idle": found.idle}
        return Gathered.of(session, self.facts, materials, **more)

    # --- conditions -----------------------------------------------------------------------------------------------

    def _kept(self, name: str, only: list[str] | None) -> Condition:
        """The command line leaves a tool, and so does the chosen agent. Of two lists the one of those kept counts."""
        wanted = bool(self.params.args.availableTools)
        kind = "available" if wanted else "excluded"
        given = _said(getattr(self.params.args, f"{kind}Tools"), name)
        found = in_list(f"args.{kind}Tools", f"--{kind}-tools", given, name, wanted=wanted)
        if only is not None:
            yes, no = f"the agent's `tools` name {name}", f"the agent's `tools` do not name {name}"
            found = found & Fact("tool", name, name in only, yes, no, remedy="change `tools` of the agent's file")
        return found

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
            "session_hook": bool(session.hooked("sessionStart")),
            "prompt_hook": bool(session.hooked("userPromptSubmitted")),
        }
        said = {"env": lambda name, value: variable(env, name).is_(value, unset="")}
        told = FOLDER.decided(found, {"model": self.model.name}, said)
        return {"coauthored": session.settings.enabled("includeCoAuthoredBy", True), **told}

    # --- values ---------------------------------------------------------------------------------------------------

    def _values(self, attached: list[str], agent: str) -> dict[str, object]:
        """The values that texts name. `attached` are images, `agent` is the text of the chosen agent."""
        session = self.session
        here = {"cwd": session.cwd, "platform": self.inputs.environment.platform or "linux", "root": session.root}
        here |= {"repository": session.remote, "programs": ", ".join(self.params.programs)}
        folder = environment("session_folder", f"{session.home}/session-state/")
        # a hook may put another prompt in the place of the user's
        prompt = session.hooked("modifiedPrompt")[-1:] or message(session, self.lists.typed)
        mentioned = [computed("tagged_files", text)] if (text := tagged(session)) else []
        return {
            "version_number": label(FOLDER.versions[-1]),
            "model_name": self.model.name,
            "here": {name: environment(name, text.translate(IN_TEXT)) for name, text in here.items()},
            "session": {"folder": (folder, unpredictable("session", "00000000-0000-4000-8000-000000000000"))},
            "now": unpredictable("clock", _clock(self.inputs)),
            "prompt": (*prompt, *(param_value("args.attachment", f"\n{path}") for path in attached), *mentioned),
            "hooks": {"session": session.hooked("sessionStart"), "prompt": session.hooked("userPromptSubmitted")[-1:]},
            "agent_body": param_value("args.agent", agent),
        }

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
        yield from from_settings(fields_of(type(self.inputs.params)), known)


def _said(given: list[str], name: str) -> list[str]:
    """A list of the command line: rg and grep are one tool under two names."""
    return [*given, name] if {"rg": "grep", "grep": "rg"}.get(name) in given else given


def _clock(inputs: Inputs) -> str:
    """The time as it is written; a day alone begins at midnight."""
    given = datetime.fromisoformat(inputs.environment.date or "2026-01-01")
    zone = zone_of(inputs.env.get("TZ") or inputs.environment.timezone) or UTC
    at = given.astimezone(zone) if given.tzinfo else given.replace(tzinfo=zone)
    return at.isoformat(timespec="milliseconds")
