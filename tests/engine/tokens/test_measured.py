"""Measured sizes: the generated pairs are fresh, and expected tokens follow from them."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.agents.features import package_of
from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.assembly.measure import measure
from promptscope_engine.tokens.measured import Pair, References, digest, references, version_numbers
from promptscope_engine.workspace.disk import EmptyDisk

PACKAGES = {agent_id: package_of(load_agent(agent_id)) for agent_id in agent_ids()}


@pytest.mark.parametrize("agent_id", PACKAGES)
@pytest.mark.slow
def test_the_pairs_were_written_after_our_wording_last_changed(agent_id: str) -> None:
    written = json.loads((Path(str(files(PACKAGES[agent_id]))) / "sizes.json").read_text(encoding="utf-8"))
    assert written == measure(PACKAGES[agent_id]), "run `python -m promptscope_engine.assembly.measure`"


@pytest.mark.parametrize("agent_id", PACKAGES)
def test_our_wording_is_about_as_long_as_the_real_one(agent_id: str) -> None:
    pairs = json.loads((Path(str(files(PACKAGES[agent_id]))) / "sizes.json").read_text(encoding="utf-8"))
    for version, by_encoding in pairs.items():
        sizes = [Pair(*pair) for by_digest in by_encoding["o200k_base"].values() for pair in by_digest.values()]
        real, ours = sum(p.real for p in sizes), sum(p.ours for p in sizes)
        assert 0.85 < ours / real < 1.15, (agent_id, version)


def test_a_pair_is_found_by_our_text_and_else_the_first_one() -> None:
    references = References({"o200k_base": {"rules": {digest("a"): [100, 90], digest("b"): [200, 180]}}})
    assert references.pair("rules", "b", "o200k_base") == Pair(200, 180)
    assert references.pair("rules", "neither", "o200k_base") == Pair(100, 90)
    assert references.pair("none", "a", "o200k_base") is None
    assert references.pair("rules", "a", "cl100k_base") is None


def test_expected_tokens_meet_the_measured_total() -> None:
    reference = json.loads((Path(str(files(PACKAGES["roo"]))) / "reference.json").read_text(encoding="utf-8"))
    column = reference["columns"].index("o200k_base")
    for mode, measured in reference["variants"]["default"]["modes"].items():
        scenario = Scenario.model_validate(
            {
                "agent": "roo",
                "workspace": reference["paths"]["workspace"],
                "home": reference["paths"]["home"],
                "mode": None if mode == "null" else mode,
                "params": {"language": "en", "terminalShell": "/bin/bash"},
                "environment": {"os_name": "Linux 6.1", "os_type": "Linux", "language": "en"},
                "env": {},
            }
        )
        assembly = assemble(scenario, Workspace(EmptyDisk()))
        assert assembly.tokens.expected == pytest.approx(measured["total"][column], rel=0.01)


def test_a_text_is_known_by_twelve_digits_of_its_hash() -> None:
    assert digest("") == "e3b0c44298fc"


def test_a_single_pair_counts_whatever_our_text_is_and_a_text_of_none_is_not_scaled() -> None:
    assert References({"o200k_base": {"rules": {"other": [100, 90]}}}).pair("rules", "b", "o200k_base") == Pair(100, 90)
    assert (Pair(3, 2).factor, Pair(3, 0).factor) == (1.5, 1.0)


@pytest.mark.parametrize(
    ("version", "numbers"),
    [("2.1.329", (2, 1, 329)), ("v1.2-beta3", (1, 2, 3)), ("next", ()), ("123456789", (123_456_789,)),
     ("1234567890", (123_456_789,)), ("9" * 5_000, (999_999_999,))],
)  # fmt: skip
def test_the_numbers_of_a_version(version: str, numbers: tuple[int, ...]) -> None:
    assert version_numbers(version) == numbers


def test_a_version_has_the_sizes_of_the_last_measured_one_up_to_it() -> None:
    written = json.loads((Path(str(files(PACKAGES["roo"]))) / "sizes.json").read_text(encoding="utf-8"))
    version = next(iter(written))
    key, by_digest = next(iter(written[version]["o200k_base"].items()))
    first = Pair(*next(iter(by_digest.values())))
    assert references(PACKAGES["roo"], version).pair(key, "", "o200k_base") == first
    assert references(PACKAGES["roo"], "999").pair(key, "", "o200k_base") is not None
    assert references(PACKAGES["roo"], "0").pair(key, "", "o200k_base") is None
    assert references("", version).pair(key, "", "o200k_base") is None
