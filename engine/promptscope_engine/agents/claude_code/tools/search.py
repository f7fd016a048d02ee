"""Tools that find files and text: Glob, Grep (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.prompt.drafts import Piece

from .schema import ToolText, boolean, choice, number, parameters, string


def _by_version(
    prefix: str, classic: Mapping[str, str], newer: Mapping[str, str]
) -> Callable[[Materials], Iterator[Piece]]:
    """2.1.100 says it at length; later versions have the tools only where Bash is missing, and are brief."""

    def pieces(_: Materials) -> Iterator[Piece]:
        yield from lines(prefix, classic, when=gates.IS_100)
        yield from lines(f"{prefix}.short", newer, when=~gates.IS_100)

    return pieces


_GLOB = {
    "purpose": "- Finds files by their names, and quickly even where there are many",
    "patterns": '- Understands globs: "docs/**/*.md", "tests/*_test.go"',
    "order": "- The list begins with what was modified most recently",
    "use": "- Take it whenever part of a file's name is what you know",
    "open_ended": "- A search whose end you cannot foresee, with round after round of globbing and grepping, is better given to the Agent tool",
}
_GLOB_SHORT = {
    "purpose": 'Finds files whose names match a glob such as "docs/**/*.md". The last ones modified come first. Works fast in codebases of every size.',
}
GLOB = ToolText(
    _by_version("tools.Glob", _GLOB, _GLOB_SHORT),
    parameters(
        {
            "pattern": string("The glob that names have to match"),
            "path": string(
                'Where to begin the search: a directory. Without this parameter it begins in the current working directory. IMPORTANT: Whoever wants that has to leave the parameter away. Neither "undefined" nor "null" may be written here instead. If it is there, then as a path to a directory that exists.'
            ),
        },
        "pattern",
    ),
)

_GREP = {
    "purpose": "Searches inside of files, with ripgrep",
    "usage": "\n  Usage:",
    "always": "  - Whatever you search for, Grep is the tool, ALWAYS. NEVER have Bash run `grep` or `rg`: only this tool has been given the permissions it takes to search.",
    "regex": '  - Regular expressions in full: "retry.*failed", "def\\s+test_\\w+"',
    "filters": '  - Fewer files are searched with glob (as in "*.sql", "web/**/*.vue") or type (as in "go", "css", "py")',
    "modes": '  - What you get: with "content" the lines, with "files_with_matches" paths alone (that is the default), with "count" numbers of hits',
    "open_ended": "  - A search that needs several rounds is a matter for the Agent tool",
    "syntax": "  - The dialect is ripgrep's and not that of grep: a brace that is meant as such gets a backslash (for `struct{}` write `struct\\{\\}`)",
    "multiline": "  - A match does not go beyond the end of its line by default. Where it has to, for instance with `try:\\n\\s+import`, switch `multiline: true` on for it",
}
_GREP_SHORT = {
    "purpose": "Searches inside of files, with ripgrep. Take it rather than `grep` or `rg` in a shell: it has the permissions and tidies results.",
    "regex": "\n- Regular expressions, in ripgrep's dialect; a brace that is meant as such is given a backslash (`struct\\{\\}`)",
    "filters": '- Fewer files with glob ("*.sql", "web/**") or type ("go", "css", "py")',
    "modes": '- What you get: "content" for lines, "files_with_matches" (default) for paths, "count" for numbers',
    "multiline": "- `multiline: true` lets a match span several lines",
}
_ONLY_CONTENT = 'Takes effect with output_mode: "content" alone'
_PATTERN_TO_ORDER = {
    "pattern": string("What to look for inside of files, as a regular expression"),
    "path": string("The file or directory to look in (rg PATH). By default, where you are now."),
    "glob": string('Look in files of such names only (as in "*.sql", "*.{yml,yaml}"): rg --glob'),
    "output_mode": choice(
        'What is listed. "content": the lines themselves (with -A/-B/-C, -n and head_limit at your disposal). "files_with_matches": the paths of the files (head_limit applies). "count": how often it occurs in each (head_limit applies). Default: "files_with_matches".',
        "content",
        "files_with_matches",
        "count",
    ),
    "-B": number(f"Lines to be listed in front of each that matches (rg -B). {_ONLY_CONTENT}."),
    "-A": number(f"Lines to be listed behind each that matches (rg -A). {_ONLY_CONTENT}."),
    "-C": number("The same as context."),
    "context": number(f"Lines to be listed on both sides of each that matches (rg -C). {_ONLY_CONTENT}."),
    "-n": boolean(f"Put its number before each line (rg -n). On by default. {_ONLY_CONTENT}."),
    "-i": boolean("Take A and a as equal (rg -i)"),
}
_TYPE_TO_MULTILINE = {
    "type": string(
        "Look in files of one type only (rg --type): js, py, rust, go, java and many more. Quicker than glob where a standard type will do."
    ),
    "head_limit": number(
        'Stop after this many lines or entries, like "| head -N". It applies to every output mode: to lines in content, to paths in files_with_matches, to entries in count. By default 250. 0 lifts the limit; do that rarely, since a long result takes room in your context and little of it will be of any use to you.'
    ),
    "offset": number(
        'Skip this many lines or entries first, like "| tail -n +N | head -N"; head_limit counts from there. Applies to every output mode. By default 0.'
    ),
    "multiline": boolean(
        "Let . stand for line breaks as well, so that a match can span lines (rg -U --multiline-dotall). By default false."
    ),
}
GREP_100 = ToolText(
    _by_version("tools.Grep", _GREP, _GREP_SHORT), parameters({**_PATTERN_TO_ORDER, **_TYPE_TO_MULTILINE}, "pattern")
)
GREP_329 = ToolText(
    _by_version("tools.Grep", _GREP, _GREP_SHORT),
    parameters(
        {
            **_PATTERN_TO_ORDER,
            "-o": boolean(
                f"List each match by itself, not the line it is in (rg -o). Good for very long lines, such as minified code. {_ONLY_CONTENT}. By default false."
            ),
            **_TYPE_TO_MULTILINE,
        },
        "pattern",
    ),
)
