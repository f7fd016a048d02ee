"""Our wording against the measured sizes."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from promptscope_engine.assembly.measure import by_scenarios, reference_of

SHORT = 100
"""Below this many characters a word more or less is more than the tolerance."""


@pytest.mark.slow
@pytest.mark.parametrize("file", ["reference.json", "reference-0.171.0.json"])
def test_every_text_is_about_as_long_as_the_agents(file: str) -> None:
    reference = reference_of(Path(str(files("promptscope_engine.agents.codex") / file)))
    found = by_scenarios(reference)
    assert {each.key for each in found} == set(reference["sections"])
    shares = {each.key: len(each.ours) / each.real["chars"] for each in found if each.real["chars"] > SHORT}
    assert {key: round(share, 2) for key, share in shares.items() if not 0.87 <= share <= 1.13} == {}
