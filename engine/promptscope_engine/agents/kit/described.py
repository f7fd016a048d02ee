"""What files describe, by name: skills, commands, sub-agents; each file has its row, with why it is listed or not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import Span, builtin
from promptscope_engine.prompt.spans import joined
from promptscope_engine.workspace import FileText

from .folder import Bundled
from .rows import Found, absent


class Described(Struct, frozen=True):
    """Something that a file describes; `description` is None where it has none.

    `location` is where it comes from, as the agent has it; `path` is "" for what comes along with the agent; `body` is
    the text below the front matter.
    """

    name: str
    description: tuple[Span, ...] | None
    location: str = ""
    path: str = ""
    body: str = ""
    when: Condition = ALWAYS


def _anything(_name: str) -> Condition:
    return ALWAYS


@dataclass(eq=False, repr=False)
class Shelf:
    """Collects what files of one kind describe. `allowed` is what settings and rules say of a name."""

    found: Found
    kind: str
    allowed: Callable[[str], Condition] = _anything
    every: dict[str, Described] = field(default_factory=dict)

    def add_own(self, bundled: Mapping[str, Bundled], location: str) -> None:
        """What comes along with the agent."""
        for name, each in bundled.items():
            text = builtin(f"{self.kind}s.{name}", each.text)
            self.every[name] = Described(name, (text,), location, when=self.allowed(name))

    def add(self, file: FileText, each: Described) -> None:
        """What a file describes takes the place of another one of the name."""
        self.every[each.name] = replace(each, when=each.when & self.allowed(each.name))
        self.row(file, each)

    def row(self, file: FileText, each: Described) -> None:
        """The row of a file that describes something. It is not listed without a description."""
        when = each.when & self.allowed(each.name)
        if each.description is None:
            when = when & absent(file.path, "without a `description` it is not listed", "describe it")
        self.found.row(file, self.kind, "always", when, joined(each.description or ()))

    def refuse(self, file: FileText, why: str, when: Condition = ALWAYS) -> None:
        """A file that describes nothing."""
        self.found.row(file, self.kind, "always", when & absent(file.path, why, f"correct {file.path}"))

    def is_taken(self, file: FileText, name: str) -> bool:
        """Whether there is one of this name, which counts: then the file has a row that says so."""
        first = self.every.get(name)
        if first is not None:
            no, remedy = f"another {self.kind} is called {name}, and the first one counts", f"rename {file.path}"
            why = Fact("file", file.path, False, "", no, actual=first.path or name, remedy=remedy)
            self.found.row(file, self.kind, "always", why)
        return first is not None

    def replace(self, name: str, by: str) -> None:
        """The row of an earlier one of this name says which file takes its place."""
        if (first := self.every.get(name)) is not None and first.path:
            no, remedy = f"{by} has the same name and replaces it", f"give {by} another name"
            self.found.guard(lambda row: row.path == first.path, absent(first.path, no, remedy))
