"""Our wording against the measured sizes."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from promptscope_engine.agents.codex.measured import real_sizes, wordings
from promptscope_engine.assembly.measure import on_empty_disk

SHORT = 100
"""Below this many characters a word more or less is more than the tolerance."""


@pytest.mark.slow
def test_every_text_is_about_as_long_as_the_agents() -> None:
    real = real_sizes(json.loads((files("promptscope_engine.agents.codex") / "reference.json").read_text()))
    ours = {key: len(text) for key, _, text in wordings(on_empty_disk)}
    assert set(real) <= set(ours)
    shares = {key: ours[key] / size["chars"] for key, size in real.items() if size["chars"] > SHORT}
    assert {key: round(share, 2) for key, share in shares.items() if not 0.87 <= share <= 1.13} == {}
