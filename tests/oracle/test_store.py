"""promptscope predicts what the real clients sent in every recorded situation, but for what is known."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from . import audit
from .clients import NAMES
from .known import PENDING, known, signatures, unpredictable
from .recordings import STORE, found_in, read, stored
from .samples import quick

ALL = [f"{client}/{path.stem}" for client in NAMES for path in sorted((STORE / client).glob("*.json"))]
QUICK, SAMPLE = quick(ALL), quick(ALL, 600)
"""Of the store, which `python -m tests.oracle compare` asks as a whole."""


def _marked(name: str) -> object:
    return pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow])


@pytest.mark.parametrize("name", [_marked(name) for name in ALL if name in SAMPLE])
def test_prediction_agrees_with_the_client(name: str) -> None:
    recording = read(STORE / f"{name}.json")
    if not recording.is_comparable:
        pytest.skip("the client differs from one run to the next, or this version of it is not modelled")
    found, expected = found_in(recording), known(name)
    new = [one for one in found if one.signature in set(signatures(found)) - set(expected)]
    assert not new, "promptscope predicts something else than the client sent"
    gone = sorted(set(expected) - set(signatures(found)))
    assert not gone, "no longer different: run `python -m tests.oracle pending`, or take it out of unpredictable.json"


@cache
def _names() -> set[str]:
    return {recording.name for recording in stored()}


def test_every_known_difference_belongs_to_a_recording() -> None:
    assert {path.stem for path in PENDING.glob("*.json") if json.loads(path.read_text())} <= set(NAMES)
    assert all(reason for name in _names() for reason in unpredictable(name).values())


def test_store_holds_no_words_of_a_vendor() -> None:
    found = {recording.name: audit.foreign(recording.facts) for recording in stored()}
    assert {name: texts for name, texts in found.items() if texts} == {}


def test_every_recording_is_stored_as_it_would_be_written(tmp_path: Path) -> None:
    for recording in stored():
        recording.write(tmp_path)
        written = (tmp_path / f"{recording.name}.json").read_text()
        assert written == (STORE / f"{recording.name}.json").read_text(), recording.name
