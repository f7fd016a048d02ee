"""The other tools of the group `read` (specs/roo.md 2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.gates import CODE_INDEX
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Choice, Piece, builtin, label
from promptscope_engine.prompt.leaves import equals

from .block import cwd, optional, required, tool, usage

SERVER_TASK = ~equals("enableMcpServerCreation", False)
"""An undefined value counts as on here, and as off in MCP SERVERS (5)."""


@tool(
    "read",
    parameters=required("task"),
    variant=Choice(((SERVER_TASK, "create_mcp_server and create_mode"),), "create_mode only"),
)
def fetch_instructions(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - described without inputs
    """Guides that are fetched only when a task needs them. The only tool with parameters and no Usage."""
    yield builtin(
        "fetch_instructions.description", "Description: Request the instructions for carrying out a certain task\n"
    )
    yield label("Parameters:\n- task: (required) ")
    yield builtin("fetch_instructions.task", "Which task's instructions are wanted. It may be one of these:\n")
    yield label("  create_mcp_server\n", when=SERVER_TASK)
    yield label("  create_mode\n\n")
    yield builtin("fetch_instructions.example", "Example: how to set up a new server\n", when=SERVER_TASK)
    yield builtin("fetch_instructions.example_mode", "Example: how to set up a new mode\n", when=~SERVER_TASK)
    yield label("\n<fetch_instructions>\n<task>")
    yield label("create_mcp_server", when=SERVER_TASK)
    yield label("create_mode", when=~SERVER_TASK)
    yield label("</task>\n</fetch_instructions>")


@tool("read", parameters=required("path", "regex") + optional("file_pattern"))
def search_files(materials: Materials) -> Iterator[Piece]:
    """A regex over the files of a directory."""
    yield builtin(
        "search_files.description",
        "Description: Request to have a regex looked for in all files of a directory and of those below it. Each match comes with lines of context around it, which makes the tool fit for patterns as well as for particular content in many files.\n",
    )
    yield label("Parameters:\n- path: (required) ")
    yield builtin("search_files.path", "Directory to search in, relative to the workspace directory ")
    yield cwd(materials)
    yield builtin("search_files.path", "; everything below it is searched too.")
    yield label("\n- regex: (required) ")
    yield builtin("search_files.regex", "The regular expression, in Rust regex syntax.")
    yield label("\n- file_pattern: (optional) ")
    yield builtin(
        "search_files.file_pattern",
        "A glob that says which files to look at (such as '*.py' for Python). Without it every file (*) is searched.",
    )
    yield from usage(
        "search_files",
        path="directory to search",
        regex="regex to look for",
        file_pattern="glob of the files (may be left out)",
    )
    yield builtin("search_files.example", "Example: deferred imports in the Python files below lib\n")
    yield builtin(
        "search_files.example",
        "<search_files>\n<path>lib</path>\n<regex>^\\s+import .*</regex>\n<file_pattern>*.py</file_pattern>\n</search_files>",
    )


@tool("read", parameters=required("path") + optional("recursive"))
def list_files(materials: Materials) -> Iterator[Piece]:
    """What a directory holds."""
    yield builtin(
        "list_files.description",
        "Description: Request to see which files and directories a directory holds. With recursive set to true, all that lie anywhere below it are listed; otherwise, or when it is set to false, only the contents of its top level. Do not call this tool to confirm that files you may have created are there: the user will tell you whether that has succeeded.\n",
    )
    yield label("Parameters:\n- path: (required) ")
    yield builtin("list_files.path", "Directory to list, relative to the workspace directory ")
    yield cwd(materials)
    yield label("\n- recursive: (optional) ")
    yield builtin(
        "list_files.recursive",
        "true to have everything below listed as well; false, or nothing at all, for the top level alone.",
    )
    yield from usage("list_files", path="directory to list", recursive="true or false (may be left out)")
    yield builtin("list_files.example", "Example: what lies directly in the folder docs\n")
    yield builtin("list_files.example", "<list_files>\n<path>docs</path>\n<recursive>false</recursive>\n</list_files>")


@tool("read", parameters=required("path"))
def list_code_definition_names(materials: Materials) -> Iterator[Piece]:
    """The definitions in a file, or in the files of a directory."""
    yield builtin(
        "list_code_definition_names.description",
        "Description: Request the names of what source code defines (its classes, functions, methods and the like). It reads either one file or every file at the top level of a directory, and shows how a codebase is built, which constructs matter in it, and what ideas and relations one must know for its architecture.\n",
    )
    yield label("Parameters:\n- path: (required) ")
    yield builtin(
        "list_code_definition_names.path", "The file or directory to analyze, relative to the workspace directory "
    )
    yield cwd(materials)
    yield builtin(
        "list_code_definition_names.path",
        ". For a directory, the definitions in all its top-level source files are listed.",
    )
    yield from usage("list_code_definition_names", path="file or directory")
    yield builtin("list_code_definition_names.examples", "Examples:\n\n1. What one file defines:\n")
    yield builtin(
        "list_code_definition_names.examples",
        "<list_code_definition_names>\n<path>lib/prices.py</path>\n</list_code_definition_names>\n\n",
    )
    yield builtin("list_code_definition_names.examples", "2. What the files of a directory define:\n")
    yield builtin(
        "list_code_definition_names.examples",
        "<list_code_definition_names>\n<path>lib/</path>\n</list_code_definition_names>",
    )


@tool("read", when=CODE_INDEX, parameters=required("query") + optional("path"))
def codebase_search(materials: Materials) -> Iterator[Piece]:
    """Search by meaning, over the code index."""
    yield builtin(
        "codebase_search.description",
        "Description: Find the files that have most to do with a query by semantic search, that is, by the meaning of the query and not only by its words. The whole workspace is searched unless you narrow it down. Keep to the user's own wording where you can. Queries MUST be in English; translate if need be.\n",
    )
    yield label("Parameters:\n- query: (required) ")
    yield builtin("codebase_search.query", "What is looked for, in the words of the user if possible.")
    yield label("\n- path: (optional) ")
    yield builtin("codebase_search.path", "Subdirectory to stay within, relative to the workspace directory ")
    yield cwd(materials)
    yield builtin("codebase_search.path", ". Without it, all of the workspace is searched.")
    yield from usage("codebase_search", query="what to look for", path="subdirectory (may be left out)")
    yield builtin("codebase_search.example", "Example: where prices are worked out\n")
    yield builtin(
        "codebase_search.example",
        "<codebase_search>\n<query>how a discount changes the price of an order</query>\n<path>src/shop</path>\n</codebase_search>\n",
    )
