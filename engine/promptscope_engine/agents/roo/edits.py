"""Which files a mode may edit: its groups, the `fileRegex` of its group edit, `.rooignore`."""

from collections.abc import Iterator

from promptscope_engine.agents.features import EditRules, EditStep
from promptscope_engine.agents.roo.ignore import IGNORE_FILE, RooIgnore, RooProtected
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.matcher import Matcher, NotDecided
from promptscope_engine.javascript.regexp import RegexpError
from promptscope_engine.prompt.model import ModeChoice
from promptscope_engine.workspace import Workspace

EDITING = ("apply_diff", "write_to_file", "insert_content", "search_and_replace", "generate_image")
"""The tools of the group edit."""


def edit_rules(inputs: Inputs, workspace: Workspace, mode: ModeChoice) -> EditRules:
    """The rules of a mode in a workspace."""
    cwd = inputs.workspace
    ignored = workspace.read(f"{cwd}/{IGNORE_FILE}")
    ignore, protected = RooIgnore(cwd, ignored.text), RooProtected(cwd)
    matcher, undecided = _matcher(mode)
    may_edit = "edit" in mode.groups

    def steps(path: str, tool: str | None) -> Iterator[EditStep]:
        yield EditStep(may_edit, f"the mode {mode.slug} {'has' if may_edit else 'lacks'} the group edit")
        if may_edit and mode.edits_only is not None:
            held = tool is None or tool in mode.edits_only.tools
            yield _by_pattern(path, mode, matcher, undecided) if held else EditStep(True, f"{tool} asks no pattern")
        if ignored.found:
            hides = ignore.ignores(path)
            yield EditStep(not hides, f"{IGNORE_FILE} {'hides' if hides else 'does not hide'} {path}")
        if protected.protects(path):
            yield EditStep(True, f"{path} is one of Roo's own files: each change of it has to be approved")

    return EditRules(
        mode=mode,
        may_edit=may_edit,
        tools=EDITING,
        matcher=matcher,
        undecided=undecided,
        hides=ignore.ignores,
        steps=lambda path, tool: _up_to_a_refusal(steps(path, tool)),
    )


def _matcher(mode: ModeChoice) -> tuple[Matcher | None, str]:
    """The mode's pattern, or why it is not known what it matches."""
    if mode.edits_only is None:
        return None, ""
    try:
        return Matcher(mode.edits_only.pattern), ""
    except NotDecided as reason:
        return None, f"what the pattern matches is not decided: {reason}"
    except RegexpError as error:
        return None, f"the pattern does not compile: {error}"


def _by_pattern(path: str, mode: ModeChoice, matcher: Matcher | None, undecided: str) -> EditStep:
    """RegExp.test on the path as the model writes it: anywhere in it, unless the pattern says otherwise."""
    limit = mode.edits_only
    assert limit is not None
    if matcher is None:
        return EditStep(None, undecided)
    try:
        matches = matcher.test(path)
    except NotDecided as reason:
        return EditStep(None, f"whether {path} matches is not decided: {reason}")
    named = f" ({limit.description})" if limit.description else ""
    return EditStep(matches, f"{path} {'matches' if matches else 'does not match'} {limit.pattern}{named}")


def _up_to_a_refusal(steps: Iterator[EditStep]) -> tuple[EditStep, ...]:
    found: list[EditStep] = []
    for step in steps:
        found.append(step)
        if step.ok is False:
            break
    return tuple(found)
