from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.claude_code.gather.skills import CUT, listing_budget

if TYPE_CHECKING:
    from .conftest import Project

V100, V329 = "2.1.100", "2.1.329"


def skill(description: str, **more: str) -> str:
    lines = [f"description: {description}", *(f"{k.replace('_', '-')}: {v}" for k, v in more.items())]
    return "---\n" + "\n".join(lines) + "\n---\nBody paragraph.\n\nmore\n"


def listed(project: Project, version: str = V329, **more: Any) -> dict[str, str]:
    """The user's lines of the listing."""
    gathered = project.gathered(version, **more)
    found = [s for s in gathered.materials.skills if s.source != "bundled"]
    return {s.shown: "".join(p.text for p in s.pieces) for s in found if s.when.holds(gathered.facts)}


def test_sources_and_order(project: Project) -> None:
    project.write(
        {
            "home/.claude/skills/us/SKILL.md": skill("user"),
            "workspace/.claude/skills/beta/SKILL.md": skill("b"),
            "workspace/.claude/skills/alpha/SKILL.md": skill("a"),
            "workspace/.claude/commands/sub/cmd.md": "Just a body.\n\nmore\n",
        }
    )
    own = ["us", "alpha", "beta", "sub:cmd"]
    assert list(listed(project)) == own
    names = {version: [s.shown for s in project.materials(version).skills] for version in (V100, V329)}
    assert names[V100][-4:] == own
    assert names[V329][:4] == own


def test_description_forms(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/skills/fold/SKILL.md": "---\ndescription: >\n  two\n  lines\n---\n",
            "workspace/.claude/skills/hint/SKILL.md": "---\ndescription: d\nwhen_to_use: then\n---\n",
            "workspace/.claude/skills/none/SKILL.md": "---\nname: none\n---\nFirst paragraph.\n\nSecond.\n",
            "workspace/.claude/skills/folder/SKILL.md": "---\nname: other\ndescription: d\n---\n",
        }
    )
    assert listed(project) == {
        "fold": "two lines",
        "folder (other)": "d",
        "hint": "d - then",
        "none": "First paragraph.",
    }


def test_what_is_held_back(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/skills/manual/SKILL.md": skill("m", disable_model_invocation="true"),
            "workspace/.claude/skills/waits/SKILL.md": skill("w", paths="src/**"),
            "workspace/.claude/skills/lower/skill.md": skill("l"),
        }
    )
    assert listed(project) == {}
    reasons = {name: project.file(f"workspace/.claude/skills/{name}/SKILL.md").why.text for name in ("manual", "waits")}
    assert "disable-model-invocation" in reasons["manual"]
    assert "src/**" in reasons["waits"]
    assert "SKILL.md counts" in project.file("workspace/.claude/skills/lower/skill.md").why.text


@pytest.mark.parametrize("version", [V100, V329])
def test_long_descriptions_are_cut(project: Project, version: str) -> None:
    limit = CUT[version]
    project.write(
        {
            "workspace/.claude/skills/edge/SKILL.md": skill("x" * limit),
            "workspace/.claude/skills/over/SKILL.md": skill("y" * (limit + 1)),
        }
    )
    env = {"SLASH_COMMAND_TOOL_CHAR_BUDGET": "100000"}
    assert listed(project, version, env=env) == {"edge": "x" * limit, "over": "y" * (limit - 1) + "…"}


def test_over_budget_only_names_stay(project: Project) -> None:
    project.write({f"workspace/.claude/skills/s{n}/SKILL.md": skill("text") for n in range(3)})
    assert listed(project, env={"SLASH_COMMAND_TOOL_CHAR_BUDGET": "600"}) == {"s0": "", "s1": "", "s2": ""}


def test_the_budget() -> None:
    assert listing_budget(200_000, {}, {}) == 8_000
    assert listing_budget(200_000, {}, {"skillListingBudgetFraction": 0.02}) == 16_000
    assert listing_budget(200_000, {"SLASH_COMMAND_TOOL_CHAR_BUDGET": "600"}, {}) == 600
    assert (
        listing_budget(200_000, {"SLASH_COMMAND_TOOL_CHAR_BUDGET": "-1"}, {"skillListingBudgetFraction": "x"}) == 8_000
    )


def test_no_skill_tool_no_listing(project: Project) -> None:
    for params in ({"args": {"disallowedTools": ["Skill"]}}, {"args": {"disableSlashCommands": True}}):
        section = project.assemble(params=params).section("skills")
        assert section is not None
        assert not section.present
