"""The valid words closest to a mistyped one."""

from collections.abc import Iterable


def nearest(wanted: str, valid: Iterable[str], limit: int = 3, cutoff: float = 0.5) -> tuple[str, ...]:
    """The valid words closest to `wanted`, best first; case does not count. `cutoff`: how like they have to be."""
    from difflib import get_close_matches  # 10 ms, for a mistake only

    words = list(valid)
    by_lower = {word.lower(): word for word in words}
    found = get_close_matches(wanted.lower(), by_lower, n=limit, cutoff=cutoff)
    return tuple(by_lower[word] for word in found)


def meant(wanted: str, valid: Iterable[str], limit: int = 3, *, otherwise: str = "") -> str:
    """Which of the valid words was probably meant, to go on from a sentence; `otherwise` if none is near."""
    close = nearest(wanted, valid, limit)
    return f"; did you mean {' or '.join(close)}?" if close else otherwise
