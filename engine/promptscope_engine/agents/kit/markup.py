"""Text within markup: the signs that mean something there as entities, for `str.translate`."""

_SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}

IN_TEXT = str.maketrans(_SIGNS)
"""Between tags. The standard library's own `escape` brings a web client along: 80 ms."""

IN_QUOTES = str.maketrans({**_SIGNS, '"': "&quot;", "'": "&apos;"})
"""The five signs of XML."""
