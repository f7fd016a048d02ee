"""Which request of a capture is shown, and what is no capture."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.engine.agents.observed.conftest import capture
from tests.engine.captures.bodies import ANTHROPIC
from tests.support.frozen import frozen_scenario

from promptscope_engine import ScenarioError, assemble


def test_a_request_is_chosen_by_its_number(place: Path) -> None:
    later = {**ANTHROPIC, "messages": [*ANTHROPIC["messages"], {"role": "assistant", "content": "ok"}]}
    file = capture(place, ("/api/hello", None), ("/v1/messages", ANTHROPIC), ("/v1/messages", later))
    main = assemble(frozen_scenario("observed/x", place, capture=file))
    third = assemble(frozen_scenario("observed/x", place, capture=file, params={"request": 3}))
    assert [section.title for section in third.sections][len(main.sections) :] == ["assistant: ok"]
    with pytest.raises(ScenarioError, match="no request 1 to a model in the capture; there are: 2, 3"):
        assemble(frozen_scenario("observed/x", place, capture=file, params={"request": 1}))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"nothing", "no capture"),
        (b'{"a": 1}', "known kind"),
        (None, "x.json: cannot read the capture: No such file"),
    ],
)
def test_a_file_that_is_no_capture_cannot_be_assembled(place: Path, content: bytes | None, says: str) -> None:
    file = place / "x.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ScenarioError, match=says):
        assemble(frozen_scenario("observed/x", place, capture=str(file)))


@pytest.mark.parametrize("count", [19, 20, 21])
def test_so_many_requests_are_named_where_one_is_not_there(place: Path, count: int) -> None:
    file = capture(place, *[("/v1/messages", ANTHROPIC)] * count)
    with pytest.raises(ScenarioError) as caught:
        assemble(frozen_scenario("observed/x", place, capture=file, params={"request": 99}))
    named = ", ".join(str(number) for number in range(1, min(count, 20) + 1))
    assert str(caught.value).endswith(f"there are: {named}")


def test_without_a_number_the_main_request_is_shown(place: Path) -> None:
    file = capture(place, ("/api/hello", {"a": 1}), ("/v1/messages", None), ("/v1/messages", ANTHROPIC))
    shown = [
        assemble(frozen_scenario("observed/x", place, capture=file, params=params)).request
        for params in ({}, {"request": 0}, {"request": 3})
    ]
    assert shown[0] == shown[1] == shown[2]
    for number in (1, 2, 4):
        with pytest.raises(ScenarioError, match=f"no request {number} to a model in the capture; there are: 3"):
            assemble(frozen_scenario("observed/x", place, capture=file, params={"request": number}))
    file = capture(place, ("/api/hello", {"a": 1}))
    with pytest.raises(ScenarioError, match="the capture holds no request to a model"):
        assemble(frozen_scenario("observed/x", place, capture=file))
    with pytest.raises(ScenarioError, match="there are: none"):
        assemble(frozen_scenario("observed/x", place, capture=file, params={"request": 1}))
