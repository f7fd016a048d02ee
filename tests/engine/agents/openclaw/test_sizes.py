"""Our wording against the measured sizes: nothing is far off."""

from __future__ import annotations

import json
from importlib.resources import files

from promptscope_engine.assembly.measure import by_scenarios
from promptscope_engine.javascript.text import utf16_len

REFERENCE = json.loads((files("promptscope_engine.agents.openclaw") / "reference.json").read_text())
SHORT = 40
"""Below this many characters a word more or less is more than the tolerance."""


def test_every_text_is_about_as_long_as_the_agents() -> None:
    found = by_scenarios(REFERENCE)
    parts = {key for key in REFERENCE["sections"] if key.startswith(("sandbox.", "skills."))}
    assert {each.key for each in found} == {
        *(key for key in REFERENCE["sections"] if key not in parts),
        *(f"fragment:{name}" for name in REFERENCE["fragments"]),
    }
    texts = [each for each in found if each.real["chars"] > SHORT and not each.key.startswith("tools.")]
    shares = {each.key: utf16_len(each.ours) / each.real["chars"] for each in texts}
    assert {key: round(share, 2) for key, share in shares.items() if not 0.88 <= share <= 1.12} == {}


def test_the_whole_request_is_expected_at_its_measured_size() -> None:
    tools = [size["o200k_base"] for key, size in REFERENCE["sections"].items() if key.startswith("tools.")]
    measured = REFERENCE["request_tools_total"]["description_and_schema"]["o200k_base"]
    assert abs(sum(tools) - 60 - measured) < measured / 50  # without apply_patch
