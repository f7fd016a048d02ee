"""The versions of an agent that are known here."""

from __future__ import annotations

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.learned import Learned, LearnedVersion
from promptscope_tui.session.versions import (
    default_version,
    how_known,
    known_versions,
    newer_than_known,
    newest_learned,
    one_before,
)

CODEX = load_agent("codex")
MODELLED = CODEX.versions[-1]


def learned(*versions: str) -> Learned:
    """Learned one day after the other."""
    return Learned(
        tuple(LearnedVersion("codex", each, (), f"2026-12-{day:02}T10:00:00") for day, each in enumerate(versions, 1))
    )


def test_modelled_and_learned_versions_are_in_the_order_of_their_numbers() -> None:
    assert known_versions(CODEX, None) == CODEX.versions
    assert known_versions(CODEX, learned("0.1000.0", MODELLED, "0.9.0")) == ("0.9.0", *CODEX.versions, "0.1000.0")


def test_each_says_how_it_is_known() -> None:
    date = CODEX.about.modelled[MODELLED]
    assert how_known(CODEX, MODELLED, None) == f"modelled {date}"
    assert how_known(CODEX, MODELLED, learned(MODELLED)) == f"modelled {date}, learned 2026-12-01"
    assert how_known(CODEX, "0.9.0", learned(MODELLED, "0.9.0")) == "learned 2026-12-02"


def test_the_version_that_was_learned_last_is_the_default() -> None:
    assert default_version(CODEX, None) == MODELLED
    assert default_version(CODEX, learned("0.999.0", "0.998.0")) == "0.998.0"


def test_to_learn_an_older_one_is_no_update() -> None:
    assert newest_learned(CODEX, None) is None
    assert newest_learned(CODEX, learned("0.998.0", "0.999.0")) == "0.999.0"
    assert newest_learned(CODEX, learned("0.999.0", "0.998.0")) is None


def test_a_version_is_compared_with_the_one_before_that_was_learned_else_with_a_modelled_one() -> None:
    assert one_before(CODEX, "0.999.0", None) == MODELLED
    assert one_before(CODEX, "0.999.0", learned("0.9.0", "0.999.0")) == "0.9.0"
    assert one_before(CODEX, CODEX.versions[0], None) is None


def test_a_version_that_is_newer_than_all_others_is_named_with_the_model() -> None:
    words = newer_than_known("codex", "0.999.0", None)
    assert words == (
        f"Codex 0.999.0 is newer than what is known here: the model is {MODELLED} of {CODEX.about.modelled[MODELLED]}"
    )
    assert newer_than_known("codex", "0.999.0", learned("0.999.0")) == ""
    assert newer_than_known("codex", MODELLED, None) == ""
    assert newer_than_known("codex", None, None) == ""
    assert newer_than_known("nobody", "1.0", None) == ""
