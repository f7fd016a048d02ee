"""Which agent reads which file, and what each pays; files that no agent reads, and lines that are in two."""

import errno
import posixpath
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Literal, NamedTuple, get_args

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Agent, Describes
from promptscope_engine.agents.features import LazyFile, LoadsLazily
from promptscope_engine.agents.kit.disk.heads import Heads
from promptscope_engine.agents.kit.disk.rows import nowhere
from promptscope_engine.agents.kit.disk.walking import absolute
from promptscope_engine.assembly.assembler import assemble, source_files
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.assembly.resolve import Resolved, resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import nested
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly, Reason, SourceFile
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import Entry, made_stat
from promptscope_engine.workspace.paths import home_short, path_in
from promptscope_engine.workspace.repository import list_files

from .repeats import Repeat, Shared, shared_lines

Taken = Literal["taken", "later", "left"]
_TAKEN: tuple[Taken, ...] = get_args(Taken)
"""What counts most comes first."""

MODELLED = re.compile(
    r"(?:^|/)(?:"
    r"(?:AGENTS?|CLAUDE|GEMINI)(?:\.\w+)?\.md|copilot-instructions\.md|\.clinerules|\.roorules(?:-[\w-]+)?|"
    r"(?:\.clinerules|\.github/instructions|\.roo/rules(?:-[\w-]+)?|\.claude/(?:rules|agents|skills|commands)|"
    r"\.agents/skills)/.+\.(?:md|mdc|txt)"
    r")\Z"
)
"""Names by which the modelled agents know their instruction files,"""
_OTHERS = re.compile(
    r"(?:^|/)(?:"
    r"(?:QWEN|CONVENTIONS)(?:\.\w+)?\.md|\.(?:cursorrules|windsurfrules|goosehints)|"
    r"(?:\.cursor/rules|\.windsurf/rules|\.continue/rules|\.kiro/steering|\.junie)/.+\.(?:md|mdc|txt)"
    r")\Z"
)
"""and those by which others do."""


def _is_instructions(name: str) -> bool:
    return bool(MODELLED.search(name) or _OTHERS.search(name))


class AgentUse(Struct, frozen=True):
    """What one agent makes of a file: taken into its prompt, loaded later, or left.

    `tokens` are those in the prompt, None if they are not counted; `why` says why it is left or when it loads.
    """

    taken: Taken
    kind: str
    tokens: int | None = 0
    why: str = ""


class AgentTotal(Struct, frozen=True):
    """An agent with the expected tokens of its whole prompt.

    `error` says why nothing is known, `refused` why the agent would not start; then it sends nothing.
    """

    id: str
    name: str
    tokens: int | None = None
    error: str | None = None
    refused: str | None = None


class FileUse(Struct, frozen=True):
    """A file by its path (relative to the repository, `~/…` or absolute): each agent's use.

    `names` are all paths that lead to it, as agents look for it, its own last; `path` is the first of them. `shared`
    are the lines that the prompt of some agent has elsewhere too.
    """

    path: str
    real_path: str
    uses: Mapping[str, AgentUse]
    shared: tuple[Shared, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """What all agents pay for it together, as far as it is counted."""
        return sum(use.tokens or 0 for use in self.uses.values() if use.taken == "taken")

    @property
    def is_read(self) -> bool:
        """Whether any agent takes it, now or later."""
        return any(use.taken != "left" for use in self.uses.values())


class AgentsTable(Struct, frozen=True):
    """The agents and the files, the dearest first; those that no agent reads come last."""

    agents: tuple[AgentTotal, ...]
    files: tuple[FileUse, ...]


class Column(NamedTuple):
    """An agent under its own scenario, with a name where the agent is there under several."""

    agent: Describes
    scenario: Scenario
    name: str = ""


def agents_table(
    columns: Sequence[Column],
    workspace: Workspace,
    counter: Counter,
    wanted: Callable[[], bool] = lambda: True,
    repeats_of: Callable[[Assembly], Iterable[Repeat]] = lambda _: (),
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> AgentsTable | None:
    """The table for these agents, each under its own scenario; None once it is not `wanted` any more.

    `repeats_of` gives what a prompt pays for more than once.
    """
    totals: list[AgentTotal] = []
    uses: dict[str, dict[str, AgentUse]] = {}
    names: dict[str, dict[str, None]] = {}
    listed: dict[str, str] = {}
    place = "/", ""
    shared: dict[str, dict[tuple[int, int], Shared]] = {}
    for agent, scenario, name in columns:
        column, head = name or agent.id, name or agent.name
        if not wanted():
            return None
        try:
            assembly = assemble(scenario, workspace, counter, knowledge=knowledge)
            inputs = resolve(scenario, workspace, knowledge).inputs
        except ScenarioError as error:
            totals.append(AgentTotal(column, head, error=str(error)))
            continue
        refused = next((d.message for d in assembly.diagnostics if d.code == "agent-refuses"), None)
        totals.append(AgentTotal(column, head, assembly.tokens.expected, refused=refused))
        for real, lines in _shared(assembly, repeats_of(assembly), workspace):
            shared.setdefault(real, {}).setdefault((lines.start, lines.end), lines)
        files = list_files(inputs.workspace, inputs.home, inputs.env, workspace)
        base = files.root.rstrip("/") + "/"
        place = base, inputs.home
        listed |= {name: workspace.real_path(base + name) for name in files.files if _is_instructions(name)}
        for path, use in (*_of_prompt(assembly), *_lazy(agent, inputs, workspace, files.absolute())):
            real = workspace.real_path(path)
            own = uses.setdefault(real, {})
            own[column] = _joined(own[column], use) if column in own else use
            names.setdefault(real, {})[_shown(path, place)] = None
    for name, real in listed.items():
        names.setdefault(real, {})[name] = None
    for real, each in names.items():
        if not (own_name := _shown(real, place)).startswith("/"):  # else the repository's folder may be a link
            each[own_name] = each.pop(own_name, None)
    by_path = {real: next(iter(each)) for real, each in names.items()}
    found = [
        FileUse(path, real, uses.get(real, {}), tuple(_named(shared.get(real, {}), by_path)), tuple(names[real]))
        for real, path in by_path.items()
        if workspace.kind(real) == "file" and (real in uses or _is_instructions(path))
    ]
    return AgentsTable(tuple(totals), tuple(sorted(filter(_matters, found), key=_order)))


def _shown(path: str, place: tuple[str, str]) -> str:
    """A path as a person reads it, from the repository's root, which ends in a slash, or the home folder."""
    base, home = place
    return path[len(base) :] if path.startswith(base) else home_short(path, home)


def _joined(one: AgentUse, other: AgentUse) -> AgentUse:
    """What an agent makes of a file that it looks at under several names: of what is taken, what costs most."""
    return min(one, other, key=lambda each: (_TAKEN.index(each.taken), -(each.tokens or 0)))


def _shared(assembly: Assembly, repeats: Iterable[Repeat], workspace: Workspace) -> Iterator[tuple[str, Shared]]:
    """What a file has that the prompt has elsewhere too, both by their real paths."""

    def real(path: str | None) -> str:
        return workspace.real_path(path_in(assembly.workspace, path or ""))

    for path, shared in shared_lines(repeats).items():
        for each in shared:
            copy = each.copy
            yield real(path), replace(each, copy=replace(copy, path=real(copy.path) if copy.path else None))


def _named(shared: Mapping[tuple[int, int], Shared], names: Mapping[str, str]) -> Iterator[Shared]:
    """In the file's order, by the names that files have here."""
    for _, each in sorted(shared.items()):
        path = each.copy.path
        yield replace(each, copy=replace(each.copy, path=names.get(path, path) if path else None))


def _of_prompt(assembly: Assembly) -> Iterator[tuple[str, AgentUse]]:
    for file in sorted(assembly.files, key=lambda file: not file.present):
        taken: Taken = "taken" if file.present else "left"
        why = "" if file.present else file.why.text
        yield path_in(assembly.workspace, file.path), AgentUse(taken, file.kind, file.tokens, why)


def _lazy(
    agent: Describes, inputs: Inputs, workspace: Workspace, files: Sequence[str]
) -> Iterator[tuple[str, AgentUse]]:
    if isinstance(agent, LoadsLazily):
        for file in agent.lazy_files(inputs, workspace, files):
            when = ", ".join(file.patterns) or f"a file below {file.base}"
            yield file.path, AgentUse("later", file.kind, why=f"loads when {when} is read")


def _matters(file: FileUse) -> bool:
    """Whether it costs somebody something, or looks like instructions: settings say nothing to a model."""
    costs = any(use.taken == "later" or (use.taken == "taken" and use.tokens != 0) for use in file.uses.values())
    return costs or _is_instructions(file.path)


def _order(file: FileUse) -> tuple[bool, int, int, str]:
    return not file.is_read, -file.tokens, -len(file.uses), file.path


# --- what the other agents read ---------------------------------------------------------------------------------------


def _nothing(_: str) -> str:
    return ""


class AgentFiles(Struct, frozen=True):
    """The files that an agent looks for, by their real paths; `error` says why they are unknown.

    `later` are the real paths of those that load when others are read; `unread` says why it does not read a path.
    """

    agent: str
    name: str
    files: Mapping[str, SourceFile]
    error: str | None = None
    later: frozenset[str] = frozenset()
    unread: Callable[[str], str] = _nothing

    @classmethod
    def of(
        cls, resolved: Resolved, found: Iterable[SourceFile], lazy: Iterable[LazyFile], workspace: Workspace
    ) -> "AgentFiles":
        """The files of an agent and its inputs, present, absent and lazy."""
        agent, inputs = resolved
        files: dict[str, SourceFile] = {}
        for file in found:
            files[file.real_path] = max(files.get(file.real_path, file), file, key=attrgetter("present"))
        later = {workspace.real_path(path_in(inputs.workspace, file.path)) for file in lazy if not file.never}
        return cls(agent.id, agent.name, files, None, frozenset(later), partial(why_unread, agent, inputs))

    def reads(self, real_path: str) -> bool:
        """Whether it reads the file, now or later."""
        return real_path in self.later or (real_path in self.files and self.files[real_path].present)


def agent_files(
    agent: Describes, scenario: Scenario, workspace: Workspace, counter: Counter, knowledge: Knowledge = NO_KNOWLEDGE
) -> AgentFiles:
    """The files that the agent would look for under its own scenario. Nothing is counted."""
    try:
        found = source_files(scenario, workspace, counter, knowledge)
        resolved = resolve(scenario, workspace, knowledge)
    except ScenarioError as error:
        return AgentFiles(agent.id, agent.name, {}, str(error))
    return AgentFiles.of(resolved, found, _lazy_files(*resolved, workspace), workspace)


def _lazy_files(agent: Describes, inputs: Inputs, workspace: Workspace) -> tuple[LazyFile, ...]:
    if not isinstance(agent, LoadsLazily):
        return ()
    listing = list_files(inputs.workspace, inputs.home, inputs.env, workspace)
    return agent.lazy_files(inputs, workspace, listing.absolute())


# --- why an agent does not read a file --------------------------------------------------------------------------------


def why_unread(agent: Agent, inputs: Inputs, path: str) -> str:
    """Why an agent does not read a file that is in no row, in a sentence; the path is absolute."""
    return agent.unread(inputs, path) or f"{agent.name} does not look at it"


def unread_file(item: str, agent: Agent, inputs: Inputs, assembly: Assembly, workspace: Workspace) -> SourceFile | None:
    """The row of a file that a person names; None if there is no such file, or if the assembly has a row for it."""
    path = absolute(item, inputs.workspace, inputs.home)
    if any(path in (path_in(inputs.workspace, file.path), file.real_path) for file in assembly.files):
        return None
    copy = workspace.snapshot()  # a file that is only asked about is not watched
    found = copy.kind(path, follow=False)
    if found in (None, "directory"):
        return None
    why = why_unread(agent, inputs, path)
    if found == "link" and copy.kind(path) is None:
        why, _ = nowhere(copy, path)
    reason, size = Reason(f"absent: {why}"), copy.read(path).size
    return SourceFile(path, copy.real_path(path), "file", "on-demand", False, reason, size, 0, 0, False, None)


_OWN_FOLDERS = (".agents", ".claude", ".codex", ".copilot", ".gemini", ".github", ".opencode", ".roo")
"""Below a project or the home folder: some agent looks for what is a person's own there."""


_PLACES = (
    *(f"{kind}/{{}}/SKILL.md" for kind in ("skills", "skill")),
    *(f"{kind}/{{}}.md" for kind in ("commands", "command", "prompts", "agents", "agent")),
    *(f"plugins/{{}}/{name}" for name in (".claude-plugin/plugin.json", "plugin.json", "hooks/hooks.json")),
)
"""Where in such a folder something of a name is."""


def named_paths(name: str, assembly: Assembly) -> list[str]:
    """Where any of the agents would find a skill, a command, a sub-agent or a plugin of this name."""
    bases = [base for base in (assembly.workspace, assembly.home) if base]
    return [f"{base}/{folder}/{place.format(name)}" for base in bases for folder in _OWN_FOLDERS for place in _PLACES]


def own_value(path: str, key: str, workspace: Workspace) -> str:
    """The text that a file's front matter has for a key, "" if it has none."""
    name = Heads().read(workspace.snapshot().read(path).text).values.get(key)
    return name if isinstance(name, str) else ""


FILES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md")

_REPOSITORY = "/shop"
_KINDS = {True: stat.S_IFDIR | 0o755, False: stat.S_IFREG | 0o644}


class _Repository:
    """A disk with one repository, each of whose files has its own text: an agent may leave out what it has read."""

    def __init__(self, files: Iterable[str]) -> None:
        self._files = {f"{_REPOSITORY}/{name}" for name in files}
        self._folders = {above for path in [*self._files, f"{_REPOSITORY}/.git/x"] for above in _above(path)}

    def lstat(self, path: str) -> Any:
        """Of a file or a folder. Raises OSError where there is neither."""
        if path not in self._files | self._folders:
            raise FileNotFoundError(errno.ENOENT, "nothing here", path)
        return made_stat(_KINDS[path in self._folders], len(_text(path)))

    stat = lstat

    def read(self, path: str, limit: int) -> bytes:
        """The text of a file."""
        if path not in self._files:
            self.lstat(path)
            raise OSError(errno.EINVAL, "not a regular file", path)
        return _text(path)[:limit]

    def chunks(self, path: str, size: int) -> Iterator[bytes]:
        """The same, in one piece."""
        yield self.read(path, size)

    def scan(self, path: str) -> list[Entry]:
        """Nothing: the files that are asked about are known to the agents by their names."""
        self.lstat(path)
        return []

    def readlink(self, path: str) -> str:
        """There is no link."""
        raise OSError(errno.EINVAL, "no link", path)

    def realpath(self, path: str) -> str:
        """The path itself."""
        return path


def _text(path: str) -> bytes:
    return f"Answer as {path} says.\n".encode()


def _above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def read_by(agent: Describes) -> dict[str, str]:
    """Of each file `yes`, `alone` (only in a repository without the others) or `no`."""
    together = _read(agent, FILES)
    return {name: "yes" if name in together else "alone" if name in _read(agent, [name]) else "no" for name in FILES}


def _read(agent: Describes, files: Iterable[str]) -> set[str]:
    """Those whose text a session that trusts the folder begins with."""
    folders = {"workspace": _REPOSITORY, "home": "/home", "managed": "/managed"}
    scenario = Scenario(agent=agent.id, **folders, env={}, params=nested(agent.about.trusted))
    seen = assemble(scenario, Workspace(_Repository(files)), cached_only=True).files
    read = {posixpath.join(_REPOSITORY, file.path) for file in seen if file.present and file.injected_chars}
    return {name for name in FILES if f"{_REPOSITORY}/{name}" in read}
