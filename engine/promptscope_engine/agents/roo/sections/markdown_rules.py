"""MARKDOWN RULES: always there, no inputs."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, SectionDraft, builtin, label

from .part import part


def markdown_rules(materials: Materials) -> SectionDraft:
    """How names of files and code are to be written."""
    return part(materials, "markdown_rules", "MARKDOWN RULES", _pieces())


def _pieces() -> Iterator[Piece]:
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
