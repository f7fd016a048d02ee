"""`promptscope show`: the prompt itself."""

import re
from collections.abc import Iterator

import click

from promptscope_engine.nearest import meant
from promptscope_engine.prompt.model import Assembly, Section, texts_of, to_json
from promptscope_tui.output.stdout import Styled, Table, harmless, on_terminal, put, put_json, put_shown, put_styled
from promptscope_tui.text import words
from promptscope_tui.text.reasons import own_reason, refusal
from promptscope_tui.text.words import short_path

from .options import Options, with_options
from .table import command


@command("show")
@with_options
def show(options: Options, section_id: str | None) -> None:
    """Print the prompt."""
    print_prompt(options, section_id)


def print_prompt(options: Options, section_id: str | None = None) -> None:
    """Print the whole prompt, or one section with everything nested in it."""
    assembly = options.assembly(count=options.form != "plain")
    chosen = assembly.sections if section_id is None else tuple(assembly.family(find_section(assembly, section_id)))
    match options.form:
        case "json" if section_id is not None:
            put_json({**to_json(chosen[0]), "nested": to_json(chosen[1:])})
        case "json":
            put_json(assembly.to_dict())
        case "plain":
            put(
                assembly.system_text
                if section_id is None
                else "".join(texts_of(each for each in chosen if each.present))
            )
        case "markdown":
            put_shown(_markdown(assembly, chosen))
        case "html":
            from .html_page import html_page  # 5 ms

            put_shown(html_page(assembly, chosen))
        case _ if on_terminal():
            _coloured(assembly, chosen)
        case _:
            put_shown("".join(plain_words(assembly, chosen)))


def find_section(assembly: Assembly, wanted: str) -> Section:
    """The section with that id or title. Raises click.UsageError."""
    exact = [s for s in assembly.sections if wanted == s.id]
    low = wanted.lower()
    alike = [
        s for s in assembly.sections if low in (s.id.lower(), s.title.lower(), short_path(s.title, assembly).lower())
    ]
    if found := exact or alike:
        return found[0]
    hint = meant(wanted, [s.id for s in assembly.sections], otherwise="; see `promptscope tokens`")
    raise click.UsageError(f"no section {wanted!r}{hint}")


def _depth(section: Section, assembly: Assembly) -> int:
    depth, parent = 0, section.parent
    while parent and (above := assembly.section(parent)) and depth < len(assembly.sections):
        depth, parent = depth + 1, above.parent
    return depth


def _header(section: Section, assembly: Assembly) -> str:
    rule = "──" * (_depth(section, assembly) + 1)
    if not section.present:
        return f"{rule} {section.title}  {own_reason(section.why, refusal(assembly))}"
    share = words.percent(section.expected_tokens, assembly.tokens.expected)
    facts = [words.size(section), share, "; ".join(words.sources(section.fragments, assembly))]
    return f"{rule} {section.title}  {'  '.join(fact for fact in facts if fact)}"


def _beside(assembly: Assembly) -> tuple[str, str, str, str]:
    """The tools that no section describes: how many, their tokens, their share, where they are listed."""
    tools = assembly.tools_beside
    tokens = words.total(tool.expected_tokens for tool in tools)
    share = words.percent(tokens, assembly.tokens.expected)
    name = f"{words.many(len(tools), 'tool')}, sent beside the prompt"
    return name, f"≈{words.number(tokens)} tok", share, "see `promptscope tools`"


def plain_words(assembly: Assembly, chosen: tuple[Section, ...]) -> Iterator[str]:
    """The prompt as text without colours; `chosen` are the sections to print."""
    yield f"{words.who(assembly)}   {assembly.workspace}\n"
    yield from (f"{line}\n" for line in words.summary(assembly))
    for section in chosen:
        yield f"\n{_header(section, assembly)}\n"
        if section.present:
            yield section.text.strip("\n") + "\n"
    if chosen is assembly.sections and assembly.tools_beside:
        yield f"\n── {'  '.join(filter(None, _beside(assembly)))}\n"


def _coloured(assembly: Assembly, chosen: tuple[Section, ...]) -> None:
    head = (f"{words.who(assembly)}   {assembly.workspace}", "bold")
    about = words.summary(assembly)
    put_styled([[head], [(next(about), "")], *([(line, "dim")] for line in about)], wrap=True)
    lines: list[list[Styled]] = []
    for section in chosen:
        lines.append([(f"\n{_header(section, assembly)}", "bold" if section.present else "dim")])
        if section.present:
            body = [(harmless(each.text), words.ORIGINS[each.origin.kind].colour) for each in section.fragments]
            while body and not body[-1][0].rstrip():
                body.pop()
            lines.append([*body[:-1], *((text.rstrip(), style) for text, style in body[-1:])])
    if chosen is assembly.sections and assembly.tools_beside:
        lines.append([(f"\n── {'  '.join(filter(None, _beside(assembly)))}", "bold")])
    put_styled(lines)


def _markdown(assembly: Assembly, chosen: tuple[Section, ...]) -> str:
    rows = [
        (
            "  " * _depth(section, assembly) + section.title,
            words.size(section) if section.present else "absent",
            words.percent(section.expected_tokens, assembly.tokens.expected) if section.present else "",
            "; ".join(words.sources(section.fragments, assembly))
            if section.present
            else own_reason(section.why, refusal(assembly)),
        )
        for section in chosen
    ]
    if chosen is assembly.sections and assembly.tools_beside:
        rows.append(_beside(assembly))
    table = Table(("section", "tokens", "share", "origin, or why not"), rows, frozenset({"tokens", "share"}))
    parts = [f"# {words.who(assembly)}\n\n`{assembly.workspace}`: {words.budget(assembly)}.\n", table.markdown()]
    if assembly.diagnostics:
        found = ((d.severity, d.message, d.place) for d in assembly.diagnostics)
        parts.append(Table(("severity", "message", "where"), tuple(found)).markdown())
    parts += [f"## {section.title}\n\n{_fenced(section.text)}" for section in chosen if section.present]
    return "\n".join(parts)


def _fenced(text: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text.strip(chr(10))}\n{fence}\n"
