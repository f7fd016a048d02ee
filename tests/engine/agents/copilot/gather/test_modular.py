"""Which modular instruction files count, and under which path."""

from __future__ import annotations

import pytest

from .conftest import Assembled

HEAD = '---\napplyTo: "{}"\n{}---\nRule\n'
GIT = {"ws/.git/HEAD": "ref: refs/heads/main\n", "ws/.git/objects/a": "", "ws/.git/refs/a": ""}


@pytest.mark.parametrize(
    ("excluded", "sent"),
    [
        ("coding-agent", False),
        ("cloud-agent", False),
        ("[code-review, cloud-agent]", False),
        ("code-review", True),
        ("Cloud-Agent", True),
        ("cloud_agent", True),
        ('"cloud-agent,code-review"', True),
        ("[[cloud-agent]]", True),
        ("{cloud-agent: 1}", True),
        ("7", True),
    ],
)
def test_the_cli_goes_by_two_names(assembled: Assembled, excluded: str, *, sent: bool) -> None:
    name = ".github/instructions/a.instructions.md"
    found = assembled({f"ws/{name}": HEAD.format("**", f"excludeAgent: {excluded}\n")})
    (row,) = (row for row in found.files if row.path.endswith(name))
    assert row.present is sent


def test_a_link_is_named_by_its_target_and_one_target_counts_once(assembled: Assembled) -> None:
    rules = "ws/.github/instructions"
    files = {
        **GIT,
        "ws/docs/rule.md": HEAD.format("docs/**", ""),
        f"{rules}/a.instructions.md": "-> ../../docs/rule.md",
        f"{rules}/b.instructions.md": "-> ../../docs/rule.md",
        f"{rules}/c.instructions.md": HEAD.format("own/**", ""),
    }
    found = assembled(files)
    text = "".join(section.text for section in found.sections if section.text)
    assert text.count("| docs/** | 'docs/rule.md' |") == 1
    assert "| own/** | '.github/instructions/c.instructions.md' |" in text
    (row,) = (row for row in found.files if row.path.endswith("b.instructions.md"))
    assert (
        row.why.text.removeprefix("absent: ")
        == "it is the same file as .github/instructions/a.instructions.md, which counts once"
    )
