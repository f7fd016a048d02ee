"""Our wording says what the real text says: as many bullets and paragraphs, in order, each about as long."""

from __future__ import annotations

import json
from typing import Any

import pytest

from promptscope_engine.prompt.model import Assembly

from .conftest import Project
from .points import GIT_NOTE, GIT_NOTICES, LISTINGS, VARIANTS, units
from .prompts import LAYOUTS, V100, V329, measured_prompt, prompt, section

SHARE = 0.1
SMALL, LEEWAY = 60, 12
"""Units shorter than `SMALL` may differ by so many characters."""


def close(ours: int, real: int) -> bool:
    return abs(ours - real) <= (LEEWAY if real < SMALL else SHARE * real)


def assembled(variant: dict[str, Any]) -> Assembly:
    env = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", **variant.get("env", {})}
    differs = {**variant["params"], "model": variant["model"], "env": env}
    return measured_prompt(variant["version"], differs, variant.get("mode"))


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.slow
def test_a_section_makes_each_point_at_its_length(name: str) -> None:
    variant = VARIANTS[name]
    assembly = assembled(variant)
    off: dict[str, Any] = {}
    for section_id, real in variant["sizes"].items():
        part = assembly.section(section_id)
        if part is None or not part.present:
            off[section_id] = "absent"
            continue
        ours = [len(unit) for unit in units(part.text)]
        if len(ours) != len(real):
            off[section_id] = f"{len(ours)} units, not {len(real)}"
        elif far := [pair for pair in zip(real, ours, strict=True) if not close(pair[1], pair[0])]:
            off[section_id] = far
        elif abs(sum(ours) - sum(real)) > SHARE * sum(real):
            off[section_id] = (sum(real), sum(ours))
    assert not off, json.dumps(off, indent=1)


@pytest.mark.parametrize("section_id", LISTINGS)
def test_the_words_around_a_listing_have_their_length(section_id: str) -> None:
    fragments = section(prompt("B"), section_id).fragments
    wording = [f.text.strip() for f in fragments if f.origin.kind == "builtin"]
    before, behind = LISTINGS[section_id]
    assert close(len(wording[0]), before)
    if behind:
        assert close(len(wording[-1]), behind)


@pytest.mark.parametrize("layout", ["A", "B"])
def test_git_status_has_its_notice_and_its_note(repository: Project, layout: str) -> None:
    version = LAYOUTS[layout][0]
    found = units(section(repository.assemble(version), "git_status").text)
    notice = next(unit for unit in found if "snapshot" in unit)
    assert close(len(notice), GIT_NOTICES[version])
    if version == V329:
        assert close(len(found[-2]), GIT_NOTE)
    else:
        assert found[-1].startswith("Recent commits:")


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.slow
def test_no_wording_is_left_out_of_the_comparison(version: str) -> None:
    """Every section of the usual prompt with wording of ours is among the measured ones."""
    known = {name for variant in VARIANTS.values() if variant["version"] == version for name in variant["sizes"]}
    elsewhere = {"identity", "user_context", "skills", "agents", "deferred_tools", "mcp_instructions", "git_status"}
    usual = [variant for variant in VARIANTS.values() if variant["version"] == version]
    ours = {
        part.id
        for variant in usual
        for part in assembled(variant).sections
        if part.present and any(f.origin.kind == "builtin" for f in part.fragments)
    }
    assert ours - known - elsewhere == set()
