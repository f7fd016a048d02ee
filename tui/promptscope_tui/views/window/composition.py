"""What fills the prompt and the window, by origin or in the agent's own categories."""

from collections.abc import Mapping

from msgspec import Struct

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import Category, CategoryKind, ContextReport, ReportsContext
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly, Section, TokenSummary
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import Tone
from promptscope_tui.text.totals import described_tools, holds_file, is_tool, own_text_of_files
from promptscope_tui.text.words import ORIGINS

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


def own_account(agent: Agent, assembly: Assembly, scenario: Scenario) -> ContextReport | None:
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


def no_account(agent: Agent) -> str:
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
