"""A file that is not there: what an agent would make of one at that path."""

import posixpath
import re

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.walking import absolute
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import SourceFile
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import Added
from promptscope_engine.workspace.paths import path_in
from promptscope_engine.workspace.repository import list_files

from .agents_table import why_unread
from .comparison import compare
from .lazy_rules import find_lazy_rules
from .set_keys import changes_of

_DESCRIBED = re.compile(r"/(?:skills?|agents?|commands?|prompts|output-styles|rules)/")
_TEXTS = {"json": "{}\n", "toml": 'name = "{name}"\ndescription = "x"\nprompt = "x"\ndeveloper_instructions = "x"\n'}


class Imagined(Struct, frozen=True):
    """What would become of a file at `path`: its row if the agent looked at it, when it would load, else why not.

    `changes` are those of the prompt, `diagnostics` what would be said.
    """

    path: str
    row: SourceFile | None
    later: str = ""
    unread: str = ""
    changes: tuple[str, ...] = ()

    @property
    def is_read(self) -> bool:
        """Whether the agent would take it, now or later."""
        return bool(self.later) or (self.row is not None and self.row.present)


def imagined(
    item: str, scenario: Scenario, workspace: Workspace, knowledge: Knowledge = NO_KNOWLEDGE
) -> Imagined | None:
    """The file at the path that was typed; None where something is there, or where nothing can be."""
    agent, inputs = resolve(scenario, workspace, knowledge)
    path = absolute(item, inputs.workspace, inputs.home)
    if workspace.snapshot().kind(path, follow=False) is not None or path.endswith("/"):
        return None
    real = posixpath.join(workspace.snapshot().real_path(posixpath.dirname(path)), posixpath.basename(path))
    changed = workspace.over(Added(workspace.disk, real, _text(path).encode()))
    before = assemble(scenario, workspace.snapshot(), knowledge=knowledge, cached_only=True)
    after = assemble(scenario, changed, knowledge=knowledge, cached_only=True)
    row = next((each for each in after.files if path in (path_in(inputs.workspace, each.path), each.real_path)), None)
    changes = tuple(dict.fromkeys(changes_of(compare(before, after), path)))
    if row is not None and row.present:
        return Imagined(path, row, changes=changes)
    listing = list_files(inputs.workspace, inputs.home, inputs.env, workspace)
    name = path.removeprefix(f"{listing.root.rstrip('/')}/")
    with_it = replace(listing, files=tuple(sorted((*listing.files, *(() if name.startswith("/") else (name,))))))
    rules = find_lazy_rules(agent, inputs, changed, listing=with_it)
    rule = (
        next((each for each in rules.rules if path_in(inputs.workspace, each.file.path) == path), None)
        if rules
        else None
    )
    later = rules.why(rule) if rules and rule else ""
    return Imagined(path, row, later, why_unread(agent, inputs, path), changes)


def _text(path: str) -> str:
    folder, _, file = path.rpartition("/")
    stem, _, kind = file.rpartition(".")
    name = folder.rpartition("/")[2] if stem == "SKILL" else stem
    head = f"---\nname: {name}\ndescription: x\n---\n" if _DESCRIBED.search(path) else ""
    return _TEXTS.get(kind, f"{head}x\n").replace("{name}", name)
