"""How base instructions are written down: a part for each heading of the first two levels."""

from __future__ import annotations

from promptscope_engine.frozen import frozen


@frozen
class Part:
    """A part of the base instructions. `text` begins with its heading, if it has one."""

    id: str
    text: str
