"""What is raised for a file that holds no capture."""

from __future__ import annotations


class CaptureError(ValueError):
    """A file of which nothing could be kept. `line` is 1-based, None where none is to blame."""

    def __init__(self, message: str, line: int | None = None) -> None:
        self.message, self.line = message, line
        super().__init__(f"line {line}: {message}" if line else message)
