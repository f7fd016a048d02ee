"""The conditions that several parts share."""

from promptscope_engine.prompt.leaves import flag

SEARCH = flag("search")
