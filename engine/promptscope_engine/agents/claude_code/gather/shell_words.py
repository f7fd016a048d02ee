"""A command's arguments, apart as Claude Code takes them: it reads them as bash would (recorded 2.1.332).

So an apostrophe that nothing closes takes all that follows into one word, and a `;`, a `#`, a line's end or a bracket
ends the words: only those of the first command count.
"""

import re

_MOST = 10_000
"""Characters that are looked at."""
_PIECE = re.compile(
    r"""(?sxa)
      (?P<blank> (?: [^\S\n] | \\(?:\n|\Z) )+ )
    | (?P<end> [;&|\n] )
    | (?P<redirect> [<>]+ )
    | \\ (?P<escaped> .? )
    | '(?P<single> [^']* )'
    | "(?P<double> (?: [^"\\] | \\. )* )"
    | (?P<unclosed> ['"] .* )
    | (?P<expansion> \$\{[^}]*\} | \$'[^']*' | \$\w+ | \$(?=\s|\Z) )
    | (?P<substitution> \$\([^()]*\) )
    | (?P<ticks> `[^`]*` )
    | (?P<group> \([^()]*\) )
    | (?P<bracket> [()`] )
    | (?P<plain> [^\s\\'"$;&|<>()`]+ | . )
    """
)
_RESERVED = frozenset(("if", "elif", "else", "fi", "then", "while", "until", "do", "done", "esac", "{", "}", "!"))
_DECLARES = ("declare", "export", "local", "readonly", "typeset")
_ASSIGNMENT = r"(?a)[A-Za-z_]\w*(?:\[[^\]]*\])?\+?="
_TEST = r"\s*\[.*?\]+"
_REDIRECTED = re.compile(r"\s*[^\s;&|<>()]+")
_REDIRECTED_WHOLE = re.compile(r"(?:\||&&)[^;\n<>]*[<>]")
"""Several commands whose output goes elsewhere: no simple command comes first."""


def shell_words(arguments: str) -> list[str]:
    """The words of the first command; where there is none, all that blanks separate."""
    text = arguments[:_MOST]
    opening = re.match(_TEST, text)
    found = _words(text, opening.end() if opening else 0)
    if found and found[0] in _DECLARES:
        return found[:1]
    return found or arguments.split()


def _words(text: str, at: int) -> list[str]:
    words: list[str] = []
    pieces: list[tuple[str, str]] = []
    while match := _PIECE.match(text, at):
        kind = match.lastgroup or ""
        piece, at = match[kind], match.end()
        if not pieces and kind == "plain" and piece[0] == "#":
            break
        if not pieces and words and kind in ("substitution", "ticks", "bracket"):
            break
        if not pieces and piece.startswith("`"):
            return [text[match.start() + 1 :]]
        if kind == "group" and not words:
            at = at if pieces else match.start() + 1  # `(a b)` alone is a command of its own
        elif kind == "group":
            pieces = []
        elif kind not in ("blank", "end", "redirect", "bracket"):
            pieces.append((kind, piece))
        else:
            is_number = kind == "redirect" and "".join(part for _, part in pieces).isdigit()  # `2>x`
            words += [] if is_number else _word(pieces, is_first=not words)
            pieces = []
            if kind != "blank" and words:
                return [] if _REDIRECTED_WHOLE.match(text, match.start()) else words
            if kind == "redirect" and (target := _REDIRECTED.match(text, at)):
                at = target.end()
    return [*words, *_word(pieces, is_first=not words)]


def _word(pieces: list[tuple[str, str]], *, is_first: bool) -> list[str]:
    """The word that the pieces make; none for what bash takes for something else."""
    text = "".join(piece for _, piece in pieces)
    kind = pieces[0][0] if pieces else ""
    dropped = not pieces or (kind == "plain" and is_first and (text in _RESERVED or re.match(_ASSIGNMENT, text)))
    if not is_first and len(pieces) == 1:
        dropped = dropped or kind == "expansion" or (kind == "plain" and text == "=")
    return [] if dropped else [text]
