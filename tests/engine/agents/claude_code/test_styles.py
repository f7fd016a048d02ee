from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .conftest import Project

STYLE = "---\nname: Terse\ndescription: d\n---\nBe terse.\n"


def present(project: Project, version: str, **more: object) -> dict[str, str]:
    return {s.id: s.text for s in project.assemble(version, **more).sections if s.present}


@pytest.mark.parametrize(("keep", "stays"), [("", False), ("keep-coding-instructions: true\n", True)])
def test_an_own_style_drops_the_coding_instructions(project: Project, keep: str, stays: bool) -> None:
    project.write(
        {"workspace/.claude/output-styles/terse.md": STYLE.replace("description: d\n", f"description: d\n{keep}")}
    )
    sections = present(project, "2.1.100", params={"settings": {"outputStyle": "Terse"}})
    assert ("doing_tasks" in sections) is stays
    assert sections["output_style"].strip() == "# Output Style: Terse\nBe terse."


def test_built_in_styles_keep_them(project: Project) -> None:
    sections = present(project, "2.1.100", params={"settings": {"outputStyle": "Explanatory"}})
    assert {"doing_tasks", "output_style", "output_style.reminder"} <= set(sections)


def test_where_it_stands(project: Project) -> None:
    project.write({"home/.claude/output-styles/terse.md": STYLE})
    params = {"settings": {"outputStyle": "Terse"}}
    section = project.assemble("2.1.329", params=params).section("output_style")
    assert section is not None
    assert section.channel == "messages"
    older = present(project, "2.1.329", params=params, model="claude-sonnet-4-5-20250929")
    assert "output_style.reminder" in older
    assert "output_style.reminder" in present(project, "2.1.329", params=params)


def test_an_organisations_style_goes_before_one_of_the_same_name(project: Project) -> None:
    project.write(
        {
            "managed/.claude/output-styles/terse.md": STYLE.replace("Be terse.", "By order."),
            "workspace/.claude/output-styles/terse.md": STYLE,
        }
    )
    for sources in (None, "user"):
        params = {"settings": {"outputStyle": "Terse"}, "args": {"settingSources": sources}}
        assert present(project, "2.1.329", params=params)["output_style"].strip().endswith("By order.")


def test_an_unknown_style_is_a_diagnostic(project: Project) -> None:
    assembly = project.assemble(params={"settings": {"outputStyle": "Nope"}})
    assert [d.code for d in assembly.diagnostics] == ["unknown-style"]


@pytest.mark.parametrize(
    ("name", "is_known"),
    [("default", True), ("Default", True), ("Explanatory", True), ("Terse", True), ("terser", False), ("", True)],
)
def test_which_styles_are_known(project: Project, name: str, is_known: bool) -> None:
    project.write({"workspace/.claude/output-styles/terse.md": STYLE})
    assembly = project.assemble(params={"settings": {"outputStyle": name}})
    assert ("unknown-style" not in [d.code for d in assembly.diagnostics]) is is_known


def test_of_two_styles_of_one_name_the_first_counts(project: Project) -> None:
    files = ("managed/.claude/output-styles/a.md", "workspace/.claude/output-styles/b.md")
    project.write(dict.fromkeys(files, STYLE))
    first, second = (project.file(name, params={"settings": {"outputStyle": "Terse"}}) for name in files)
    assert (first.present, second.present) == (True, False)
    assert second.why.text == "absent: another style has the same name"
    other = project.file(files[0])
    assert not other.present
    assert "another style" not in other.why.text


@pytest.mark.parametrize(("version", "is_known"), [("2.1.100", False), ("2.1.329", True)])
def test_the_older_version_has_two_styles_of_its_own(project: Project, version: str, is_known: bool) -> None:
    for name, known in (("Explanatory", True), ("Learning", True), ("Proactive", is_known)):
        said = project.gathered(version, params={"settings": {"outputStyle": name}}).diagnostics
        assert ("unknown-style" not in [d.code for d in said]) is known
