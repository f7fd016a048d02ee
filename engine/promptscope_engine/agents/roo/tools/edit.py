"""Writing, inserting and replacing text, and making images: the tools of `edit` besides apply_diff (2.3).

A fileRegex on the group does not change the prompt (2.2).
"""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, label
from promptscope_engine.prompt.leaves import flag

from .block import cwd, optional, required, tool, usage

_CONFIG = """\
{
  "name": "orchard",
  "database": {
    "host": "db.internal.example",
    "port": 5432,
    "poolSize": 8
  },
  "mail": {
    "enabled": true,
    "sender": "orders@orchard.example",
    "retries": 3
  },
  "logLevel": "info"
}"""


@tool("edit", parameters=required("path", "content", "line_count"))
def write_to_file(materials: Materials) -> Iterator[Piece]:
    """A whole file's content."""
    yield builtin(
        "write_to_file.description",
        "Description: Request to put content into a file. It is meant above all for **new files** and for cases where an **existing file is deliberately rewritten as a whole**. If the file is there already it is overwritten, otherwise it is created, and so are the directories on the way to it.\n",
    )
    yield label("Parameters:\n- path: (required) ")
    yield builtin("write_to_file.path", "The file to write, relative to the workspace directory ")
    yield cwd(materials)
    yield label("\n- content: (required) ")
    yield builtin(
        "write_to_file.content",
        "What the file shall hold. For a rewrite as for a new file this must ALWAYS be the COMPLETE content as intended, with nothing cut off or left out: ALL parts of the file have to be there, even those that were not changed. Line numbers do NOT belong in it, just the content itself.",
    )
    yield label("\n- line_count: (required) ")
    yield builtin(
        "write_to_file.line_count",
        "How many lines the file has, empty ones counted too. Reckon it from the content that you actually give here, and not from how many lines the present file has.",
    )
    yield label("\nUsage:\n<write_to_file>\n<path>")
    yield builtin("write_to_file.usage", "path of the file")
    yield label("</path>\n<content>\n")
    yield builtin("write_to_file.usage", "all that the file shall hold")
    yield label("\n</content>\n<line_count>")
    yield builtin("write_to_file.usage", "number of lines, empty ones included")
    yield label("</line_count>\n</write_to_file>\n\n")
    yield builtin("write_to_file.example", "Example: a configuration file\n")
    yield builtin(
        "write_to_file.example",
        f"<write_to_file>\n<path>config/orchard.json</path>\n<content>\n{_CONFIG}\n</content>\n<line_count>14</line_count>\n</write_to_file>",
    )


@tool("edit", parameters=required("path", "line", "content"))
def insert_content(materials: Materials) -> Iterator[Piece]:
    """New lines before a line, or at the end."""
    yield builtin(
        "insert_content.description",
        "Description: Use this to put new lines into a file without altering what it holds already. The place is given by a line number: the lines go in before it, or at the end of the file for line 0. Well suited to imports, functions, configuration blocks, log entries and other text of several lines.\n\n",
    )
    yield label("Parameters:\n- path: (required) ")
    yield builtin("insert_content.path", "The file, relative to the workspace directory ")
    yield cwd(materials)
    yield label("\n- line: (required) ")
    yield builtin(
        "insert_content.line",
        "Number of the line (1-based) at which to insert\n      0: append at the end of the file\n      any positive number: insert before that line",
    )
    yield label("\n- content: (required) ")
    yield builtin("insert_content.content", "The lines to insert\n\n")
    yield builtin("insert_content.example", "Example: imports at the top of a file\n")
    yield builtin(
        "insert_content.example",
        "<insert_content>\n<path>lib/prices.py</path>\n<line>1</line>\n<content>\nfrom decimal import Decimal\nfrom lib.taxes import rate_for\n</content>\n</insert_content>\n\n",
    )
    yield builtin("insert_content.example", "Example: lines at the end of a file\n")
    yield builtin(
        "insert_content.example",
        "<insert_content>\n<path>lib/prices.py</path>\n<line>0</line>\n<content>\ndef gross(net: Decimal, country: str) -> Decimal:\n    return net * rate_for(country)\n</content>\n</insert_content>\n",
    )


@tool(
    "edit",
    parameters=required("path", "search", "replace") + optional("start_line", "end_line", "use_regex", "ignore_case"),
)
def search_and_replace(materials: Materials) -> Iterator[Piece]:
    """A text or a regex, replaced wherever it occurs."""
    yield builtin(
        "search_and_replace.description",
        "Description: Use this to find certain text, or whatever matches a regex pattern, and replace it, in the whole file or in a range of its lines. It fits changes at many places of one file. Before the change is made, its difference is displayed.\n\n",
    )
    yield label("Required Parameters:\n- path: ")
    yield builtin("search_and_replace.path", "The file to change, relative to the workspace directory ")
    yield cwd(materials)
    yield label("\n- search: ")
    yield builtin("search_and_replace.search", "What to look for: a text, or a pattern")
    yield label("\n- replace: ")
    yield builtin("search_and_replace.replace", "The text that takes the place of each match")
    yield label("\n\nOptional Parameters:\n- start_line: ")
    yield builtin("search_and_replace.start_line", "First line of the range to work in (1-based)")
    yield label("\n- end_line: ")
    yield builtin("search_and_replace.end_line", "Last line of the range to work in (1-based)")
    yield label("\n- use_regex: ")
    yield builtin("search_and_replace.use_regex", '"true" if search is a regex pattern (default: false)')
    yield label("\n- ignore_case: ")
    yield builtin("search_and_replace.ignore_case", '"true" if upper and lower case are the same (default: false)')
    yield builtin(
        "search_and_replace.notes",
        "\n\nNotes:\n- With use_regex set, search is taken for a regular expression\n- With ignore_case set, matches are found in upper and lower case alike, with a regex too\n\n",
    )
    yield builtin("search_and_replace.examples", "Examples:\n\n1. Replacing plain text:\n")
    yield builtin(
        "search_and_replace.examples",
        "<search_and_replace>\n<path>docs/guide.md</path>\n<search>master branch</search>\n<replace>main branch</replace>\n</search_and_replace>\n\n",
    )
    yield builtin("search_and_replace.examples", "2. A regex, regardless of case:\n")
    yield builtin(
        "search_and_replace.examples",
        "<search_and_replace>\n<path>docs/guide.md</path>\n<search>colou?r</search>\n<replace>color</replace>\n<use_regex>true</use_regex>\n<ignore_case>true</ignore_case>\n</search_and_replace>",
    )


@tool("edit", when=flag("experiments.imageGeneration"), parameters=required("prompt", "path") + optional("image"))
def generate_image(materials: Materials) -> Iterator[Piece]:
    """Making an image, or changing one."""
    yield builtin(
        "generate_image.description",
        "Description: Request an image from an AI model that is reached over the OpenRouter API. It can create an image from nothing but a text prompt, or alter an existing one as you instruct it. If an image is given as input, the model applies to it what the prompt asks for: edits, changes of style, enhancements of any sort.\n",
    )
    yield label("Parameters:\n- prompt: (required) ")
    yield builtin(
        "generate_image.prompt", "Text that says what shall be created, or how the given image shall be altered"
    )
    yield label("\n- path: (required) ")
    yield builtin("generate_image.path", "The file in which the result is saved, relative to the workspace directory ")
    yield cwd(materials)
    yield builtin(
        "generate_image.path", ". Where the name lacks an extension for images, a fitting one is appended by the tool."
    )
    yield label("\n- image: (optional) ")
    yield builtin(
        "generate_image.image",
        "An existing image that is to be edited or transformed, relative to the workspace directory ",
    )
    yield cwd(materials)
    yield builtin("generate_image.image", ". The formats PNG, JPG, JPEG, GIF and WEBP are supported.")
    yield from usage(
        "generate_image",
        prompt="description of the image",
        path="where to save it",
        image="image to start from (may be left out)",
    )
    yield builtin("generate_image.examples", "Example: a picture for a landing page\n")
    yield builtin(
        "generate_image.examples",
        "<generate_image>\n<prompt>A wooden crate of apples in morning light, seen from above</prompt>\n<path>assets/crate.png</path>\n</generate_image>\n\n",
    )
    yield builtin("generate_image.examples", "Example: an existing drawing in another style\n")
    yield builtin(
        "generate_image.examples",
        "<generate_image>\n<prompt>Redraw this sketch as a flat two-color icon</prompt>\n<path>assets/icon.png</path>\n<image>drafts/sketch.jpg</image>\n</generate_image>\n\n",
    )
    yield builtin("generate_image.examples", "Example: a scan made clean\n")
    yield builtin(
        "generate_image.examples",
        "<generate_image>\n<prompt>Remove the stains and the fold from this scanned map, straighten it, and leave all lettering and borders exactly as they are</prompt>\n<path>assets/map.png</path>\n<image>drafts/map-scan.png</image>\n</generate_image>",
    )
