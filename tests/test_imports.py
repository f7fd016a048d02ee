"""No module imports itself by way of others, and none imports what is above it.

Every import counts: at the top of a module, in a function, and for type checkers alone. The layers are those that
pyproject.toml draws for import-linter, which itself passes over what is imported for types.

Two kinds of imports are no arrow to a package: `from . import x` means the module x, and a module may import a sibling
although its package's own `__init__` imports names of both.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
TREES = (ROOT / "engine/promptscope_engine", ROOT / "tui/promptscope_tui")


def test_no_modules_import_each_other() -> None:
    circles = [group for group in _groups(_imports()) if len(group) > 1]
    assert not circles, "\n".join(" <-> ".join(sorted(circle)) for circle in circles)


def test_no_module_imports_what_is_above_it() -> None:
    imports = _imports()
    up = {
        (module, other)
        for lower, upper in _orders()
        for module in imports
        if _is_in(module, lower)
        for other in imports[module]
        if _is_in(other, upper)
    }
    assert not up, "\n".join(f"{one} imports {other}" for one, other in sorted(up))


MOST_LATE = 60
"""Imports in functions: what a measured start, or a run that does not need it, does without."""


def test_few_imports_are_in_functions() -> None:
    late = [
        f"{module}: {ast.unparse(each)}" for module, found in _modules().items() for each, is_late in found if is_late
    ]
    assert len(late) <= MOST_LATE, "\n".join(late)


LINES_OF_A_CLASS, LINES_OF_A_FUNCTION = 300, 60


def test_no_class_and_no_function_is_long() -> None:
    long = [
        f"{path.name}: {node.name} has {lines} lines"
        for tree in TREES
        for path in tree.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or 0) - node.lineno + 1)
        > (LINES_OF_A_CLASS - 1 if isinstance(node, ast.ClassDef) else LINES_OF_A_FUNCTION)
    ]
    assert not long, "\n".join(long)


@cache
def _modules() -> dict[str, list[tuple[ast.Import | ast.ImportFrom, bool]]]:
    """The import statements of every module, and whether each is in a function."""
    found = {}
    for tree in TREES:
        for path in tree.rglob("*.py"):
            parts = path.relative_to(tree.parent).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = list(_statements(ast.parse(path.read_text("utf-8")), is_late=False))
    return found


def _statements(node: ast.AST, *, is_late: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    is_late = is_late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, is_late
        elif isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _statements(child, is_late=is_late)


def _packages() -> set[str]:
    return {module.rpartition(".")[0] for module in _modules()}


@cache
def _imports() -> dict[str, set[str]]:
    """The modules that each module imports. A lazy root names its modules in strings, which are no imports."""
    packages = _packages()
    found: dict[str, set[str]] = {}
    for module, statements in _modules().items():
        package = module if module in packages else module.rpartition(".")[0]
        imported = {each for statement, _ in statements for each in _imported(statement, package)}
        # The root's names are for type checkers and library users: nothing in the trees comes by way of it.
        found[module] = set() if "." not in module else imported - {module}
    return found


def _imported(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[str]:
    modules = _modules()
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in modules)
    else:
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        base = ".".join([*above, *([node.module] if node.module else [])])
        for alias in node.names:
            name = f"{base}.{alias.name}"
            if name in modules:
                yield name
            elif base in modules:
                yield base


def _groups(imports: dict[str, set[str]]) -> Iterator[list[str]]:
    """The groups in which each module reaches every other (Tarjan's strongly connected components)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []

    def visit(module: str) -> Iterator[list[str]]:
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for other in sorted(imports[module]):
            if other not in number:
                yield from visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in stack:
                lowest[module] = min(lowest[module], number[other])
        if lowest[module] == number[module]:
            at = stack.index(module)
            yield stack[at:]
            del stack[at:]

    for module in imports:
        if module not in number:
            yield from visit(module)


def _is_in(module: str, place: str) -> bool:
    return module == place or module.startswith(f"{place}.")


def _orders() -> Iterable[tuple[str, str]]:
    """Pairs of a layer and one that it must not import: every one above it, and those beside it."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    for contract in contracts:
        if contract["type"] != "layers":
            continue
        for container in contract.get("containers", [""]):
            prefix = f"{container}." if container else ""
            layers = [[f"{prefix}{name.strip()}" for name in layer.split("|")] for layer in contract["layers"]]
            for depth, layer in enumerate(layers):
                for lower in layer:
                    others = [*(upper for above in layers[:depth] for upper in above), *layer]
                    yield from ((lower, upper) for upper in others if upper != lower)
