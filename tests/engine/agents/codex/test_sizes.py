"""Our wording against the measured sizes."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from promptscope_engine.assembly.measure import by_scenarios

SHORT = 100
"""Below this many characters a word more or less is more than the tolerance."""


@pytest.mark.slow
def test_every_text_is_about_as_long_as_the_agents() -> None:
    reference = json.loads((files("promptscope_engine.agents.codex") / "reference.json").read_text())
    found = by_scenarios(reference)
    assert {each.key for each in found} == set(reference["sections"])
    shares = {each.key: len(each.ours) / each.real["chars"] for each in found if each.real["chars"] > SHORT}
    assert {key: round(share, 2) for key, share in shares.items() if not 0.87 <= share <= 1.13} == {}
