"""What a hostile repository may make us offer: only what acts."""

from __future__ import annotations

from pathlib import Path

import pytest

from .runs import hold, scenario, target

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("to", "offered"), [("/usr", False), ("/dev/zero", False), ("/etc/passwd", True)])
def test_a_link_is_offered_to_be_followed_only_to_a_file(place: Path, to: str, offered: bool) -> None:
    target(place, ".roorules").symlink_to(to)
    [why] = [file.why for file in hold(scenario("roo", place)).files if file.path == ".roorules"]
    assert [lever.param for lever in why.levers] == (["outside_links"] if offered else [])
    assert why.remedy or offered
