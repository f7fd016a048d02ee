"""What can be mutated: comparisons are flipped, `and` and `or` swapped, whole numbers are off by one."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

FLIPPED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change of one line. `number` counts the places of its module in the order of `ast.walk`."""

    module: Path  # below the engine
    line: int
    number: int
    what: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.what}"

    def of(self, code: str) -> ast.Module:
        """The module with the one change."""
        tree = ast.parse(code)
        node, _ = list(places(tree))[self.number]
        match node:
            case ast.Compare(ops=[op]):
                node.ops = [FLIPPED[type(op)]()]
            case ast.BoolOp(op=op):
                node.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            case ast.Constant(value=int(value)):
                node.value = value + 1
        return tree


def places(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """The nodes that can be mutated, each with what the mutation does."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=[op]) if type(op) in FLIPPED:
                yield node, f"{type(op).__name__} becomes {FLIPPED[type(op)].__name__}"
            case ast.BoolOp(op=op):
                yield node, "and becomes or" if isinstance(op, ast.And) else "or becomes and"
            case ast.Constant(value=int(value)) if not isinstance(value, bool):
                yield node, f"{value} becomes {value + 1}"


def modules(engine: Path) -> list[Path]:
    """The engine's modules, below it."""
    return [path.relative_to(engine) for path in sorted(engine.rglob("*.py"))]


def mutants(engine: Path) -> list[Mutant]:
    """Every mutant of every module."""
    return [
        Mutant(module, node.lineno, number, what)
        for module in modules(engine)
        for number, (node, what) in enumerate(places(ast.parse((engine / module).read_text(encoding="utf-8"))))
    ]
