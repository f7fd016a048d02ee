"""Sections that a client sends at another place than predicted."""

from __future__ import annotations

from tests.engine.insight.made_up import assembly_of, ours, section

from promptscope_engine.captures.model import Block, Capture, Content, Header, Message
from promptscope_engine.insight.client_sections import ClientSection, ClientSections
from promptscope_engine.insight.verification import Sides
from promptscope_engine.learned import Holes, Moved
from promptscope_engine.learning.moves import NewText, moved_parts, new_blocks, new_sections
from promptscope_engine.prompt.model import Fragment, Origin

RUN = Capture(Header(agent="x", cwd="/w/shop", home="/w/home"), ())
NO_HOLES = Holes("", "")
INTRO = "You are an agent of some kind.\nKeep to the rules.\n"
GIT = "Current branch: main\nStatus: clean, nothing to commit\nRecent commits: none so far\n"


def fixed(text: str) -> Fragment:
    return Fragment(text, Origin("label"))


def moved(system: str, said: str, not_sent: str = "git") -> list[Moved]:
    assembly = assembly_of(section("intro", fixed(INTRO)), section("git", fixed(GIT), channel="messages"))
    content = Content("anthropic", system=(Block(system),), messages=(Message("user", (Block(said),)),))
    return list(moved_parts(Sides(assembly, content, RUN), {not_sent}))


def test_a_section_is_found_by_its_lines_behind_a_part_that_is_known() -> None:
    assert moved(INTRO + GIT, "hello there") == [Moved("git", "intro")]


def test_a_section_at_the_start_is_before_the_first_known_part() -> None:
    assert moved(GIT + INTRO, "hello there") == [Moved("git", "intro", is_before=True)]


def test_a_section_behind_a_file_is_behind_all_files() -> None:
    rule = section("rules.file:/w/a.md", fixed("Never push on a Friday.\n"))
    assembly = assembly_of(rule, section("git", fixed(GIT), channel="messages"))
    content = Content("anthropic", system=(Block(f"Never push on a Friday.\n{GIT}"),))
    assert list(moved_parts(Sides(assembly, content, RUN), {"git"})) == [Moved("git", "rules.file:")]


def test_a_few_words_that_are_elsewhere_are_no_section() -> None:
    assert moved(f"{INTRO}Status: clean, nothing to commit\n", "hello there") == []


def test_only_what_was_not_sent_at_its_place_is_looked_for() -> None:
    assert moved(INTRO + GIT, "hello there", not_sent="intro") == []


def test_a_block_that_nothing_predicted_is_a_new_text() -> None:
    assembly = assembly_of(section("intro", fixed(INTRO)))
    made_up = Block("Quuxmark is only here.")
    content = Content("anthropic", system=(Block(INTRO), Block("Something new altogether."), made_up))
    assert list(new_blocks(Sides(assembly, content, RUN), NO_HOLES)) == [
        NewText("intro", ("Something new altogether.",))
    ]


def new(*told: tuple[str, str], prose: str = "intro") -> list[NewText]:
    """What is new among these sections of the client's, where ours are the intro, and the notes."""
    table = {"body": ("intro",), "pronouns": ("notes",)}
    named = ClientSections([ClientSection(*each) for each in told], table)
    parts = (section(prose, ours("Keep to it.")), section("notes", fixed("\n\nThey are people.")))
    content = Content("anthropic", system=(Block("\n\n".join(text for _, text in told)),))
    return list(new_sections(Sides(assembly_of(*parts), content, RUN), named, NO_HOLES))


BODY, NOTES = ("body", "Keep to what is agreed."), ("pronouns", "They are people.")


def test_a_section_of_the_clients_without_ours_is_new_beside_the_one_before_it() -> None:
    found = new(BODY, ("novel", "Sing."), ("other", "Dance."), NOTES)
    assert found == [
        NewText("intro", ("Sing.",), "novel"),
        NewText("learned.novel", ("Dance.",), "other"),
    ]


def test_one_that_comes_first_is_before_ours() -> None:
    assert new(("novel", "Sing."), BODY, NOTES) == [NewText("intro", ("Sing.",), "novel", is_before=True)]


def test_beside_prose_of_ours_without_a_name_nothing_is_new() -> None:
    assert new(BODY, ("novel", "Sing."), NOTES, prose="unnamed") == []
