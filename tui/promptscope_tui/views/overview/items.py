"""What a person asks of a prompt first, as data: where its tokens go, and what is worth a look, with its figures."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter
from shlex import quote
from typing import Literal, get_args

from msgspec import Struct

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.checks.findings import RULES
from promptscope_engine.formats.document import Json
from promptscope_engine.insight.comparison import Comparison
from promptscope_engine.learning.script import Unconfirmed
from promptscope_engine.prompt.model import Assembly, Diagnostic, SourceFile, to_json
from promptscope_tui.session.folders import AgentHere, agents_here
from promptscope_tui.session.snapshot import CompareWith, GoTo, Snapshot
from promptscope_tui.text.words import age, difference, many, place, short_path, short_text, total
from promptscope_tui.views.subjects import DiagnosticSubject, FileSubject, ToolSubject
from promptscope_tui.views.window.rows import Share, composition, tone_of

Kind = Literal["costs-most", "costs-most-of-all", "paid-twice", "cut", "wakes", "stale", "never-read", "changed"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order in which they are shown."""


class Item(Struct, frozen=True):
    """One thing worth a look. `tokens` is what it costs, or what is lost or at risk; None where no figure applies.

    `file` is relative to the workspace, `lines` are its first and last, from 1. `unconfirmed` is what a run would need
    to show the number: none on this machine has. `link` is what choosing it shows.
    """

    kind: Kind
    text: str
    tokens: int | None = None
    file: str | None = None
    lines: tuple[int, int] | None = None
    agents: tuple[str, ...] = ()
    remedy: str = ""
    unconfirmed: str = ""
    link: Hashable = None


class OtherAgent(Struct, frozen=True):
    """Another agent that has files here: the tokens of its prompt, None until counted, and what it reads otherwise."""

    agent: str
    name: str
    total: int | None
    text: str


class Overview(Struct, frozen=True):
    """The answer at first sight. `known` are the kinds that are found out; the others may still come."""

    agent: str
    total: int | None
    window: int
    groups: tuple[Share, ...]
    findings: tuple[Item, ...]
    agents: tuple[OtherAgent, ...]
    known: frozenset[Kind]

    def of(self, kind: Kind) -> tuple[Item, ...]:
        """The items of a kind, those with most tokens first."""
        return tuple(item for item in self.findings if item.kind == kind)

    def to_dict(self) -> dict[str, Json]:
        """As JSON values (CONTRACT: `overview`)."""
        return {
            "agent": self.agent,
            "total": self.total,
            "window": self.window,
            "groups": [{"name": share.name, "tokens": share.tokens} for share in self.groups],
            "findings": [_item_json(item) for item in self.findings],
            "agents": [to_json(agent) for agent in self.agents],
        }


def _item_json(item: Item) -> Json:
    keys = ("kind", "file", "lines", "tokens", "agents", "text", "remedy", "unconfirmed")
    return {key: to_json(getattr(item, key)) for key in keys}


def overview_of(snapshot: Snapshot, today: date) -> Overview | None:
    """The overview of what a session knows; None without a prompt."""
    assembly = snapshot.assembly
    if assembly is None:
        return None
    items = [
        *_dearest_files(assembly),
        *_dearest(snapshot, assembly),
        *_diagnosed(assembly),
        *_woken(snapshot, assembly),
        *_changed(snapshot, today),
    ]
    known: set[Kind] = {"costs-most", "costs-most-of-all"}
    known |= {"paid-twice", "cut", "stale"} if snapshot.found is not None else set()
    known |= {"wakes"} if snapshot.on_read is not None else set()
    known |= {"never-read"} if snapshot.found is not None and snapshot.other_agents is not None else set()
    known |= {"changed"} if snapshot.last_change_known else set()
    return Overview(
        assembly.agent,
        assembly.tokens.expected,
        assembly.tokens.window,
        composition(assembly),
        tuple(items),
        tuple(_others(snapshot, assembly)),
        frozenset(known),
    )


# --- what costs most --------------------------------------------------------------------------------------------------

_DEAREST = 10
"""Sections and tools that are listed."""

_GROUPED = 3
"""Files of a kind up to which each is named; more are one item."""


def _dearest_files(assembly: Assembly) -> Iterator[Item]:
    """The files in the prompt, the dearest first; many of a kind, such as skills, are one item."""
    kind = attrgetter("kind")
    found = []
    for name, group in groupby(sorted((f for f in assembly.files if f.present and f.tokens), key=kind), kind):
        files = sorted(group, key=lambda file: -(file.tokens or 0))
        if len(files) > _GROUPED:
            link = GoTo("files", FileSubject(files[0].path))
            found.append(Item("costs-most", many(len(files), name), total(f.tokens for f in files), link=link))
        else:
            found += [_dear_file(file, assembly) for file in files]
    yield from sorted(found, key=lambda item: -(item.tokens or 0))


def _dear_file(file: SourceFile, assembly: Assembly) -> Item:
    path = short_path(file.path, assembly)
    return Item("costs-most", path, file.tokens, file=path, link=FileSubject(file.path))


def _dearest(snapshot: Snapshot, assembly: Assembly) -> Iterator[Item]:
    """The sections and tools of the prompt, the dearest first, but for the person's own files."""
    unconfirmed = Unconfirmed(load_agent(assembly.agent), snapshot.scenario)
    found = [
        Item(
            "costs-most-of-all",
            f"{tool.name}, a tool",
            tool.expected_tokens,
            unconfirmed="" if tool.learned else unconfirmed.cause(tool.why),
            link=ToolSubject(tool.name),
        )
        for tool in assembly.tools_beside
    ]
    found += [
        Item(
            "costs-most-of-all",
            short_text(section.title, assembly),
            section.expected_tokens,
            unconfirmed=unconfirmed.cause(section.why),
            link=GoTo("prompt", section.id),
        )
        for section in assembly.sections
        if section.present and tone_of(section, assembly) != "file"
    ]
    yield from sorted((item for item in found if item.tokens), key=lambda item: -(item.tokens or 0))[:_DEAREST]


# --- what a check found -----------------------------------------------------------------------------------------------


def _diagnosed(assembly: Assembly) -> Iterator[Item]:
    """The findings that answer a question of the overview, in the order of the one ranked list."""
    for index, found in enumerate(assembly.diagnostics):
        rule = RULES.get(found.code)
        if rule is not None and rule.kind in KINDS:
            yield _finding(rule.kind, found, index, assembly)


_GONE = "there is no "
"""How a finding begins whose kind says so already."""


def _finding(kind: Kind, found: Diagnostic, index: int, assembly: Assembly) -> Item:
    path = short_path(found.path, assembly) if found.path else None
    where = place(path, found.line)
    text = short_text(found.message, assembly).removeprefix(_GONE if kind == "stale" else f"{path} ")
    lines = (found.line, found.line) if found.line else None
    return Item(
        kind,
        f"{where}  {text}" if where else text,
        found.tokens,
        file=path,
        lines=lines,
        agents=(assembly.agent,),
        link=DiagnosticSubject(index),
    )


# --- what is read later, and what changed -----------------------------------------------------------------------------


def _woken(snapshot: Snapshot, assembly: Assembly) -> Iterator[Item]:
    """The files that load when others are read, the dearest first."""
    costs = {path: cost.tokens for path, cost in (snapshot.on_read or {}).items()}
    rules = [rule for rule in snapshot.lazy_rules.rules if not rule.unmatched] if snapshot.lazy_rules else []
    there = {file.path for file in assembly.files if file.present}
    waiting = {rule.file.path: rule for rule in rules if rule.file.path not in there and not rule.file.never}
    for path in sorted(waiting, key=lambda path: -(costs.get(path) or 0)):
        shown = short_path(path, assembly)
        link = GoTo("files", FileSubject(path))
        read = next(iter(waiting[path].files), "")
        remedy = f"promptscope show --reads {quote(read)}" if read else ""
        agents = (assembly.agent,)
        yield Item("wakes", shown, costs.get(path), file=shown, agents=agents, remedy=remedy, link=link)


def _changed(snapshot: Snapshot, today: date) -> Iterator[Item]:
    """What the last commit, and whatever is not committed, did to the prompt."""
    last = snapshot.last_change
    if last is None:
        return
    commit, since = last.commit, last.since
    text = "all of it" if since is None else _effects(since)
    side = f"git:{commit.parent or commit.id}"
    when = f"since {commit.id[:_SHORT]}, {age(commit.day, today)}"
    yield Item("changed", f"{text}  {when}", since.tokens if since else None, link=CompareWith(side))


_SHORT = 7
"""Digits of a commit."""

_NAMED = 3
"""Files that a line names."""


def _effects(since: Comparison) -> str:
    changes = [(each.path, each.tokens) for each in since.files] + [(each.name, each.tokens) for each in since.tools]
    changes = [change for change in changes if change[1]] or [(each.title, each.tokens) for each in since.sections]
    if len(changes) == 1:
        return changes[0][0]
    named = [f"{name} {difference(tokens)}" for name, tokens in changes if tokens]
    more = f" · {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return " · ".join(named[:_NAMED]) + more or "nothing in the prompt"


# --- the other agents -------------------------------------------------------------------------------------------------


def _others(snapshot: Snapshot, assembly: Assembly) -> Iterator[OtherAgent]:
    """The other agents with files here, the dearest first."""
    own, *others = agents_here(snapshot)
    mine = _read_by(own)
    found = [
        OtherAgent(
            other.id,
            other.name,
            other.tokens,
            "does not start here" if other.tokens == 0 else _differs(mine, _read_by(other), assembly),
        )
        for other in others
        if other.files
    ]
    yield from sorted(found, key=lambda each: -(each.total or 0))


def _read_by(agent: AgentHere) -> dict[str, SourceFile]:
    """The files here whose text is in an agent's prompt, by their real paths."""
    return {file.real_path: file for file in agent.files if file.present and file.injected_chars}


def _differs(mine: Mapping[str, SourceFile], theirs: Mapping[str, SourceFile], assembly: Assembly) -> str:
    """`doesn't read 4 files, reads AGENTS.md`."""
    twice = [file for file in theirs.values() if file.times > 1]
    missing = [file for real, file in mine.items() if real not in theirs]
    more = [file for real, file in theirs.items() if real not in mine]
    parts = []
    if missing:
        parts.append(f"doesn't read {_some(missing, assembly)}")
    if more:
        parts.append(f"reads {_some(more, assembly)}" + ("" if missing else " too"))
    same = ", ".join(parts) or "reads the same files"
    return f"{same}, {_some(twice, assembly)} twice" if twice else same


def _some(files: Sequence[SourceFile], assembly: Assembly) -> str:
    """`CLAUDE.md`, `32 skills`, `5 files`."""
    if len(files) == 1:
        return short_path(files[0].path, assembly)
    return many(len(files), files[0].kind if len({file.kind for file in files}) == 1 else "file")
