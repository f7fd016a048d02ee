"""Which statements a test runs: each of them says so itself. A tracer would slow down everything else, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from mutation.places import modules, places

SEEN = "__seen__"
"""A builtin while tests are watched: it is called with the number of each statement and lambda that is run."""


class Probes:
    """The numbers of the engine's statements and lambdas, in the order of its modules."""

    def __init__(self, engine: Path) -> None:
        self._engine = engine
        self._numbers: dict[Path, range] = {}
        self._places: dict[Path, list[int | None]] = {}
        end = 0
        for module in modules(engine):
            tree = self._tree(module)
            numbers = {id(node): n for n, node in enumerate(_probed(tree), end)}
            self._numbers[module] = range(end, end := end + len(numbers))
            above = dict(_innermost(tree, None, numbers))
            self._places[module] = [above[id(node)] for node, _ in places(tree)]

    def number(self, module: Path, place: int) -> int | None:
        """The number of the statement or lambda that holds this place of the module; none for what an import runs."""
        return self._places[module][place]

    def numbers(self, module: Path) -> range:
        """All numbers of a module."""
        return self._numbers[module]

    def module(self, module: Path) -> ast.Module:
        """The module with a call before each of its statements."""
        tree = self._tree(module)
        numbers = {id(node): n for n, node in enumerate(_probed(tree), self._numbers[module].start)}
        _Insert(numbers).visit(tree)
        return ast.fix_missing_locations(tree)

    def _tree(self, module: Path) -> ast.Module:
        return ast.parse((self._engine / module).read_text(encoding="utf-8"))


class Finder(MetaPathFinder):
    """Lets the engine be imported with its probes."""

    def __init__(self, engine: Path) -> None:
        self._engine = engine
        self._probes = Probes(engine)

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """What Python itself finds, with a loader of ours for the engine's modules."""
        spec = PathFinder.find_spec(name, path, target)
        if spec and spec.origin and Path(spec.origin).is_relative_to(self._engine) and spec.origin.endswith(".py"):
            spec.loader = _Loader(name, spec.origin, self._probes.module(Path(spec.origin).relative_to(self._engine)))
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self._tree = tree

    def get_code(self, fullname: str) -> CodeType:
        """The code with its probes, never what Python has kept of it."""
        return compile(self._tree, self.get_filename(fullname), "exec", dont_inherit=True)


def _probed(tree: ast.Module) -> Iterator[ast.AST]:
    """Lambdas, and the statements of functions."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = dict.fromkeys(node for function in functions for part in function.body for node in ast.walk(part))
    for node in ast.walk(tree):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Lambda) or (isinstance(node, ast.stmt) and node in inside and not docstring):
            yield node


def _innermost(node: ast.AST, number: int | None, numbers: dict[int, int]) -> Iterator[tuple[int, int | None]]:
    """Each node with the number of the innermost statement or lambda that it is part of."""
    number = numbers.get(id(node), number)
    yield id(node), number
    for child in ast.iter_child_nodes(node):
        yield from _innermost(child, number, numbers)


class _Insert(ast.NodeTransformer):
    def __init__(self, numbers: dict[int, int]) -> None:
        self._numbers = numbers

    def visit(self, node: ast.AST) -> ast.AST | list[ast.AST]:
        number = self._numbers.get(id(node))
        self.generic_visit(node)
        if number is None:
            return node
        call = ast.Call(ast.Name(SEEN, ast.Load()), [ast.Constant(number)], [])
        if isinstance(node, ast.Lambda):
            node.body = ast.BoolOp(ast.Or(), [call, node.body])
            return node
        return [ast.copy_location(ast.Expr(call), node), node]
