"""Traits of Codex that take more than a table."""

from __future__ import annotations

from tests.oracle.sketch import Sketch, front_matter, mark_of

from . import trait

_CONFIGS = (
    "",
    "model_context_window = 60000\n",
    "model_context_window = 20000\n",
    "[features]\nomit_skill_descriptions = true\n",
)


@trait("codex")
def skill_budget(s: Sketch) -> None:
    """More descriptions than fit."""
    config = s.one(*_CONFIGS)
    for _ in range(s.chance.randint(14, 40)):
        name = s.name("sk", f"skill budget with {config!r}")
        words = s.one("sort boxes ", "größe ") * 200
        text = f"{mark_of(name)} {words}"[: s.one(60, 300, 700, 1024, 1300) - 1]
        folder = s.one("repo/.agents/skills", "home/.agents/skills")
        s.put(f"{folder}/{name}/SKILL.md", front_matter("b\n", name=name, description=f"{text}x"))
    s.put("home/.codex/config.toml", config)
