"""Disk, settings and machine to materials."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.copilot.gates import MESSAGES, Model, model_named, of_model, table
from promptscope_engine.agents.copilot.materials import Materials
from promptscope_engine.agents.copilot.params import CopilotParams
from promptscope_engine.agents.copilot.texts import FOLDER
from promptscope_engine.agents.kit.markup import IN_TEXT
from promptscope_engine.agents.kit.params import facts_of
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.derived import Derivation, because, in_home
from promptscope_engine.prompt.drafts import Span, param_value
from promptscope_engine.prompt.model import Lever, ModeChoice
from promptscope_engine.prompt.sourced import by_setting, from_settings
from promptscope_engine.prompt.spans import trimmed_end
from promptscope_engine.workspace import Workspace

from .instructions import Instructions
from .request import attachments, options, protocol_of
from .servers import Servers, servers
from .session import Session, model_of, remote
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
        self.gates = of_model(self.model)
        self.plugins = tuple(resolve(session.cwd, each) for each in self.params.args.pluginDir)
        modes = tuple(ModeChoice(slug, slug, ()) for slug in _MODES)
        named = None if session.refusals else self.model.name
        self.facts = facts_of(self.inputs, self._mode(), modes, named)

    def _model(self) -> Model:
        """With a provider of one's own the settings do not name the model; with a login something always does."""
        session = self.session
        known, login = model_of(self.inputs)[0], self.params.login
        if known is None and login:
            named = session.settings.text("model").value
            known = named or _DEFAULT
            if not named:
                text = f"nothing names a model: this is {known}, though the account may have another one as its usual"
                session.say("info", "model-assumed", text)
        if known is None:
            session.refuse("no model is named: with a provider of your own, set COPILOT_MODEL or pass --model")
        return model_named(known or _DEFAULT)

    def _mode(self) -> str:
        args, named = self.params.args, self.inputs.mode
        if named not in (None, *_MODES):
            raise unknown("mode", str(named), _MODES, where="mode")
        usual = self.session.settings.text("defaultMode").value if self.params.entry == "interactive" else None
        return next((each for each in (named, args.mode, usual) if each in _MODES), "interactive")

    def gather(self) -> Gathered[Materials]:
        """Everything else, in the order in which it is listed."""
        session = self.session
        session.gather_hooks(self.plugins)
        instructions = Instructions(session)
        instructions.gather()
        lists = Lists(session)
        skills, agents = lists.gather_skills(self.plugins), lists.gather_agents(self.plugins)
        chosen = lists.chosen()
        names = (*FOLDER.agent["tools"]["order"], *FOLDER.agent["tools"]["last"])
        only = tools_of(chosen[1], names) if chosen else None
        skill = self._kept("skill", only)
        lists.only_with({"agent": self._kept("task", only), "skill": skill, "command": skill})
        found = servers(session, self.protocol, self.plugins, (chosen[1].values or {}) if chosen else {})
        self._notes()
        attached = attachments(session)
        materials = Materials(
            model=self.model,
            protocol=self.protocol,
            gates={**self.gates, **self._gates(bool(chosen)), "split": self._split()},
            selected={name: self._kept(name, only) for name in (*names, *(tool.name for tool in found.tools))},
            order=tuple(dict.fromkeys((*(only or ()), *names))),
            here=self._here(),
            session_folder=f"{session.home}/session-state",
            now=_clock(self.inputs),
            prompt=self._prompt([path for path, _ in attached]),
            hooks={"session": _apart(session, "sessionStart"), "prompt": _last(session, "userPromptSubmitted")},
            instructions=tuple(instructions.sent),
            named=tuple(instructions.named),
            woken=tuple(instructions.woken),
            skills=skills,
            agents=agents,
            chosen=(param_value("args.agent", chosen[1].body.strip()),) if chosen else (),
            servers=found.said,
            mcp_tools=found.tools,
            attached=tuple(data for _, data in attached),
            split=self._split().holds(self.facts),
            options=options(session, self.model, self.protocol),
            window=_number(self.inputs.env.get("COPILOT_PROVIDER_MAX_PROMPT_TOKENS")) or table("windows")["tokens"],
        )
        return self._gathered(materials, found)

    def _gathered(self, materials: Materials, found: Servers) -> Gathered[Materials]:
        session = self.session
        return Gathered(
            facts=self.facts,
            materials=materials,
            files=tuple(session.files),
            diagnostics=tuple(session.diagnostics),
            derived=tuple(self._derived()),
            assumed=tuple(session.assumed),
            refused=session.refusals[0] if session.refusals else None,
            configured=found.configured,
            idle=found.idle,
        )

    # --- conditions -----------------------------------------------------------------------------------------------

    def _kept(self, name: str, only: list[str] | None) -> Condition:
        """The command line leaves a tool, and so does the chosen agent. Of two lists the one of those kept counts."""
        args = self.params.args
        found = _listed("availableTools", args.availableTools, name, wanted=True)
        if not args.availableTools:
            found = _listed("excludedTools", args.excludedTools, name, wanted=False)
        if only is not None:
            yes, no = f"the agent's `tools` name {name}", f"the agent's `tools` do not name {name}"
            found = found & Fact("tool", name, name in only, yes, no, remedy="change `tools` of the agent's file")
        return found

    def _split(self) -> Condition:
        """The system text goes in two parts."""
        both = self.protocol == "messages" or (self.protocol == "responses" and self.model.known)
        yes, no = "the protocol has parts", "the protocol has one text"
        shape = Fact("flag", "protocol", both, yes, no, remedy="choose another provider")
        if not both or self.protocol == "messages":
            return shape
        return shape & self.gates["frontier"]

    def _gates(self, chosen: bool) -> dict[str, Condition]:
        session, env = self.session, self.inputs.env
        own = session.settings.without("repository").flag("includeCoAuthoredBy", default=True)
        there = {name: bool(session.hook_texts.get(event)) for name, event in (
            ("session_hook", "sessionStart"), ("prompt_hook", "userPromptSubmitted"))}  # fmt: skip
        return {
            "messages": _variable(env.get("COPILOT_PROVIDER_TYPE"), "COPILOT_PROVIDER_TYPE", MESSAGES, "openai"),
            "offline": _variable(env.get("COPILOT_OFFLINE"), "COPILOT_OFFLINE", "true", ""),
            "coauthored": own.is_(True, unset=False, yes="the trailer is wanted", no="`includeCoAuthoredBy` is off"),
            "chosen_agent": Fact(
                "flag", "args.agent", chosen, "an agent was chosen", "no agent was chosen",
                off=(Lever("args.agent", None),), remedy="choose an agent with --agent",
            ),
            "is_repository": Fact(
                "file", ".git", session.is_repository, "there is a repository", "there is no repository",
                remedy="`git init` decides",
            ),
            "on_github": Fact(
                "file", "remote", bool(remote(session)), "a remote is on GitHub", "no remote is on GitHub",
                remedy="`git remote add` decides",
            ),
            **{
                name: Fact("file", name, ok, "a hook adds a text", "no hook does", remedy="imagine it with `hooks`")
                for name, ok in there.items()
            },
        }  # fmt: skip

    # --- values ---------------------------------------------------------------------------------------------------

    def _here(self) -> dict[str, str]:
        session = self.session
        found = {"cwd": session.cwd, "platform": self.inputs.environment.platform or "linux"}
        found |= {"root": session.root, "repository": remote(session)}
        found["programs"] = ", ".join(self.params.programs)
        return {name: text.translate(IN_TEXT) for name, text in found.items()}

    def _prompt(self, attached: list[str]) -> tuple[Span, ...]:
        """The prompt, unless a hook puts another in its place; images are named behind it."""
        replaced = self.session.hook_texts.get("modifiedPrompt")
        spans = tuple(replaced[-1:]) if replaced else trimmed_end((param_value("prompt", self.params.prompt),))
        return (*spans, *(param_value("args.attachment", f"\n{path}") for path in attached))

    def _notes(self) -> None:
        """What surprises people."""
        session, args = self.session, self.params.args
        if session.settings.flag("disableAllHooks", default=False).value and session.hook_texts:
            source = session.settings.known("disableAllHooks").source
            session.warn_at(source, "hooks-not-stopped", "`disableAllHooks` does not stop the user's own hook files")
        own = session.settings.of("repository").known("includeCoAuthoredBy")
        if own.source.path and own.value is False:
            text = "`includeCoAuthoredBy` counts in the user's own settings alone, not in a repository's"
            session.warn_at(own.source, "setting-ignored", text)
        if args.availableTools and args.excludedTools:
            session.say("info", "excluded-tools-ignored", "--excluded-tools is without effect beside --available-tools")
        if args.denyTool:
            session.say(
                "info", "denied-tools-offered", "--deny-tool takes no tool out of the prompt: --excluded-tools does"
            )

    def _derived(self) -> Iterator[Derivation]:
        known, inputs = self.session.settings.known, self.inputs
        if inputs.model is None:
            named = known("model")
            yield Derivation(
                "model", self.model.name, by_setting(named) if named.value else because("model", "it is assumed")
            )
        yield in_home("COPILOT_HOME", f"{inputs.home.rstrip('/')}/.copilot", inputs.env.get("COPILOT_HOME"))
        yield from from_settings(fields_of(CopilotParams), lambda key: known(*key.split(".")))


def _listed(param: str, given: list[str], name: str, *, wanted: bool) -> Condition:
    """A list of the command line names a tool, or does not, as is wanted."""
    option = "--available-tools" if wanted else "--excluded-tools"
    without = [each for each in given if each != name]
    names, others = f"{option} names {name}", f"{option} does not name {name}"
    levers = (
        (Lever(f"args.{param}", [*without, name]),),
        (Lever(f"args.{param}", without or ([name[:1]] if wanted else [])),),
    )
    on, off = levers if wanted else reversed(levers)
    yes, no = (names, others) if wanted else (others, names)
    remedy = f"change what {option} names"
    return Fact("flag", f"args.{param}", (name in given) is wanted, yes, no, on=on, off=off, remedy=remedy)


def _variable(value: str | None, name: str, on: str, off: str) -> Condition:
    levers = (Lever(f"env.{name}", on),), (Lever(f"env.{name}", off),)
    yes, no = f"`{name}` is {on}", f"`{name}` is {value or 'not set'}"
    return Fact("flag", f"env.{name}", value == on, yes, no, on=levers[0], off=levers[1])


def _apart(session: Session, event: str) -> tuple[Span, ...]:
    """The texts of all hooks, with a blank line between them."""
    spans = session.hook_texts.get(event, [])
    found: list[Span] = []
    for span in spans:
        found += [param_value(event, "\n\n"), span] if found else [span]
    return tuple(found)


def _last(session: Session, event: str) -> tuple[Span, ...]:
    return tuple(session.hook_texts.get(event, [])[-1:])


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdigit() else None


def _clock(inputs: Inputs) -> str:
    """The time as it is written; a day alone begins at midnight."""
    given = datetime.fromisoformat(inputs.environment.date or "2026-01-01")
    zone = (inputs.env.get("TZ") or inputs.environment.timezone or "UTC").removeprefix(":")
    try:
        place = ZoneInfo(zone)
    except (OSError, ValueError, LookupError):
        place = ZoneInfo("UTC")
    at = given.astimezone(place) if given.tzinfo else given.replace(tzinfo=place)
    return at.isoformat(timespec="milliseconds")
