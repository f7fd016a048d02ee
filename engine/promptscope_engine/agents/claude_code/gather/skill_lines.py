"""The lines of the skills listing: names, descriptions, and what its budget leaves of them."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from promptscope_engine.agents.claude_code.materials import Skill
from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.claude_code.versions import LONG_WINDOW, STANDARD_WINDOW, V100, Model, is_on, window_of
from promptscope_engine.agents.kit.folder import Bundled
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import display_width, js_trim, utf16_len, utf16_slice
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import Span, builtin, computed, label

from .content import Described

BUDGET_FRACTION = 0.01
CHARS_PER_TOKEN = 4
_NEWER_CHARS_PER_TOKEN = 3
_NEWER = (4, 7)
"""To the listing, models from here on have a window of a million tokens, of three characters each [recorded]."""
BUNDLED_CHARS_100 = 880
"""What the lines of the bundled skills of 2.1.100 really take (reference: the whole block has 989 characters)."""
_LINE_END = re.compile(r"[\n-\r\x1c-\x1e\x85\u2028\u2029]")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]+"
)
_HEADING = re.compile(r"^#+\s+")
_MOST_OF_BODY = 100
_LEAST = 20
"""2.1.100: a share below this many characters is no description any more, only the name is listed."""
_ANGLE = re.compile(r"[<>]")
_ESCAPES = {"<": "&lt;", ">": "&gt;"}
_UNLISTED = re.compile(r"[\x00-\x1f\x7f-\xa0<>\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_GROUPED = re.compile(r"\d{1,3}(?:[ _]\d{3})+")
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?|[+-]?Infinity")
_PREFIXED = re.compile(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+")


def unlisted(name: str) -> str:
    """The first character that keeps a skill or command of this name out of the listing, "" for none [recorded]."""
    found = _UNLISTED.search(name)
    return found[0] if found else ""


def description(found: Described, kind: str, version: str, limit: int) -> tuple[tuple[Span, ...], int]:
    """`<description>[ - <when_to_use>]` cut to `limit`, and its whole length.

    Without a description the first line of the body is in. From 2.1.329 on angle brackets are escaped, and they
    count as they are sent [recorded].
    """
    text = _one_line(found.text("description"), version)
    hint = _one_line(found.text("when_to_use"), version)
    spans = found.spans(text) if text else _first_line(found, kind, version)
    if hint:
        spans = (*spans, label(" - "), *found.spans(hint))
    if version != V100:
        spans = tuple(part for span in spans for part in _escaped(span))
    return shorten(spans, limit), sum(utf16_len(span.text) for span in spans)


def _first_line(found: Described, kind: str, version: str) -> tuple[Span, ...]:
    text = _HEADING.sub("", _LINE_END.split(found.content.text.lstrip(), maxsplit=1)[0].strip())
    if version == V100:
        return found.spans(text)
    if not text:
        return (label("Custom command" if kind == "command" else "Skill"),)
    if utf16_len(text) > _MOST_OF_BODY:
        return (*found.spans(utf16_slice(text, 0, _MOST_OF_BODY - 3)), label("..."))
    return found.spans(text)


def _one_line(text: str, version: str) -> str:
    """From 2.1.329 on runs of line breaks, tabs and invisible characters become a blank; colour codes go [recorded]."""
    if version == V100:
        return text.strip()
    return _UNSEEN.sub(" ", _COLOURS.sub("", js_trim(text)))


def scoped(scope: str, name: str = "") -> tuple[Span, ...]:
    """What is said behind a skill of a folder: where it applies, and in place of which skill that `name` has."""
    if name:
        said = f"take it in place of the skill {name} while you change files below {scope}/)"
        return (label(f" (scoped to {scope}/ — "), builtin("skills.scoped", said))
    return (label(f" (from {scope}/.claude/skills — "), builtin("skills.from", f"it is for files below {scope}/)"))


def _escaped(span: Span) -> Iterator[Span]:
    at = 0
    for found in _ANGLE.finditer(span.text):
        if found.start() > at:
            yield replace(span, text=span.text[at : found.start()])
        yield computed("escaped", _ESCAPES[found[0]])
        at = found.end()
    if at < len(span.text) or not span.text:
        yield replace(span, text=span.text[at:])


def shorten(spans: tuple[Span, ...], limit: int) -> tuple[Span, ...]:
    """At most `limit` UTF-16 units, the ellipsis included; nothing for 0."""
    if not limit:
        return ()
    if sum(utf16_len(p.text) for p in spans) <= limit:
        return spans
    left, kept = limit - 1, []
    for span in spans:
        if left <= 0:
            break
        text = utf16_slice(span.text, 0, left)
        # Half of a surrogate pair is sent as U+FFFD, which the file does not have.
        kept.append(replace(span, text=text) if span.text.startswith(text) else computed("cut", text))
        left -= utf16_len(span.text)
    return (*kept, label("…"))


# --- the budget -------------------------------------------------------------------------------------------------------


def listing_window(model: Model, version: str, env: Mapping[str, str]) -> int:
    """The window in tokens that the listing's share is taken of."""
    if version == V100:
        return window_of(model, version, env)
    long = model.long or not model.known or model.version >= _NEWER
    return LONG_WINDOW if long and not is_on(env.get("CLAUDE_CODE_DISABLE_1M_CONTEXT", "")) else STANDARD_WINDOW


def chars_per_token(model: Model, version: str) -> int:
    """Characters that the listing takes a token for."""
    older = version == V100 or (model.known and model.version < _NEWER)
    return CHARS_PER_TOKEN if older else _NEWER_CHARS_PER_TOKEN


def listing_budget(model: Model, version: str, env: Mapping[str, str], fraction: Json) -> int:
    """Characters that the listing may take: SLASH_COMMAND_TOOL_CHAR_BUDGET, or a fraction of the window."""
    given = _number(env.get("SLASH_COMMAND_TOOL_CHAR_BUDGET", "").strip(), version)
    if given:
        return given
    if not isinstance(fraction, (int, float)) or isinstance(fraction, bool) or not 0 < fraction <= 1:
        fraction = BUDGET_FRACTION
    return int(listing_window(model, version, env) * chars_per_token(model, version) * fraction)


def _number(text: str, version: str) -> int | None:
    """A number as JavaScript reads it, cut to a whole one; 2.1.100 takes positive whole ones only."""
    if version == V100:
        return int(text) if text.isascii() and text.isdigit() and len(text) < len(str(sys.maxsize)) else None
    if _GROUPED.fullmatch(text):
        text = re.sub("[ _]", "", text)
    if _PREFIXED.fullmatch(text):
        return min(int(text[:20], 0), sys.maxsize)
    if not text.isascii() or not _DECIMAL.fullmatch(text):
        return None
    return int(max(-float(sys.maxsize), min(float(text[:400]), float(sys.maxsize))))


def fit(skills: Sequence[Skill], budget: int, version: str, facts: Facts, bundled: int) -> list[Skill]:
    """The skills in the order of the listing, cut to its budget.

    From 2.1.329 on a skill keeps its whole description or none, and what no longer fits is skipped; bundled skills
    keep theirs whatever it costs [recorded]. 2.1.100 shares what `bundled` characters leave evenly.
    """
    if version == V100:
        return _shared(skills, budget - bundled, facts)
    along = FOLDER.bundled("skills", version)
    listed = [skill for skill in skills if skill.when.holds(facts)]
    names = sum(display_width(f"- {skill.shown}") + 1 for skill in listed) - 1
    kept = sum(_columns(skill, along) for skill in listed if not _may_lose(skill, along))
    room, lost = budget - names - kept, set()
    for skill in listed:
        if _may_lose(skill, along) and (cost := _columns(skill, along)) <= room:
            room -= cost  # one that is too large does not keep a later one out
        elif _may_lose(skill, along):
            lost.add(id(skill))
    return [replace(skill, spans=()) if id(skill) in lost else skill for skill in skills]


def _may_lose(skill: Skill, along: Mapping[str, Bundled]) -> bool:
    return skill.source != "bundled" or "command" in along[skill.name].head


def _columns(skill: Skill, along: Mapping[str, Bundled]) -> int:
    """Columns of what is behind a name: those of bundled skills are measured, our wording differs."""
    text = "".join(span.text for span in skill.spans)
    if not text:
        return 0
    if skill.source == "bundled" and not text.endswith("…"):
        return int(along[skill.name].head["columns"]) - len(f"- {skill.name}")
    return display_width(f": {text}")


def _shared(skills: Sequence[Skill], left: int, facts: Facts) -> list[Skill]:
    own = [skill for skill in skills if skill.source != "bundled" and skill.when.holds(facts)]
    room = left - sum(len(f"- {skill.shown}: \n") for skill in own)
    if not own or sum(len(span.text) for skill in own for span in skill.spans) <= room:
        return list(skills)
    share = room // len(own)
    kept = share if share >= _LEAST else 0
    return [s if s.source == "bundled" else replace(s, spans=shorten(s.spans, kept)) for s in skills]
