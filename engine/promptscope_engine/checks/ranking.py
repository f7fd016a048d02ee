"""Findings in one list: one for a file and a kind, what costs most first."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from .findings import RULES, Counterpart, Finding, FoundPassage, Level

REPEATS, WHOLE = "duplicate-lines", "sent-twice"
"""The rules about what is paid for again: passages, and files as a whole."""

_ORDER: tuple[Level, ...] = ("error", "warning", "info")
_SHOWN = 3
"""Ranges of lines that a message names."""


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """One finding for each file and kind, by level, then the tokens, most first, then the place.

    What was found for several agents, or in the same words on several lines, is one finding.
    """
    merged: dict[Finding, list[Finding]] = {}
    repeats: dict[tuple[str | None, Level], list[Finding]] = {}
    for each in findings:
        if each.rule == REPEATS:
            repeats.setdefault((each.path, each.level), []).append(each)
        else:
            merged.setdefault(replace(each, agents=(), tokens=None), []).append(each)
    found = _on_lines(map(_as_one, merged.values()))
    rules = list(RULES)
    return tuple(
        sorted(
            (*found, *map(_of_agents, repeats.values())),
            key=lambda f: (
                _ORDER.index(f.level),
                -(f.tokens or 0),
                f.path or "",
                f.line or 0,
                rules.index(f.rule),
                f.message,
                f.agents,
            ),
        )
    )


def _as_one(same: Sequence[Finding]) -> Finding:
    """One finding of those of several agents. What they lose is counted by each one's tokenizer: the most counts."""
    counts = [each.tokens for each in same if each.tokens is not None]
    return replace(same[0], agents=_agents(same), tokens=max(counts, default=None))


def _agents(of: Iterable[Finding | FoundPassage]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(agent for each in of for agent in each.agents))


def _on_lines(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings; those that differ in their lines alone are one, whose message names the further lines."""
    places: dict[Finding, list[Finding]] = {}
    for each in findings:
        places.setdefault(each if each.line is None else replace(each, line=0), []).append(each)
    for same in places.values():
        found, *others = sorted(same, key=lambda each: each.line or 0)
        message = found.message
        if found.rule == WHOLE and found.tokens:
            message += f": {found.tokens:,} tokens"
        if others:
            lines = [each.line or 0 for each in same]
            message += f"; also in {_lines(_ranges((line, line) for line in sorted(lines)[1:]))}"
            passages = tuple(FoundPassage(line, line, agents=found.agents) for line in sorted(lines))
            found = replace(found, passages=passages)
        yield replace(found, message=message)


# --- repeated passages -----------------------------------------------------------------------------------------------


def repeated(finding: Finding, passages: Sequence[FoundPassage]) -> Finding:
    """A finding about what a file repeats, with these passages: its line, its tokens and its message go by them."""
    groups: dict[Counterpart | None, list[FoundPassage]] = {}
    for each in sorted(passages, key=lambda each: (each.line, each.end)):
        groups.setdefault(each.of, []).append(each)
    of, largest = max(groups.items(), key=lambda group: _sum(group[1]) or 0)
    ordered = tuple(each for group in groups.values() for each in group)
    tokens, ranges = _sum(ordered), _ranges((each.line, each.end) for each in largest)
    if len(groups) == 1:
        verb = "is" if ranges == [(largest[0].line, largest[0].line)] else "are"
        cost = f" ({tokens:,} tokens)" if tokens else ""
        message = f"{_the_lines(ranges)} {verb} also in {_place(of)}{cost}"
    else:
        whom = dict.fromkeys("itself" if _is_in(each, finding) else _owner(each) for each in groups)
        cost = "" if tokens is None else f", {tokens:,} tokens"
        own = _is_in(of, finding)
        biggest = f"the largest {_shown(ranges)} = {_range(of) if own else _place(of)}"
        message = f"repeats {' and '.join(whom)}: {len(groups):,} passages{cost}, {biggest}"
    return replace(finding, message=message, line=largest[0].line, tokens=tokens, passages=ordered)


def _of_agents(findings: Sequence[Finding]) -> Finding:
    """One finding of those of several agents about a file. Lines that are within those of another agent are no more."""
    by_place: dict[FoundPassage, list[FoundPassage]] = {}
    for each in (passage for finding in findings for passage in finding.passages):
        by_place.setdefault(replace(each, tokens=None, agents=()), []).append(each)
    found: list[FoundPassage] = []
    for place, same in sorted(by_place.items(), key=lambda each: (each[0].line - each[0].end, each[0].line)):
        counts = [each.tokens for each in same if each.tokens is not None]
        of = _agents(same)
        whole = next(
            (n for n, each in enumerate(found) if _is_within(place, each) and {*of}.isdisjoint(each.agents)), None
        )
        if whole is None:
            found.append(replace(place, tokens=max(counts, default=None), agents=of))
        else:
            found[whole] = replace(found[whole], agents=(*found[whole].agents, *of))
    return replace(repeated(findings[0], found), agents=_agents(findings))


def _is_within(passage: FoundPassage, other: FoundPassage) -> bool:
    return other.line <= passage.line and passage.end <= other.end


def _sum(passages: Sequence[FoundPassage]) -> int | None:
    counts = [each.tokens for each in passages]
    return None if None in counts else sum(filter(None, counts))


def _is_in(of: Counterpart | None, finding: Finding) -> bool:
    return of is not None and of.path == finding.path


def _owner(of: Counterpart | None) -> str:
    return "the agent's own text" if of is None or of.path is None else of.path


def _place(of: Counterpart | None) -> str:
    if of is None or of.path is None:
        return f"the agent's own text, in {of.title if of else ''}"
    return f"{of.path}:{of.line}"


def _range(of: Counterpart | None) -> str:
    assert of is not None
    return f"{of.line}" if of.end in (None, of.line) else f"{of.line}-{of.end}"


def _ranges(lines: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in order, where those that follow each other are one."""
    found: list[tuple[int, int]] = []
    for first, last in lines:
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], last)
        else:
            found.append((first, last))
    return found


def _shown(ranges: Sequence[tuple[int, int]]) -> str:
    named = [f"{first}" if first == last else f"{first}-{last}" for first, last in ranges]
    if len(named) > _SHOWN:
        return f"{', '.join(named[:_SHOWN])} and {len(named) - _SHOWN} more"
    return " and ".join(filter(None, (", ".join(named[:-1]), named[-1])))


def _the_lines(ranges: Sequence[tuple[int, int]]) -> str:
    return f"{'the line' if _is_line(ranges) else f'lines {_shown(ranges)}'}"


def _lines(ranges: Sequence[tuple[int, int]]) -> str:
    return f"{'line' if _is_line(ranges) else 'lines'} {_shown(ranges)}"


def _is_line(ranges: Sequence[tuple[int, int]]) -> bool:
    return len(ranges) == 1 and ranges[0][0] == ranges[0][1]
