"""What fills the prompt and the window: by origin or in the agent's own categories, as a block map with a legend.

Each category has a shape as well as a colour, so that the map works without colours.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import Category, CategoryKind, ContextReport, ReportsContext
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.costs import Cost, cost_of
from promptscope_engine.prompt.model import Assembly, Section, TokenSummary
from promptscope_engine.tokens.models import DATE
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import BLANK, Row, Span, Spans, Tone, fit, joined, paragraph, row
from promptscope_tui.text.totals import described_tools, holds_file, is_tool, own_text_of_files
from promptscope_tui.text.words import ORIGINS
from promptscope_tui.views.subjects import WindowSubject

NAMES: dict[Tone, str] = {
    "tool": "tools",
    "builtin": "built in",
    "file": "your files",
    "param": "settings",
    "environment": "machine",
}
"""The groups in the order in which bars stack them, and their words."""


class Share(Struct, frozen=True):
    """One group's part of the prompt, in tokens."""

    tone: Tone
    name: str
    tokens: int


def composition(assembly: Assembly) -> tuple[Share, ...]:
    """The groups that are in the prompt, adding up to its expected tokens.

    The user's files take what their own text takes, as in Files. What is left of a section is divided among its origins
    by characters; the descriptions and schemas of tools count as tools. What is not counted yet is
    left out.
    """
    sums, with_files = dict.fromkeys(NAMES, 0.0), dict.fromkeys(NAMES, 0.0)
    described = described_tools(assembly)
    for section in assembly.sections:
        if not section.present or section.expected_tokens is None:
            continue
        found = with_files if holds_file(section) and not is_tool(section, described) else sums
        for tone, part in _parts(section, is_tool(section, described)):
            found[tone] += part
    for tone, part in _with_own_text(with_files, own_text_of_files(assembly)).items():
        sums[tone] += part
    sums["tool"] += sum(tool.expected_tokens or 0 for tool in assembly.tools_beside)
    whole = rounded(sums)
    return tuple(Share(tone, NAMES[tone], tokens) for tone, tokens in whole.items() if tokens)


def _with_own_text(sums: Mapping[Tone, float], own: int | None) -> Mapping[Tone, float]:
    """The parts of the sections with files, where the files take `own` tokens.

    Their share of the characters is another: a heading is counted by its measured size, and Chinese takes more tokens
    than English.
    """
    whole = sum(sums.values())
    rest = whole - sums["file"]
    if own is None or own > whole or not rest:
        return sums
    return {tone: own if tone == "file" else part * (whole - own) / rest for tone, part in sums.items()}


def rounded(sums: Mapping[Tone, float]) -> dict[Tone, int]:
    """Whole numbers that add up to the sum of these: the largest fractions are rounded up."""
    down = {tone: int(tokens) for tone, tokens in sums.items()}
    left = round(sum(sums.values())) - sum(down.values())
    for tone in sorted(sums, key=lambda tone: down[tone] - sums[tone])[:left]:
        down[tone] += 1
    return down


def tone_of(section: Section, assembly: Assembly) -> Tone:
    """The group that most of a section belongs to."""
    sums: dict[Tone, float] = {}
    for tone, part in _parts(section, is_tool(section, described_tools(assembly))):
        sums[tone] = sums.get(tone, 0) + part
    return max(sums, key=lambda tone: sums[tone]) if sums else "builtin"


def _parts(section: Section, tool: bool) -> list[tuple[Tone, float]]:
    expected = section.expected_tokens or 0
    if tool:
        return [("tool", expected)]
    chars = sum(len(f.text) for f in section.fragments) or 1
    return [(ORIGINS[f.origin.kind].kind, expected * len(f.text) / chars) for f in section.fragments]


_KINDS: dict[Tone, CategoryKind] = {"tool": "tools", "file": "files", "param": "settings", "environment": "machine"}


def own_account(agent: Describes, assembly: Assembly, scenario: Scenario) -> ContextReport | None:
    """In the agent's own categories; None if it has none, or if the scenario is invalid."""
    if not isinstance(agent, ReportsContext):
        return None
    try:
        return agent.context(assembly, scenario.params)
    except ScenarioError:  # the assembly that is shown is the last good one
        return None


def conversation_of(snapshot: Snapshot) -> int:
    """Tokens of the conversation so far, where a turn of a transcript was chosen."""
    if snapshot.assembly is None or not snapshot.scenario.params:
        return 0
    report = own_account(load_agent(snapshot.assembly.agent), snapshot.assembly, snapshot.scenario)
    return report.conversation if report else 0


def no_account(agent: Describes) -> str:
    """The note on an agent without categories of its own."""
    return f"{agent.name} has no categories of its own: grouped by origin"


def free(tokens: TokenSummary) -> int:
    """The part of the window that the prompt as it is expected leaves free, without the reserve."""
    return max(tokens.window - tokens.reserve - (tokens.expected or 0), 0)


def by_origin(assembly: Assembly) -> ContextReport:
    """In the groups of the budget bar."""
    tokens = assembly.tokens
    rows = [Category(s.name, s.tokens, kind=_KINDS.get(s.tone, "prompt")) for s in composition(assembly)]
    if tokens.expected is not None:
        rows.append(Category("free", free(tokens), used=False, kind="free"))
    if tokens.reserve:
        rows.append(Category("reserve", tokens.reserve, used=False, kind="reserve"))
    return ContextReport(tuple(rows), tokens.window, tokens.reserve, tokens.compact_at, compaction=tokens.compaction)


_ROWS = 10
_LONG = 400_000
"""Windows of this size and more have twenty columns, like the agent's own grid; smaller ones ten."""

_SHAPES = "■▤▥▦▧▨▩▣◧◨"
_FREE, _RESERVE, _MARK = "·", "▒", "│"

_TONES: dict[CategoryKind, Tone] = json.loads(Path(__file__).with_name("categories.json").read_text(encoding="utf-8"))


def context_rows(report: ContextReport, width: int) -> list[Row]:
    """The map, its legend beside it or below, and notes."""
    columns = 20 if report.window >= _LONG else 10
    beside = width >= 2 * columns + 42
    legend = list(_legend(report, width if not beside else width - 2 * columns - 4))
    cells = _cells(report, columns * _ROWS)
    rows = [_header(report), BLANK]
    for number in range(max(_ROWS, len(legend) if beside else 0)):
        line = cells[number * columns : (number + 1) * columns]
        spans = joined(Span(f"{cell.text} ", cell.tone) for cell in line) or [Span(" " * 2 * columns)]
        words = legend[number] if beside and number < len(legend) else ()
        rows.append(row(" ", *spans, "  " if words else "", *words))
    if not beside:
        rows += [BLANK, *(row(" ", *words) for words in legend)]
    return [*rows, BLANK, *_notes(report, columns)]


def _header(report: ContextReport) -> Row:
    share = report.used / max(report.window, 1)
    return row(
        " ",
        Span(f"≈{report.used:,}", "strong"),
        Span(f" of {report.window:,} tok used  ", "dim"),
        Span(f"{share:.1%}"),
        key=WindowSubject(),
    )


def _shape(report: ContextReport, category: Category) -> Span:
    tone = _TONES[category.kind]
    if category.kind == "free":
        return Span(_FREE, tone)
    if category.kind == "reserve":
        return Span(_RESERVE, tone)
    if not category.used:
        return Span(" ", tone)
    used = [c for c in report.categories if c.used and c.kind not in ("free", "reserve")]
    return Span(_SHAPES[used.index(category) % len(_SHAPES)], tone)


def _cells(report: ContextReport, count: int) -> list[Span]:
    """One span per cell: every used category at least one, then what is free, the reserve at the end."""
    window = max(report.window, 1)
    cells = [
        _shape(report, category)
        for category in report.categories
        if category.used and category.kind not in ("free", "reserve") and category.tokens
        for _ in range(max(1, round(category.tokens / window * count)))
    ][:count]
    reserve = min(round(report.reserve / window * count), count - len(cells))
    cells += [Span(_FREE, "faint")] * (count - len(cells) - reserve) + [Span(_RESERVE, "dim")] * reserve
    if report.compact_at is not None:
        cells[min(int(report.compact_at / window * count), count - 1)] = Span(_MARK, "warn")
    return cells


def _legend(report: ContextReport, width: int) -> Iterator[Spans]:
    window = max(report.window, 1)
    longest = max((len(category.name) for category in report.categories), default=0)
    name_width = max(min(longest, width - 22), 12)
    for category in report.categories:
        tone: Tone = "text" if category.used else "dim"
        yield (
            _shape(report, category),
            Span(f" {fit(category.name, name_width):<{name_width}}", tone),
            Span(f"{category.tokens:>9,}", tone),
            Span(f" {category.tokens / window:>6.1%}", "dim"),
        )
    if report.compact_at is not None:
        share = report.compact_at / window
        words = Span(f" {'compacts at':<{name_width}}{report.compact_at:>9,}", "warn")
        yield Span(_MARK, "warn"), words, Span(f" {share:>6.1%}", "dim")


def _notes(report: ContextReport, columns: int) -> Iterator[Row]:
    said: list[str] = [f"a block is {round(report.window / (columns * _ROWS)):,} tok"]
    said += [report.remark] if report.remark else []
    if any(not c.used and c.kind == "deferred" for c in report.categories):
        said.append("deferred tools are only named and do not count as used")
    if report.reported is not None:
        left = None if report.compact_at is None else report.compact_at - report.reported
        room = "" if left is None else f", {left:,} until it compacts" if left > 0 else ", so it compacts"
        said.append(f"the last response reported {report.reported:,} tok{room}")
    if report.conversation:
        prompt = report.used - report.conversation
        said.append(f"the prompt is ≈{prompt:,} tok of it, the conversation, in its messages, ≈{report.conversation:,}")
    if any(c.kind == "unaccounted" for c in report.categories):
        said.append("not shown by the agent's own account: reminders and listings that its categories leave out")
    for words in said:
        yield paragraph(Span(f" {words}", "faint"), indent=1)


def cost_rows(assembly: Assembly) -> Iterator[Row]:
    """What the service reported for a captured request, then the cost cold and cached.

    What it rests on is said by `promptscope tokens --cost`.

    Nothing while tokens are not counted, and no cost without a price.
    """
    if assembly.tokens.expected is None:
        return
    if assembly.tokens.reported is not None:
        yield paragraph(Span(f" {reported(assembly.tokens.reported, assembly.tokens.total)}", "faint"), indent=1)
    if (cost := cost_of(assembly)) is None:
        return
    yield row(" ", Span("COST", "title"), Span("  the prompt of one turn, in US dollars", "faint"))
    cached = "unknown" if cost.cached is None else dollars(cost.cached)
    yield row(" ", Span(f"{dollars(cost.cold):>9}"), Span(" cold   ", "dim"), Span(cached), Span(" cached", "dim"))


_TENTH_OF_CENT = 0.001


def dollars(amount: float) -> str:
    """`$0.0483`; smaller amounts with more digits."""
    return f"${amount:.4f}" if amount >= _TENTH_OF_CENT or not amount else f"${amount:.2g}"


def summary(cost: Cost) -> str:
    """`$0.1930 cold, $0.0079 cached`."""
    return f"{dollars(cost.cold)} cold, {'unknown' if cost.cached is None else dollars(cost.cached)} cached"


def explanation(cost: Cost) -> str:
    """What of the prompt can be cached, and why."""
    match cost.caching:
        case "unmarked":
            return "the request shows no cache breakpoints: what can be cached is not known"
        case "breakpoints":
            why = "up to the last cache breakpoint"
        case _:
            why = "what comes before the turn's own words; the service caches by itself"
    return f"{cost.prefix:,} of {cost.tokens:,} tokens can be cached: {why}"


def prices(cost: Cost) -> str:
    """The row of the table, with its date."""
    price = cost.price
    shown = f"input {price.input:g}, cache write {price.write:g}, cache read {price.read:g}"
    return f"{cost.model}, list prices of {cost.date}, $ per million: {shown}; without the answer"


def unpriced(model: str | None) -> str:
    """Why there is no cost."""
    if model is None:
        return "no cost: no model is named, and --model names one"
    return f"no cost: {model} is not in the price table of {DATE}"


def difference(ours: int | None, theirs: int) -> str:
    """`ours is 24,512, 2.0% below`."""
    if ours is None or not theirs:
        return ""
    share = abs(ours - theirs) / theirs
    side = "the same" if ours == theirs else f"{share:.1%} {'above' if ours > theirs else 'below'}"
    return f"ours is {ours:,}, {side}"


def reported(tokens: int, ours: int | None) -> str:
    """What the service said that a captured request took, against our count."""
    return f"={tokens:,} tokens as the service reported for this request; {difference(ours, tokens)}"
