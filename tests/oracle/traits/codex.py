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


@trait("codex", "codex-0.171")
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


@trait("codex", "codex-0.171")
def skill_roots(s: Sketch) -> None:
    """Many folders of skills, where short paths may take more room than whole ones."""
    config = s.one("", "[skills.bundled]\nenabled = false\n")
    config += s.one("", "[features]\nomit_skill_descriptions = true\n")
    window = s.one("", *(f"model_context_window = {size}\n" for size in (3000, 8000, 15000, 20000, 60000)))
    folders = ["repo"]
    for letter in "abcdefghijklmnop"[: s.one(1, 3, 7, 9, 12, 15)]:
        folders.append(f"{folders[-1]}/{letter}")
    for folder in folders:
        for _ in range(s.one(1, 1, 2)):
            name = s.name("sk", f"{len(folders)} roots with {window + config!r}")
            text = f"{mark_of(name)} {'sort boxes ' * 30}"[: s.one(40, 200)].rstrip()
            s.put(f"{folder}/.agents/skills/{name}/SKILL.md", front_matter("b\n", name=name, description=text))
    s.situation.cwd = folders[-1]
    s.put("home/.codex/config.toml", window + config)
