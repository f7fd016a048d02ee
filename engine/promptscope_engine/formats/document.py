"""What every format is read into."""

from __future__ import annotations

from typing import Any

Json = Any
"""A JSON-shaped value: None, bool, number, string, list or mapping of such values."""
