"""What a prompt is made of: its expected tokens by origin."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.model import Assembly, Section
from promptscope_tui.text.spans import Tone
from promptscope_tui.text.words import KIND_OF

NAMES: dict[Tone, str] = {
    "tool": "tools",
    "builtin": "built in",
    "file": "your files",
    "param": "settings",
    "environment": "machine",
}
"""The groups in the order in which bars stack them, and their words."""


@frozen
class Share:
    """One group's part of the prompt, in tokens."""

    tone: Tone
    name: str
    tokens: int


def composition(assembly: Assembly) -> tuple[Share, ...]:
    """The groups that are in the prompt, adding up to its expected tokens.

    A section's tokens are divided among its origins by characters; the descriptions and schemas of tools count as
    tools, whoever wrote them. What is not counted yet is left out.
    """
    sums = dict.fromkeys(NAMES, 0.0)
    tool_sections = {tool.section for tool in assembly.tools if tool.section}
    for section in assembly.sections:
        if not section.present or section.expected_tokens is None:
            continue
        for tone, part in _parts(section, section.id in tool_sections):
            sums[tone] += part
    sums["tool"] += sum(tool.expected_tokens or 0 for tool in assembly.tools_beside)
    whole = rounded(sums)
    return tuple(Share(tone, NAMES[tone], tokens) for tone, tokens in whole.items() if tokens)


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
    for tone, part in _parts(section, any(t.section == section.id for t in assembly.tools)):
        sums[tone] = sums.get(tone, 0) + part
    return max(sums, key=lambda tone: sums[tone]) if sums else "builtin"


def _parts(section: Section, is_tool: bool) -> list[tuple[Tone, float]]:
    expected = section.expected_tokens or 0
    if is_tool or section.channel == "tools":
        return [("tool", expected)]
    chars = sum(len(f.text) for f in section.fragments) or 1
    return [(KIND_OF[f.origin.kind], expected * len(f.text) / chars) for f in section.fragments]
