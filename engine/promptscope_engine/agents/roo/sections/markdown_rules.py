"""MARKDOWN RULES: always there, no inputs."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, label

from .part import section


@section("MARKDOWN RULES")
def markdown_rules(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - the same for all
    """How names of files and code are to be written."""
    yield label("====\n\nMARKDOWN RULES\n\n")
    yield builtin(
        "markdown_rules.links",
        "Wherever you name a file or a `language construct`, make it a clickable link of precisely this form: ",
    )
    yield label("[`filename OR language.declaration()`](relative/file/path.ext:line)")
    yield builtin(
        "markdown_rules.scope",
        "; only a filename may do without its line. This holds in all markdown and in <attempt_completion>.",
    )
