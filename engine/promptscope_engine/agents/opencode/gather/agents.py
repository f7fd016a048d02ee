"""The agents, which one is in force, the skills, and the rules that take tools, skills and agents away."""

from collections.abc import Iterator, Mapping, Set
from difflib import get_close_matches
from functools import partial

from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.described import Described, Shelf
from promptscope_engine.agents.kit.disk.heads import misfit, setting_spans, traced
from promptscope_engine.agents.kit.disk.settings import mapping, texts
from promptscope_engine.agents.kit.disk.walking import absolute, skills_below
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.agents.opencode.materials import Agent
from promptscope_engine.agents.opencode.permissions import Rule, kept, rules_of
from promptscope_engine.agents.opencode.texts import FOLDER, IN_ALL_QUOTES, INTERACTIVE
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, stated
from promptscope_engine.prompt.drafts import FileDraft, Span, builtin, unpredictable
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.workspace import FileText

from .settings import REACH, Session

_ALIASES: Mapping[str, str] = {"write": "edit", "edit": "edit", "patch": "edit"}
"""Other names for tools in `tools`."""
_OWN_KEYS = frozenset((
    "name", "description", "mode", "prompt", "model", "variant", "tools", "permission", "steps", "maxSteps",
    "options", "hidden", "disable", "color",
))  # fmt: skip
"""The keys of an agent that the client knows: any other is an option for the model."""


# The permissions of all agents, and those of built-in ones: the later ones count.
_PERMISSIONS: Mapping[str, Json] = {
    "*": "allow",
    "doom_loop": "ask",
    "external_directory": "ask",
    "question": "deny",
    "plan_enter": "deny",
    "plan_exit": "deny",
    "read": {"*": "allow", "*.env": "ask", "*.env.*": "ask", "*.env.example": "allow"},
}
_OF_BUILT_IN: Mapping[str, Mapping[str, Json]] = {
    "build": {"question": "allow", "plan_enter": "allow"},
    "plan": {
        "question": "allow",
        "plan_exit": "allow",
        "task": {"general": "deny"},
        "edit": {"*": "deny", ".opencode/plans/*.md": "allow"},
    },
    "general": {"todowrite": "deny"},
    "explore": {
        "*": "deny",
        "grep": "allow",
        "glob": "allow",
        "list": "allow",
        "bash": "allow",
        "webfetch": "allow",
        "websearch": "allow",
        "read": "allow",
    },
    "title": {"*": "deny"},
    "summary": {"*": "deny"},
    "compaction": {"*": "deny"},
}
_SECOND_FORM = {"system": "prompt", "disabled": "disable"}
"""The other names of keys below `agents`, the newer form of `agent`."""


class Agents:
    """All agents by name."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.of_settings = tuple(self._rules(session.settings.plain))
        self.every = {agent.name: agent for agent in self._agents()}
        self.shown = [agent for agent in self.every.values() if agent.mode != "subagent" and not agent.hidden]

    def _rules(self, said: Mapping[str, Json], *below: str) -> Iterator[Rule]:
        """Those of the root or of an agent: `tools` come first, `permission` wins."""
        own, known = said.get("permission"), self.session.settings.known
        of_all = isinstance(own, str)
        own = {"*": own} if of_all else mapping(own)
        flags = ((name, on) for name, on in mapping(said.get("tools")).items() if isinstance(on, bool))
        tools = {_ALIASES.get(name, name): "allow" if on else "deny" for name, on in flags}

        def source(name: str) -> SettingSource:
            parts = ("permission",) if of_all else ("permission" if name in own else "tools", name)
            return known(*below, *parts).source

        return rules_of({**tools, **own}, source=source)

    def _agents(self) -> Iterator[Agent]:
        usual = FOLDER.bundled("agents", self.session.inputs.agent_version)
        plain = self.session.settings.plain
        modes = {name: {**mapping(said), "mode": "primary"} for name, said in mapping(plain.get("mode")).items()}
        newer = mapping(plain.get("agents")).items()
        second = {
            name: {_SECOND_FORM.get(key, key): value for key, value in mapping(said).items()} for name, said in newer
        }
        told = {**second, **mapping(plain.get("agent")), **modes}
        for name in dict.fromkeys([*usual, *told]):
            said = mapping(told.get(name))
            if said.get("disable") is True:
                continue
            bundled, below = usual.get(name), ("agent" if name in mapping(plain.get("agent")) else "mode", name)
            head = bundled.head if bundled else {}
            text = (builtin(f"agents.{name}", bundled.text),) if bundled and bundled.text else ()
            before = rules_of(_PERMISSIONS, "OpenCode's own rules")
            steps = said.get("steps", said.get("maxSteps", 0))
            yield Agent(
                name=name, mode=str(said.get("mode") or head.get("mode") or "all"),
                hidden=bool(said.get("hidden", head.get("hidden", False))),
                description=self._text(*below, "description") or text, prompt=self._text(*below, "prompt") or None,
                rules=(
                    *before, *rules_of(_OF_BUILT_IN.get(name, {}), f"the agent {name}"),
                    *self.of_settings, *self._rules(said, *below),
                ),
                options={**mapping(said.get("options")), **{k: v for k, v in said.items() if k not in _OWN_KEYS}},
                model=str(said.get("model") or ""), variant=str(said.get("variant") or ""),
                steps=steps if isinstance(steps, int) else 0, base=name if head.get("prompt") else "",
                source=self.session.settings.known(*below).source if said else None,
            )  # fmt: skip

    def _text(self, *key: str) -> tuple[Span, ...]:
        """A text of an agent, traced to its file."""
        return setting_spans(self.session.settings.text(*key), self.session.workspace)

    # --- which one ------------------------------------------------------------------------------------------------

    def chosen(self, asked: str | None) -> Agent:
        """The agent in force: the one asked for, `default_agent`, or the first primary one that is shown."""
        session, named = self.session, self.session.settings.text("default_agent")
        usual = next(iter(self.shown), None)
        if named.value:
            usual = self.every.get(named.value)
            if usual not in self.shown:
                why = "there is no such agent" if usual is None else "it is hidden or a sub-agent"
                session.refuse(f"`default_agent` names {named.value}: {why}", named.source)
        elif usual is None:
            session.refuse("every primary agent is hidden or switched off")
        agent = self.every.get(asked or "")
        if agent is not None and (agent.mode != "subagent" or session.params.entry == "interactive"):
            return agent
        about = {"unknown-agent": bool(asked) and agent is None, "subagent-as-agent": agent is not None}
        session.note(FOLDER.agent["notes"], about, asked=asked or "")
        return usual or next(iter(self.every.values()), _NONE)

    def listed(self, agent: Agent) -> list[Described]:
        """The agents that the tool `task` lists."""
        usual = tuple(FOLDER.spans("agent_described", Scope({})))
        others = (each for each in self.every.values() if each.mode != "primary")
        return [Described(e.name, e.description or usual, when=kept(agent.rules, "task", e.name)) for e in others]

    def guard_rows(self, agent: Agent) -> None:
        """The rows of agents' files: of one that is not in force, whether the tool `task` names it."""
        for other in self.every.values():
            paths = frozenset(self.session.described.get(f"agent {other.name}", ()))
            if paths and other.name != agent.name:
                remedy = f"take it: --set agent={other.name}"
                why = stated("tool", "agent", False, f"{_NOT_IN_FORCE}, and the tool task names none", remedy=remedy)
                when = why if other.mode == "primary" else kept(agent.rules, "task", other.name)
                self.session.guard(partial(_is_at, paths), when)


def _is_at(paths: Set[str], row: FileDraft) -> bool:
    return row.path in paths


_NOT_IN_FORCE = "a primary agent that is not in force"
_NONE = Agent("build", "primary", hidden=False, description=(), prompt=None, rules=())


def ignored_keys(session: Session) -> None:
    """Says of each key of an agent or command that the client doesn't know what becomes of it [asked of 1.18.33]."""
    for kind, row in FOLDER.agent["known_keys"].items():
        for name, said in session.settings.table(kind).items():
            for key in (key for key in mapping(said) if key not in row["keys"]):
                meant = row["meant"].get(key) or next(iter(get_close_matches(key, row["keys"], 1, 0.8)), "")
                text = f"`{key}` is no key of {kind} {name}: {row['says']}"
                text += f"; did you mean `{meant}`?" if meant else ""
                source = session.settings.known(kind, name, key).source
                session.say("warning" if meant else "info", "ignored-key", text, source.path, source.line)


def keeps(agent: Agent, name: str) -> Condition:
    """No rule takes a tool away, neither one of the agent's nor of the session's."""
    return kept(agent.rules, name) & RUN_DENIES.get(name, ALWAYS)


RUN_DENIES: Mapping[str, Condition] = dict.fromkeys(("question", "plan_enter", "plan_exit"), INTERACTIVE)
"""What `opencode run` denies its session."""


# --- skills ---------------------------------------------------------------------------------------------------------


_SHAPES = {"name": ("text",), "description": ("text",)}


class Skills:
    """The skills by name; of one name the last one that is found stays."""

    def __init__(self, session: Session, agent: Agent) -> None:
        self.session = session
        self.shelf = Shelf(session, "skill", lambda name: kept(agent.rules, "skill", name), first=False)
        self.every = self.shelf.every
        self.shelf.add_own(FOLDER.bundled("skills", session.inputs.agent_version), "&lt;built-in&gt;")
        for folder, when in self._places():
            deep = folder.endswith((".claude/skills", ".agents/skills"))  # only there in hidden folders, too
            is_there = session.may_read(folder, "skill") and session.workspace.is_dir(folder)
            for file in skills_below(session, folder, REACH) if is_there else ():
                if deep or "/." not in file.path.removeprefix(folder):
                    self._file(file, when)

    @property
    def listed(self) -> list[Described]:
        """Those that say what they are for."""
        return [skill for skill in self.every.values() if skill.description is not None]

    def _places(self) -> Iterator[tuple[str, Condition]]:
        session = self.session
        gates = {".claude": session.gate("claude_skills"), ".agents": session.gate("other_skills")}
        for folder in (session.home, *session.folders):  # OPENCODE_DISABLE_PROJECT_CONFIG makes no difference [asked]
            yield from ((f"{folder.rstrip('/')}/{name}/skills", when) for name, when in gates.items())
        said = session.settings.at("skills")
        named = texts(said if isinstance(said, list) else mapping(said).get("paths")) or ()
        further = (absolute(path, session.cwd, session.home) for path in named if "://" not in path)
        own = (f"{base}/{name}" for base in session.bases for name in ("skill", "skills"))
        yield from ((folder, ALWAYS) for folder in (*own, *further))

    def _file(self, file: FileText, when: Condition) -> None:
        head = self.session.heads.read(file.text)
        name, said = head.values.get("name"), head.values.get("description")
        none = "" if "name" in head.values else "its front matter has no `name`"
        if problem := head.problem or none or misfit(head.values, _SHAPES):
            self.session.warn("bad-skill", f"no skill: {problem}", file.path, 1)
            self.shelf.refuse(file, problem, when)
            return
        before, shown = self.every.get(str(name)), file.path.translate(IN_ALL_QUOTES)
        # of two the one that is read last counts, and they are read at the same time [asked]
        location = unpredictable("skill.location", shown) if before is not None and before.path else shown
        described = traced(file, said, "description") if isinstance(said, str) else None
        skill = Described(str(name), described, location, file.path, head.body, when)
        if not when.holds(Facts()):
            self.shelf.row(file, skill)
        elif before is not None and before.path and before.says == skill.says:
            self.every[skill.name] = replace(before, location=location)
            self.shelf.row(file, skill)
        else:
            self.shelf.add(file, skill)
            twice = file.path if location is not shown else None
            self.session.note(FOLDER.agent["notes"], {"skill-replaced": twice}, name=skill.name)
