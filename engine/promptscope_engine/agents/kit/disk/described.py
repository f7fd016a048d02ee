"""What files describe, by name: skills, commands, sub-agents; each file has its row, with why it is listed or not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.text.folder import Bundled
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import Span, builtin
from promptscope_engine.prompt.spans import joined
from promptscope_engine.workspace import FileText

from .rows import Found, absent


class Described(Struct, frozen=True):
    """Something that a file describes; `description` is None where it has none.

    `location` is where it comes from, as the agent has it; `path` is "" for what comes along with the agent; `body` is
    the text below the front matter; `key` is what only one may have, where that is not the name.
    """

    name: str
    description: tuple[Span, ...] | None
    location: str | Span = ""
    path: str = ""
    body: str = ""
    when: Condition = ALWAYS
    key: str = ""

    @property
    def says(self) -> tuple[str, str]:
        """The description and the body, wherever they are."""
        return joined(self.description or ()), self.body


def _anything(_name: str) -> Condition:
    return ALWAYS


@dataclass(eq=False, repr=False)
class Shelf:
    """Collects what files of one kind describe. `allowed` is what settings and rules say of a name."""

    found: Found
    kind: str
    allowed: Callable[[str], Condition] = _anything
    every: dict[str, Described] = field(default_factory=dict)
    first: bool = True
    """Of one name the first one counts, not the last."""

    def add_own(self, bundled: Mapping[str, Bundled], location: str) -> None:
        """What comes along with the agent."""
        for name, each in bundled.items():
            text = builtin(f"{self.kind}s.{name}", each.text)
            self.every[name] = Described(name, (text,), location, when=self.allowed(name))

    def add(self, file: FileText, each: Described) -> None:
        """What a file describes; of one name the row of the file that does not count says which one does."""
        key = each.key or each.name
        before = self.every.get(key)
        if before is not None and self.first:
            no = f"another {self.kind} is called {key}, and the first one counts"
            self.refuse(file, no, remedy=f"rename {file.path}", actual=before.path or each.name)
            return
        if before is not None and before.path:
            no, remedy = f"{file.path} has the same name and replaces it", f"give {file.path} another name"
            self.found.guard(lambda row: row.path == before.path, absent(before.path, no, remedy))
        self.every[key] = replace(each, when=each.when & self.allowed(each.name))
        self.row(file, each)

    def row(self, file: FileText, each: Described) -> None:
        """The row of a file that describes something. It is not listed without a description."""
        when = each.when & self.allowed(each.name)
        if each.description is None:
            when = when & absent(file.path, "without a `description` it is not listed", "describe it")
        self.found.row(file, self.kind, "always", when, each.says[0])

    def refuse(
        self, file: FileText, why: str, when: Condition = ALWAYS, *, remedy: str = "", actual: Json = None
    ) -> None:
        """A file that describes nothing, or nothing that counts."""
        never = Fact("file", file.path, False, "", why, actual=actual, remedy=remedy or f"correct {file.path}")
        self.found.row(file, self.kind, "always", when & never)
