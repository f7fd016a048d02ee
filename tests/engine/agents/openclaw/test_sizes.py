"""Our wording against the measured sizes: nothing is far off."""

from __future__ import annotations

import json
from importlib.resources import files

from promptscope_engine.agents.openclaw.measured import real_sizes, wordings
from promptscope_engine.assembly.measure import on_empty_disk
from promptscope_engine.javascript.text import utf16_len

PACKAGE = "promptscope_engine.agents.openclaw"
SHORT = 40
"""Below this many characters a word more or less is more than the tolerance."""


def test_every_text_is_about_as_long_as_the_agents() -> None:
    reference = json.loads((files(PACKAGE) / "reference.json").read_text())
    real = real_sizes(reference)
    off: dict[str, float] = {}
    seen: set[str] = set()
    for key, _, ours in wordings(on_empty_disk):
        if key in seen:
            continue  # the first one of a key is the variant that was measured
        seen.add(key)
        wanted = real.get(key, {}).get("chars")
        if wanted and wanted > SHORT and not key.startswith("tools."):
            share = utf16_len(ours) / wanted
            if not 0.88 <= share <= 1.12:
                off[key] = round(share, 2)
    assert off == {}


def test_the_whole_request_is_expected_at_its_measured_size() -> None:
    reference = json.loads((files(PACKAGE) / "reference.json").read_text())
    tools = [size for key, size in real_sizes(reference).items() if key.startswith("tools.")]
    measured = reference["request_tools_total"]["description_and_schema"]["o200k_base"]
    assert abs(sum(size["o200k_base"] for size in tools) - 60 - measured) < measured / 50  # without apply_patch
