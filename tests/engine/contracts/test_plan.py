"""Every agent's package follows the one plan (agents/adapter.py): the rooms, and who may know whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from inspect import get_annotations
from pathlib import Path

import pytest
from msgspec import Struct

import promptscope_engine.agents
from promptscope_engine.agents.declared.agent import Declared
from promptscope_engine.agents.features import package_of
from promptscope_engine.agents.registry import agent_ids, load_agent

AGENTS = Path(promptscope_engine.agents.__file__).parent
PACKAGES = sorted(path.parent for path in AGENTS.glob("*/agent.py"))
TOY = Path(__file__).parent / "toy"
EVERY = [*PACKAGES, TOY]
ROOMS = ("agent", "gather", "materials", "sections")
"""Those that every package has. A small layout may be part of `agent`, the drafts of tools of what selects them."""
FEATURES = ("caching", "captured", "copied_prompt", "edits", "lazy_rules", "preview", "report", "transcripts")
"""What no prompt needs; a `Feature` of the agent imports it late."""
NAMES = pytest.mark.parametrize("package", EVERY, ids=lambda package: package.name)

MAY_NOT_KNOW = {
    "gather": ("sections", "tools", "layout", *FEATURES, "agent"),
    "materials": ("gather", "sections", "tools", "layout", *FEATURES, "agent"),
    "gates": ("gather", "sections", "tools", "layout", *FEATURES, "agent"),
    "tools": ("gather", "sections", "layout", *FEATURES, "agent"),
    "sections": ("gather", "layout", *FEATURES, "agent"),
    "layout": ("gather", *FEATURES, "agent"),
    **dict.fromkeys(FEATURES, ("agent",)),
}
"""Each room, and the rooms of the same package that it does not import."""

DRAFTS = {"SectionDraft", "ToolDraft"}
"""What gathering must not make: it yields data only."""


def modules(package: Path, room: str) -> list[Path]:
    """The files of a room: a module or a folder."""
    single = package / f"{room}.py"
    return [single] if single.is_file() else sorted((package / room).rglob("*.py"))


def imported(path: Path, package: Path) -> Iterator[str]:
    """The rooms of its own package that a module imports."""
    name = package.name if package == TOY else f"promptscope_engine.agents.{package.name}"
    inside = [name, *path.relative_to(package).parent.parts]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom):
            continue
        base = ".".join(inside[: len(inside) - node.level + 1]) if node.level else ""
        source = ".".join(filter(None, (base, node.module)))
        for alias in node.names:
            full = f"{source}.{alias.name}"
            if full.startswith(f"{name}."):
                yield full.removeprefix(f"{name}.").split(".")[0]


def test_every_registered_agent_has_a_package() -> None:
    homes = {package_of(load_agent(agent_id)) for agent_id in (*agent_ids(), "observed/any")}
    homes.add(Declared.__module__.rpartition(".")[0])
    assert homes == {f"promptscope_engine.agents.{package.name}" for package in PACKAGES}


@NAMES
def test_the_rooms_are_there(package: Path) -> None:
    assert [room for room in ROOMS if not modules(package, room)] == []


@NAMES
@pytest.mark.parametrize("room", MAY_NOT_KNOW)
@pytest.mark.slow
def test_rooms_know_only_what_lies_below(package: Path, room: str) -> None:
    known = {(path.name, other) for path in modules(package, room) for other in imported(path, package)}
    assert {(name, other) for name, other in known if other in MAY_NOT_KNOW[room]} == set()


@NAMES
def test_gathering_yields_data_only(package: Path) -> None:
    made = [
        f"{path.name}:{node.lineno}"
        for room in ("gather", "materials")
        for path in modules(package, room)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Name) and node.id in DRAFTS
    ]
    assert made == []


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_materials_are_frozen_and_hold_no_facts(package: Path) -> None:
    module = import_module(f"promptscope_engine.agents.{package.name}.materials")
    classes = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Struct)]
    own = [each for each in classes if each.__module__ == module.__name__]
    assert own
    for each in own:
        assert each.__struct_config__.frozen, each.__name__
        annotations = [str(annotation) for annotation in get_annotations(each).values()]
        assert not [text for text in annotations if "Facts" in text.replace("|", " ").split()], each.__name__
        defaulted = zip(reversed(each.__struct_fields__), reversed(each.__struct_defaults__), strict=False)
        caches = [name for name, default in defaulted if type(default).__name__ == "Factory"]
        assert not caches, each.__name__
