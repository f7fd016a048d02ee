"""USER'S CUSTOM INSTRUCTIONS: language, instructions and rules, in Roo's order (specs/roo.md 4.1).

Every child begins with the empty line that divides it from what stands before, so the present ones can be joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from promptscope_engine.agents.roo.gather.agents_md import Block
from promptscope_engine.agents.roo.gather.modes import mode_instructions
from promptscope_engine.agents.roo.gather.rule_sets import PARENT, RuleSet, rule_set
from promptscope_engine.agents.roo.gather.system_info import language_name
from promptscope_engine.agents.roo.materials import Mode
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Any, Condition, Observed, Test
from promptscope_engine.prompt.drafts import (
    FileDraft,
    Piece,
    SectionDraft,
    builtin,
    computed,
    environment,
    label,
    param_value,
)
from promptscope_engine.prompt.model import Diagnostic, Lever
from promptscope_engine.prompt.pieces import trimmed_pieces
from promptscope_engine.workspace import Workspace

TITLE = "USER'S CUSTOM INSTRUCTIONS"
INTRO = (
    "What comes below was added by the user. Keep to it as well as you can, as long as that does not get in the way "
    "of the guidelines for TOOL USE given above."
)


@dataclass(frozen=True, slots=True)
class InstructionsFound:
    """The section with its children, and the files behind it in load order."""

    sections: tuple[SectionDraft, ...]
    files: tuple[FileDraft, ...]
    diagnostics: tuple[Diagnostic, ...]


def custom_instructions(
    inputs: Inputs,
    params: RooParams,
    workspace: Workspace,
    mode: Mode,
    rules_slug: str,
    language: str,
    blocks: Sequence[Block],
) -> InstructionsFound:
    """The whole section. `rules_slug` names the directories of mode rules, `language` is the resolved code.

    `blocks` stand between the rules of the mode and those of all modes.
    """
    cwd, home = inputs.workspace, inputs.home
    mode_rules = rule_set(workspace, cwd, home, rules_slug)
    generic = rule_set(workspace, cwd, home, None)
    preferences = (_language(params, language), _global(params), _mode(mode))
    rules = Any((mode_rules.present, *(block.section.when for block in blocks), generic.present))
    sections = [
        _parent(Any((*(section.when for section in preferences), rules))),
        *preferences,
        SectionDraft(f"{PARENT}.rules", "Rules", (label("\n\nRules:"),), "Rules:", rules, parent=PARENT),
        *mode_rules.sections,
        *(block.section for block in blocks),
        *generic.sections,
    ]
    parts: tuple[RuleSet | Block, ...] = (mode_rules, *blocks, generic)
    return InstructionsFound(
        sections=tuple(_with_own_ids(sections)),
        files=tuple(file for part in parts for file in part.files),
        diagnostics=tuple(told for part in parts for told in part.diagnostics),
    )


def _with_own_ids(sections: Iterable[SectionDraft]) -> Iterator[SectionDraft]:
    """A file that links show several times gives several sections: the second one's id ends in #2."""
    seen: dict[str, int] = {}
    for section in sections:
        count = seen[section.id] = seen.get(section.id, 0) + 1
        yield section if count == 1 else replace(section, id=f"{section.id}#{count}")


def _parent(when: Condition) -> SectionDraft:
    pieces = (label(f"\n====\n\n{TITLE}\n\n"), builtin("custom_instructions.intro", INTRO))
    return SectionDraft(PARENT, TITLE, pieces, TITLE, when, stability="session")


def _language(params: RooParams, code: str) -> SectionDraft:
    name = language_name(code)
    sentence = "custom_instructions.language_sentence"
    shown_code = environment("language", code) if params.language is None else param_value("language", code)
    return SectionDraft(
        id=f"{PARENT}.language",
        title="Language Preference",
        heading="Language Preference:",
        pieces=(
            label("\n\nLanguage Preference:\n"),
            builtin(sentence, 'Think and talk in "'),
            computed("language.name", name),
            builtin(sentence, '" ('),
            shown_code,
            builtin(sentence, ") at all times, unless the user's instructions further down ask for something else."),
        ),
        when=_language_given(name, code),
        parent=PARENT,
    )


def _language_given(name: str, code: str) -> Condition:
    """Only "" switches it off: null means the editor's language, which is never empty."""
    return ~Test(
        "flag",
        "language",
        "is",
        "",
        "`language` is empty",
        f"the language is {name} ({code})",
        on=(Lever("language", ""),),
        off=(Lever("language", "en"),),
    )


def _global(params: RooParams) -> SectionDraft:
    trimmed = js_trim(params.globalCustomInstructions)
    name = "globalCustomInstructions"
    nothing = f"`{name}` is blank" if params.globalCustomInstructions else f"`{name}` is empty"
    return SectionDraft(
        id=f"{PARENT}.global",
        title="Global Instructions",
        heading="Global Instructions:",
        pieces=(label("\n\nGlobal Instructions:\n"), param_value(name, trimmed)),
        when=Observed("flag", name, bool(trimmed), f"`{name}` is given", nothing, off=(Lever(name, ""),)),
        parent=PARENT,
    )


def _mode(mode: Mode) -> SectionDraft:
    heading = "Mode-specific Instructions:"
    pieces: tuple[Piece, ...] = (label(f"\n\n{heading}\n"), *trimmed_pieces(mode.instructions))
    when = mode_instructions(mode)
    return SectionDraft(f"{PARENT}.mode", heading[:-1], pieces, heading, when, parent=PARENT)
