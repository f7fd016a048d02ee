"""The rules of `check`: the README's table is made from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

Level = Literal["error", "warning", "info"]


class Rule(Struct, frozen=True):
    """A rule: its id, the severity of a finding unless the settings say otherwise, and how to find them.

    `advice`: it is off unless it is asked for, and never more than a hint.
    """

    id: str
    level: Level
    text: str
    advice: bool = False


_TABLE: tuple[tuple[str, Level, str], ...] = (
    ("budget", "error", "A prompt, section, file or tool costs more than its budget."),
    ("growth", "error", "A prompt grew by more than is allowed since the revision."),
    ("required-file", "error", "A file that is required is in no agent's prompt."),
    ("forbidden-file", "error", "A file that is forbidden is in an agent's prompt."),
    ("unresolved-import", "error", "An instruction file imports a file that is not there."),
    (
        "unmatched-rule",
        "error",
        "A rule can never load: no file matches its patterns, or no mode has its name.",
    ),
    ("invalid-mode", "error", "A file of modes is not valid, and modes in it are not used."),
    ("invalid-front-matter", "error", "Front matter cannot be read as its author meant it."),
    ("agent-refuses", "error", "The agent does not start with these settings."),
    ("invalid-setting", "error", "A settings file, or a value in it, is not used: the agent does not take it."),
    ("unknown-setting", "warning", "A settings file has a key that the agent does not know."),
    ("unmatched-entry", "info", "A list in the settings names a tool, skill, server or agent that is not there."),
    ("truncated", "warning", "The agent cuts a file: part of it is not in the prompt."),
    ("suppressed", "warning", "A file is not loaded because another one takes its place."),
    ("import-outside", "warning", "An import leads out of the folder that the agent is started in."),
    (
        "near-miss",
        "info",
        "A file or a key is not read, for its name, its ending or its place is not quite the one that counts.",
    ),
    ("outside-link", "info", "A link leads out of the repository, where a check does not look: the agent follows it."),
    ("duplicate-lines", "warning", "A passage is in two loaded files, and is paid for twice."),
    ("large-file", "warning", "The agent itself warns of a file of this size."),
    ("skill-dropped", "warning", "A skill is not listed: it is not valid, or another one shadows it."),
    ("long-description", "warning", "The agent cuts a description that is too long."),
    ("secret", "warning", "A loaded file holds what looks like a key, a token or a password."),
    (
        "invisible-characters",
        "warning",
        "A loaded file holds characters that nobody sees: a prompt can hide there.",
    ),
    ("agent-warning", "warning", "Anything else about a file that promptscope warns of when it assembles the prompt."),
)

_ADVICE: tuple[tuple[str, str], ...] = (
    ("contradiction", "Two loaded instructions want the opposite of the same: `always X` and `never X`."),
    ("long-paragraph", "A paragraph is so long that what it asks for is easily missed."),
    ("emphasis", "So much of a file is emphasised with capitals (IMPORTANT, NEVER) that nothing stands out."),
    ("vague-trigger", "An instruction leaves open when it holds: `if appropriate`, `as needed`."),
)

RULES: Mapping[str, Rule] = {
    **{entry[0]: Rule(*entry) for entry in _TABLE},
    **{name: Rule(name, "info", text, advice=True) for name, text in _ADVICE},
}
"""By id, in the order of the README's table."""

ADVICE = tuple(name for name, _ in _ADVICE)
"""The rules that only give hints."""

_RULE_OF = {
    "agent-refuses": "agent-refuses",
    "agents-md-below": "suppressed",
    "agents-md-dropped": "truncated",
    "bad-agent": "invalid-front-matter",
    "bad-settings": "invalid-setting",
    "bad-command": "invalid-front-matter",
    "bad-frontmatter": "invalid-front-matter",
    "bad-skill": "skill-dropped",
    "blank-override": "suppressed",
    "description-cut": "long-description",
    "definition-file-missing": "unresolved-import",
    "external-import": "import-outside",
    "import-failed": "unresolved-import",
    "large-file": "large-file",
    "legacy-silenced": "suppressed",
    "mode-hidden": "invalid-mode",
    "modes-invalid": "invalid-mode",
    "modes-only-logged": "invalid-mode",
    "modes-yaml": "invalid-mode",
    "near-key": "near-miss",
    "skill-dropped": "skill-dropped",
    "skill-replaced": "skill-dropped",
    "skills-budget": "long-description",
    "skills-shortened": "long-description",
    "truncated": "truncated",
    "unknown-mode-rules": "unmatched-rule",
    "unknown-setting": "unknown-setting",
    "unmatched-entry": "unmatched-entry",
    "untrusted-agents-md": "suppressed",
}
"""The rule of each diagnostic that has one of its own."""


def rule_table() -> str:
    """The README's table of rules, in Markdown."""
    rows = (
        f"| `{rule.id}` | {rule.level}{', off' if rule.advice else ''} | {rule.text} |\n" for rule in RULES.values()
    )
    return "| rule | level | what it finds |\n|---|---|---|\n" + "".join(rows)


def rule_of(code: str) -> str | None:
    """The rule that a diagnostic's code belongs to, if any but `agent-warning`."""
    return _RULE_OF.get(code)
