"""What the rules of a check look at: paths as the agent shows them, and the repository's own text in the prompt."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.engine.insight.made_up import assembly_of, of_file, ours, section

from promptscope_engine.checks.context import Context, Passage
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import EmptyDisk


def context(assembly: Assembly) -> Context:
    """Of an agent that was started in `/shop/app`, by somebody whose home is `/shop/home`."""
    assembly = replace(assembly, workspace="/shop/app", home="/shop/home")
    return Context("/shop", assembly, None, Workspace(EmptyDisk()), Counter(get_tokenizer("o200k_base")))


@pytest.mark.parametrize(
    ("path", "absolute", "relative"),
    [
        ("a.md", "/shop/app/a.md", "app/a.md"),
        ("../a.md", "/shop/a.md", "a.md"),
        ("~/a.md", "/shop/home/a.md", "home/a.md"),
        ("/shop/a.md", "/shop/a.md", "a.md"),
        ("/shopping/a.md", "/shopping/a.md", None),
        ("/shop", "/shop", None),
        ("../../a.md", "/a.md", None),
    ],
)
def test_where_a_path_leads_that_the_agent_shows(path: str, absolute: str, relative: str | None) -> None:
    found = context(assembly_of())
    assert (found.absolute(path), found.relative(path)) == (absolute, relative)
    finding = found.finding("secret", "words on /shop/app/x and /shop", path, 3)
    assert (finding.path, finding.line, finding.agents) == (relative or path, 3, ("claude-code",))
    assert finding.message == "words on app/x and /shop"


def test_the_repository_s_own_text_in_the_prompt() -> None:
    sections = (
        section("a", ours("no"), of_file("one", "a.md", 5), of_file("two", "b.md", None)),
        section("b", of_file("absent", "c.md"), present=False),
        section("c", of_file("mine", "/etc/d.md"), of_file("three", "~/e.md", 1)),
    )
    assert context(assembly_of(*sections)).passages == (
        Passage("a.md", 5, "one"), Passage("b.md", 1, "two"), Passage("~/e.md", 1, "three"),
    )  # fmt: skip
