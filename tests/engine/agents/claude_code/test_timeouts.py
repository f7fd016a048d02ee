"""How long a command may run, as Bash says it: the variables, as the client was asked."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.claude_code.timeouts import timeouts

from .prompts import prompt, tool

USUAL, MOST = "BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_TIMEOUT_MS"


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        *[(text, "1000000") for text in ("1_000_000", "1 000 000", "1,000,000", "1e6", "+1000000", " 1000000 ")],
        ("5000ms", "5000"),
        ("5e3ms", "5"),
        ("12.9", "12"),
        ("12.5e3", "12500"),
        ("700000.7x", "700000"),
        ("1e21", "1e+21"),
        *[
            (text, "120000")
            for text in ("", "x", "0", "-5", "1e-3", "0x1388", "0b11", "Infinity", "NaN", "1e400", "９")
        ],
    ],
)
def test_a_number_is_read_as_javascript_does_and_from_the_start_of_other_texts(text: str, usual: str) -> None:
    assert timeouts({USUAL: text})["usual"] == usual


@pytest.mark.parametrize(
    ("given", "longest", "background", "longest_background"),
    [
        ({}, "600000", "600000", "7200000"),
        ({MOST: "5000"}, "120000", "600000", "7200000"),
        ({MOST: "150000"}, "150000", "600000", "7200000"),
        ({MOST: "7200001"}, "7200001", "600000", "7200001"),
        ({MOST: "9999999999999"}, "9999999999999", "600000", "2147483647"),
        ({USUAL: "700000", MOST: "650000"}, "700000", "700000", "7200000"),
        ({USUAL: "8000000", MOST: "1"}, "8000000", "8000000", "8000000"),
        ({USUAL: "1e21"}, "1e+21", "2147483647", "2147483647"),
    ],
)
def test_none_is_below_its_least_and_the_longest_is_not_below_the_usual_one(
    given: dict[str, str], longest: str, background: str, longest_background: str
) -> None:
    found = timeouts(given)
    assert (found["longest"], found["background"], found["longest_background"]) == (
        longest,
        background,
        longest_background,
    )


@pytest.mark.parametrize(
    ("given", "minutes", "hours"),
    [
        ({MOST: "1234567"}, ("2", "20.576116666666667", "10"), "2"),
        ({MOST: "100000000"}, ("2", "1666.6666666666667", "10"), "28"),
        ({USUAL: "61000"}, ("1.0166666666666666", "10", "10"), "2"),
        ({USUAL: "1234567"}, ("20.576116666666667", "20.576116666666667", "21"), "2"),
        ({USUAL: "1"}, ("0.000016666666666666667", "10", "10"), "2"),
    ],
)
def test_minutes_are_written_out_and_those_of_the_background_are_rounded(
    given: dict[str, str], minutes: tuple[str, ...], hours: str
) -> None:
    found = timeouts(given)
    assert tuple(found[f"{key}_minutes"] for key in ("usual", "longest", "background")) == minutes
    assert found["longest_background_hours"] == hours


@pytest.mark.parametrize("layout", ["A'", "B"])
def test_the_description_and_the_schema_have_the_numbers(layout: str) -> None:
    found = tool(prompt(layout, env={USUAL: "61000", MOST: "1234567"}), "Bash")
    assert "61000" in found.description
    assert "1234567" in found.description
    properties = found.input_schema["properties"]
    assert "1234567" in properties["timeout"]["description"]
    assert "600000 ms unless given, 7200000 ms at most" in properties["run_in_background"]["description"]
    assert "{{" not in str(found.input_schema)
