"""Our wording against the measured sizes: every part is about as long as the client's."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from promptscope_engine import Workspace, assemble
from promptscope_engine.assembly.measure import variant_scenario
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.wire.request import wire_json, wire_tool
from promptscope_engine.workspace.disk import EmptyDisk

from .conftest import COUNTER

PACKAGE = "promptscope_engine.agents.gemini"
REFERENCE = json.loads((files(PACKAGE) / "reference.json").read_text(encoding="utf-8"))
VARIANTS = [(name, mode) for name, variant in REFERENCE["variants"].items() for mode in variant["modes"]]
SHARE = 0.1
SMALL, LEEWAY = 60, 12
"""Texts shorter than `SMALL` may differ by so many characters."""


def close(ours: int, real: int) -> bool:
    return abs(ours - real) <= (LEEWAY if real < SMALL else SHARE * real)


def assembled(name: str, mode: str) -> Assembly:
    scenario = variant_scenario(REFERENCE, REFERENCE["variants"][name]["differs_from_default"], mode)
    return assemble(scenario, Workspace(EmptyDisk()), COUNTER, cached_only=True)


def parts(section_id: str, text: str) -> Iterator[tuple[str, int]]:
    """A section's parts by its second headings, and their lengths."""
    for part in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        name = part.split("\n")[0] if part.startswith("## ") else "(start)"
        yield f"{section_id} / {name}", len(part.strip("\n"))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "mode"), VARIANTS)
def test_every_text_is_about_as_long_as_the_clients(name: str, mode: str) -> None:
    measured: dict[str, Any] = REFERENCE["variants"][name]["modes"][mode]
    assembly = assembled(name, mode)
    sections = {s.id: s.text.strip("\n") for s in assembly.sections if s.present}
    lengths = {key: len(text) for key, text in sections.items() if key in measured["sections"]}
    assert lengths.keys() == measured["sections"].keys()
    for key, text in sections.items():
        lengths |= {part: length for part, length in parts(key, text) if part in measured.get("parts", {})}
    wire = {t.name: wire_json(wire_tool(t.name, t.description, t.input_schema)) for t in assembly.tools if t.present}
    lengths |= {name: len(text) for name, text in wire.items() if name in measured["tools"]}
    real = {**measured["sections"], **measured.get("parts", {}), **measured["tools"]}
    assert {key: (ours, real[key][0]) for key, ours in lengths.items() if not close(ours, real[key][0])} == {}


@pytest.mark.parametrize(("kind", "section"), [("agents", "sub_agents"), ("skills", "skills")])
def test_descriptions_that_are_listed(kind: str, section: str) -> None:
    found = assembled("modern.headless", "null").section(section)
    assert found is not None
    for name, real in REFERENCE["listings"][kind].items():
        ours = "".join(f.text for f in found.fragments if (f.origin.id or "").startswith(f"{section}.{name}"))
        assert not ours or close(len(ours), real[0]), name
