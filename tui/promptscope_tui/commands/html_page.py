"""The prompt as one HTML file, to attach to a ticket: folding sections, origins, tokens, reasons, a search box.

Nothing is loaded from anywhere: style and script are in the file, and the file forbids the browser everything else.
Only the search needs the script. Elements that take part in the total have their tokens in `data-tokens`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape
from itertools import groupby
from json import dumps
from pathlib import Path
from string import Template

from promptscope_engine.prompt.model import AbsentFragment, Assembly, Fragment, Reason, Section, Tool
from promptscope_tui.text import words
from promptscope_tui.text.escape import visible
from promptscope_tui.text.reasons import lines_of
from promptscope_tui.text.words import short_path, short_text
from promptscope_tui.views.window.rows import composition

from . import files

_FOLDER = Path(__file__).parent

_LONGEST_UNFOLDED = 200
"""Lines of a section that is unfolded at first."""

_SELDOM = ("learned", "sent", "edit")
"""Origins that the legend leaves out where nothing has them."""


def html_page(assembly: Assembly, chosen: tuple[Section, ...]) -> str:
    """The page. With all sections chosen, it holds tools, files and notes as well."""
    style, script = _read("html_page.css"), _read("html_page.js")
    parts = (*_nested(chosen, assembly), *(_rest(assembly) if chosen == assembly.sections else ()))
    return Template(_read("html_page.html")).substitute(
        policy=f"default-src 'none'; base-uri 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'",
        title=shown(f"{words.who(assembly)} · {assembly.workspace}"),
        style=style,
        header=joined(_header(assembly)),
        parts="".join(f"{part}\n" for part in parts),
        script=script,
    )


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


# --- the head of the page -------------------------------------------------------------------------------------------


def _header(assembly: Assembly) -> Iterator[Markup]:
    yield tag("h1", words.who(assembly))
    yield tag("p", tag("code", assembly.workspace))
    yield tag("p", words.budget(assembly), id="total", data_tokens=assembly.tokens.expected)
    yield _bar(assembly)
    there = {fragment.origin.kind for section in assembly.sections for fragment in section.fragments}
    named = {kind: each for kind, each in words.ORIGINS.items() if kind not in _SELDOM or kind in there}
    legend = (tag("span", f"{each.sign} {each.legend}", class_=f"o {kind}") for kind, each in named.items())
    yield tag("p", "Origins: ", joined(legend, "  "), class_="legend")


def _bar(assembly: Assembly) -> Markup:
    """What the prompt is made of, as a stacked bar, with the same in words."""
    shares = composition(assembly)
    total = sum(share.tokens for share in shares) or 1
    at = 0
    boxes = []
    for share in shares:
        boxes.append(tag("rect", x=at, width=share.tokens, height=1, class_=share.tone))
        at += share.tokens
    view = f"0 0 {total} 1"
    said = joined(
        (
            tag("span", f"■ {s.name} {words.number(s.tokens)} ({words.percent(s.tokens, total)})", class_=s.tone)
            for s in shares
        ),
        "  ",
    )
    return joined((tag("svg", *boxes, viewBox=view, preserveAspectRatio="none", aria_hidden="true"), tag("p", said)))


# --- sections -------------------------------------------------------------------------------------------------------


def _nested(chosen: tuple[Section, ...], assembly: Assembly) -> Iterator[Markup]:
    """The chosen sections, each with those that it contains."""
    ids = {section.id for section in chosen}
    inside: dict[str | None, list[Section]] = {}
    for section in chosen:
        inside.setdefault(section.parent if section.parent in ids else None, []).append(section)
    return (_element(section, inside, assembly)[0] for section in inside.get(None, ()))


def _element(
    section: Section, inside: dict[str | None, list[Section]], assembly: Assembly
) -> tuple[Markup, int | None, bool]:
    """A section with those that it contains, their tokens in all, and whether it is unfolded at first."""
    title = tag("span", short_path(section.title, assembly) or section.id, class_="title")
    children = [_element(each, inside, assembly) for each in inside.get(section.id, ())]
    elements = [element for element, _, _ in children]
    whole = words.total((section.expected_tokens if section.present else 0, *(tokens for _, tokens, _ in children)))
    if not section.present:
        summary = tag("summary", "✗ ", title, tag("span", short_text(section.why.text, assembly), class_="note"))
        absent = tag("details", summary, *_reason(section.why, assembly), *elements, class_="part absent")
        return absent, whole, False
    own = any(fragment.origin.kind == "file" for fragment in section.fragments)
    is_open = any(opened for _, _, opened in children) or (own and section.text.count("\n") < _LONGEST_UNFOLDED)
    facts = [words.size(section)]
    if elements:
        facts = [f"≈{words.number(whole)} tok", f"its own text {words.size(section)}"]
    facts[1:1] = [words.percent(whole, assembly.tokens.expected)]
    facts.append("; ".join(words.sources(section.fragments, assembly)))
    element = tag(
        "details",
        tag("summary", title, *(tag("span", fact, class_="note") for fact in facts if fact)),
        *_reason(section.why, assembly),
        tag("pre", *_stretches(section.fragments, assembly)),
        *_absent(section.absent, assembly),
        *elements,
        class_="part",
        open=is_open,
        data_tokens=section.expected_tokens,
    )
    return element, whole, is_open


def _stretches(fragments: Iterable[Fragment], assembly: Assembly) -> Iterator[Markup]:
    """The text, in stretches of one origin, each with its name."""
    for _, run in groupby(fragments, key=lambda f: (f.origin.kind, f.origin.path, f.origin.name, f.origin.id)):
        stretch = list(run)
        kind = stretch[0].origin.kind
        about = words.ORIGINS[kind]
        source = ", ".join(words.sources(stretch, assembly))
        text = "".join(fragment.text for fragment in stretch)
        # builtin wording and its headings are most of a prompt: a mark at each would say nothing
        mark = None if kind in ("builtin", "label", "learned", "sent") else f"{about.sign} {source}"
        yield tag("span", text, class_=f"o {kind}", title=f"{about.legend}: {source}", data_from=mark)


def _absent(parts: tuple[AbsentFragment, ...], assembly: Assembly) -> Iterator[Markup]:
    if not parts:
        return
    rows = []
    for part in parts:
        is_file = part.origin.kind == "file"
        what = words.origin(part.origin, assembly) if is_file else words.excerpt(part.text)
        rows.append(tag("li", "✗ ", tag("q", what), f" {short_text(part.why.text, assembly)}{_levers(part.why)}"))
    yield tag("p", f"{len(parts)} of its parts are absent:", class_="why")
    yield tag("ul", *rows, class_="why")


def _reason(why: Reason, assembly: Assembly) -> Iterator[Markup]:
    """Why something is there or not: the conditions folded, what would flip them, or what a person would do."""
    said = f"{short_text(why.text, assembly)}{_levers(why)}"
    if why.condition is not None:
        lines = (f"{'  ' * line.depth}{'✓' if line.ok else '✗'} {line.text}" for line in lines_of(why.condition))
        tree = tag("pre", tag("span", short_text("\n".join(lines), assembly)))
        yield tag("details", tag("summary", said), tree, class_="why")
    elif not why.ok:
        yield tag("p", said, class_="why")
    if why.remedy:
        yield tag("p", short_text(why.remedy, assembly), class_="why")


def _levers(why: Reason) -> str:
    levers = " ".join(lever.option for lever in why.levers)
    return f" · {'to remove it' if why.ok else 'to add it'}: {levers}" if levers else ""


# --- tools, files, notes ----------------------------------------------------------------------------------------------


def _rest(assembly: Assembly) -> Iterator[Markup]:
    tools = [tool for tool in assembly.tools if tool.section is None]
    described = [tool for tool in assembly.tools if tool.section is not None]
    if tools:
        yield tag("h2", "Tools of the request")
        yield from (_tool(tool, assembly) for tool in tools)
    yield _sum(assembly)
    if described:
        yield tag("h2", "Tools described in the prompt")
        yield tag("p", "Their tokens are part of the sections above.", class_="note")
        columns = ("", "tool", "group", "tokens", "why")
        yield _table(columns, (_described(tool, assembly) for tool in described), right=frozenset({"tokens"}))
    if assembly.files:
        yield tag("h2", "Files")
        rows = (tuple(short_text(cell, assembly) for cell in row) for row in files.rows(assembly))
        yield _table(files.COLUMNS, rows, right=files.NUMBERS)
    if assembly.diagnostics:
        yield tag("h2", "Notes")
        found = ((d.severity, d.message, d.place) for d in assembly.diagnostics)
        yield _table(("severity", "message", "where"), found)


def _sum(assembly: Assembly) -> Markup:
    """The line below the parts: what they add up to. Each is rounded, the total is rounded once."""
    parts = [s.expected_tokens for s in assembly.sections if s.present]
    parts += [t.expected_tokens for t in assembly.tools if t.present and t.section is None]
    total, expected = words.total(parts), assembly.tokens.expected
    rest = 0 if total is None or expected is None else expected - total
    said = f"All of the above: {words.number(expected)} tok"
    note = tag("span", f", {rest:+,} of it for rounding each part", data_tokens=rest) if rest else ""
    return tag("p", said, note, id="sum")


def _tool(tool: Tool, assembly: Assembly) -> Markup:
    title = tag("span", tool.name, class_="title")
    if not tool.present:
        summary = tag("summary", "✗ ", title, tag("span", short_text(tool.why.text, assembly), class_="note"))
        return tag("details", summary, *_reason(tool.why, assembly), class_="part absent")
    facts = [f"{words.MARKS[tool.confidence]}{words.number(tool.expected_tokens)} tok", tool.group]
    if tool.variant:
        facts.append(tool.variant)
    summary = tag("summary", title, *(tag("span", fact, class_="note") for fact in facts))
    schema = tag("pre", tag("span", dumps(tool.input_schema, indent=2, ensure_ascii=False)))
    return tag(
        "details",
        summary,
        *_reason(tool.why, assembly),
        tag("pre", tag("span", tool.description)),
        *(() if tool.input_schema is None else (schema,)),
        class_="part",
        data_tokens=tool.expected_tokens,
    )


def _described(tool: Tool, assembly: Assembly) -> tuple[str, ...]:
    tokens = f"{words.MARKS[tool.confidence]}{words.number(tool.expected_tokens)}" if tool.present else ""
    return "✓" if tool.present else "✗", tool.name, tool.group, tokens, short_text(tool.why.text, assembly)


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]], right: frozenset[str] = frozenset()) -> Markup:
    sides = ["right" if name in right else None for name in columns]
    head = tag("tr", *(tag("th", name, class_=side) for name, side in zip(columns, sides, strict=True)))
    body = (tag("tr", *(tag("td", cell, class_=side) for cell, side in zip(row, sides, strict=True))) for row in rows)
    return tag("table", tag("thead", head), tag("tbody", joined(body, "\n")))


class Markup(str):
    """HTML. Any other string is text."""

    __slots__ = ()


def shown(text: str) -> Markup:
    """The text as HTML; its lines stay lines."""
    if isinstance(text, Markup):
        return text
    lines = "\n".join(map(visible, text.split("\n")))
    # `=` too: then anyone who looks through a page for `src=` and `href=` finds none of a stranger's
    return Markup(escape(lines).replace("=", "&#61;"))


def joined(parts: Iterable[str], between: str = "") -> Markup:
    """The parts one after the other; those that are text are escaped."""
    return Markup(shown(between).join(map(shown, parts)))


def tag(name: str, *inside: str, **attributes: str | int | bool | None) -> Markup:
    """An element with its attributes.

    `class_` is the attribute class, `data_from` is data-from; True has no value, None and False are left out.
    """
    words = [name]
    for key, value in attributes.items():
        attribute = key.rstrip("_").replace("_", "-")
        if value is True:
            words.append(attribute)
        elif value is not None and value is not False:
            words.append(f'{attribute}="{shown(str(value))}"')
    return Markup(f"<{' '.join(words)}>{joined(inside)}</{name}>")
