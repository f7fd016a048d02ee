"""Archives of recordings: a folder for each version of an agent."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_tui.session.releases import archived, first_of_versions


@pytest.mark.parametrize("below", ["captures/", ""])
def test_versions_are_in_rising_order_and_of_each_the_first_variant_counts(tmp_path: Path, below: str) -> None:
    for name in (
        "a/1.10.0/variants/default/t.jsonl",
        "a/1.9.0/variants/plan/t.jsonl",
        "a/1.9.0/variants/default/t.jsonl",
    ):
        path = tmp_path / below / name
        path.parent.mkdir(parents=True)
        path.touch()
    (tmp_path / below / "a" / "notes.jsonl").touch()
    found = archived(tmp_path)
    assert [(each.version, each.variant) for each in found] == [
        ("1.9.0", "variants/default/t.jsonl"),
        ("1.9.0", "variants/plan/t.jsonl"),
        ("1.10.0", "variants/default/t.jsonl"),
    ]
    assert [each.version for each in first_of_versions(found)] == ["1.9.0", "1.10.0"]
    assert archived(tmp_path / "nowhere") == []
