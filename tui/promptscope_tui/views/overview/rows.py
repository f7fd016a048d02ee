"""The overview as rows that fit on one screen."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from promptscope_tui.session.snapshot import ChooseAgent
from promptscope_tui.text.spans import BLANK, Row, Span, fit, middle, pad, row
from promptscope_tui.text.words import difference, number
from promptscope_tui.views.window.rows import Share

from .items import KINDS, Item, Kind, OtherAgent, Overview


class Label(NamedTuple):
    """What a kind is called, also where there is little room, and what is shown where there is none."""

    whole: str
    short: str
    nothing: str


_LABELS: dict[Kind, Label] = {
    "costs-most": Label("COSTS MOST, YOURS", "YOURS", "no file of yours"),
    "costs-most-of-all": Label("COSTS MOST, ALL", "LARGEST", "nothing"),
    "paid-twice": Label("PAID TWICE", "TWICE", "nothing"),
    "cut": Label("CUT OR LEFT OUT", "CUT", "nothing"),
    "wakes": Label("WAKES ON READS", "ON READS", "no file"),
    "stale": Label("REFERS TO WHAT IS GONE", "GONE", "nothing"),
    "never-read": Label("NEVER READ", "UNREAD", "nothing that looks like instructions"),
    "changed": Label("CHANGED", "CHANGED", "no commit changed it"),
}
_OTHERS = Label("OTHER AGENTS", "AGENTS", "")

_LABEL, _SHORT_LABEL = 24, 10
_NARROW = 66
"""Cells below which labels are short."""
_TOKENS = 9
_FIGURE = _TOKENS + 3
"""Cells of a figure with its mark and a gap."""
_WIDEST = 110
"""Cells of a line: numbers far from their names can't be read."""

_MOST: dict[Kind, int] = {"costs-most": 3, "costs-most-of-all": 3, "wakes": 1}
"""Items of a kind that are shown where there is room, if that is not `_USUAL`."""
_USUAL = 5

_GROWING: tuple[Kind, ...] = ("paid-twice", "cut", "stale", "costs-most-of-all", "never-read", "costs-most")
"""Who gets more lines first."""

_FIRST: dict[Kind, int] = {"costs-most": 2}
"""Items that are shown of a kind before others get a second line."""

UNCONFIRMED = "◌"

_YOURS = {"your files": "yours"}
"""The names of groups that are shorter here."""


def overview_rows(found: Overview, width: int, height: int) -> list[Row]:
    """The page in at most `height` lines, as long as that is enough for a line of each kind and agent."""
    width = min(width, _WIDEST)
    agents = list(_agent_rows(found.agents, width))
    marks = [item for item in found.findings if item.unconfirmed]
    shown = _shares_of_room(found, height - 1 - len(agents) - bool(marks))
    body = [line for kind in KINDS for line in _kind_rows(found, kind, shown[kind], width)]
    marked = [each for kind in KINDS for each in found.of(kind)[: shown[kind]] if each.unconfirmed]
    notes = [row(" ", Span(_note(marked), "faint"))] if marked else []
    blocks = [block for block in ([_groups(found.groups, width)], body, agents, notes) if block]
    spare = height - sum(map(len, blocks))
    return [line for at, block in enumerate(blocks) for line in ([BLANK] if 0 < at <= spare else []) + block]


def _note(marked: Sequence[Item]) -> str:
    causes = ", ".join(dict.fromkeys(item.unconfirmed for item in marked))
    return f"{UNCONFIRMED} not confirmed on this machine: only {causes} would show it"


def _shares_of_room(found: Overview, room: int) -> dict[Kind, int]:
    """How many items of each kind are shown: one, then those with more take turns as long as there is room."""
    shown = {kind: min(_FIRST.get(kind, 1), max(len(found.of(kind)), 1)) for kind in KINDS}
    left = room - sum(shown.values())
    while left > 0:
        growing = [kind for kind in _GROWING if shown[kind] < min(len(found.of(kind)), _MOST.get(kind, _USUAL))]
        if not growing:
            break
        for kind in growing[:left]:
            shown[kind] += 1
        left -= len(growing[:left])
    return shown


def _groups(groups: Sequence[Share], width: int) -> Row:
    """`■ tools 31,658   ■ built in 6,741   ■ yours 3,902`: a legend of the bar above, with every figure."""
    parts = [
        (Span("■ ", share.tone), Span(f"{_YOURS.get(share.name, share.name)} "), Span(number(share.tokens), "strong"))
        for share in groups
    ]
    taken = sum(cell_len(span.text) for part in parts for span in part)
    gap = "   " if taken + 3 * len(parts) < width else " "
    return row(" ", *(span for part in parts for span in (*part, Span(gap))))


def _kind_rows(found: Overview, kind: Kind, count: int, width: int) -> Iterator[Row]:
    """A line for each item that is shown; the label comes before the first."""
    items = found.of(kind)
    if not items:
        words = Span(_LABELS[kind].nothing, "faint") if kind in found.known else Span("…", "dim")
        yield row(" ", _label(_LABELS[kind], width), words)
    elif kind == "wakes":
        yield _line(_LABELS[kind], _in_one(items, _room(width, _FIGURE)), width)
    else:
        for at, item in enumerate(items[:count]):
            more = f"  · {len(items) - count} more" if at == count - 1 and len(items) > count else ""
            yield _line(None if at else _LABELS[kind], item, width, more)


def _label(label: Label | None, width: int) -> Span:
    """The label, or as many spaces."""
    is_narrow = width < _NARROW
    words = "" if label is None else label.short if is_narrow else label.whole
    return Span(pad(words, _SHORT_LABEL if is_narrow else _LABEL), "title")


def _room(width: int, figure: int) -> int:
    """Cells between the label and a figure."""
    return max(width - (_SHORT_LABEL if width < _NARROW else _LABEL) - figure - 2, 8)


def _in_one(items: Sequence[Item], room: int) -> Item:
    """Items of a kind in one line: the dearest by name, as many as there is room for."""
    first = items[0]
    texts = [f"{item.text} {number(item.tokens)}" for item in items]
    named = len(texts)
    while named > 1 and cell_len(_listed(texts, named)) > room:
        named -= 1
    tokens = None if any(item.tokens is None for item in items) else sum(item.tokens or 0 for item in items)
    return Item(first.kind, _listed(texts, named), tokens, link=first.link)


def _listed(texts: Sequence[str], named: int) -> str:
    more = f" · {len(texts) - named} more" if len(texts) > named else ""
    return " · ".join(texts[:named]) + more


def _line(label: Label | None, item: Item, width: int, more: str = "") -> Row:
    tokens = "" if item.tokens is None else difference(item.tokens) if item.kind == "changed" else f"{item.tokens:,}"
    room = max(_room(width, _FIGURE if tokens else 0) - cell_len(more), 8)
    text = middle(item.text, room) if item.text == item.file else fit(item.text, room)
    mark = f" {UNCONFIRMED}" if item.unconfirmed else "  "
    return row(
        " ",
        _label(label, width),
        Span(pad(text, room), "file" if item.file else "text"),
        Span(more, "dim"),
        *((Span(f"{tokens:>{_TOKENS}}", "strong"), Span(mark, "warn")) if tokens else ()),
        key=item.link,
    )


def _agent_rows(agents: Sequence[OtherAgent], width: int) -> Iterator[Row]:
    room = _room(width, _FIGURE)
    names = min(max((cell_len(agent.name) for agent in agents), default=0), room // 2)
    for at, agent in enumerate(agents):
        yield row(
            " ",
            _label(None if at else _OTHERS, width),
            Span(pad(agent.name, names)),
            Span(pad(f" {agent.text}", room - names), "dim"),
            Span(f"{number(agent.total):>{_TOKENS}}", "strong"),
            "  ",
            key=ChooseAgent(agent.agent),
        )
