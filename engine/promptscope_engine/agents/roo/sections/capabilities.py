"""CAPABILITIES (specs/roo.md 1.4): five bullets at least. The mode is not looked at (1.5)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.gates import BROWSER, CODE_INDEX, DIFF
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, environment, label

from .part import section


@section("CAPABILITIES")
def capabilities(materials: Materials) -> Iterator[Piece]:
    """What the tools can be used for."""
    yield label("====\n\nCAPABILITIES\n\n")

    yield builtin(
        "capabilities.tools",
        "- Your tools let you run CLI commands on the user's computer, list files, see the definitions in source code, search with regular expressions",
    )
    yield builtin("capabilities.tools.browser", ", use a browser", when=BROWSER)
    yield builtin(
        "capabilities.tools",
        ", read and write files, and put follow-up questions. Between them they cover a wide range of tasks: from new code and the improvement of what exists, over questions about the state of a project, to the administration of the system, and much more besides.",
    )

    yield builtin(
        "capabilities.file_list",
        "\n- With the user's first message you are given, in environment_details, a recursive list of all the file paths in the current workspace directory ('",
    )
    yield environment("cwd", materials.inputs.workspace)
    yield builtin(
        "capabilities.file_list",
        "'). It is an overview of the project's file structure: names of directories and files show how the developers think of their code and arrange it, and extensions show which languages are in use. It can also guide you in choosing what to explore next. To look into a directory outside the workspace, for instance, call list_files; with 'true' for the recursive parameter it lists everything below, and without it only the top level, which is the better choice for places such as the Desktop, whose nested structure would tell you nothing that the task needs.",
    )

    yield builtin(
        "capabilities.codebase_search",
        "\n- `codebase_search` performs a semantic search over the entire codebase: it finds parts by what they mean and not only by matching text. It is powerful for locating the code behind a feature, for understanding how something is done, and for discovering code that has to do with a concept, even while you do not know which keywords or patterns to look for in it.",
        when=CODE_INDEX,
    )

    yield builtin(
        "capabilities.search_files",
        "\n- search_files applies a regex to all files of a directory and returns each match with the lines around it. That is of particular use where you want to understand the patterns in a code base, find the place where a certain thing is implemented, or spot the places that call for refactoring.",
    )

    yield builtin(
        "capabilities.definitions",
        "\n- list_code_definition_names gives you an overview of the definitions in all source files at the top level of a directory. It helps where you need the wider context of certain parts of the code and how they stand to each other; understanding all that belongs to one task may take several calls, one for each part of the codebase.",
    )
    yield builtin(
        "capabilities.definitions.example",
        "\n    - When asked to change or improve something, you might first take the file list in environment_details as an overview of the project, then call list_code_definition_names on the relevant directories for more insight, then read_file for the contents of the files that matter, analyze the code, and suggest or make the change with the ",
    )
    yield label("apply_diff or write_to_file", when=DIFF)
    yield label("write_to_file", when=~DIFF)
    yield builtin(
        "capabilities.definitions.example",
        " tool. Where the change touches code that is used elsewhere, search_files tells you which other files have to follow.",
    )

    yield builtin(
        "capabilities.execute_command",
        "\n- execute_command runs a command in the terminal of the user's computer, for any purpose that brings the task forward. With every CLI command you owe a clear explanation of what it does. Rather than write a script for the purpose, put together one command, however complex: that is simpler to run and to adapt. A command may ask for input or go on for long, because it runs in the VSCode terminal of the user, who can leave it in the background; you are told how it fares. Each one gets a terminal instance of its own.",
    )

    yield builtin(
        "capabilities.browser_action",
        "\n- browser_action drives a Puppeteer-controlled browser in which you can open websites, HTML files and locally running development servers whenever a task seems to call for it. It is particularly useful for tasks of web development: you can launch a browser, go to pages, interact with their elements by clicks and keyboard input, and see the outcome of it in screenshots and console logs. Use it at the important stages of web work, after a feature is implemented, after a substantial change, while troubleshooting, or to verify your result. In the screenshots you can see rendering errors and whether things look right, in the console logs the problems that came up at runtime.",
        when=BROWSER,
    )
    yield builtin(
        "capabilities.browser_action.example",
        "\n  - Having changed a sign-up form, for example, you could start the site on this machine with execute_command, launch it with browser_action, fill in the form, see whether it responds as it should, and then close the browser.",
        when=BROWSER,
    )

    # The bullet about MCP brings a line end of its own: three newlines before MODES instead of two (1.1).
    yield builtin(
        "capabilities.mcp",
        "\n- MCP servers may be connected that offer further tools and resources. Each server brings different capabilities, which can let you do a task more effectively.\n",
        when=materials.mcp,
    )
