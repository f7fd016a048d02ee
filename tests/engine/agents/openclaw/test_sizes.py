"""Our wording against the measured sizes: nothing is far off."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from promptscope_engine.assembly.measure import by_scenarios
from promptscope_engine.javascript.text import utf16_len

PACKAGE = files("promptscope_engine.agents.openclaw")
REFERENCE = json.loads((PACKAGE / "reference.json").read_text())
NEWER = json.loads((PACKAGE / "reference-2026.9.6.json").read_text())
SHORT = 40
"""Below this many characters a word more or less is more than the tolerance."""


@pytest.mark.parametrize("reference", [REFERENCE, NEWER], ids=["2026.2.24", "2026.9.6"])
def test_every_text_is_about_as_long_as_the_agents(reference: dict[str, Any]) -> None:
    found = by_scenarios(reference)
    parts = {key for key in reference["sections"] if key.startswith(("sandbox.", "skills."))}
    assert {each.key for each in found} == {
        *(key for key in reference["sections"] if key not in parts),
        *(f"fragment:{name}" for name in reference["fragments"]),
    }
    texts = [each for each in found if each.real["chars"] > SHORT and not each.key.startswith("tools.")]
    shares = {each.key: utf16_len(each.ours) / each.real["chars"] for each in texts}
    assert {key: round(share, 2) for key, share in shares.items() if not 0.88 <= share <= 1.12} == {}


def test_the_whole_request_is_expected_at_its_measured_size() -> None:
    tools = [size["o200k_base"] for key, size in REFERENCE["sections"].items() if key.startswith("tools.")]
    measured = REFERENCE["request_tools_total"]["description_and_schema"]["o200k_base"]
    assert abs(sum(tools) - 60 - measured) < measured / 50  # without apply_patch
