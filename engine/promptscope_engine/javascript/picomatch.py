"""Glob patterns as npm's picomatch (2.3, and 4.0 alike) has them with `dot`: compared with absolute paths.

A pattern becomes one of JavaScript's regular expressions, which the package never compiles apart from its signs: `a|b`
is a choice, `(a)+` a repetition, `[!b]` a set of two. So it is written here as well, and `matcher` follows it without
going back and forth. Paths have no `.`, `..` or empty names; what the package says of those is left out.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from .glob import MAX_PATTERN_CHARS
from .matcher import MAX_DEPTH, Matcher, NotDecided
from .regexp import RegexpError, compiles

_STAR, _TREE = "[^/]*", "(?:.*)"
_KINDS = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "ascii": "\\x00-\\x7F", "blank": " \\t", "cntrl": "\\x00-\\x1F\\x7F",
    "digit": "0-9", "graph": "\\x21-\\x7E", "lower": "a-z", "print": "\\x20-\\x7E ", "space": " \\t\\r\\n\\v\\f",
    "punct": "\\-!\"#$%&'()\\*+,./:;<=>?@[\\]^_`{|}~", "upper": "A-Z", "word": "A-Za-z0-9_", "xdigit": "A-Fa-f0-9",
}  # fmt: skip
_SPECIAL = re.compile(r"[-*+?.^${}(|)\[\]]")
_ENDS = {"?": ")?", "+": ")+", "*": ")*", "@": ")"}
_SIGNS = re.compile(r"[^\w/. -]")
_PLAIN = re.compile(r"[^@!\[\].,$*+?^{}()|\\/\"]+")
_ONE_ENDING = re.compile(r"\.[^\\/.]+\Z")


def names(pattern: str, path: str) -> bool:
    """`isMatch(path, pattern, {dot: true})`."""
    if not pattern:
        return False
    if path == pattern:
        return True
    head, tail = ends(pattern)
    if not (path.startswith(head) and path.endswith(tail)):
        return False
    matcher = _matcher(pattern)
    try:
        return matcher is not None and matcher.test(path)
    except NotDecided:
        return False


@lru_cache(maxsize=2048)
def ends(pattern: str) -> tuple[str, str]:
    """What each path begins and ends with that the pattern names: most paths need no more than that.

    A slash at a sign may be missing: `/w/**` names `/w`, and `**/a` names `a`.
    """
    if "|" in pattern or pattern.startswith(("!", "./")):
        return "", ""
    head, *_, tail = (*(parts := _SIGNS.split(pattern)), parts[-1])
    return head.rstrip("/"), "" if tail.endswith("/") else tail.lstrip("/")


@lru_cache(maxsize=2048)
def _matcher(pattern: str) -> Matcher | None:
    """None for an expression that JavaScript refuses: such a pattern names nothing."""
    if len(pattern) > MAX_PATTERN_CHARS:
        return None
    try:
        return Matcher(expression(pattern))
    except (RegexpError, NotDecided):
        return None


def expression(pattern: str) -> str:
    """The JavaScript expression that the pattern becomes."""
    text = {"***": "*", "**/**": "**", "**/**/**": "**"}.get(pattern, pattern).removeprefix("./")
    negations = len(text) - len(text.lstrip("!"))
    if negations and re.match(r"\((?!\?[!=<:])" if negations == 1 else r"\((?!\?)", text[negations:]):
        negations -= 1  # the last one begins `!(…)`
    body = _Writer(text[negations:]).written()
    return f"^(?!^(?:{body})$).*$" if negations % 2 else f"^(?:{body})$"


@dataclass
class _Token:
    """A stretch of the pattern, and what it is in the expression.

    Where the package puts an expression together a second time (`again`), it has kept less of a text: only what came
    to it later, as it is in the pattern.
    """

    kind: str
    value: str = ""
    out: str | None = None
    again: str | None = None
    dots: bool = False
    comma: bool = False


@dataclass
class _Group:
    """`!(` or one of its like that has not ended: the place of its sign in the tokens and in the text."""

    sign: str
    place: int
    start: int
    parens: int


@dataclass
class _Writer:
    """Walks over a pattern once, and writes the expression."""

    text: str
    at: int = 0
    tokens: list[_Token] = field(default_factory=lambda: [_Token("start", out="")])
    groups: list[_Group] = field(default_factory=list)
    braces: list[_Token] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)
    parens: int = 0
    is_rebuilt: bool = False

    def written(self) -> str:
        while self.at < len(self.text):
            sign = self.text[self.at]
            self.at += 1
            if sign in _ITSELF:
                self._push(*_ITSELF[sign])
            else:
                getattr(self, _METHODS.get(sign, "_text"))(sign)
        if self.tokens[-1].kind in ("star", "set"):
            self._push("end", "", "/?")
        if self.is_rebuilt:
            return "".join(token.value if token.again is None else token.again for token in self.tokens)
        written = "".join(token.value if token.out is None else token.out for token in self.tokens)
        for _ in range(self.parens):
            written = _escape_last(written, "(")
        return written

    @property
    def rest(self) -> str:
        return self.text[self.at :]

    def _push(self, kind: str, value: str, out: str | None = None, *, in_group: bool = False) -> _Token:
        last = self.tokens[-1]
        ends_tree = kind in ("slash", "paren") or in_group or (bool(self.braces) and kind in ("comma", "brace"))
        if last.kind == "tree" and not ends_tree:
            last.kind, last.value, last.out, last.again = "star", "*", _STAR, _STAR
        if kind == last.kind == "text":
            last.out = (last.value if last.out is None else last.out) + (value if out is None else out)
            last.value += value
            last.again = (last.again or "") + value
            return last
        self.tokens.append(_Token(kind, value, out, out))
        return self.tokens[-1]

    def _text(self, sign: str) -> None:
        if sign == "!" and self._may_open(sign):
            return
        value = f"\\{sign}" if sign in "$^" else sign
        if found := _PLAIN.match(self.text, self.at):
            value += found[0]
            self.at = found.end()
        self._push("text", value)

    def _quoted(self, sign: str) -> None:
        value, _, _ = self.rest.partition(sign)
        self.at += len(value) + 1
        self._push("text", _escaped(value))

    def _dot(self, sign: str) -> None:
        last = self.tokens[-1]
        if self.braces and last.kind == "dot":
            last.kind, last.out, last.value = "dots", "\\..", ".."
            last.again = last.out
            self.braces[-1].dots = True
        elif not self.braces and not self.parens and last.kind not in ("start", "slash"):
            self._push("text", sign, "\\.")
        else:
            self._push("dot", sign, "\\.")

    def _comma(self, sign: str) -> None:
        is_choice = bool(self.braces) and self.inside[-1] == "brace"
        if is_choice:
            self.braces[-1].comma = True
        self._push("comma", sign, "|" if is_choice else sign)

    # --- braces -----------------------------------------------------------------------------------------------------

    def _brace(self, sign: str) -> None:
        self.inside.append("brace")
        self.braces.append(self._push("brace", sign, "("))

    def _brace_end(self, sign: str) -> None:
        if not self.braces:
            self._push("text", sign, sign)
            return
        brace = self.braces[-1]
        out = ")"
        if brace.dots:
            place = len(self.tokens) - 1 - next(n for n, t in enumerate(reversed(self.tokens)) if t.kind == "brace")
            ends = sorted(token.value for token in self.tokens[place + 1 :] if token.kind != "dots")
            del self.tokens[place:]
            out = f"[{'-'.join(ends)}]"
            out = out if compiles(out) else "..".join(map(_escaped, ends))
            self.is_rebuilt = True
        elif not brace.comma:
            brace.out = brace.again = "\\{"
            out = "\\}"
        self._push("brace", sign, out)
        self.braces.pop()
        self.inside.pop()

    # --- sets -------------------------------------------------------------------------------------------------------

    def _set(self, sign: str) -> None:
        if "]" not in self.rest:
            self._push("set", f"\\{sign}")
            return
        value, is_kind = sign, False
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char == "]" and value not in ("[", "[^"):
                self._push("set", *self._set_end(value, is_kind=is_kind))
                return
            if char == ":" and "[" in value[1:]:
                is_kind = True
                before, _, name = value.rpartition("[")
                if ":" in value[1:] and name[1:] in _KINDS:
                    value = before + _KINDS[name[1:]]
                    self.is_rebuilt = True
                    self.at += 1
                    continue
            following = self.text[self.at : self.at + 1]
            escaped = char == "]" or (char == "[" and following != ":") or (char == "-" and following == "]")
            value += f"\\{char}" if escaped else char
        self._push("set", f"\\{value}")

    def _set_end(self, value: str, *, is_kind: bool) -> tuple[str, str]:
        """A set without a sign of expressions in it is itself, or what it stands for."""
        members = value[1:]
        value += "/]" if not is_kind and members[:1] == "^" and "/" not in members else "]"
        return value, value if _SPECIAL.search(members) else f"(?:{_escaped(value)}|{value})"

    # --- groups -----------------------------------------------------------------------------------------------------

    def _paren(self, sign: str) -> None:
        self.parens += 1
        self.inside.append("paren")
        self._push("paren", sign, sign)

    def _paren_end(self, sign: str) -> None:
        if self.groups and self.parens == self.groups[-1].parens + 1:
            self._group_end(self.groups.pop())
        else:
            self._push("paren", sign, sign if self.parens else f"\\{sign}")
        self.parens = max(self.parens - 1, 0)
        if self.inside:
            self.inside.pop()

    def _may_open(self, sign: str) -> bool:
        """Whether `!(` or one of its like begins here; if so it is written."""
        if self.text[self.at : self.at + 1] != "(":
            return False
        if self.text[self.at + 1 : self.at + 2] == "?" and (
            sign != "!" or self.text[self.at + 2 : self.at + 3] in "!=<:"
        ):
            return False
        if len(self.groups) >= MAX_DEPTH:
            raise NotDecided(f"it is nested more than {MAX_DEPTH} levels deep")
        self.groups.append(_Group(sign, len(self.tokens), self.at - 1, self.parens))
        self._push("sign", sign, "", in_group=sign == "@")
        self.at += 1
        self.parens += 1
        self.inside.append("paren")
        self._push("paren", "(", "(?:(?!(?:" if sign == "!" else "(?:", in_group=True)
        return True

    def _group_end(self, group: _Group) -> None:
        body = self.text[group.start + 2 : self.at - 1]
        if group.sign in "+*" and (safe := _safe(body, self.text[group.start : self.at])):
            del self.tokens[group.place :]
            self.tokens.append(_Token("text", safe, safe, safe))
            self.tokens.append(_Token("paren", "", "", ""))
            self.is_rebuilt = True
            return
        end = _ENDS.get(group.sign) or self._but_end(body)
        self._push("paren", ")", end, in_group=True)

    def _but_end(self, body: str) -> str:
        """The end of `!(…)`: what it forbids is the whole of the rest only where nothing else follows."""
        star = _TREE if "/" in body and len(body) > 1 else _STAR
        if "*" in body and _ONE_ENDING.match(self.rest):
            return f"){_Writer(self.rest).written()}){star})"
        if star == _TREE or not self.rest.strip(")"):
            return f")$)){star}"
        return f")){star})"

    def _at_sign(self, sign: str) -> None:
        if not self._may_open(sign):
            self._push("text", sign)

    def _question(self, sign: str) -> None:
        last = self.tokens[-1]
        if last.value != "(" and self._may_open(sign):
            return
        if last.kind == "paren":
            following = self.text[self.at : self.at + 1]
            is_text = last.value == "(" and following not in ("!", "=", "<", ":")
            self._push("text", sign, f"\\{sign}" if is_text else sign)
        else:
            self._push("question", sign, "[^/]")

    def _plus(self, sign: str) -> None:
        last = self.tokens[-1]
        if self._may_open(sign):
            return
        repeats = last.value != "(" and (last.kind in ("set", "paren", "brace") or self.parens > 0)
        self._push("plus", sign if repeats else "\\+")

    # --- stars ------------------------------------------------------------------------------------------------------

    def _star(self, sign: str) -> None:
        last = self.tokens[-1]
        if last.kind == "tree" or last.value == "***":
            last.kind, last.value, last.out, last.again = "star", "***", _STAR, _STAR
            self.is_rebuilt = True
        elif self._may_open(sign):
            pass
        elif last.kind == "star":
            self._second_star(last)
        else:
            # behind a tree that may be empty with its slash, it would name the folder itself
            self._push("star", sign, f"(?=.){_STAR}" if last.kind == "slash" and not last.out else _STAR)

    def _second_star(self, last: _Token) -> None:
        prior, before = self.tokens[-2], (self.tokens[-3:-2] or self.tokens)[0]
        in_braces = bool(self.braces) and prior.kind in ("comma", "brace")
        if prior.kind not in ("slash", "start", "paren") and not in_braces:
            self._push("star", "*", "")
            return
        while self.rest.startswith("/**") and self.rest[3:4] in ("", "/"):
            self.at += 3
        last.kind, last.value, last.out = "tree", "**", _TREE
        inner = prior.kind == "slash" and before.kind != "start"
        if inner and not self.rest and before.kind not in ("star", "tree"):
            prior.out, last.out = "(?:/", f"{_TREE}|$)"
        elif inner and self.rest[:1] == "/":
            prior.out, last.out = "(?:/", f"{_TREE}/|/{'|$' if self.rest[1:] else ''})"
            self._skip_slash()
        elif prior.kind == "start" and self.rest[:1] == "/":
            last.out = f"(?:^|/|{_TREE}/)"
            self._skip_slash()
        prior.again, last.again = prior.out, last.out

    def _skip_slash(self) -> None:
        self.at += 1
        self._push("slash", "/", "")


_METHODS = {
    '"': "_quoted", ".": "_dot", ",": "_comma", "{": "_brace", "}": "_brace_end", "[": "_set", "(": "_paren",
    ")": "_paren_end", "@": "_at_sign", "?": "_question", "+": "_plus", "*": "_star",
}  # fmt: skip
_ITSELF = {"/": ("slash", "/", "/"), "|": ("text", "|"), "]": ("text", "]", "\\]")}


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", text)


def _escape_last(text: str, sign: str) -> str:
    """The text with its last `sign` that is not escaped yet escaped."""
    at = len(text)
    while (at := text.rfind(sign, 0, at)) > 0 and text[at - 1] == "\\":
        pass
    return text if at < 0 else f"{text[:at]}\\{text[at:]}"


# --- repetitions that the package does not dare to repeat -------------------------------------------------------------


def _safe(body: str, literal: str) -> str | None:
    """What stands in for `+(…)` or `*(…)` around `body`; None where it is repeated as it is written."""
    branches = [branch.strip() for branch in _branches(body)]
    plain = [branch for branch in branches if branch and not set(branch) & set("?*+@!()[]{}")]
    overlap = any(len({*one, *other}) == 1 for at, one in enumerate(plain) for other in plain[at + 1 :])
    if len(branches) > 1 and (overlap or any(not branch.strip("*?") for branch in branches)):
        return _escaped(literal)
    for branch in branches:
        singles = re.fullmatch(r"(?:\*\([^?*+@!()\[\]{}\\|]\))+", branch)
        if singles:
            signs = [_escaped(sign) for sign in branch[2::4]]
            return f"{signs[0] if len(signs) == 1 else '[' + ''.join(signs) + ']'}*"
        if re.match(r"[+*]\(", branch) and _closes_at_end(branch):
            return _escaped(literal)
    return None


def _branches(body: str) -> list[str]:
    """The parts between the `|` that are outside of parentheses and sets."""
    parts, depth, in_set = [""], 0, 0
    for char in body:
        in_set = max(in_set + (char == "[") - (char == "]"), 0)
        if not in_set:
            depth = max(depth + (char == "(") - (char == ")"), 0)
        if char == "|" and not depth and not in_set:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def _closes_at_end(branch: str) -> bool:
    """Whether the parenthesis that the text begins with ends where the text ends."""
    depth = 0
    for at, char in enumerate(branch):
        depth += (char == "(") - (char == ")")
        if depth == 0 and at:
            return at == len(branch) - 1
    return False
