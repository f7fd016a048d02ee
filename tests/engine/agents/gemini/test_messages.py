"""What lists decide behind the session context: the prompt's files, what reads bring."""

from __future__ import annotations

import pytest
from tests.engine.agents.gemini.conftest import Project, parts

pytestmark = pytest.mark.slow


def test_hooks(project: Project) -> None:
    hooks = {"SessionStart": "a <b> & c", "BeforeAgent": "z"}
    start, before = "<hook_context>a &lt;b&gt; & c</hook_context>", "<hook_context>z</hook_context>"
    assert parts(project, hooks=hooks) == [f"{start}\n\nhi", before]
    assert parts(project, hooks=hooks, dialog=True) == [start, "hi", before]
    assert parts(project, hooks=hooks, settings={"hooksConfig": {"enabled": False}}) == ["hi"]


def test_what_is_piped_in_stands_before_the_prompt(project: Project) -> None:
    assert parts(project, stdin="in\n") == ["in\n\n\nhi"]
    assert parts(project, stdin="in", dialog=True) == ["hi"]


def test_files_that_the_prompt_names(project: Project) -> None:
    project.write({"workspace/a.md": "A\n", "workspace/d/b": "", "out": "o"})
    assert parts(project, prompt="see @a.md, @a.md @none @d @../out") == [
        "see @a.md, @a.md @none @d/** @../out",
        "\n--- Content from referenced files ---",
        "\nContent from @a.md:\n",
        "A",
        "\nContent from @d/b:\n",
        "\n--- End of content ---",
    ]
