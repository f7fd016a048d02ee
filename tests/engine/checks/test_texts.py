"""What looks like a secret or like nothing, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from .test_checker import checked

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("sk-ant-api03-" + "a1B2" * 8, "an Anthropic key"),
        ("sk-proj-" + "a1B2" * 10, "an OpenAI key"),
        ("AKIA" + "A1B2C3D4E5F6G7H8", "an AWS access key"),
        ("ghp_" + "a1B2" * 9, "a GitHub token"),
        ("glpat-" + "a1B2" * 5, "a GitLab token"),
        ("xoxb-123456789012-abcdef", "a Slack token"),
        ("xoxb-1a2b3c4d5e", "a Slack token"),
        ("AIza" + "a1B2c" * 7, "a Google key"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "a private key"),
        ("postgres://app:s3cret99@db/x", "a password in an address"),
        ('api_key = "q8Z3k1L9x7V5b2N4"', "a password or token"),
    ],
)
def test_secrets(tmp_path: Path, line: str, name: str) -> None:
    report = checked(tmp_path, {"CLAUDE.md": f"Use {line}\n"})
    assert [f.message for f in report.findings] == [f"this looks like {name}, and every request sends it"]


@pytest.mark.parametrize(
    "line",
    [
        "Set ANTHROPIC_API_KEY=your-key-goes-here-1234",
        "token: ${{ secrets.GITHUB_TOKEN_1234567 }}",
        "The secret: keep functions short and names long",
        "password = os.environ['DATABASE_PASSWORD_1']",
        "postgres://user:password@localhost/db",
        "sk-ant-short",
        "task-AKIA-like words",
    ],
)
def test_no_secrets(tmp_path: Path, line: str) -> None:
    assert not checked(tmp_path, {"CLAUDE.md": f"{line}\n"}).findings


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\u200bb", "1 × U+200B zero width space"),
        ("a\u202eb\u202c", "2 × U+202E right-to-left override, U+202C pop directional formatting"),
        ("x" + "".join(chr(0xE0000 + ord(c)) for c in "hi"), "2 × U+E0068 tag latin small letter h, U+E0069"),
        ("soft\u00adhyphen", "1 × U+00AD soft hyphen"),
        ("\u02ff\u200c\u0300", "1 × U+200C zero width non-joiner"),
        ("\u0300\u200c\u02ff", "1 × U+200C zero width non-joiner"),
        ("\u0300\u200c\u02ffz", "1 × U+200C zero width non-joiner"),
        ("\u0300\u200c\u200d\u0300", "2 × U+200C zero width non-joiner, U+200D zero width joiner"),
    ],
)
def test_invisible_characters(tmp_path: Path, text: str, words: str) -> None:
    (finding,) = checked(tmp_path, {"CLAUDE.md": f"{text}\n"}).findings
    assert finding.message.startswith(words)


@pytest.mark.parametrize(
    "text",
    [
        "Grüße, 中文, עברית",
        "👩\u200d💻 pairs",
        "می\u200cخواهم",
        "\ufeffwith a mark at the start",
        "a\u0300\u200d\u0300b",
    ],
)
def test_what_scripts_need_is_fine(tmp_path: Path, text: str) -> None:
    assert not checked(tmp_path, {"CLAUDE.md": f"{text}\n"}).findings


def test_of_many_invisible_characters_the_names_are_cut_at_200_characters(tmp_path: Path) -> None:
    tags = "".join(chr(0xE0061 + number) for number in range(26))  # each name has 37 characters
    (finding,) = checked(tmp_path, {"CLAUDE.md": f"x{tags}\n"}).findings
    count, _, names = finding.message.partition(" × ")
    assert (count, len(names)) == ("26", 200)
