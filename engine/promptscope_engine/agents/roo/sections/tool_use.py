"""TOOL USE: how a tool is called; always there, no inputs."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, label

from .part import section

_SKELETON = """\
<actual_tool_name>
<parameter1_name>value1</parameter1_name>
<parameter2_name>value2</parameter2_name>
...
</actual_tool_name>"""


@section("TOOL USE")
def tool_use(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - the same for all
    """One tool per message, in XML tags."""
    yield label("====\n\nTOOL USE\n\n")
    yield builtin(
        "tool_use.intro",
        "A set of tools is at your disposal; a call is carried out once the user approves it. Each message must hold exactly one call, whose result reaches you in the user's reply. Work through a task one tool at a time, and let each result decide what to call next.",
    )
    yield label("\n\n# Tool Use Formatting\n\n")
    yield builtin(
        "tool_use.formatting",
        "A call is written in XML-style tags: the name of the tool is the tag that encloses the call, and within it each parameter has its own pair of tags. The pattern:",
    )
    yield label(f"\n\n{_SKELETON}\n\n")
    yield builtin(
        "tool_use.names",
        "The enclosing tag must be the true name of the tool, or the call can be neither parsed nor executed.",
    )
