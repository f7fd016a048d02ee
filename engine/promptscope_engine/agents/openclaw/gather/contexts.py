"""The bootstrap files with what is injected of each, and the same as consulted files (specs/openclaw.md 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from promptscope_engine.agents.kit.settings import positive
from promptscope_engine.agents.openclaw.levers import Settings
from promptscope_engine.agents.openclaw.materials import Context, Entry, Injection, Part
from promptscope_engine.javascript.text import js_trim_end, utf16_len
from promptscope_engine.prompt.conditions import Condition, Facts, Named, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Lever

from . import cuts
from .bootstrap import MEMORY
from .truncation import DEFAULT_MAX_CHARS, DEFAULT_TOTAL_CHARS, MIN_REMAINING, inject


def contexts(entries: Sequence[Entry], limits: tuple[int, int]) -> tuple[Context, ...]:
    """What each entry comes to; those that the session is not given take no part in the budget."""
    facts = Facts()
    counted = [entry for entry in entries if entry.when.holds(facts)]
    injections = dict(
        zip(map(id, counted), inject(((e.name, e.path, e.content) for e in counted), *limits), strict=True)
    )
    found = []
    whole = 0
    for entry in entries:
        injection = injections.get(id(entry), Injection(reached=False))
        why, amount = entry.when, _amount(entry, injection, *limits)
        widen: tuple[Lever, ...] = ()
        if id(entry) in injections:
            length = utf16_len(js_trim_end(entry.content or ""))
            # of the files before it, too, nothing more is cut then
            whole += max(length, injection.chars, MIN_REMAINING)
            widen = cuts.widen(length, whole, *limits) if injection.lost else ()
            why = why & Observed(
                "file", entry.path, bool(injection.parts), "there is text for it", amount, on=widen or None,
                remedy="write something into it; no switch simulates it",
            )  # fmt: skip
        stretches = cuts.with_gaps(entry.content or "", injection)
        parts = tuple((part, None if kept else _lost(part, widen)) for part, kept in stretches)
        found.append(Context(entry, injection, why, amount, parts))
    return tuple(found)


def _lost(part: Part, widen: tuple[Lever, ...]) -> Condition:
    """A stretch that was cut out: how much it is, and for want of which room."""
    limit = widen[0].param.rpartition(".")[2] if widen else cuts.IN_TOTAL
    no = f"cut, {utf16_len(part.text):,} characters: over {limit}"
    return Observed("file", limit, False, "", no, on=widen or None, remedy=f"raise `agents.defaults.{limit}`")


def bounds(settings: Settings) -> tuple[int, int]:
    """The characters that a file may have, and all files together."""
    return (
        positive(settings.get("agents.defaults.bootstrapMaxChars"), DEFAULT_MAX_CHARS),
        positive(settings.get("agents.defaults.bootstrapTotalMaxChars"), DEFAULT_TOTAL_CHARS),
    )


def _amount(entry: Entry, injection: Injection, max_chars: int, total: int) -> str:
    """How much of the file stands in the prompt, in words."""
    if entry.withheld:
        return "left out here"
    if not injection.reached:
        return f"the files before it used up the total of {total:,} characters (bootstrapTotalMaxChars)"
    if not injection.parts:
        return "it is blank: nothing of it is injected"
    if entry.missing:
        return f"{entry.absence}: a marker with its path stands in for it"
    if injection.kept:
        head, tail, length = injection.kept
        limit = cuts.PER_FILE if total - injection.used >= max_chars else cuts.IN_TOTAL
        cut = f"cut to its first {head:,} and last {tail:,} of {length:,} characters ({limit})"
        return f"{cut}, then clamped to what was left of the total" if injection.clamped else cut
    return "injected whole"


def files(shown: Sequence[Context], limits: tuple[int, int], *, replaced: bool) -> Iterator[FileDraft]:
    """Every file of the loader. A missing one is absent although its marker stands in the prompt; one that found no
    room any more is present with nothing injected."""
    for context in shown:
        entry = context.entry
        when: Condition = mode_is("full", "minimal") & entry.when & _there(entry)
        when = Named("file", entry.path, when, context.amount)
        if replaced:
            no = "`promptParams.contextFiles` stands in for the files"
            remedy = "leave `promptParams.contextFiles` out"
            when = when & Observed("flag", "promptParams.contextFiles", False, "", no, remedy=remedy)
        content = entry.content or ""
        yield FileDraft(
            path=entry.path,
            real_path=entry.real_path,
            kind="memory" if entry.name in MEMORY else "bootstrap",
            load="always",
            when=when,
            bytes=entry.bytes or len(content.encode("utf-8", "surrogatepass")),
            raw_chars=utf16_len(content),
            injected=context.injection.text,
            injected_chars=context.injection.chars,
            truncated=context.injection.lost,
            limits=cuts.limits(content, context.injection, *limits) if not entry.missing else (),
            stretches=tuple(cuts.stretches(content, context.injection)),
        )


def _there(entry: Entry) -> Condition:
    remedy = "create the file; no switch simulates it"
    return Observed("file", entry.path, not entry.missing, "the file was found", entry.absence, remedy=remedy)
