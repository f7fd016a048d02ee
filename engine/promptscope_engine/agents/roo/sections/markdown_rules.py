"""MARKDOWN RULES: always there, no inputs."""

from __future__ import annotations

from collections.abc import Iterator

from ....draft import Piece, SectionDraft, builtin, label
from ..materials import Materials
from .part import part


def markdown_rules(materials: Materials) -> SectionDraft:
    """How names of files and code are to be written."""
    return part(materials, "markdown_rules", "MARKDOWN RULES", _pieces())


def _pieces() -> Iterator[Piece]:
    yield label("====\n\nMARKDOWN RULES\n\n")
    yield builtin(
        "markdown_rules.links",
        "Whenever a reply of yours names a file or a `language construct`, make it a clickable link of precisely this form: ",
    )
    yield label("[`filename OR language.declaration()`](relative/file/path.ext:line)")
    yield builtin(
        "markdown_rules.scope",
        ". For a construct the line is required, for a filename it is optional. This holds for all markdown that you write, and for the text in <attempt_completion> as well.",
    )
