"""The rules of `check`: the README's table is made from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from promptscope_engine.frozen import frozen

Level = Literal["error", "warning", "info"]


@frozen
class Rule:
    """A rule: its id, what a finding of it counts as unless the settings say otherwise, and what it finds."""

    id: str
    level: Level
    title: str
    text: str


RULES: Mapping[str, Rule] = {
    rule.id: rule
    for rule in (
        Rule("budget", "error", "over budget", "A prompt, section, file or tool costs more than its budget."),
        Rule("growth", "error", "grew too much", "A prompt costs more than at the revision, by over what is allowed."),
        Rule("required-file", "error", "required file", "A file that is required is in no agent's prompt."),
        Rule("forbidden-file", "error", "forbidden file", "A file that is forbidden is in an agent's prompt."),
        Rule("unresolved-import", "error", "unresolved import", "An instruction file imports a file that is not there."),
        Rule("unmatched-rule", "error", "rule that never matches", "No file of the repository loads the rule."),
        Rule("invalid-mode", "error", "invalid mode", "A file of modes is not valid, so that its modes are not used."),
        Rule("invalid-front-matter", "error", "invalid front matter", "The front matter cannot be read as its author meant."),
        Rule("agent-refuses", "error", "agent refuses to start", "The agent does not start with these settings."),
        Rule("truncated", "warning", "truncated", "The agent cuts the file: part of it is not in the prompt."),
        Rule("suppressed", "warning", "suppressed", "The file is not loaded because another one takes its place."),
        Rule("import-outside", "warning", "import from outside", "An import leads out of the folder the agent is started in."),
        Rule("duplicate-lines", "warning", "duplicate lines", "A passage is in two loaded files, and paid for twice."),
        Rule("large-file", "warning", "large file", "The agent itself warns of a file of this size."),
        Rule("skill-dropped", "warning", "skill dropped", "A skill is not listed: it is invalid, or another one shadows it."),
        Rule("long-description", "warning", "description cut", "The agent cuts a description that is too long."),
        Rule("secret", "warning", "secret", "A loaded file holds what looks like a key, a token or a password."),
        Rule("invisible-characters", "warning", "invisible characters", "A loaded file holds invisible or bidirectional characters: instructions can hide there."),
        Rule("agent-warning", "warning", "other warning", "Anything else that an agent would not say, or say only in its log."),
    )
}  # fmt: skip
"""By id, in the order of the README's table."""

_RULE_OF = {
    "agent-refuses": "agent-refuses",
    "agents-md-below": "suppressed",
    "agents-md-dropped": "truncated",
    "bad-agent": "invalid-front-matter",
    "bad-command": "invalid-front-matter",
    "bad-frontmatter": "invalid-front-matter",
    "blank-override": "suppressed",
    "external-import": "import-outside",
    "import-failed": "unresolved-import",
    "large-file": "large-file",
    "legacy-silenced": "suppressed",
    "mode-hidden": "invalid-mode",
    "modes-invalid": "invalid-mode",
    "modes-only-logged": "invalid-mode",
    "modes-yaml": "invalid-mode",
    "skill-dropped": "skill-dropped",
    "skill-replaced": "skill-dropped",
    "skills-budget": "long-description",
    "skills-shortened": "long-description",
    "truncated": "truncated",
    "untrusted-agents-md": "suppressed",
}
"""The rule of each diagnostic that has one of its own."""


def rule_of(code: str) -> str | None:
    """The rule that a diagnostic's code belongs to, if any but `agent-warning`."""
    return _RULE_OF.get(code)
