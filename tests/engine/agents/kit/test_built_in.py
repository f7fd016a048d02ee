"""What stays cached by the order of a request alone: absent sections have no part in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.agents.features import Forecast
from promptscope_engine.agents.kit.built_in import NO_TEXT, CachedByOrder, characters_before, in_request
from promptscope_engine.prompt.model import Assembly, Section

boundary, forecast = CachedByOrder().boundary, CachedByOrder().forecast


@pytest.fixture
def assembly(tmp_path: Path) -> Assembly:
    """An assembly with AGENTS.md in it."""
    (tmp_path / "AGENTS.md").write_text("Be brief.\n")
    scenario = Scenario(
        agent="openclaw", agent_version="2026.2.24", workspace=str(tmp_path), home=str(tmp_path / "home"), env={}
    )
    return assemble(scenario, Workspace(), cached_only=True)


def test_the_boundary_is_the_first_present_section_that_may_change(assembly: Assembly) -> None:
    identity, safety, runtime = (found(assembly, name) for name in ("identity", "safety", "runtime"))
    gone, message = replace(runtime, id="gone", present=False), replace(runtime, id="message", channel="messages")

    def among(*sections: Section) -> str | None:
        return boundary(replace(assembly, sections=sections))

    assert among(identity, safety, runtime) == "runtime"
    assert among(identity, gone, safety, runtime) == "runtime"
    assert among(message, identity, runtime) == "runtime"
    assert among(identity, safety) is None
    assert among(runtime, identity) is None
    assert among() is None


def test_the_request_holds_what_is_present_the_system_text_first(assembly: Assembly) -> None:
    safety = found(assembly, "safety")
    sections = (
        replace(safety, id="second", channel="messages"),
        replace(safety, id="gone", present=False),
        replace(safety, id="first"),
        replace(safety, id="tools", channel="tools"),
    )
    assert [s.id for s in in_request(replace(assembly, sections=sections))] == ["first", "second"]


def test_characters_before_what_a_file_gives(assembly: Assembly) -> None:
    section = next(s for s in assembly.sections if s.id == "project_context.AGENTS.md")
    path = next(f.origin.path for f in section.fragments if f.origin.path)
    assert characters_before(section, path) == section.text.index("Be brief.") > 0
    assert characters_before(replace(section, fragments=section.fragments[-1:]), path) == 0


@pytest.mark.parametrize(("expected", "total"), [(None, 0), (7, 7)])
def test_a_file_without_text_in_the_request_changes_nothing(
    assembly: Assembly, expected: int | None, total: int
) -> None:
    counted = replace(assembly, tokens=replace(assembly.tokens, expected=expected))
    assert forecast(counted, "none.md") == Forecast(None, total, total, total, NO_TEXT)


def found(assembly: Assembly, name: str) -> Section:
    section = assembly.section(name)
    assert section is not None
    return section
