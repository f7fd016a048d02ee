"""The list of skills (specs/codex.md 8.1). It moves to the end of its message without permissions (1.4)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.codex.materials import Materials, Skill
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Any, Condition, Named, Observed
from promptscope_engine.prompt.drafts import Choice, Piece, SectionDraft, builtin, computed, environment, label

from . import prose
from .places import developer


def skills_section(m: Materials) -> SectionDraft:
    return _section(m, "skills", "Skills", m.gates.permissions)


def moved_skills_section(m: Materials) -> SectionDraft:
    return _section(m, "skills.moved", "Skills, behind the other parts", ~m.gates.permissions)


def _section(m: Materials, section_id: str, title: str, here: Condition) -> SectionDraft:
    when = _any_listed(m) & m.gates.skills & here
    return SectionDraft(
        section_id, title, tuple(_pieces(m)), "## Skills", when, developer(section_id), reference=_measured(m)
    )


def _measured(m: Materials) -> Choice[str]:
    """The variant of the whole part that was measured."""
    by_name = (m.gates.on("omit_skill_descriptions"), "skills.names_only")
    return Choice((by_name, (m.gates.usage_of_skills, "skills.usage")), "skills")


def _any_listed(m: Materials) -> Condition:
    if not m.skills:
        remedy = f"write a skill into {m.codex_home}/skills/<name>/SKILL.md"
        return Observed("file", "skills", False, "", "there is no skill", remedy=remedy)
    return Named("file", "skills", Any(tuple(skill.when for skill in m.skills)), "there are skills")


def _pieces(m: Materials) -> Iterator[Piece]:
    """Paths are short where that leaves the list more room, else whole: the wording goes by it."""
    names_only, usage = m.gates.on("omit_skill_descriptions"), m.gates.usage_of_skills
    wording = _SHORT if m.skill_roots else _WHOLE
    yield label("<skills_instructions>\n## Skills\n")
    yield builtin(f"skills.intro.names_only{wording.end}", wording.names_only, when=names_only)
    yield builtin(f"skills.intro.aliases{wording.end}", wording.intro, when=~names_only)
    yield label("\n")
    if m.skill_roots:
        yield label("### Skill roots\n")
    for root in m.skill_roots:
        yield label(f"- `{root.alias}` = `")
        yield environment("skill_root", root.folder)
        yield label("`\n")
    yield label("### Available skills\n")
    for skill in m.skills:
        yield from _line(skill)
    yield label("### How to use skills\n", when=usage)
    yield builtin(f"skills.usage{wording.end}", wording.usage, when=usage)
    yield label("\n", when=usage)
    yield label("</skills_instructions>")


@frozen
class _Wording:
    """What the list says around its entries; `end` tells its pieces from those of the other wording."""

    end: str
    intro: str
    names_only: str
    usage: str


_SHORT = _Wording("", prose.SKILLS_ALIASES, prose.SKILLS_NAMES_ONLY, prose.SKILLS_USAGE)
_WHOLE = _Wording(".whole", prose.SKILLS_WHOLE, prose.SKILLS_WHOLE_NAMES_ONLY, prose.SKILLS_USAGE_WHOLE)


def _line(skill: Skill) -> Iterator[Piece]:
    yield label("- ", when=skill.when)
    yield computed("skill.name", skill.name, when=skill.when)
    yield label(": ", when=skill.when)
    for piece in skill.description:
        yield piece.under(skill.when)
    yield label(" (file: " if skill.description else "(file: ", when=skill.when)
    yield computed("skill.path", skill.path, when=skill.when)
    yield label(")\n", when=skill.when)
