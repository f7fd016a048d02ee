"""The documents: every link leads somewhere, and every command they show exists with these options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from runpy import run_path

import click
import pytest
import yaml

from promptscope_engine import __version__
from promptscope_tui.cli import cli
from promptscope_tui.commands.table import COMMANDS

from .support.documents import anchors, code, documents, links
from .support.generated import ROOT

_CALL = re.compile(r"(?:^ *(?:\$ )?|[|;&-] |\brun )promptscope\b(?: (?!COMMAND\b|-- )([^|;>#\\]*))?")
_INNER = re.compile(r"\"?\$\(([^)]*)\)\"?")


def calls(line: str) -> Iterator[list[str]]:
    """The words that each `promptscope` of a line of code is given; `$(…)` is a call of its own."""
    if line.startswith("Usage:"):
        return
    for inner in _INNER.findall(line):
        yield from calls(inner)
    for found in _CALL.finditer(_INNER.sub("X", line)):
        yield shlex.split(re.split(r" && |  ", found[1] or "")[0])
    if (line.partition(" ")[0] in COMMANDS) and " --" in line:  # said without the program's name
        yield shlex.split(line)


def mistake(words: list[str]) -> str:
    """What is wrong with these words, which are parsed and not run; "" if nothing is."""
    name = words[0] if words and words[0] in COMMANDS else "open"
    with click.Context(cli, info_name="promptscope", **cli.context_settings) as root:
        command = cli if words == ["--version"] else cli.get_command(root, name)
        assert command is not None
        with click.Context(command, root, name) as context:
            try:
                _, rest, _ = command.make_parser(context).parse_args(words[words[:1] == [name] :])
            except click.NoSuchOption as error:
                return error.format_message()
            except click.BadOptionUsage:  # a sentence names an option without its value
                return ""
    return f"too many words: {rest}" if rest and not context.allow_extra_args else ""


def test_every_link_and_picture_leads_somewhere() -> None:
    for document in documents():
        for target in links(document.read_text(encoding="utf-8")):
            path, _, anchor = target.partition("#")
            leads = document.parent / path if path else document
            assert leads.exists(), f"{document.relative_to(ROOT)}: {target}"
            if anchor:
                assert anchor in anchors(leads.read_text(encoding="utf-8")), f"{document.relative_to(ROOT)}: {target}"


def test_every_picture_is_found_on_the_site() -> None:
    """The site's own generator, which says the same and more, is in a group that the tests don't install."""
    conf = run_path(str(ROOT / "docs/conf.py"))
    shown = []
    for document in documents():
        text = conf["for_the_site"](document.read_text(encoding="utf-8"), document.parent.relative_to(ROOT).as_posix())
        shown += re.findall(r'<img[^>]* src="([^"]*)"|```\{image\} (\S+)', text)
    pictures = {ROOT / "docs" / (inline or block) for inline, block in shown}
    assert pictures
    assert not [str(picture) for picture in pictures if not picture.is_file()]


def test_what_others_copy_into_their_repositories_names_this_release() -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/check.md").read_text(encoding="utf-8"), re.DOTALL)
    hook, workflow = (yaml.safe_load(block) for block in blocks)
    assert hook["repos"][0]["rev"] == f"v{__version__}"
    assert workflow["jobs"]["prompts"]["steps"][-1]["uses"] == f"OWNER/promptscope@v{__version__}"
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["repos"][0]["hooks"] == [{"id": hooks[0]["id"]}]


def test_every_command_exists_with_its_options() -> None:
    found = 0
    for document in documents():
        if document.name == "CHANGELOG.md":  # names what is gone, too
            continue
        for line in code(document.read_text(encoding="utf-8")):
            for words in calls(line):
                found += 1
                assert not mistake(words), f"{document.relative_to(ROOT)}: {line.strip()}: {mistake(words)}"
    assert found > 150


@pytest.mark.parametrize(
    "line", ["promptscope show --fromat json", "x | promptscope learn --list a b", "promptscope --demmo"]
)
def test_a_wrong_command_is_noticed(line: str) -> None:
    assert [mistake(words) for words in calls(line)] != [""]
