"""The files that captures are read from: promptscope's own, and those of other tools."""

from .reading import MAX_BYTES, read_capture
from .writing import as_lines

__all__ = ["MAX_BYTES", "as_lines", "read_capture"]
