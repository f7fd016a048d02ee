"""The look of the prompt: component classes, and their colours from the theme's variables."""

from __future__ import annotations

PREFIX = "prompt-view--"

_NAMES = """
header header-nested body cursor cursor-mark hover
disclosure title subtitle tokens dim faint more fewer
absent absent-title absent-mark cut
builtin tool environment param file
text-builtin text-environment text-param text-file text-label
number mark-new mark-gone hidden match match-current
"""

COMPONENTS = {PREFIX + name for name in _NAMES.split()}
"""
| Class | What it styles |
| :- | :- |
| `header`, `header-nested`, `body` | A whole row: of a top-level section, of a nested one, of anything else. |
| `cursor`, `hover` | The whole row under the cursor, under the mouse. |
| `cursor-mark` | The mark at the left of the cursor's row. |
| `disclosure`, `title`, `subtitle`, `tokens` | The parts of a header. |
| `dim`, `faint` | Secondary text; text that need not be read. |
| `more`, `fewer` | Changes in tokens. |
| `absent`, `absent-title`, `absent-mark` | What is not in the prompt, and why. |
| `cut` | Part of a file that did not fit. |
| `builtin`, `tool`, `environment`, `param`, `file` | Bars and gutters, by origin. |
| `text-…` | The text itself, by origin. |
| `number` | Line numbers of files. |
| `mark-new`, `mark-gone` | Lines that differ from the baseline. |
| `hidden` | CacheMarks for characters that would act or hide. |
| `match`, `match-current` | What the search found. |
"""

STYLE = """
PromptView {
    background: $background;
    color: $foreground;
    overflow-x: hidden;
    scrollbar-gutter: stable;
    scrollbar-size-vertical: 1;

    & > .prompt-view--header { background: $panel; }
    & > .prompt-view--header-nested { background: $surface; }
    & > .prompt-view--hover { background: $row-hover; }
    & > .prompt-view--cursor { background: $row-cursor-blurred; }
    & > .prompt-view--cursor-mark { color: $tone-faint; }
    &:focus > .prompt-view--cursor { background: $row-cursor; }
    &:focus > .prompt-view--cursor-mark { color: $primary; }

    & > .prompt-view--disclosure { color: $tone-dim; }
    & > .prompt-view--title { color: $foreground; text-style: bold; }
    & > .prompt-view--subtitle { color: $foreground; }
    & > .prompt-view--tokens { color: $foreground; }
    & > .prompt-view--dim { color: $tone-dim; }
    & > .prompt-view--faint { color: $tone-faint; }
    & > .prompt-view--more { color: $tone-more; }
    & > .prompt-view--fewer { color: $success; }
    & > .prompt-view--absent { color: $tone-faint; }
    & > .prompt-view--absent-title { color: $tone-dim; }
    & > .prompt-view--absent-mark { color: $tone-more 70%; }
    & > .prompt-view--cut { color: $tone-more; }

    & > .prompt-view--builtin { color: $tone-builtin 70%; }
    & > .prompt-view--tool { color: $secondary; }
    & > .prompt-view--environment { color: $primary; }
    & > .prompt-view--param { color: $warning; }
    & > .prompt-view--file { color: $success; }

    & > .prompt-view--text-builtin { color: $tone-builtin; }
    & > .prompt-view--text-environment { color: $text-primary; }
    & > .prompt-view--text-param { color: $text-warning; }
    & > .prompt-view--text-file { color: $text-success; }
    & > .prompt-view--text-label { color: $foreground; text-style: bold; }

    & > .prompt-view--number { color: $tone-faint; }
    & > .prompt-view--mark-new { color: $tone-more; text-style: bold; }
    & > .prompt-view--mark-gone { color: $success; text-style: bold; }
    & > .prompt-view--hidden { color: $error; text-style: bold; }
    & > .prompt-view--match { background: $warning 30%; color: $foreground; }
    & > .prompt-view--match-current { background: $warning; color: $background; text-style: bold; }

    &:ansi > .prompt-view--cursor-mark { color: $foreground; }
    &:ansi > .prompt-view--match { background: ansi_yellow; color: ansi_black; }
    &:ansi > .prompt-view--match-current { background: ansi_bright_yellow; color: ansi_black; }
    &:nocolor > .prompt-view--match { text-style: underline; }
    &:nocolor > .prompt-view--match-current { text-style: bold underline; }
}
"""
