"""What OpenCode makes of a command's text and of a file that is read: placeholders, numbered lines."""

import re

from promptscope_engine.javascript.text import js_trim, utf16_len, utf16_slice

_WORDS = re.compile(r"\[Image\s+\d+\]|\"[^\"]*\"|'[^']*'|[^\s\"']+", re.IGNORECASE)
_NUMBERED = re.compile(r"\$(\d{1,9})")


def expanded(text: str, arguments: str) -> str:
    """`$1` and its like are words of the arguments, of which the highest takes all the rest, `$ARGUMENTS` the whole.

    Without any of them the arguments follow the text.
    """
    words = [word.strip("\"'") if word[:1] in "\"'" else word for word in _WORDS.findall(arguments)]
    last = max(map(int, _NUMBERED.findall(text)), default=0)

    def word(match: re.Match[str]) -> str:
        at = int(match[1])
        rest = words[at - 1 :] if at else []
        return " ".join(rest) if at == last else (rest[0] if rest else "")

    filled = _NUMBERED.sub(word, text).replace("$ARGUMENTS", arguments)
    has_place = _NUMBERED.search(text) or "$ARGUMENTS" in text
    return filled if has_place or not js_trim(arguments) else f"{filled}\n\n{arguments}"


def numbered(text: str, start: int, most: int, *, width: int, size: int) -> tuple[str, str]:
    """The lines with their numbers from `start` on, and what ends them: `width` of each, `size` bytes in all."""
    lines = text.removesuffix("\n").split("\n") if text else []
    shown: list[str] = []
    used = 0
    for line in (each.removesuffix("\r") for each in lines[start - 1 : start - 1 + most]):
        cut = f"{utf16_slice(line, 0, width)}... (line truncated to {width} chars)" if utf16_len(line) > width else line
        used += len(cut.encode("utf-8", "replace")) + 1
        if used > size:
            break
        shown.append(f"{start + len(shown)}: {cut}\n")
    following = start + len(shown)
    onwards = f"Use offset={following} to continue.)"
    if used > size:
        return "".join(shown), f"(Output capped at {size // 1024} KB. Showing lines {start}-{following - 1}. {onwards}"
    if following <= len(lines):
        return "".join(shown), f"(Showing lines {start}-{following - 1} of {len(lines)}. {onwards}"
    return "".join(shown), f"(End of file - total {len(lines)} lines)"
