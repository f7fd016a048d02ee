"""YAML is read in one place, because only there it has limits."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import promptscope_engine
import promptscope_tui

ROOTS = [Path(package.__file__ or "").parent for package in (promptscope_engine, promptscope_tui)]


def uses(path: Path) -> Iterator[str]:
    """What a module takes of PyYAML."""
    source = path.read_text("utf-8")
    for node in ast.walk(ast.parse(source)) if "yaml" in source else ():
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "yaml":
            yield node.attr
        elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] == "yaml":
            yield from (name.name for name in node.names)


@pytest.mark.slow
def test_nothing_but_the_reader_reads_yaml() -> None:
    found = {path: set(uses(path)) for root in ROOTS for path in root.rglob("*.py")}
    assert "SafeLoader" in found.pop(ROOTS[0] / "formats/yaml_parser.py")
    assert set().union(*found.values()) == {"safe_dump"}
