"""What a definition and the files that it names come to."""

from msgspec import Struct

from promptscope_engine.prompt.drafts import Window

from .definition import Protocol
from .tables import Conditions, ListedTool, Tables
from .texts import OwnTexts


class Materials(Struct, frozen=True):
    """The `tables` with their sections and `tools`, `own` with files of their own, and the conditions of both."""

    own: OwnTexts
    conditions: Conditions
    tables: Tables
    tools: tuple[ListedTool, ...]
    protocol: Protocol
    model: str | None
    window: Window
