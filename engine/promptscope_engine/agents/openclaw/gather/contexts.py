"""The bootstrap files with what is injected of each, and the same as consulted files (specs/openclaw.md 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from promptscope_engine.agents.openclaw.materials import Context
from promptscope_engine.agents.shared.settings import at, positive
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim_end, utf16_len
from promptscope_engine.prompt.conditions import Condition, Facts, Named, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Lever

from . import cuts
from .bootstrap import MEMORY, Entry
from .truncation import DEFAULT_MAX_CHARS, DEFAULT_TOTAL_CHARS, MIN_REMAINING, Injection, inject


def contexts(entries: Sequence[Entry], config: Json) -> tuple[Context, ...]:
    """What each entry comes to; those that the session is not given take no part in the budget."""
    max_chars, total = bounds(config)
    facts = Facts()
    counted = [entry for entry in entries if entry.when.evaluate(facts).ok]
    injections = dict(
        zip(map(id, counted), inject(((e.name, e.path, e.content) for e in counted), max_chars, total), strict=True)
    )
    found = []
    whole = 0
    for entry in entries:
        injection = injections.get(id(entry), Injection(reached=False))
        why = entry.when
        widen: tuple[Lever, ...] = ()
        if id(entry) in injections:
            length = utf16_len(js_trim_end(entry.content or ""))
            # of the files before it, too, nothing more is cut then
            whole += max(length, injection.chars, MIN_REMAINING)
            widen = cuts.widen(length, whole, max_chars, total) if injection.lost else ()
            text = bool(injection.parts)
            no = _amount(entry, injection, max_chars, total)
            why = why & Observed("file", entry.path, text, "there is text for it", no, on=widen or None)
        found.append(Context(entry, injection, why, _amount(entry, injection, max_chars, total), widen))
    return tuple(found)


def bounds(config: Json) -> tuple[int, int]:
    """The characters that a file may have, and all files together."""
    return (
        positive(at(config, "agents.defaults.bootstrapMaxChars"), DEFAULT_MAX_CHARS),
        positive(at(config, "agents.defaults.bootstrapTotalMaxChars"), DEFAULT_TOTAL_CHARS),
    )


def _amount(entry: Entry, injection: Injection, max_chars: int, total: int) -> str:
    """How much of the file stands in the prompt, in words."""
    if not injection.reached:
        return f"the files before it used up the total of {total:,} characters (bootstrapTotalMaxChars)"
    if not injection.parts:
        return "it is blank: nothing of it is injected"
    if entry.missing:
        return "it is missing: a marker of its path stands for it"
    if injection.kept:
        head, tail, length = injection.kept
        limit = cuts.PER_FILE if total - injection.used >= max_chars else cuts.IN_TOTAL
        cut = f"cut to its first {head:,} and last {tail:,} of {length:,} characters ({limit})"
        return f"{cut}, then clamped to what was left of the total" if injection.clamped else cut
    if injection.clamped:
        return f"clamped to the {injection.chars:,} characters that were left of the total"
    return "injected whole"


def files(shown: Sequence[Context], entries: Sequence[Entry], config: Json, *, replaced: bool) -> Iterator[FileDraft]:
    """Every file of the loader. A missing one is absent although its marker stands in the prompt; one that found no
    room any more is present with nothing injected."""
    max_chars, total = bounds(config)
    by_entry = {id(context.entry): context for context in shown}
    for entry in entries:
        context = by_entry[id(entry)]
        when: Condition = mode_is("full", "minimal") & entry.when & _counts(entry)
        when = Named("file", entry.path, when, context.amount)
        if replaced:
            when = when & Observed(
                "flag", "promptParams.contextFiles", False, "", "`promptParams.contextFiles` stands in for the files"
            )
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
            limits=cuts.limits(content, context.injection, max_chars, total) if not entry.missing else (),
            stretches=tuple(cuts.stretches(content, context.injection)),
        )


def _counts(entry: Entry) -> Condition:
    if entry.missing:
        return Observed("file", entry.path, False, "", "the file is missing")
    return Observed("file", entry.path, True, "the file is there", "")
