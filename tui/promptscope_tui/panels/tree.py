"""The sections of an assembly as a tree of panels, with what each header says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.model import Assembly, OriginKind, Reason, Section, Stability, Tool
from promptscope_tui.text.escape import visible
from promptscope_tui.text.paths import short_path
from promptscope_tui.text.reasons import own_reason, refusal
from promptscope_tui.text.words import KIND_OF, Kind, lines_of, total

from .body import Body, shown_absent

KINDS: tuple[Kind, ...] = ("builtin", "tool", "environment", "param", "file")
"""In the order in which bars stack them."""

BESIDE = "tools, sent beside the prompt"
"""The id of the panel for what is sent and stands in no section. It has no text: it leads to the tools."""

_BULLET = re.compile(r"^[ \t]*[-*•] ", re.MULTILINE)


@frozen
class Panel:
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
    leads: bool = False
    refused: str | None = None
    """Why the agent does not start, if it does not: that is said once, not in every row."""

    @property
    def id(self) -> str:
        return self.section.id

    @property
    def reason(self) -> str:
        """Why the section and all below it are absent; empty if they are not."""
        return "" if self.present else reason_text(self.section.why, self.refused)

    @property
    def file(self) -> tuple[str, int] | None:
        """The path and line at which the first text from a file begins."""
        origins = (fragment.origin for fragment in self.section.fragments)
        return next(((o.path, o.start_line or 1) for o in origins if o.kind == "file" and o.path), None)

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


class Panels:
    """All panels of an assembly, parents before their children, else in the agent's order."""

    by_id: dict[str, Panel]

    def __init__(self, assembly: Assembly | None, baseline: Assembly | None = None, last: Panels | None = None) -> None:
        """`last` are the panels shown before: those whose sections are the same are taken over."""
        self._assembly = assembly
        self._refused = refusal(assembly) if assembly else None
        self._baseline = baseline
        self._compared = _panels_of(baseline, last) if baseline else None
        self._last = last.by_id if last and last.alike(assembly, baseline) else {}
        tools = {tool.section: tool for tool in assembly.tools if tool.section} if assembly else {}
        nodes = list(_walk((*assembly.sections, *_beside(assembly)) if assembly else ()))
        children: dict[int, list[int]] = {}
        for index, (_, parent, _) in enumerate(nodes):
            if parent is not None:
                children.setdefault(parent, []).append(index)
        owners: list[Tool | None] = []
        for section, parent, _ in nodes:
            owners.append(tools.get(section.id) or (None if parent is None else owners[parent]))
        built: dict[int, Panel] = {}
        for index in reversed(range(len(nodes))):  # children come after their parent: build them first
            section, parent, depth = nodes[index]
            below = [built[child] for child in children.get(index, [])]
            alone = not below and owners[index] is None
            found = self._taken_over(index, section, parent, depth) if alone else None
            built[index] = found or self._panel(index, section, depth, parent, below, owners[index])
        self.all = tuple(built[index] for index in range(len(nodes)))
        self.by_id = {panel.id: panel for panel in self.all}
        self.largest = max((p.tokens or 0 for p in self.all if p.parent is None), default=0)
        usual = Counter(p.section.stability for p in self.all if p.section.present).most_common(1)
        self.usual_stability: Stability = usual[0][0] if usual else "session"
        self._last = {}  # else each assembly would hold the one before it

    def alike(self, assembly: Assembly | None, baseline: Assembly | None) -> bool:
        """Whether panels of that assembly say the same of equal sections: paths are shown from the same folders, and
        both are compared with something."""
        mine = self._assembly
        if mine is None or assembly is None or (self._baseline is None) is not (baseline is None):
            return False
        return (mine.workspace, mine.home) == (assembly.workspace, assembly.home)

    @property
    def agent(self) -> str | None:
        """Whose prompt it is; None while there is none."""
        return self._assembly.agent if self._assembly else None

    @property
    def _before(self) -> Mapping[str, Panel] | None:
        return None if self._compared is None else self._compared[1]

    def of(self, assembly: Assembly) -> Mapping[str, Panel] | None:
        """The panels of that assembly, by id, if they were shown or compared with."""
        if self._assembly is assembly:
            return self.by_id
        return self._compared[1] if self._compared and self._compared[0] is assembly else None

    def _taken_over(self, index: int, section: Section, parent: int | None, depth: int) -> Panel | None:
        """The panel of the same section as it was shown before, if nothing in it could be different now."""
        panel = self._last.get(section.id)
        if panel is None or panel.section is not section or panel.tool or panel.changed or panel.change:
            return None
        before = self._before.get(section.id) if self._before is not None else None
        if self._before is not None and (before is None or before.section is not section):
            return None
        return panel if (panel.index, panel.parent, panel.depth) == (index, parent, depth) else None

    def ancestors(self, panel: Panel) -> Iterator[Panel]:
        """The panels that a panel is nested in, the nearest first."""
        while panel.parent is not None:
            panel = self.all[panel.parent]
            yield panel

    def _panel(
        self,
        index: int,
        section: Section,
        depth: int,
        parent: int | None,
        below: Sequence[Panel],
        tool: Tool | None,
    ) -> Panel:
        fixed: Kind = "tool" if tool or section.channel == "tools" else "builtin"
        present = section.present or any(child.present for child in below)
        shares: dict[Kind, int] = dict.fromkeys(KINDS, 0)
        for fragment in section.fragments:
            shares[_kind(fragment.origin.kind, fixed)] += len(fragment.text)
        for child in below:
            for kind, chars in child.shares:
                shares[kind] += chars
        counts = [section.expected_tokens] if section.present else []
        tokens = total(counts + [child.tokens for child in below if child.present])
        before = self._before.get(section.id) if self._before else None
        was = before.body.text if before and before.section.present else ""
        body = Body(section, None if self._before is None else was)
        exact = section.confidence == "exact" or not section.present
        leads = section.id == BESIDE
        if leads:
            shares[fixed] = 1
        return Panel(
            index=index,
            section=section,
            depth=depth,
            parent=parent,
            children=tuple(child.index for child in below),
            title=visible(short_path(section.title, self._assembly) if self._assembly else section.title),
            summary=_with_edit(section, _summary(section, below, tool)),
            tool=tool.name if tool else None,
            fixed=fixed,
            tokens=tokens if present else None,
            exact=exact and all(child.exact for child in below if child.present),
            change=self._change(tokens, before),
            changed=self._before is not None and (body.text != was or any(child.changed for child in below)),
            shares=tuple((kind, chars) for kind, chars in shares.items() if chars),
            body=body,
            present=present,
            leads=leads,
            refused=self._refused,
        )

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


def _panels_of(assembly: Assembly, last: Panels | None) -> tuple[Assembly, Mapping[str, Panel]]:
    """A baseline with its panels. It is most often what was shown before."""
    found = last.of(assembly) if last else None
    return assembly, Panels(assembly).by_id if found is None else found


def _walk(sections: Sequence[Section]) -> Iterator[tuple[Section, int | None, int]]:
    """Each section, the index of its parent, its depth. A parent must come before its children."""
    below: dict[str | None, list[Section]] = {None: []}
    for section in sections:
        below.setdefault(section.parent if section.parent in below else None, []).append(section)
        below.setdefault(section.id, [])
    stack: list[tuple[Section, int | None, int]] = [(s, None, 0) for s in reversed(below[None])]
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
    kind = KIND_OF[origin]
    return fixed if kind == "builtin" or (origin == "computed" and fixed == "tool") else kind


def _summary(section: Section, below: Sequence[Panel], tool: Tool | None) -> str:
    """What the header says besides the title: how many of its parts are present, or its variant."""
    if below:
        there = sum(child.present for child in below)
        count = str(there) if there == len(below) else f"{there} of {len(below)}"
        if all(child.tool for child in below):
            return _count(count, "tool")
        files = sum(child.file is not None for child in below)
        if files == there:
            return _count(count, "file")
        return _count(str(files), "file") if files else _count(count, "part")
    if cut := [f.origin for f in section.absent if f.origin.kind == "file"]:
        return f"✂ {lines_of(cut[0])} cut" + (f" and {len(cut) - 1} more" if len(cut) > 1 else "")
    gone = sum(len(_BULLET.findall(fragment.text)) for fragment in section.absent)
    if gone:
        there = len(_BULLET.findall(section.text))
        return f"{there} of {there + gone} bullets"
    if shown := len(shown_absent(section)):
        return _count(str(shown), "part") + " absent"
    return visible(tool.variant) if tool and tool.variant else ""


def _with_edit(section: Section, summary: str) -> str:
    """The summary of a section that an edit changed or moved; a dropped one has it as its reason."""
    return ", ".join(filter(None, ("edited", summary))) if section.edited and section.present else summary


def _count(number: str, noun: str) -> str:
    return f"{number} {noun}" if number == "1" else f"{number} {noun}s"
