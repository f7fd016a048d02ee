"""Skills, commands and custom agents: where they are, and which of them are listed."""

import os
import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby, islice
from posixpath import basename, splitext

from msgspec.structs import replace

from promptscope_engine.agents.copilot.materials import table
from promptscope_engine.agents.copilot.texts import FOLDER
from promptscope_engine.agents.kit.disk.described import Described, Shelf
from promptscope_engine.agents.kit.disk.heads import Head, Heads, misfit, traced
from promptscope_engine.agents.kit.disk.rows import located, near_entries, there
from promptscope_engine.agents.kit.disk.settings import Names, mapping, texts, unmatched
from promptscope_engine.agents.kit.disk.walking import Reach, named_files, read_below, skills_below
from promptscope_engine.agents.kit.text.markup import in_quotes
from promptscope_engine.agents.kit.text.sources import Table
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.yaml import CORE
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Span, computed, param_value, trimmed_file
from promptscope_engine.workspace import FileText

from .session import Session

_MAX_DESCRIPTION, _SHOWN_LINES, _DEPTH = 1_024, 3, 20
_KEPT = "its front matter keeps it from the model: `--agent` still takes it"
_HIDDEN = "`disable-model-invocation` keeps it from the model"
WITH_ANY = ("skill", "sql")
"""The tools that an agent has whatever its `tools` name [asked of 1.0.102]."""
_ALIASES = {
    "read": ("view",),
    "search": ("rg", "grep", "glob"),
    "shell": ("bash", "read_bash", "stop_bash", "list_bash"),
    "execute": ("bash", "read_bash", "stop_bash", "list_bash"),
    "web": ("web_fetch",),
    "agent": ("task", "read_agent", "list_agents", "write_agent"),
    "custom-agent": ("task", "read_agent", "list_agents", "write_agent"),
    "bash": ("bash", "read_bash", "stop_bash", "list_bash"),
    "runcommands": ("bash", "read_bash", "stop_bash", "list_bash"),
    "codebase": ("rg", "grep", "glob"),
    "editfiles": ("apply_patch", "edit"),
    "write": ("apply_patch", "edit", "create"),
    "todo": ("update_todo",),
    "grep": ("rg", "grep"),
    "rg": ("rg", "grep"),
    "edit": ("apply_patch", "edit", "create"),
    "create": ("apply_patch", "create"),
    "apply_patch": ("apply_patch",),
    "task": ("task", "read_agent", "list_agents", "write_agent"),
}
"""What the `tools` of an agent's front matter may say: other names for tools, and those of the other family of
models."""
# Where skills, commands and custom agents are: in folders `at` a place, `inner` being the start folder where it is not
# the root, `up` those from it up to the root, and `down` the same from the root; `but` home, whose .claude is no
# project's [asked].
_FOLDERS: Sequence[Table] = (
    {"at": "up", "below": ".github/skills", "location": "project"},
    {"at": "up", "below": ".agents/skills", "location": "project"},
    {"at": "up", "below": ".claude/skills", "but": "home", "location": "project"},
    {"at": "added", "below": ".github/skills", "location": "project"},
    {"at": "given_skills", "location": "plugin"},
    {"at": "copilot", "below": "skills", "location": "user"},
    {"at": "home", "below": ".agents/skills", "location": "user"},
    {"at": "further_skills", "location": "custom"},
    {"at": "plugin_skills", "location": "plugin"},
)
_COMMANDS: Sequence[Table] = (
    {"at": "up", "below": ".claude/commands", "but": "home", "location": "project"},
    {"at": "plugin_commands", "location": "plugin"},
)
_AGENTS: Sequence[Table] = (
    {"at": "down", "but": "home", "below": ".claude/agents"},
    {"at": "down", "below": ".github/agents"},
    {"at": "added", "below": ".github/agents"},
    {"at": "copilot", "below": "agents"},
    {"at": "plugin_agents"},
)
_BUILT_IN = ("explore", "task", "general-purpose", "code-review", "research", "security-review")
"""The agents that come with the client, in the order in which `task` names them."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")


class Lists:
    """Collects what is listed. `found_agents` are those that `--agent` may name, by each of their names."""

    def __init__(self, session: Session) -> None:
        self.session, self.heads = session, Heads(schema=CORE)
        allowed = partial(session.settings.names, "disabledSkills", wanted=False)
        self.skills = Shelf(session, "skill", allowed)
        self.commands = Shelf(session, "command", allowed, self.skills.every)
        self.agents = Shelf(session, "agent", first=False)
        self.found_agents: dict[str, Head] = {}
        self.shared: frozenset[str] = frozenset()
        """Names that skills of several plugins have: each is listed with its plugin's in front [asked of 1.0.102]."""
        self.first: dict[str, tuple[str, str]] = {}
        """The first file of each such name, and its plugin."""
        self.hidden: dict[str, str] = {}
        """Files that are kept from the model: each has its name all the same [asked of 1.0.102]."""
        self._agent_files: dict[str, FileText] = {}
        self.typed: dict[str, tuple[FileText, str]] = {}  # what a message may call by name: the file, and its text

    # --- skills ---------------------------------------------------------------------------------------------------

    def gather_skills(self) -> tuple[Described, ...]:
        """The project's, the user's, plugins', the client's own, then commands."""
        session, every = self.session, self.skills.every
        folders = located(_FOLDERS, session.folders)
        kind, may_read = session.workspace.kind, session.may_read
        there = [each for each in folders if may_read(each[0], "skill") and kind(each[0]) is not None]
        self.shared = self._shared(there)
        for _, group in groupby(there, self._source):
            self._skills([*group])
        self.skills.add_own(FOLDER.bundled("skills", session.inputs.agent_version), "builtin")
        for folder, row in located(_COMMANDS, session.folders):
            self._commands(folder, row["location"])
        disabled = session.settings.items("disabledSkills")
        session.diagnostics += unmatched([Names("disabledSkills", "skill", disabled, [*every])])
        return tuple(every.values())

    def _source(self, each: tuple[str, Table]) -> object:
        """Neighbours that have this in common are in one order: the start folder's, those above, or of one kind."""
        folder, row = each
        is_above = row["at"] == "up" and not folder.startswith(f"{self.session.cwd}/.")
        return "above" if is_above else "project" if row["at"] in ("up", "added") else row["at"]

    def _skills(self, folders: Sequence[tuple[str, Table]]) -> None:
        """The skills of these folders in the order of their names."""
        before = set(self.skills.every)
        for folder, row in folders:
            plugin = self.session.plugin_names[folder] if row["location"] == "plugin" else ""
            for file in self._below(folder):
                self._file(self.skills, file, file.path.split("/")[-2], row["location"], plugin)
        self._sort(before)

    def _below(self, folder: str) -> Iterable[FileText]:
        """Below a SKILL.md nothing is looked for."""
        session, workspace = self.session, self.session.workspace

        def enters(path: str, _is_link: bool) -> bool:
            above, _, name = path.rpartition("/")
            return name[0] != "." and workspace.kind(f"{above}/SKILL.md") is None and session.may_read(path, "skill")

        return skills_below(session, folder, Reach(_DEPTH, enters=enters))

    def _shared(self, folders: Sequence[tuple[str, Table]]) -> frozenset[str]:
        of_plugins = [folder for folder, row in folders if row["location"] == "plugin"]
        names = {folder: {self._name(file) for file in self._below(folder)} for folder in of_plugins}
        counts = Counter(name for each in names.values() for name in each) if len(names) > 1 else Counter[str]()
        return frozenset(name for name, count in counts.items() if count > 1)

    def _name(self, file: FileText) -> str:
        return _named(self.heads.read(file.text), file.path.split("/")[-2])[0]

    def _sort(self, before: Container[str]) -> None:
        every = self.skills.every
        every |= {name: every.pop(name) for name in sorted(every, key=os.fsencode) if name not in before}

    def _commands(self, folder: str, location: str) -> None:
        """Commands are listed as skills are."""
        before = set(self.skills.every)
        for file in read_below(self.session, folder, "command", "", Reach(0)):
            stem, ending = splitext(basename(file.path))
            if ending.lower() == ".md":
                self._file(self.commands, file, stem, location)
        self._sort(before)
        self.session.files += near_entries(self.session.workspace, folder, "command")

    def _file(self, shelf: Shelf, file: FileText, own: str, location: str, plugin: str = "") -> None:
        """What a file says of itself in its front matter, without which a command does."""
        head = self.heads.read(file.text)
        name, description = _named(head, own)
        unread = "" if file.found else f"it cannot be read: {file.detail}"
        unclosed = "its front matter is not closed" if head.body.startswith("---") and not head.values else ""
        lacks = head.lacks if shelf is self.skills else head.problem or unclosed
        problem = unread or lacks or _unfit(shelf.kind, head.values, name, description)
        if problem in ("", _HIDDEN):
            self.typed.setdefault(name, (file, head.body))
        if problem:
            if problem == _HIDDEN:
                self.hidden.setdefault(name, file.path)
            shelf.refuse(file, problem)
            if head.line:
                self.session.warn(f"{shelf.kind}-dropped", problem, file.path, head.line)
            return
        shown = in_quotes(traced(file, description, "skill.description"), "skill.description")
        each = Described(name, shown, location, file.path, when=there(file.path, f"the {shelf.kind}"))
        self._add(shelf, file, each, plugin)

    def _add(self, shelf: Shelf, file: FileText, each: Described, plugin: str) -> None:
        """Puts it onto its shelf; one of a name that several plugins have only if none but theirs has it before."""
        if each.name not in {*self.shared, *self.hidden}:
            shelf.add(file, each)
            return
        first, other = self.first.setdefault(each.name, (self.hidden.get(each.name, file.path), plugin))
        if first == file.path or (plugin and other and each.name not in self.hidden):
            shelf.add(file, replace(each, name=f"{plugin}:{each.name}" if plugin else each.name))
        else:
            no = f"another {shelf.kind} is called {each.name}, and the first one counts"
            shelf.refuse(file, no, remedy=f"rename {file.path}", actual=first)

    # --- custom agents --------------------------------------------------------------------------------------------

    def gather_agents(self) -> tuple[Described, ...]:
        """The repository's and the user's, sorted by name; of one file's name the user's counts [asked]."""
        for folder, row in located(_AGENTS, self.session.folders):
            self._agents(folder, f"{self.session.plugin_names[folder]}:" if row["at"] == "plugin_agents" else "")
        return tuple(sorted(self.agents.every.values(), key=lambda each: os.fsencode(each.name)))

    def _agents(self, top: str, prefix: str = "") -> None:
        """Folders below are part of the name."""
        seen: set[str] = set()
        enters = lambda path, is_link: not is_link and basename(path)[0] != "."  # noqa: E731
        for name, file in named_files(self.session, top, "agent", Reach(_DEPTH, enters=enters)):
            own = f"{prefix}{name.removesuffix('.agent').replace('/', '--')}"
            if own in seen:
                self.agents.refuse(file, f"another file of its folder is called {own}, and the first one counts")
            elif basename(name)[0] != ".":
                seen.add(own)
                self._agent(file, own, prefix)

    def _agent(self, file: FileText, own: str, prefix: str) -> None:
        head = self.heads.read(file.text)
        named, said = head.values.get("name"), head.values.get("description")
        name = str(named) if named and not prefix else own
        problem = head.lacks or misfit(head.values, table("front_matter")["agent"]["types"])
        servers = [*map(mapping, mapping(head.values.get("mcp-servers")).values())]
        if not problem and any(not isinstance(each.get("tools"), list) for each in servers):
            problem = "a server of its front matter does not say which `tools` it has"
        if not problem and any("command" in each and not isinstance(each.get("args"), list) for each in servers):
            problem = "a server of its front matter has a `command` without `args`"
        is_kept = head.values.get("infer") is False or head.values.get("disable-model-invocation") is True
        problem = problem or ("it has no description" if said is None else "")
        if not problem:
            self.found_agents[own] = self.found_agents[name] = head
            self._agent_files[own] = self._agent_files[name] = file
            is_off = name in self._disabled_agents
            problem = "`subagents.disabledSubagents` names it" if is_off else _KEPT if is_kept else ""
        if problem:
            self.agents.refuse(file, problem)
            return
        spans = traced(file, str(said), "agent.description")
        self.agents.add(file, Described(name, spans, path=file.path, when=there(file.path, "the agent"), key=own))

    @property
    def _disabled_agents(self) -> list[str]:
        return self.session.settings.texts("subagents", "disabledSubagents") or []

    def offers(self, name: str) -> Condition:
        """The user's settings leave a built-in agent [asked]."""
        return self.session.settings.names("subagents.disabledSubagents", name, wanted=False)

    def built_in(self) -> list[str]:
        """The built-in agents that the user's settings leave."""
        return [name for name in _BUILT_IN if name not in self._disabled_agents]

    def preferred_models(self) -> list[dict[str, object]]:
        """The agents that are there with the models that the user's settings have for them [asked]."""
        known = {*self.built_in(), *(each.name for each in self.agents.every.values())}
        given = self.session.settings.table("subagents", "agents").items()
        models = ((name, mapping(each).get("model")) for name, each in given if name in known)
        return [
            {"agent": name, "model": computed("subagents", model)}
            for name, model in models
            if isinstance(model, str) and model not in ("", "inherit")
        ]

    def chosen(self) -> Head | None:
        """The agent that `--agent` names; an unknown one stops the start."""
        name = self.session.params.args.agent
        if name and name not in self.found_agents:
            what = "is built in, and cannot be chosen" if name in _BUILT_IN else "does not exist"
            known = ", ".join(sorted(each.name for each in self.agents.every.values())) or "none"
            self.session.refuse(f"--agent {name}: it {what}; custom agents: {known}")
        return self.found_agents.get(name)

    def chosen_text(self) -> Span:
        """What it says, with its place in its file."""
        name = self.session.params.args.agent or ""
        body = self.found_agents[name].body.strip() if name in self.found_agents else ""
        file = self._agent_files.get(name)
        is_in = file is not None and body in file.text
        return trimmed_file(file.path, file.text, body) if file and is_in else param_value("args.agent", body)


def _named(head: Head, own: str) -> tuple[str, str]:
    """The name and description of a skill or command: its first lines but for headings, where nothing describes it."""
    lines = (line.strip() for line in head.body.split("\n") if line.strip() and line[0] != "#")
    shown = " ".join(islice(lines, _SHOWN_LINES))[:_MAX_DESCRIPTION]
    name = re.sub(r"\s+", "-", str(head.values.get("name", own)).strip())
    return name, str(head.values.get("description", shown))


def _unfit(kind: str, values: Mapping[str, Json], name: str, description: str) -> str:
    if values.get("disable-model-invocation") is True:
        return _HIDDEN
    if not _NAME.fullmatch(name):
        return f"its name {name} may have 64 letters, digits and signs of . _ : -, and begins with a letter or digit"
    if len(description) > _MAX_DESCRIPTION:
        return f"its description has {len(description):,} characters, of which {_MAX_DESCRIPTION:,} are allowed"
    return misfit(values, table("front_matter")[kind]["types"])


def tools_of(head: Head, of_servers: Mapping[str, Sequence[str]]) -> list[str] | None:
    """The tools that an agent's front matter leaves, in its order; None for all. `of_servers` has those of servers."""
    given = head.values.get("tools")
    listed = given.split(",") if isinstance(given, str) else texts(given)
    if listed is None or "*" in (named := [each.strip().lower() for each in listed]):
        return None
    known = {**{name: [name] for name in table("tools")["order"]}, **_ALIASES, **of_servers}
    wanted = [tool for each in (*named, *WITH_ANY) for tool in known.get(each, ())]
    return list(dict.fromkeys(wanted))
