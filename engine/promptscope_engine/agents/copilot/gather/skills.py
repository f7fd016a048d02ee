"""Skills, commands and custom agents: where they are, and which of them are listed."""

import os
from collections.abc import Mapping, Sequence

from promptscope_engine.agents.copilot.gates import table
from promptscope_engine.agents.copilot.texts import FOLDER
from promptscope_engine.agents.kit.described import Described, Shelf, skill_paths
from promptscope_engine.agents.kit.heads import Head, Heads, traced
from promptscope_engine.agents.kit.markup import in_quotes
from promptscope_engine.agents.kit.rows import located, near_entries, near_skills, there
from promptscope_engine.agents.kit.settings import Names, texts, unmatched
from promptscope_engine.agents.kit.walking import Reach, linked_below, without_links
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import computed
from promptscope_engine.workspace import FileText

from .session import Session

_MAX_DESCRIPTION, _MAX_NAME = 1_024, 64
_MOST, _DEPTH = 500, 20


class Lists:
    """Collects what is listed. `found_agents` are those that `--agent` may name, by each of their names."""

    def __init__(self, session: Session) -> None:
        self.session, self.heads = session, Heads()
        self.skills = Shelf(session, "skill", self._allowed)
        self.commands = Shelf(session, "command", self._allowed, self.skills.every)
        self.agents = Shelf(session, "agent")
        self.found_agents: dict[str, Head] = {}

    def _allowed(self, name: str) -> Condition:
        return self.session.settings.names("disabledSkills", name, wanted=False)

    # --- skills ---------------------------------------------------------------------------------------------------

    def gather_skills(self) -> tuple[Described, ...]:
        """The project's, the user's, plugins', the client's own, then commands."""
        session, every = self.session, self.skills.every
        self._skills("project")
        if session.cwd == session.root:
            in_order = {name: every[name] for name in sorted(every, key=os.fsencode)}
            every.clear()
            every.update(in_order)
        self._skills("further")
        self.skills.add_own(FOLDER.bundled("skills", session.inputs.agent_version), "builtin")
        for folder, row in located(table("skills")["commands"], session.folders):
            self._commands(folder, row["location"])
        names = Names("disabledSkills", "skill", session.settings.items("disabledSkills"), [*every])
        session.diagnostics += unmatched([names])
        return tuple(every.values())

    def _skills(self, which: str) -> None:
        """A SKILL.md directly in a folder of skills hides those beside it."""
        session, workspace = self.session, self.session.workspace
        for folder, row in located(table("skills")[which], session.folders):
            names = [entry.name for entry in workspace.list(folder).entries if entry.kind != "file"][:_MOST]
            paths = [*skill_paths(session, folder, names)]
            hides = f"{folder}/SKILL.md" in paths
            for path in paths[:1] if hides else paths:
                self._skill(workspace.read(path), row["location"])
            session.files += () if hides else near_skills(workspace, folder, root=True)

    def _skill(self, file: FileText, location: str) -> None:
        head = self.heads.read(file.text)
        name = str(head.values.get("name") or file.path.split("/")[-2]).strip().replace(" ", "-")
        description = _described(head)
        problem = head.lacks or _unfit(head.values, name, description)
        if not file.found:
            problem = f"it cannot be read: {file.detail}"
        if problem:
            self.skills.refuse(file, problem)
            if head.line:
                self.session.warn("skill-dropped", problem, file.path, head.line)
        elif not self.skills.is_taken(file, name):
            shown = in_quotes(traced(file, description, "skill.description"), "skill.description")
            self.skills.add(file, Described(name, shown, location, file.path, when=there(file.path, "the skill")))

    def _commands(self, folder: str, location: str) -> None:
        """Commands are listed as skills are."""
        workspace = self.session.workspace
        for file in map(workspace.read, linked_below(workspace, folder, ".md", Reach(0))):
            name = file.path.rpartition("/")[2].removesuffix(".md")
            description = _described(self.heads.read(file.text))
            if not self.skills.is_taken(file, name):
                shown = in_quotes((computed("skill.description", description),), "skill.description")
                when = there(file.path, "the command")
                self.commands.add(file, Described(name, shown, location, file.path, when=when))
        self.session.files += near_entries(workspace, folder, "command")

    # --- custom agents --------------------------------------------------------------------------------------------

    def gather_agents(self) -> tuple[Described, ...]:
        """The repository's and the user's, sorted by name; of one name the user's counts."""
        for folder, row in located(table("agents")["folders"], self.session.folders):
            self._agents(folder, f"{folder.split('/')[-2]}:" if row["at"] == "plugins" else "")
        return tuple(self.agents.every[name] for name in sorted(self.agents.every, key=str.encode))

    def _agents(self, top: str, prefix: str = "") -> None:
        """Folders below are part of the name."""
        workspace = self.session.workspace
        for path in linked_below(workspace, top, ".md", Reach(_DEPTH, enters=without_links)):
            own = path.removeprefix(f"{top}/").removesuffix(".md").removesuffix(".agent").replace("/", "--")
            self._agent(workspace.read(path), f"{prefix}{own}", prefix)
        self.session.files += near_entries(workspace, top, "agent")

    def _agent(self, file: FileText, own: str, prefix: str) -> None:
        head = self.heads.read(file.text)
        named, said = head.values.get("name"), head.values.get("description")
        name, problem = f"{prefix}{named}" if isinstance(named, str) and named else own, head.lacks
        if head.values:
            self.found_agents[own] = self.found_agents[name] = head
        if not problem and not (isinstance(said, str) and said.strip()):
            problem = "it has no description"
        elif head.values.get("infer") is False or head.values.get("disable-model-invocation") is True:
            problem = "its front matter keeps it from the model: `--agent` still takes it"
        if problem:
            self.agents.refuse(file, problem)
            return
        self.agents.replace(name, file.path)
        spans = traced(file, str(said).strip(), "agent.description")
        self.agents.add(file, Described(name, spans, path=file.path, when=there(file.path, "the agent")))

    def chosen(self) -> Head | None:
        """The agent that `--agent` names; an unknown one stops the start."""
        name = self.session.params.args.agent
        if name and name not in self.found_agents:
            what = "is built in, and cannot be chosen" if name in table("agents")["built_in"] else "does not exist"
            known = ", ".join(sorted(self.agents.every)) or "none"
            self.session.refuse(f"--agent {name}: it {what}; custom agents: {known}")
        return self.found_agents.get(name)


def _described(head: Head) -> str:
    """The description, else the first line of the text."""
    said = head.values.get("description")
    if isinstance(said, str) and said.strip():
        return said
    return next((line.strip() for line in head.body.split("\n") if line.strip()), "")


def _unfit(values: Mapping[str, Json], name: str, description: str) -> str:
    if values.get("disable-model-invocation") is True:
        return "`disable-model-invocation` keeps it from the model"
    if len(name) > _MAX_NAME:
        return f"its name has {len(name)} characters, of which {_MAX_NAME} are allowed"
    if len(description) > _MAX_DESCRIPTION:
        return f"its description has {len(description):,} characters, of which {_MAX_DESCRIPTION:,} are allowed"
    return "" if description else "it has neither a description nor a text"


def tools_of(head: Head, names: Sequence[str]) -> list[str] | None:
    """The tools that an agent's front matter leaves, in its order; None for all."""
    given = texts(head.values.get("tools"))
    if given is None or "*" in given:
        return None
    aliases = table("tools")["aliases"]
    wanted = [tool for each in given for tool in aliases.get(each, [each])]
    return list(dict.fromkeys(name for name in (*wanted, "skill", "sql") if name in names))
