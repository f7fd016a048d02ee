"""Skills, commands and custom agents: where they are, and which of them are listed."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.copilot.gates import table
from promptscope_engine.agents.copilot.materials import Skill, SubAgent
from promptscope_engine.agents.copilot.texts import FOLDER
from promptscope_engine.agents.kit.heads import Budget, head_of, traced
from promptscope_engine.agents.kit.markup import IN_QUOTES
from promptscope_engine.agents.kit.rows import absent, near_entries, near_skills
from promptscope_engine.agents.kit.settings import Names, texts, unmatched
from promptscope_engine.agents.kit.walking import upwards
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.front_matter import FrontMatter
from promptscope_engine.formats.yaml import JS_YAML, YamlError
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import FileDraft, Span, builtin, computed
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.workspace import FileText

from .session import Session

_MAX_DESCRIPTION, _MAX_NAME = 1_024, 64
_MOST = 500
_PLACES = (".github", ".agents", ".claude")


class Head(Struct, frozen=True):
    """A file's front matter, None where it has none that can be read, and the text behind it."""

    values: Mapping[str, Json] | None
    body: str
    problem: str = ""
    line: int | None = None


def read_head(text: str, budget: Budget) -> Head:
    """What a file says of itself."""
    front = head_of(text)
    if front is None:
        return Head(None, text, "it has no front matter")
    body = text[text.index(front) + len(front) :].partition("---")[2].lstrip("\r\n")
    if not budget.allows(front):
        return Head(None, body, "more front matter was read already than is read here")
    try:
        value = FrontMatter(f"{front}\n").parse(JS_YAML).value
    except YamlError as error:
        return Head(None, body, f"its front matter is not valid YAML: {error.message}", error.line)
    return Head(value, body) if isinstance(value, dict) else Head(None, body, "its front matter has no keys")


@dataclass(eq=False, repr=False)
class Lists:
    """Collects what is listed."""

    session: Session
    budget: Budget = field(default_factory=Budget)
    skills: dict[str, Skill] = field(default_factory=dict)
    agents: dict[str, SubAgent] = field(default_factory=dict)
    found_agents: dict[str, tuple[FileText, Head]] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    """By the name of a skill or an agent (behind `agent:`): its file."""

    # --- skills ---------------------------------------------------------------------------------------------------

    def gather_skills(self, plugins: Sequence[str]) -> tuple[Skill, ...]:
        """The project's, the user's, plugins', the client's own, then commands."""
        session = self.session
        up = upwards(session.cwd, session.root if session.is_repository else None)
        by_place = [[f"{folder.rstrip('/')}/{place}/skills" for folder in up] for place in _PLACES]
        for path in [path for folders in by_place for folder in folders for path in self._in(folder)]:
            self._skill(path, "project")
        if session.cwd == session.root:
            self.skills = {name: self.skills[name] for name in sorted(self.skills, key=os.fsencode)}
        added = (f"{resolve(session.cwd, each)}/.github/skills" for each in session.params.args.addDir)
        user = (f"{session.home}/skills", f"{session.inputs.home.rstrip('/')}/.agents/skills")
        groups = ((added, "project"), (user, "user"), ((f"{each}/skills" for each in plugins), "plugin"))
        for folders, location in groups:
            for folder in folders:
                for path in self._in(folder):
                    self._skill(path, location)
        for name, bundled in FOLDER.bundled("skills", session.inputs.agent_version).items():
            self._list(name, (builtin(f"skills.{name}", bundled.text),), "builtin", ALWAYS)
        for folder, location in (
            (f"{session.cwd}/.claude/commands", "project"),
            *((f"{p}/commands", "plugin") for p in plugins),
        ):
            self._commands(folder, location)
        names = [*self.skills]
        disabled = session.settings.items("disabledSkills")
        session.diagnostics += unmatched([Names("disabledSkills", "skill", disabled, names)])
        return tuple(self.skills.values())

    def _in(self, folder: str) -> Iterator[str]:
        """The SKILL.md files of a folder of skills: one directly in it hides those beside it."""
        workspace = self.session.workspace
        if workspace.kind(folder) is None or not self.session.may_read(folder, "skill"):
            return
        if workspace.kind(f"{folder}/SKILL.md") == "file":
            yield f"{folder}/SKILL.md"
            return
        for entry in workspace.list(folder).entries[:_MOST]:
            path = f"{folder}/{entry.name}"
            is_open = workspace.kind(path) == "directory" and self.session.may_read(path, "skill")
            if is_open and workspace.kind(f"{path}/SKILL.md") is not None:
                yield f"{path}/SKILL.md"
        self.session.files += near_skills(workspace, folder, root=True)

    def _skill(self, path: str, location: str) -> None:
        file = self.session.workspace.read(path)
        head = read_head(file.text, self.budget)
        values = head.values or {}
        name = str(values.get("name") or path.split("/")[-2]).strip().replace(" ", "-")
        said = values.get("description")
        description = said if isinstance(said, str) and said.strip() else _first_line(head.body)
        problem = head.problem
        if head.values is not None:
            problem = _unfit(values, name, description)
        if not file.found:
            problem = f"it cannot be read: {file.detail}"
        elif not problem and name in self.skills:
            no = f"another skill is called {name}, and the first one counts"
            self.session.row(file, "skill", "always", _hidden(path, no, self.paths.get(name, name)))
            return
        if problem:
            self.session.row(file, "skill", "always", absent(path, problem, f"correct {path}"))
            if head.line:
                self.session.warn("skill-dropped", problem, path, head.line)
            return
        when = Fact("file", path, True, "the skill was found", "", remedy=f"delete {path}")
        escaped = description.translate(IN_QUOTES)
        shown = (computed("skill.description", escaped),) if escaped != description else ()
        allowed = self._list(name, shown or traced(file, description, "skill.description"), location, when)
        self.paths.setdefault(name, path)
        self.session.row(file, "skill", "always", allowed, description)

    def _list(self, name: str, description: tuple[Span, ...], location: str, when: Condition) -> Condition:
        """A skill is listed unless the settings disable it."""
        disabled = self.session.settings.items("disabledSkills")
        source = next((each.source for each in disabled if each.value == name), None)
        if source is not None:
            when = when & absent_from("disabledSkills", name, source)
        self.skills[name] = Skill(name, description, location, when)
        return when

    def _commands(self, folder: str, location: str) -> None:
        session = self.session
        if session.workspace.kind(folder) is None:
            return
        for entry in session.workspace.list(folder).entries[:_MOST]:
            path, name = f"{folder}/{entry.name}", entry.name.removesuffix(".md")
            if not entry.name.endswith(".md") or session.workspace.kind(path) != "file":
                continue
            file = session.workspace.read(path)
            head = read_head(file.text, self.budget)
            said = (head.values or {}).get("description")
            description = said if isinstance(said, str) and said else _first_line(head.body)
            when = Fact("file", path, True, "the command was found", "", remedy=f"delete {path}")
            if name in self.skills:
                session.row(file, "command", "always", absent(path, f"a skill is called {name}", f"rename {path}"))
            else:
                spans = (computed("skill.description", description.translate(IN_QUOTES)),)
                when_listed = self._list(name, spans, location, when)
                session.row(file, "command", "always", when_listed, description)
        session.files += near_entries(session.workspace, folder, "command")

    # --- custom agents --------------------------------------------------------------------------------------------

    def gather_agents(self, plugins: Sequence[str]) -> tuple[SubAgent, ...]:
        """The repository's and the user's, sorted by name; of one name the user's counts."""
        session = self.session
        ends = dict.fromkeys((session.root, session.cwd))
        project = [f"{folder}/{place}/agents" for folder in ends for place in (".claude", ".github")]
        added = [f"{resolve(session.cwd, each)}/.github/agents" for each in session.params.args.addDir]
        for folder in (*project, *added, f"{session.home}/agents"):
            self._agents(folder, folder, "")
        for plugin in plugins:
            self._agents(f"{plugin}/agents", f"{plugin}/agents", f"{plugin.rpartition('/')[2]}:")
        return tuple(self.agents[name] for name in sorted(self.agents, key=str.encode))

    def _agents(self, top: str, folder: str, prefix: str) -> None:
        session, workspace = self.session, self.session.workspace
        for entry in workspace.list(folder).entries[:_MOST]:
            path = f"{folder}/{entry.name}"
            if entry.kind == "directory":
                self._agents(top, path, prefix)
            elif entry.name.endswith(".md") and workspace.kind(path) == "file":
                inner = path.removeprefix(f"{top}/").removesuffix(".md").removesuffix(".agent")
                self._agent(workspace.read(path), f"{prefix}{inner.replace('/', '--')}", prefix)
        if folder == top and workspace.kind(top) is not None:
            session.files += near_entries(workspace, top, "agent")

    def _agent(self, file: FileText, own: str, prefix: str) -> None:
        session = self.session
        head = read_head(file.text, self.budget)
        values = head.values or {}
        named = values.get("name")
        name = f"{prefix}{named}" if isinstance(named, str) and named else own
        if head.values is not None:
            self.found_agents[own] = self.found_agents[name] = (file, head)
        said, problem = values.get("description"), head.problem
        if not problem and not (isinstance(said, str) and said.strip()):
            problem = "it has no description"
        elif values.get("infer") is False or values.get("disable-model-invocation") is True:
            problem = "its front matter keeps it from the model: `--agent` still takes it"
        if problem:
            session.row(file, "agent", "always", absent(file.path, problem, f"correct {file.path}"))
            return
        before = self.agents.get(name)
        if before:
            no, remedy = f"another agent is called {name}, which counts", f"rename {file.path}"
            self._guard(
                lambda row: row.path == self.paths[f"agent:{name}"], absent(self.paths[f"agent:{name}"], no, remedy)
            )
        when = Fact("file", file.path, True, "the agent was found", "", remedy=f"delete {file.path}")
        self.paths[f"agent:{name}"] = file.path
        self.agents[name] = SubAgent(name, traced(file, str(said).strip(), "agent.description"))
        session.row(file, "agent", "always", when, str(said))

    def only_with(self, tools: Mapping[str, Condition]) -> None:
        """What is listed for a tool is there with the tool alone: by the kind of its rows."""
        for kind, when in tools.items():
            self._guard(lambda row, kind=kind: row.kind == kind, when)  # type: ignore[misc]

    def _guard(self, is_meant: Callable[[FileDraft], bool], when: Condition) -> None:
        files = self.session.files
        files[:] = [replace(row, when=row.when & when) if is_meant(row) else row for row in files]

    def chosen(self) -> tuple[FileText, Head] | None:
        """The agent that `--agent` names; an unknown one stops the start."""
        name = self.session.params.args.agent
        if not name:
            return None
        found = self.found_agents.get(name)
        if found is None:
            what = "is built in, and cannot be chosen" if name in table("agents")["built_in"] else "does not exist"
            known = ", ".join(sorted(self.agents)) or "none"
            self.session.refuse(f"--agent {name}: it {what}; custom agents: {known}")
        return found


def _hidden(path: str, no: str, by: str) -> Condition:
    """Another file takes its place."""
    return Fact("file", path, False, "", no, actual=by, remedy=f"rename {path}")


def _unfit(values: Mapping[str, Json], name: str, description: str) -> str:
    if values.get("disable-model-invocation") is True:
        return "`disable-model-invocation` keeps it from the model"
    if len(name) > _MAX_NAME:
        return f"its name has {len(name)} characters, of which {_MAX_NAME} are allowed"
    if len(description) > _MAX_DESCRIPTION:
        return f"its description has {len(description):,} characters, of which {_MAX_DESCRIPTION:,} are allowed"
    return "" if description else "it has neither a description nor a text"


def absent_from(key: str, name: str, source: SettingSource) -> Condition:
    """A setting leaves it out."""
    remedy = f"take {name} out of `{key}`"
    return Fact("flag", key, False, "", f"`{key}` names {name}", source=source, remedy=remedy)


def _first_line(body: str) -> str:
    return next((line.strip() for line in body.split("\n") if line.strip()), "")


def tools_of(head: Head, names: Sequence[str]) -> list[str] | None:
    """The tools that an agent's front matter leaves, in its order; None for all."""
    given = texts((head.values or {}).get("tools"))
    if given is None or "*" in given:
        return None
    aliases = table("tools")["aliases"]
    wanted = [tool for each in given for tool in aliases.get(each, [each])]
    return list(dict.fromkeys(name for name in (*wanted, "skill", "sql") if name in names))
