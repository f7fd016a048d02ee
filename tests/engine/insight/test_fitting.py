"""What a recording does not say of its launch is what explains most of the request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.frozen import ENVIRONMENT, frozen_scenario

from promptscope_engine import Scenario, assemble
from promptscope_engine.captures.exchange import Exchange, labelled, recorded
from promptscope_engine.captures.model import Capture, Header
from promptscope_engine.insight.fitting import Fit, best_fit
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace import Workspace

pytestmark = pytest.mark.slow

VERSION = "2.1.332"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for folder in ("workspace", "home", "managed"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "workspace" / "CLAUDE.md").write_text("Use pnpm.\n")
    return tmp_path


def started(place: Path, header: Header | None = None, **given: Any) -> Fit:
    """The fit of a request that a launch with these inputs would have sent."""
    sent = json.loads(
        json.dumps(assemble(frozen_scenario("claude-code", place, agent_version=VERSION, **given)).to_dict())
    )
    body = {**{key: sent["request"][key] for key in ("system", "messages", "tools")}, "model": sent["model"]}
    (request,) = labelled([recorded(1, Exchange(path="/v1/messages", body=body))], "hi")
    folders = {"workspace": str(place / "workspace"), "managed": str(place / "managed"), "home": str(place / "home")}
    base = Scenario.model_validate({**folders, "env": {}, "environment": ENVIRONMENT})
    header = header or Header("claude-code", VERSION, prompt="hi")
    return best_fit(Capture(header, (request,)), request, base, Counter(get_tokenizer("o200k_base")), Workspace())


def assumed(fit: Fit) -> list[str]:
    return [note.removeprefix("assumed ").partition(",")[0] for note in fit.result.notes if "assumed" in note]


HEADLESS = {"args": {"print": True}}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"params": HEADLESS}, ["args.print=true"]),
        ({"params": HEADLESS, "env": {"ENABLE_TOOL_SEARCH": "false"}}, ["ENABLE_TOOL_SEARCH=false", "args.print=true"]),
        ({"params": {}}, []),
    ],
)
def test_a_switch_is_assumed_by_the_parts_that_it_decides_about(
    place: Path, given: dict[str, Any], expected: list[str]
) -> None:
    fit = started(place, **given)
    assert assumed(fit) == expected
    assert fit.result.explained > 0.99
    assert not fit.result.tools.unpredicted


def test_a_note_names_what_speaks_for_it(place: Path) -> None:
    fit = started(place, params=HEADLESS, env={"ENABLE_TOOL_SEARCH": "false"})
    first = next(note for note in fit.result.notes if "assumed" in note)
    assert "as the recording doesn't say: it decides about " in first
    assert " more" in first


def test_what_the_recording_says_is_never_assumed(place: Path) -> None:
    header = Header("claude-code", VERSION, prompt="hi", command=("claude",), variables={})
    fit = started(place, header, params=HEADLESS, env={"ENABLE_TOOL_SEARCH": "false"})
    assert assumed(fit) == []


def test_another_version_is_not_taken_for_switches_that_are_off(place: Path) -> None:
    header = Header("claude-code", "2.1.999", prompt="hi")
    assert "settings.includeGitInstructions=false" not in assumed(started(place, header, params=HEADLESS))
