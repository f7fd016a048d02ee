"""MODES (specs/roo.md 1.8): every mode on offer, whichever is in force."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, computed, label

from .part import section


@section("MODES")
def modes(materials: Materials) -> Iterator[Piece]:
    """The list of modes, and how to create one."""
    yield label("====\n\nMODES\n\n")
    yield builtin("modes.intro", "- The modes on offer at present are:")
    for mode in materials.modes:
        yield label("\n  * ")
        yield computed(f"modes.{mode.slug}", f'"{mode.name}" mode ({mode.slug})')
        yield label(" - ")
        yield from mode.listed
    # Pointed to in every mode, also in those that lack the tool; the block ends in a line end of its own (1.8).
    yield builtin(
        "modes.create",
        "\nIf the user wants you to create or edit a mode of this project, have the instructions for that read out to you with the fetch_instructions tool first:",
    )
    yield label("\n<fetch_instructions>\n<task>create_mode</task>\n</fetch_instructions>\n")
