"""Which values of front matter switch something on."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.kit.heads import is_yes


@pytest.mark.parametrize("value", [True, 1, 1.0, "true", "TRUE", "yes", "Yes", "on", "1", " true ", "yes\n"])
def test_what_means_yes(value: object) -> None:
    assert is_yes(value)


@pytest.mark.parametrize("value", [False, None, 0, 2, -1, "", "y", "t", "no", "off", "truee", [True], {}, float("inf")])
def test_what_does_not(value: object) -> None:
    assert not is_yes(value)
