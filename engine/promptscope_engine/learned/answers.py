"""What an MCP server answered on this machine."""

from typing import Any

from msgspec import Struct


class ServerAnswer(Struct, frozen=True):
    """What a server answered. `tools` as MCP has them; `said` is who told it, `at` when (ISO 8601, "" if unknown)."""

    name: str
    tools: tuple[dict[str, Any], ...]
    instructions: str | None = None
    said: str = ""
    at: str = ""

    @property
    def known(self) -> str:
        """Who told it, and on which day."""
        return " ".join(filter(None, (self.said, self.at[:10] and f"on {self.at[:10]}")))
