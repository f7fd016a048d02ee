"""The sections of an assembly as a tree of panels, with what each header says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from operator import is_not
from typing import NamedTuple

from msgspec import Struct

from promptscope_engine.insight.rewriting import rewriters
from promptscope_engine.prompt.model import Assembly, OriginKind, Reason, Section, Stability, Tool
from promptscope_tui.text.escape import visible
from promptscope_tui.text.reasons import own_reason, refusal
from promptscope_tui.text.words import ORIGINS, Kind, is_users, lines_of, number, short_path, total

from .body import Body, shown_absent

KINDS: tuple[Kind, ...] = ("builtin", "tool", "environment", "param", "file")
"""In the order in which bars stack them."""

BESIDE = "tools, sent beside the prompt"
"""The id of the panel for what is sent and is in no section. It has no text: it leads to the tools."""

ABSENT_PARTS = "absent parts"
"""The id of the panel that shows or hides the parts that are absent. It has no text either."""

_Node = tuple[Section, int | None, int]
"""A section, the index of its parent, its depth."""

_FEW = 100
"""Sections that are other ones than before, up to which it pays off to look at these alone."""

_WORDS = 500
"""Characters of an absent fragment that its row may need."""

_BULLET = re.compile(r"^[ \t]*[-*•] ", re.MULTILINE)


class AbsentText(NamedTuple):
    """What the row of an absent fragment says: its mark in a word, the text or the lines cut out of a file, why."""

    mark: str
    words: str
    reason: str

    def __str__(self) -> str:
        """What a search looks through."""
        return " ".join(self)


class Panel(Struct, frozen=True):
    """One section: a header, and a body that unfolds.

    `tokens`, `change` and `shares` count the section and its descendants. `tokens` is None while
    a count is missing; `change` is None without a baseline or a count. `shares` gives the characters by kind.
    `present`: whether it unfolds, as an absent parent of present sections does, too. `fixed` is the kind of its fixed
    text. One that `leads` to another tab never unfolds.
    """

    index: int
    section: Section
    depth: int
    parent: int | None
    children: tuple[int, ...]
    title: str
    summary: str
    tool: str | None
    fixed: Kind
    tokens: int | None
    exact: bool
    change: int | None
    changed: bool
    shares: tuple[tuple[Kind, int], ...]
    body: Body
    present: bool
    file: tuple[str, int] | None = None
    """The path and line at which the first text from a file begins."""
    leads: bool = False
    refused: str | None = None
    """Why the agent does not start, if it does not: that is said once, not in every row."""
    folds: bool = False
    """Whether it stands for the absent parts: they are in their places while it is open."""

    @property
    def id(self) -> str:
        """The section's id."""
        return self.section.id

    @property
    def reason(self) -> str:
        """Why the section and all below it are absent; empty if they are not."""
        return "" if self.present else reason_text(self.section.why, self.refused)

    @property
    def mark(self) -> str:
        """What the mark before the title means, in a word; empty for one that only says whether it is open."""
        return "" if self.present else "absent"

    def absent_text(self, index: int) -> AbsentText:
        """What the row of an absent fragment says, by its index in `Section.absent`."""
        fragment = self.section.absent[index]
        reason = reason_text(fragment.why, self.refused)
        if lines := lines_of(fragment.origin):
            return AbsentText("cut", lines, reason)  # part of a file: which lines, not how they begin
        return AbsentText("absent", visible(" ".join(fragment.text[:_WORDS].split())).removeprefix("- "), reason)

    @property
    def is_own(self) -> bool:
        """Whether it shows what the user wrote: text of a file, and no more of the agent's prose than of that."""
        chars: Counter[OriginKind] = Counter()
        for fragment in self.section.fragments:
            chars[fragment.origin.kind] += len(fragment.text)
        return self.present and not self.children and chars["file"] > 0 and chars["file"] >= chars["builtin"]

    def kind(self, fragment: int) -> Kind:
        """What the colour of one of the section's fragments says."""
        return _kind(self.section.fragments[fragment].origin.kind, self.fixed)


class Difference(Struct, frozen=True):
    """How panels differ from those shown before, where both are one tree: the indexes of the panels that are new.

    `key` is that of the panels before.
    """

    key: object
    anew: frozenset[int]


class Panels:
    """All panels of an assembly, parents before their children, else in the agent's order."""

    all: tuple[Panel, ...]
    by_id: dict[str, Panel]
    marked: frozenset[int]
    """The indexes of the panels that show a change."""
    changed: tuple[int, ...]
    """Those of the panels that changed themselves, and not only in what is nested in them."""
    largest: int
    """The tokens of the largest panel at the top."""
    widest: int
    """The characters of the widest count of tokens."""
    usual_stability: Stability
    is_mixed: bool
    """Whether not all sections are equally stable."""

    def __init__(self, assembly: Assembly | None, baseline: Assembly | None = None, last: Panels | None = None) -> None:
        """`last` are the panels shown before: those whose sections are the same are taken over."""
        self.key = object()
        self._assembly = assembly
        self._refused = refusal(assembly) if assembly else None
        self._baseline = baseline
        self.folded = _folded(assembly, baseline) if assembly else ()
        """The ids of the absent sections that a panel of their own folds."""
        shown = last.of(baseline) if last and baseline else None  # it is most often what was shown before
        self._compared = (baseline, Panels(baseline).by_id if shown is None else shown) if baseline else None
        self.difference = self._difference(last) if last else None
        if last is None or self.difference is None:
            self.all = tuple(self._built(last))
        else:
            self.all = tuple(self._patched(last, self.difference.anew))
        self.by_id = {panel.id: panel for panel in self.all}
        self.marked = frozenset(panel.index for panel in self.all if panel.changed or panel.change)
        self.changed = tuple(sorted(n for n in self.marked if self.all[n].body.differs or self.all[n].leads))
        self.largest = max((panel.tokens or 0 for panel in self.all if panel.parent is None), default=0)
        self.widest = len(number(max((panel.tokens or 0 for panel in self.all if panel.present), default=0)))
        usual = Counter(panel.section.stability for panel in self.all if panel.section.present).most_common(1)
        self.usual_stability = usual[0][0] if usual else "session"
        self.is_mixed = len({panel.section.stability for panel in self.all}) > 1

    def _built(self, last: Panels | None) -> Iterator[Panel]:
        """All panels; those of sections that are the same are taken over."""
        assembly = self._assembly
        known = last.by_id if last and last.alike(assembly, self._baseline) else {}
        fold = [_fold(self.folded, assembly)] if assembly and self.folded else []
        nodes = list(_walk((*fold, *assembly.sections, *_beside(assembly)) if assembly else ()))
        children: dict[int, list[int]] = {}
        for index, (_, parent, _) in enumerate(nodes):
            if parent is not None:
                children.setdefault(parent, []).append(index)
        tools = {tool.section: tool for tool in assembly.tools if tool.section} if assembly else {}
        owners: list[Tool | None] = []  # the tool that each section, or one that it is nested in, describes
        for section, parent, _ in nodes:
            owners.append(tools.get(section.id) or (None if parent is None else owners[parent]))
        built: dict[int, Panel] = {}
        for index in reversed(range(len(nodes))):  # children come after their parent: build them first
            section, parent, depth = nodes[index]
            below = [built[child] for child in children.get(index, [])]
            old = known.get(section.id) if not below and owners[index] is None else None
            stays = old and old.section is section and (old.index, old.parent, old.depth) == (index, parent, depth)
            taken = old if old and stays and self._stays(old) else None
            built[index] = taken or self._panel(index, nodes[index], below, owners[index])
        return (built[index] for index in range(len(nodes)))

    # --- after a save among thousands of files --------------------------------------------------------------------

    def _difference(self, last: Panels) -> Difference | None:
        """What is not as in the panels before; None if too much of it is not."""
        now, before = self._assembly, last._assembly
        alike = (last._refused, last.folded) == (self._refused, self.folded)
        if now is None or before is None or not alike or not last.alike(now, self._baseline):
            return None
        lengths = [(len(each.sections), len(each.tools)) for each in (now, before)]
        if lengths[0] != lengths[1] or any(map(is_not, now.tools, before.tools)):
            return None
        if self._baseline is last._baseline:
            again: frozenset[int] = frozenset()
        elif self._baseline is not None and last.shows(self._baseline):
            again = last.marked  # what had changed until then is compared with itself
        else:
            return None
        others = [n for n, other in enumerate(map(is_not, now.sections, before.sections)) if other]
        if len(others) > _FEW or len(last.by_id) != len(last.all):
            return None
        for one, other in ((now.sections[n], before.sections[n]) for n in others):
            if (one.id, one.parent) != (other.id, other.parent):
                return None
        anew = again | {last.by_id[now.sections[n].id].index for n in others}
        above = {panel.index for index in anew for panel in last.ancestors(last.all[index])}
        return Difference(last.key, anew | above)

    def _patched(self, last: Panels, anew: Set[int]) -> list[Panel]:
        """The panels before, but for those that are built again."""
        assert self._assembly is not None
        sections = {section.id: section for section in self._assembly.sections}
        tools = {tool.name: tool for tool in self._assembly.tools}
        found = list(last.all)
        for index in sorted(anew, reverse=True):
            old = last.all[index]
            node = sections.get(old.id, old.section), old.parent, old.depth
            found[index] = self._panel(index, node, [found[child] for child in old.children], tools.get(old.tool or ""))
        return found

    def alike(self, assembly: Assembly | None, baseline: Assembly | None) -> bool:
        """Whether panels of that assembly say the same of equal sections.

        They do if paths are shown from the same folders, and both or none are compared with something.
        """
        mine = self._assembly
        if mine is None or assembly is None or (self._baseline is None) is not (baseline is None):
            return False
        return (mine.workspace, mine.home, mine.programs) == (assembly.workspace, assembly.home, assembly.programs)

    @property
    def agent(self) -> str | None:
        """Whose prompt it is; None while there is none."""
        return self._assembly.agent if self._assembly else None

    @property
    def _before(self) -> Mapping[str, Panel] | None:
        return None if self._compared is None else self._compared[1]

    def of(self, assembly: Assembly) -> Mapping[str, Panel] | None:
        """The panels of that assembly, by id, if they were shown or compared with."""
        if self.shows(assembly):
            return self.by_id
        return self._compared[1] if self._compared and self._compared[0] is assembly else None

    def shows(self, assembly: Assembly) -> bool:
        """Whether they are that assembly's: what a check found in it makes no difference."""
        mine = self._assembly
        if mine is None or mine is assembly:
            return mine is assembly
        alike = mine.sections is assembly.sections and mine.tools is assembly.tools
        return alike and (mine.workspace, mine.home, self._refused) == (
            assembly.workspace,
            assembly.home,
            refusal(assembly),
        )

    def _stays(self, panel: Panel) -> bool:
        """Whether nothing in the panel of a section that is the same could be different now."""
        if panel.tool or panel.changed or panel.change:
            return False
        before = self._before.get(panel.id) if self._before is not None else None
        return self._before is None or (before is not None and before.section is panel.section)

    def ancestors(self, panel: Panel) -> Iterator[Panel]:
        """The panels that a panel is nested in, the nearest first."""
        while panel.parent is not None:
            panel = self.all[panel.parent]
            yield panel

    def _panel(self, index: int, node: _Node, below: Sequence[Panel], tool: Tool | None) -> Panel:
        section, parent, depth = node
        fixed: Kind = "tool" if tool or section.channel == "tools" else "builtin"
        present = section.present or any(child.present for child in below)
        shares: dict[Kind, int] = dict.fromkeys(KINDS, 0)
        for fragment in section.fragments:
            shares[_kind(fragment.origin.kind, fixed)] += len(fragment.text)
        for child in below:
            for kind, chars in child.shares:
                shares[kind] += chars
        origins = (fragment.origin for fragment in section.fragments)
        files = ((each.path, each.start_line or 1) for each in origins if each.kind == "file" and each.path)
        counts = [section.expected_tokens] if section.present else []
        tokens = total(counts + [child.tokens for child in below if child.present])
        before = self._before.get(section.id) if self._before else None
        was = before.body.text if before and before.section.present else ""
        body = Body(section, None if self._before is None else was)
        exact = section.confidence == "exact" or not section.present
        leads, folds, summary = section.id == BESIDE, section.id == ABSENT_PARTS, _summary(section, below, tool)
        if leads:
            shares[fixed] = 1
        return Panel(
            index=index,
            section=section,
            depth=depth,
            parent=parent,
            children=tuple(child.index for child in below),
            title=visible(short_path(section.title, self._assembly) if self._assembly else section.title),
            summary=", ".join(filter(None, (*self._marks(section), summary))),
            tool=tool.name if tool else None,
            fixed=fixed,
            tokens=tokens if present else None,
            exact=exact and all(child.exact for child in below if child.present),
            change=self._change(tokens, before),
            changed=body.differs or (self._before is not None and any(child.changed for child in below)),
            shares=tuple((kind, chars) for kind, chars in shares.items() if chars),
            body=body,
            present=present,
            file=next(files, None),
            leads=leads,
            refused=self._refused,
            folds=folds,
        )

    def _marks(self, section: Section) -> Iterator[str]:
        """What is said of a present section before anything else."""
        if section.edited and section.present:
            yield "edited"
        if self._assembly and rewriters(section, self._assembly):
            yield "before mods"

    def _change(self, tokens: int | None, before: Panel | None) -> int | None:
        if self._before is None or tokens is None:
            return None
        if before is None or not before.present:
            return tokens
        return None if before.tokens is None else tokens - before.tokens


def _beside(assembly: Assembly) -> Iterator[Section]:
    """What stands for the tools that no section describes, so that the panels add up to all that is sent."""
    tools = assembly.tools_beside
    if not tools:
        return
    exact = all(tool.confidence == "exact" for tool in tools)
    yield Section(
        id=BESIDE,
        title=f"{_count(f'{len(tools):,}', 'tool')}, sent beside the prompt",
        heading=None,
        channel="tools",
        present=True,
        why=Reason("always sent"),
        stability="session",
        tokens=total(tool.tokens.schema for tool in tools),
        expected_tokens=total(tool.expected_tokens for tool in tools),
        chars=0,
        confidence="exact" if exact else "stand-in",
        reference_tokens=None,
        fragments=(),
    )


_LEAST = 2
"""Absent parts from which on a row for all of them takes less room."""


def _folded(assembly: Assembly, baseline: Assembly | None) -> tuple[str, ...]:
    """The outermost sections that are absent with all in them, but for those that the user, or a change, took out.

    None where nothing is present: why is what there is to see.
    """
    kept = {section.id for section in baseline.sections if section.present} if baseline else set()
    parents = {section.id: section.parent for section in assembly.sections}
    for section in assembly.sections:
        id: str | None = section.id if section.present or section.edited else None
        while id is not None and id not in kept:
            kept.add(id)
            id = parents.get(id)
    found = tuple(section.id for section in assembly.sections if section.parent is None and section.id not in kept)
    return found if len(found) >= _LEAST and any(section.present for section in assembly.sections) else ()


def _fold(folded: Sequence[str], assembly: Assembly) -> Section:
    """What stands for absent sections; its reason names them."""
    titles = (assembly.section(id) for id in folded)
    return Section(
        id=ABSENT_PARTS,
        title=f"{len(folded):,} absent",
        heading=None,
        channel="system",
        present=True,
        why=Reason(", ".join(section.title for section in titles if section)),
        stability="session",
        tokens=0,
        expected_tokens=0,
        chars=0,
        confidence="exact",
        reference_tokens=None,
        fragments=(),
    )


def _walk(sections: Sequence[Section]) -> Iterator[_Node]:
    """Each section, the index of its parent, its depth. A parent must come before its children."""
    below: dict[str | None, list[Section]] = {None: []}
    for section in sections:
        below.setdefault(section.parent if section.parent in below else None, []).append(section)
        below.setdefault(section.id, [])
    stack: list[_Node] = [(s, None, 0) for s in reversed(below[None])]
    index = 0
    while stack:
        section, parent, depth = stack.pop()
        yield section, parent, depth
        stack += [(child, index, depth + 1) for child in reversed(below.pop(section.id, []))]
        index += 1


def reason_text(why: Reason, refused: str | None = None) -> str:
    """A reason beside a mark that already says absent. Never empty."""
    return visible(own_reason(why, refused).removeprefix("absent: ").replace("`", "")) or "absent"


def _kind(origin: OriginKind, fixed: Kind) -> Kind:
    """The kind of a text; fixed or computed text in a tool's description is the tool's."""
    kind = ORIGINS[origin].kind
    return fixed if kind == "builtin" or (origin == "computed" and fixed == "tool") else kind


def _summary(section: Section, below: Sequence[Panel], tool: Tool | None) -> str:
    """What the header says besides the title: how many of its parts are present, or its variant."""
    if section.id == ABSENT_PARTS:
        return visible(section.why.text)
    if below:
        return _parts(below)
    if cut := [f.origin for f in section.absent if f.origin.kind == "file"]:
        return f"✂ {lines_of(cut[0])} cut" + (f" and {len(cut) - 1} more" if len(cut) > 1 else "")
    gone = sum(len(_BULLET.findall(fragment.text)) for fragment in section.absent)
    if gone:
        there = len(_BULLET.findall(section.text))
        return f"{there} of {there + gone} bullets"
    if shown := sum(is_users(section.absent[index].origin) for index in shown_absent(section)):
        return _count(str(shown), "part") + " absent"
    return visible(tool.variant) if tool and tool.variant else ""


def _parts(below: Sequence[Panel]) -> str:
    """How many of the panels nested in one are present."""
    there = sum(child.present for child in below)
    count = str(there) if there == len(below) else f"{there} of {len(below)}"
    if all(child.tool for child in below):
        return _count(count, "tool")
    files = sum(child.file is not None for child in below)
    if files == there:
        return _count(count, "file")
    return _count(str(files), "file") if files else _count(count, "part")


def _count(number: str, noun: str) -> str:
    return f"{number} {noun}" if number == "1" else f"{number} {noun}s"
