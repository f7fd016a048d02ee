"""Tools that read and write files: list_directory, read_file, grep_search, glob, replace, write_file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.wording import fixed, lines
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, builtin, computed, label

from .schema import ToolText, array, boolean, integer, parameters, record, string

LIST_DIRECTORY = ToolText(
    fixed(
        "tools.list_directory",
        "Lists the names of the files and folders that are directly inside one folder. Entries whose names match one of the given globs are left out.",
    ),
    parameters(
        {
            "dir_path": string("The folder whose entries are to be listed"),
            "ignore": array(string(), "Globs; an entry whose name matches one of them is not listed"),
            "file_filtering_options": record(
                {
                    "respect_git_ignore": boolean(
                        "Optional: whether what .gitignore names is left out of the list. It takes effect in git repositories only, and is true unless said otherwise."
                    ),
                    "respect_gemini_ignore": boolean(
                        "Optional: whether what .geminiignore names is left out of the list. It is true unless said otherwise."
                    ),
                },
                description="Optional: by which ignore files the list is filtered, .gitignore or .geminiignore",
            ),
        },
        "dir_path",
    ),
)

_READ_SCHEMA = parameters(
    {
        "file_path": string("The path of the file that you want to read."),
        "start_line": integer("Optional: the first line that you want, counted from 1.", minimum=1),
        "end_line": integer(
            "Optional: the last line that you want, counted from 1 and itself part of the answer.", minimum=1
        ),
    },
    "file_path",
)
READ_FILE = ToolText(
    fixed(
        "tools.read_file",
        "Returns the contents of one file. A large file is cut: the result then says so, and explains how to read the rest with the parameters 'start_line' and 'end_line'. Besides text it reads images (PNG, JPG, GIF, WEBP, SVG, BMP), audio (MP3, WAV, AIFF, AAC, OGG, FLAC) and PDF documents. For a text file you can ask for any range of lines. To save context, read only the ranges that a search pointed you to, with several calls in parallel, and read a file from beginning to end only when you need all of it.",
    ),
    _READ_SCHEMA,
)
READ_FILE_LEGACY = ToolText(
    fixed(
        "tools.read_file.legacy",
        "Reads one file and returns its contents. A file that is too large is cut: the result then says that it was cut, and explains how to read the rest with the parameters 'start_line' and 'end_line'. It can read text, images (PNG, JPG, GIF, WEBP, SVG, BMP), audio (MP3, WAV, AIFF, AAC, OGG, FLAC), and PDF documents. For text files, you can ask for any range of lines.",
    ),
    _READ_SCHEMA,
)

_GREP_SCHEMA = parameters(
    {
        "pattern": string(
            "What to look for: a regular expression in the syntax of the search program, such as 'def\\s+load'"
        ),
        "dir_path": string(
            "Optional: the folder, or the one file, in which to look, absolute or relative. Without it the current working directory is searched."
        ),
        "include_pattern": string(
            "Optional: a glob that narrows the search to files of such names ('*.py', 'lib/**', '*.{css,scss}'). Without it every file counts that no ignore file names."
        ),
        "exclude_pattern": string(
            "Optional: a regular expression; lines that match it are removed from the results, even if the pattern matches them too. Use it to skip comments, tests or imports that you are not looking for."
        ),
        "names_only": boolean(
            "Optional: true gives the paths of the files that match and none of their lines, which is the cheapest way to find out where something is, as long as you do not need to see it."
        ),
        "case_sensitive": boolean(
            "Optional: true tells capitals and small letters apart. Without it, case is ignored."
        ),
        "fixed_strings": boolean(
            "Optional: true takes the pattern letter by letter, so that brackets, stars and dots have no meaning of their own."
        ),
        "context": integer(
            "Optional: how many lines are shown on both sides of each match (grep -C). It often saves you from reading the file.",
            minimum=0,
        ),
        "after": integer("Optional: how many lines are shown behind each match (grep -A); 0 or more.", minimum=0),
        "before": integer("Optional: how many lines are shown in front of each match (grep -B); 0 or more.", minimum=0),
        "no_ignore": boolean(
            "Optional: true searches what ignore files leave out as well, for instance build output, logs and node_modules. Without it they stay out."
        ),
        "max_matches_per_file": integer(
            "Optional: no more than this many matches are given of any one file. A small number keeps one file from filling the answer.",
            minimum=1,
        ),
        "total_max_matches": integer(
            "Optional: no more than this many matches are given in all. Without it the limit is 100 matches.", minimum=1
        ),
    },
    "pattern",
)


def _grep(prefix: str, text: str) -> Callable[[Materials], Iterable[Piece]]:
    """The description of the larger shape, else that of the plain one (9.1)."""

    def pieces(m: Materials) -> Iterator[Piece]:
        yield builtin(prefix, text, when=m.gates.ripgrep)
        plain = "Searches the contents of files for a regular expression and lists the matching lines."
        yield builtin("tools.grep_search.plain", plain, when=~m.gates.ripgrep)

    return pieces


def _ripgrep_only(m: Materials) -> Mapping[str, Condition]:
    names = ("case_sensitive", "fixed_strings", "context", "after", "before", "no_ignore")
    return dict.fromkeys(names, m.gates.ripgrep)


GREP_SEARCH = ToolText(
    _grep(
        "tools.grep_search",
        "Searches the contents of files for a regular expression, using ripgrep. Use this tool instead of `grep` or `rg` in a shell: it is faster, it skips ignored files, and it limits the size of its results. With `context`, `before` and `after` you often see enough and need not read the file at all.",
    ),
    _GREP_SCHEMA,
    _ripgrep_only,
)
GREP_SEARCH_LEGACY = ToolText(
    _grep("tools.grep_search.legacy", "Searches files for a regular expression, using ripgrep."),
    _GREP_SCHEMA,
    _ripgrep_only,
)

GLOB = ToolText(
    fixed(
        "tools.glob",
        "Finds files quickly by globs on their paths (such as `lib/**/*.py`, `docs/*.txt`). It returns absolute paths, with the most recently changed files first. Use it when you know the name or the folder of a file, even in very large projects.",
    ),
    parameters(
        {
            "pattern": string("The glob that a path has to match (such as '**/*.toml' or 'web/*.css')."),
            "dir_path": string(
                "Optional: the folder to look in, as an absolute path. Without it, the search begins in the root of the workspace."
            ),
            "case_sensitive": boolean("Optional: whether capitals count. They do not unless you say so."),
            "respect_git_ignore": boolean(
                "Optional: whether what .gitignore names is left out. It takes effect in git repositories only, and is true unless said otherwise."
            ),
            "respect_gemini_ignore": boolean(
                "Optional: whether what .geminiignore names is left out. True unless said otherwise."
            ),
        },
        "pattern",
    ),
)

PLANS_ONLY = "ONLY FOR PLANS: "


def _for_plans(prefix: str, points: Mapping[str, str]) -> Callable[[Materials], Iterable[Piece]]:
    """The description; in plan mode with the folder to which the tool is confined in front of it (9.3)."""

    def pieces(m: Materials) -> Iterator[Piece]:
        plan = m.gates.plan
        yield label(PLANS_ONLY, when=plan)
        yield builtin(
            "tools.plans_only.where", "this tool may touch nothing but Markdown files (.md) that lie in ", when=plan
        )
        yield computed("plans", f"{m.plans}/", when=plan)
        rest = " while plan mode lasts. It is of no use for source code, settings or anything else in the project.\n\n"
        yield builtin("tools.plans_only.rest", rest, when=plan)
        yield from lines(prefix, points)

    return pieces


_REPLACE = {
    "purpose": "Puts one text in the place of another within a file. It expects that the old text occurs in the file once; `allow_multiple` lets it replace every occurrence. How much has to be given of the surroundings is what makes a place unmistakable.",
    "rest": "It is the user who may change `new_string` before it is written; the answer says so. What you state as `old_string` has to agree with the file to the last character, blanks and line breaks included, and `instruction` has to say for itself what is changed and what for. Where the text is not found, or more than once, nothing is written.",
}
_FILE_PATH = string("Where the file lies that is to be changed.")
REPLACE = ToolText(
    _for_plans("tools.replace", _REPLACE),
    parameters(
        {
            "file_path": _FILE_PATH,
            "instruction": string(
                "What the change is, in words that can be understood without seeing anything else: what is changed, where, and what it is meant to bring about."
            ),
            "old_string": string(
                "The text that is to go, exactly as it stands in the file, with its blanks and line breaks. Leave nothing out of it and never put '...' in the place of lines. An empty one creates the file."
            ),
            "new_string": string(
                "The text that is to stand there instead, exactly as it shall be written. It has to be complete: a remark such as '(rest as before)' or '// unchanged' would be written into the file just like that."
            ),
            "allow_multiple": boolean(
                "True replaces each place where `old_string` is found. Without it, `old_string` has to be found in exactly one place, or nothing happens."
            ),
        },
        "file_path", "instruction", "old_string", "new_string",
    ),
)  # fmt: skip

_REPLACE_LEGACY = {
    "purpose": "Puts one text in the place of another within a file. By default exactly one occurrence is expected; set `allow_multiple` to true if every occurrence that is the same as `old_string` shall be replaced. For one place to be meant and no other, enough of what stands around it has to be part of the text. Look at the file with the read_file tool as it is now before you try a replacement.",
    "user": "\n      It is in the user's hands to change what `new_string` says. If that happened, the answer tells you.",
    "expect": "\n      What is expected of the parameters:",
    "one": "      1. `old_string` HAS TO be the very text that is to be replaced, with all blanks, indentation, line breaks and whatever else stands around it.",
    "two": "      2. `new_string` HAS TO be the very text that is to take its place, with all blanks, indentation, line breaks and surroundings, so that the code is correct and in good style afterwards. See to it that `old_string` and `new_string` differ.",
    "three": "      3. `instruction` tells in detail what the change is. It has to be specific, so that a colleague who sees nothing but these words would be able to make the change, and would know why it is made.",
    "four": "      4. NEVER escape what stands in `old_string` or `new_string`: the text would no longer be the one that stands in the file.",
    "important": "      **Important:** If one of these is not heeded, the call fails. What matters most about `old_string` is that it names ONE place and no other. Take at least three lines from before and three from behind the place along, blanks and indentation exactly as they are. Where the text is found in more than one place, or not quite as given, nothing is replaced.",
    "five": "      5. Before you write `old_string`, be sure that you have just read the lines that it is made of, and that nothing has changed them since. A text that is remembered is seldom right to the last blank, and it is not worth the attempt.",
    "six": "      6. Keep changes apart: long pieces of text invite errors, and what can be told in several small replacements should not be put into a large one.",
    "several": "      **Several places:** With `allow_multiple` true, all places that agree with `old_string` to the letter are replaced at once.",
}
REPLACE_LEGACY = ToolText(
    _for_plans("tools.replace.legacy", _REPLACE_LEGACY),
    parameters(
        {
            "file_path": _FILE_PATH,
            "instruction": string(
                "Says in good English what the change amounts to, for somebody who knows nothing about what went before. A good instruction is short and answers these questions:\n\n1. WHY is the change made? (\"So that a user without a name no longer makes the page fail.\")\n2. WHERE is it made? (\"In the function 'renderGreeting' of the header.\")\n3. WHAT is different afterwards? (\"It asks whether there is a name, and greets a guest otherwise.\")\n4. WHAT FOR, seen from outside? (\"The page is shown for guests, too.\")\n\n**GOOD:** \"In 'sum_prices', take the tax rate from the settings instead of the number 0.19, so that shops abroad can set their own.\"\n\n**BAD:**\n- \"Change the text.\" (says nothing)\n- \"Fix it.\" (which error, and how?)\n- \"Replace this line by that one.\" (repeats the other parameters)\n"
            ),
            "old_string": string(
                "The very text that is to go, unescaped, blanks and line breaks included. Where one place is meant, have at least three lines before and behind it stand in here, exactly as they are in the file. If this is not precisely what the file holds (because it was escaped, or blanks differ, or lines were left out), nothing is replaced. An empty text creates a file."
            ),
            "new_string": string(
                "The very text that is to stand there instead, unescaped and complete. The code has to be right and in good style with it. Lines must not be left out, and none of '(rest of the code)', '...' or '// no changes' may stand for them."
            ),
            "allow_multiple": boolean(
                "True replaces every place where `old_string` is found. False, which it is unless you say otherwise, replaces one, and nothing at all where there is none or more than one."
            ),
        },
        "file_path", "instruction", "old_string", "new_string",
    ),
)  # fmt: skip

_WRITE = {
    "purpose": "Writes a whole file to the given path. An existing file is overwritten, and missing folders are created. Give the complete content; placeholders for unchanged parts would be written literally. To change part of a larger file, use the `replace` tool, which costs less.",
}
WRITE_FILE = ToolText(
    _for_plans("tools.write_file", _WRITE),
    parameters(
        {
            "file_path": string("The path of the file to write."),
            "content": string(
                "The complete contents of the file, from the first line to the last. Do not leave anything out, and do not use placeholders such as '... as before'."
            ),
        },
        "content", "file_path",
    ),
)  # fmt: skip
_WRITE_LEGACY = {
    "purpose": "Writes a text into a file of the local file system.\n\n      The user may change `content` before it is written. If that happened, the result tells you.",
}
WRITE_FILE_LEGACY = ToolText(
    _for_plans("tools.write_file.legacy", _WRITE_LEGACY),
    parameters(
        {
            "file_path": string("The path of the file to write."),
            "content": string(
                "What is written into the file. It has to be all of it: never leave anything out, and never let '...', '(rest of the file)' or '// unchanged' stand for something that is already there."
            ),
        },
        "content", "file_path",
    ),
)  # fmt: skip
