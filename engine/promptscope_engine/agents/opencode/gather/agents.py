"""The agents, which one is in force, and the rules that take tools, skills and agents away."""

from collections.abc import Iterator, Mapping

from promptscope_engine.agents.kit.heads import traced
from promptscope_engine.agents.kit.settings import mapping
from promptscope_engine.agents.opencode.gates import INTERACTIVE
from promptscope_engine.agents.opencode.materials import Agent
from promptscope_engine.agents.opencode.permissions import Rule, kept, rules_of
from promptscope_engine.agents.opencode.texts import FOLDER
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Span, builtin, param_value, trimmed_file

from .settings import Session

_ALIASES: Mapping[str, str] = FOLDER.agent["tool_aliases"]
_OWN_KEYS = frozenset(FOLDER.agent["agent_keys"])
"""The keys of an agent that the client knows: any other is an option for the model."""


def permissions(said: Mapping[str, Json]) -> Mapping[str, Json]:
    """The permissions of some settings, of the root or of an agent: `tools` come first, `permission` wins."""
    tools = {
        _ALIASES.get(name, name): "allow" if on else "deny"
        for name, on in mapping(said.get("tools")).items()
        if isinstance(on, bool)
    }
    own = said.get("permission")
    own = {"*": own} if isinstance(own, str) else mapping(own)
    return {**tools, **own}


class Agents:
    """All agents by name."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.of_settings = tuple(self._rules(permissions(session.settings.plain), ()))
        self.every = {agent.name: agent for agent in self._agents()}

    def _rules(self, said: Mapping[str, Json], below: tuple[str, ...]) -> Iterator[Rule]:
        known, plain = self.session.settings.known, self.session.at(*below, "permission")
        keys: list[tuple[str, ...]] = [
            ("permission", name) if name in mapping(plain) else ("tools", name) for name in said
        ]
        if isinstance(plain, str):  # for everything
            keys = [("permission",)] * len(said)
        return rules_of(said, [known(*below, *key).source for key in keys])

    def _agents(self) -> Iterator[Agent]:
        usual, own = FOLDER.bundled("agents", self.session.inputs.agent_version), FOLDER.agent["agents"]
        plain = self.session.settings.plain
        modes = {name: {**mapping(said), "mode": "primary"} for name, said in mapping(plain.get("mode")).items()}
        told = {**self._second_form(), **mapping(plain.get("agent")), **modes}
        for name in dict.fromkeys([*usual, *told]):
            said = mapping(told.get(name))
            if said.get("disable") is True:
                continue
            bundled, table = usual.get(name), own.get(name, {})
            head = bundled.head if bundled else {}
            before = list(rules_of(FOLDER.agent["permissions"], words="OpenCode's own rules"))
            before += rules_of(table, words=f"the agent {name}")
            below = ("agent", name) if name in mapping(plain.get("agent")) else ("mode", name)
            text = (builtin(f"agents.{name}", bundled.text),) if bundled and bundled.text else ()
            options = {key: value for key, value in said.items() if key not in _OWN_KEYS}
            options |= {**mapping(said.get("options")), **{k: said[k] for k in ("temperature", "top_p") if k in said}}
            steps = said.get("steps", said.get("maxSteps", 0))
            yield Agent(
                name,
                str(said.get("mode") or head.get("mode") or "all"),
                bool(said.get("hidden", head.get("hidden", False))),
                self._text((*below, "description")) or text,
                self._text((*below, "prompt")) or None,
                (*before, *self.of_settings, *self._rules(permissions(said), below)),
                options,
                str(said.get("model") or ""),
                str(said.get("variant") or ""),
                steps if isinstance(steps, int) else 0,
                name if head.get("prompt") else "",
                self.session.settings.known(*below).source if said else None,
            )

    def _second_form(self) -> dict[str, Json]:
        """`agents`, the newer form of the key, whose names differ."""
        names = FOLDER.agent["second_form"]
        return {
            name: {names.get(key, key): value for key, value in mapping(said).items()}
            for name, said in mapping(self.session.at("agents")).items()
        }

    def _text(self, key: tuple[str, ...]) -> tuple[Span, ...]:
        """A text of an agent, traced to its file."""
        known = self.session.settings.known(*key)
        text, source = known.value, known.source
        if not isinstance(text, str) or not text:
            return ()
        if source.path is None:
            return (param_value(source.overlay or source.key, text),)
        file = self.session.workspace.read(source.path)
        if key[-1] == "prompt" and source.path.endswith(".md") and text in file.text:
            return (trimmed_file(file.path, file.text, text),)
        return traced(file, text, ".".join(key))

    # --- which one ------------------------------------------------------------------------------------------------

    def chosen(self, asked: str | None) -> Agent:
        """The agent in force: the one asked for, `default_agent`, or the first primary one that is shown."""
        session, named = self.session, self.session.settings.text("default_agent")
        shown = [agent for agent in self.every.values() if agent.mode != "subagent" and not agent.hidden]
        usual = shown[0] if shown else None
        if named.value:
            usual = self.every.get(named.value)
            if usual not in shown:
                why = "there is no such agent" if usual is None else "it is hidden or a sub-agent"
                session.refuse(f"`default_agent` names {named.value}: {why}", named.source.path, named.source.line)
        elif usual is None:
            session.refuse("every primary agent is hidden or switched off")
        if asked:
            agent = self.every.get(asked)
            if agent is not None and (agent.mode != "subagent" or session.params.entry == "interactive"):
                return agent
            code = "unknown-agent" if agent is None else "subagent-as-agent"
            why = "there is no such agent" if agent is None else "it is a sub-agent"
            session.warn(code, f"`--agent {asked}` is passed over: {why}")
        return usual or next(iter(self.every.values()), _NONE)

    def listed(self, agent: Agent) -> Iterator[tuple[Agent, Condition]]:
        """The agents that the tool `task` lists."""
        for each in self.every.values():
            if each.mode != "primary":
                yield each, kept(agent.rules, "task", each.name)


_NONE = Agent("build", "primary", hidden=False, description=(), prompt=None, rules=())


def keeps(agent: Agent, name: str) -> Condition:
    """No rule takes a tool away, neither one of the agent's nor of the session's."""
    of_session = RUN_DENIES.get(name)
    return kept(agent.rules, name) & of_session if of_session else kept(agent.rules, name)


RUN_DENIES: Mapping[str, Condition] = dict.fromkeys(FOLDER.agent["run_denies"], INTERACTIVE)
