"""The hooks of settings and extensions (docs/agents/gemini.md). None is ever run."""

from collections.abc import Iterator, Sequence
from itertools import islice

from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.kit.disk.hooks import MOST, Hook, HookTable, hooks_of, in_json, in_layer, same
from promptscope_engine.agents.kit.disk.layered import Layer
from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import ProgramDraft

from .session import Session
from .settings import read_json


def list_hooks(session: Session, own: Sequence[Layer]) -> tuple[ProgramDraft, ...]:
    """Every hook in the order of the layers. `own`: the workspace's layers, which trust decides on."""
    off = session.settings.known("hooksConfig.disabled")
    names = off.value if isinstance(off.value, list) else []

    def allows(hook: Hook) -> Condition:
        called = hook.values.get("name", hook.name)
        no = f"`hooksConfig.disabled` names {called}"
        return Fact("flag", off.source.key, called not in names, f"nothing disables {called}", no, source=off.source)

    return tuple(islice(hooks_of(_tables(session, own), FOLDER.agent["hook_events"], same, allows), MOST))


def _tables(session: Session, own: Sequence[Layer]) -> Iterator[HookTable]:
    on = session.settings.enabled("hooksConfig.enabled", True)
    layers = session.settings.layers
    for layer in (*layers, *(each for each in own if each not in layers)):
        when = on & (session.trusted if layer in own else ALWAYS)
        yield HookTable(layer.path, layer.kind, layer.table("hooks"), when, in_layer(layer))
    for extension in session.extensions:
        file = session.workspace.read(f"{extension.path}/hooks/hooks.json")
        found, _ = read_json(file, "bad-extension")
        values = mapping(mapping(found.value if found else None).get("hooks"))
        yield HookTable(file.path, f"extension {extension.name}", values, on & extension.when, in_json(file))
