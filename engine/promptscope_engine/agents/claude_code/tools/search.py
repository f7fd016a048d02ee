"""Tools that find files and text: Glob, Grep (specs/claude-code.md 6)."""

from __future__ import annotations

from promptscope_engine.agents.claude_code.wording import fixed

from .schema import ToolText, boolean, choice, number, parameters, string

_GLOB = {
    "purpose": "- Matches file names against patterns quickly, whatever the size of the codebase",
    "patterns": '- Takes glob patterns such as "docs/**/*.md" or "tests/*_test.go"',
    "order": "- Gives the paths that match, ordered by when the files were last modified",
    "use": "- The tool for finding files by patterns of their names",
    "open_ended": "- If a search is open-ended and may take several rounds of globbing and grepping, hand it to the Agent tool instead",
}
GLOB = ToolText(
    fixed("tools.Glob", _GLOB),
    parameters(
        {
            "pattern": string("Glob pattern that file names are matched against"),
            "path": string(
                'Directory in which to search. Left out, it is the current working directory. IMPORTANT: to get that default, leave the field out altogether. DO NOT write "undefined" or "null" into it: simply omit it. Where it is given, it has to be the path of a directory that exists.'
            ),
        },
        "pattern",
    ),
)

_GREP = {
    "purpose": "A strong search through file contents, built upon ripgrep\n\n  How to use it:",
    "always": "  - For searching take Grep, ALWAYS. NEVER run `grep` or `rg` as a Bash command: Grep has been fitted out with the right permissions and access.",
    "regex": '  - Understands full regular expressions ("retry.*(failed|gave up)" or "def\\s+test_\\w+", say)',
    "filters": '  - Narrows files down by glob ("*.sql", "web/**/*.vue") or by type ("go", "css", "py")',
    "modes": '  - Output modes: "content" gives the lines that match, "files_with_matches" file paths only (the default), "count" how many matches there are',
    "open_ended": "  - Searches that are open-ended and take several rounds go to the Agent tool",
    "syntax": "  - Patterns are in the syntax of ripgrep, not of grep: escape literal brackets and braces (find `rows[0]{id}` with `rows\\[0\\]\\{id\\}`)",
    "multiline": "  - Patterns match within one line unless you say otherwise. For patterns that go across lines, such as `try:\\n\\s+import`, set `multiline: true`",
}
GREP = ToolText(
    fixed("tools.Grep", _GREP),
    parameters(
        {
            "pattern": string("Regular expression that is searched for in the contents of files"),
            "path": string(
                "File or directory in which to search (rg PATH). The current working directory if not given."
            ),
            "glob": string('Glob pattern to choose files by (as in "*.sql", "*.{yml,yaml}"); becomes rg --glob'),
            "output_mode": choice(
                'What is returned: "content" the lines that match (allows -A/-B/-C context, -n line numbers, head_limit), "files_with_matches" file paths (allows head_limit), "count" the number of matches (allows head_limit). If not given, "files_with_matches".',
                "content",
                "files_with_matches",
                "count",
            ),
            "-B": number(
                'How many lines to show before each match (rg -B). Needs output_mode: "content", else it has no effect.'
            ),
            "-A": number(
                'How many lines to show after each match (rg -A). Needs output_mode: "content", else it has no effect.'
            ),
            "-C": number("Another name of context."),
            "context": number(
                'How many lines to show before and after each match (rg -C). Needs output_mode: "content", else it has no effect.'
            ),
            "-n": boolean(
                'Whether to show line numbers (rg -n). Needs output_mode: "content", else it has no effect. True if not given.'
            ),
            "-i": boolean("Whether upper and lower case are the same (rg -i)"),
            "type": string(
                "Kind of files to search (rg --type). Common ones are js, py, rust, go, java. For the usual file types this is more efficient than a glob."
            ),
            "head_limit": number(
                'Cuts the output to its first N lines or entries, like "| head -N". Works in all output modes: content (limits lines), files_with_matches (limits paths), count (limits entries). 250 if not given. 0 stands for no limit; use that sparingly, for large results waste context.'
            ),
            "offset": number(
                'Leaves out the first N lines or entries before head_limit is applied, like "| tail -n +N | head -N". Works in all output modes. 0 if not given.'
            ),
            "multiline": boolean(
                "Turns multiline mode on: . matches newlines too, and patterns may go across lines (rg -U --multiline-dotall). Off (false) if not given."
            ),
        },
        "pattern",
    ),
)
