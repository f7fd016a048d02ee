"""The front matter of OpenCode's Markdown files, as the npm package `gray-matter` has it."""

from dataclasses import dataclass, field

from promptscope_engine.agents.kit.heads import Budget, Mending
from promptscope_engine.formats.document import Parsed
from promptscope_engine.formats.front_matter import FrontMatter
from promptscope_engine.formats.yaml import Schema, YamlError
from promptscope_engine.workspace import FileText


def head_and_body(text: str) -> tuple[FrontMatter | None, str]:
    """The front matter and the text below it, as the npm package `gray-matter` tells them apart."""
    text = text.removeprefix("\ufeff")
    if not text.startswith("---") or text[3:4] == "-":
        return None, text
    head, end, body = text[3:].partition("\n---")
    body = body.removeprefix("\r").removeprefix("\n") if end else ""
    return FrontMatter(f"{head.partition(chr(10))[2]}\n"), body


@dataclass(eq=False, repr=False)
class Heads:
    """Reads the front matter of files as `gray-matter` has it: how YAML is understood, and which lines are mended."""

    schema: Schema
    mending: Mending
    budget: Budget = field(default_factory=Budget)

    def read(self, file: FileText) -> tuple[Parsed, str, str]:
        """The values, the text below them, and what is wrong with the former."""
        front, body = head_and_body(file.text)
        empty = Parsed({}, {})
        if front is None or not self.budget.allows(front.text):
            return empty, body, "" if front is None else "the front matter of all files together is too long"
        try:
            parsed, _ = self.mending.parse(front, self.schema)
        except YamlError as error:
            return empty, body, error.message
        return parsed, body, "" if isinstance(parsed.value, (dict, type(None))) else "its front matter is not an object"
