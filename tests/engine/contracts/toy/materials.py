"""What the gatherer found."""

from __future__ import annotations

from dataclasses import dataclass

from promptscope_engine.prompt.conditions import Condition


@dataclass(frozen=True, slots=True)
class Materials:
    """The notes of the workspace; `noted` holds while there are any."""

    path: str
    notes: str
    noted: Condition
