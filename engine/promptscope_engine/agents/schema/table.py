"""What a class says of a table: a field is a key, and the text below it its documentation.

    class Quirk(Table):
        \"\"\"A slip of the agent itself.\"\"\"

        says: str
        \"\"\"what it does\"\"\"

From that come parsing with places (file.py), the JSON schema that editors read, and the reference in
docs/definitions.md. A field of a name that Python or pydantic has taken has another one as its `alias`.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from textwrap import dedent
from typing import Any, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct, structs

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.models import Model
from promptscope_engine.inputs.structs import closed


class Table(Model, strict=True):
    """Base of the tables. Unknown keys are an error, and no value is made to fit."""


def docs_of(table: type) -> dict[str, str]:
    """What is said of each key, by its name in the file."""
    found: dict[str, str] = {}
    for base in reversed(table.__mro__):
        if issubclass(base, (Model, Struct)) and base not in (Model, Table, Struct):
            found |= dict(_docs(base))
    return found


@cache
def _docs(table: type) -> tuple[tuple[str, str], ...]:
    [tree] = ast.parse(dedent(inspect.getsource(table))).body
    assert isinstance(tree, ast.ClassDef)
    names, found = keys_of(table), []
    for statement, text in zip(tree.body, tree.body[1:], strict=False):
        match statement, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                found.append((names[name], inspect.cleandoc(words).replace("\n", " ")))
    return tuple(found)


def keys_of(table: type) -> dict[str, str]:
    """The key in the file of each field."""
    if issubclass(table, Model):
        return {name: (info.rules or {}).get("alias", name) for name, info in table.model_fields.items()}
    return {each.name: each.encode_name for each in structs.fields(table)}  # type: ignore[arg-type]


def tables_in(top: type) -> dict[str, type]:
    """The table and all those within it, by the names of their classes."""
    found = {top.__name__: top}
    for kind in _kinds(top).values():
        for table in _tables(kind):
            if table.__name__ not in found:
                found |= tables_in(table)
    return found


def table_at(top: type, path: Iterable[str | int]) -> type:
    """The table at a path of keys in a file."""
    table = top
    for part in path:  # an index, or the key of a mapping, is no field: the table stays the same
        fields = {key: name for name, key in keys_of(table).items()}
        table = next(_tables(_kinds(table).get(fields.get(str(part), ""))), table)
    return table


def _kinds(table: type) -> dict[str, Any]:
    if issubclass(table, Model):
        return {name: info.annotation for name, info in table.model_fields.items()}
    return get_type_hints(table)


def _tables(kind: Any) -> Iterator[type]:
    if isinstance(kind, type) and issubclass(kind, (Table, Struct)):
        yield kind
    for part in get_args(kind):
        yield from _tables(part)


def json_schema(top: type, name: str) -> dict[str, Json]:
    """The JSON schema of a file, for editors that know TOML."""
    made: dict[str, Json] = closed(top).json_schema()
    for title, table in tables_in(top).items():
        described = made if table is top else made["$defs"][title]
        keys = described["properties"]
        if "order" in keys:
            described["patternProperties"] = {"^order@": keys["order"]}  # that of the versions up to one
        for key, words in docs_of(table).items():
            keys[key]["description"] = words
    return {"$id": f"promptscope.{name}.v1", **made}


# --- the reference ----------------------------------------------------------------------------------------------------


def reference(tables: Mapping[str, type]) -> str:
    """The keys of tables, which are called so, in Markdown: what each says, and its default."""
    rows = ["| table | key | what it says |", "|---|---|---|"]
    for title, table in tables.items():
        docs, keys = docs_of(table), keys_of(table)
        for number, (name, usual) in enumerate(_defaults(table)):
            told = f"; `{_shown(usual)}`" if usual is not False and usual not in (None, "", [], {}, (), _NONE) else ""
            words = f"{docs[keys[name]]}{' (required)' * (usual is _NONE)}{told}".replace("|", "\\|")
            rows.append(f"| {'' if number else title} | `{keys[name]}` | {words} |")
    return "\n".join(rows) + "\n"


def headed(top: type) -> dict[str, type]:
    """The tables of a file by the heads that they have there: `[[mode]]`, `[places.NAME]`."""
    heads: dict[type, list[str]] = {top: ["top"]}
    for table, path, brackets in _placed(top, ""):
        heads.setdefault(table, []).append(f"`{brackets[0]}{path}{brackets[1]}`")
    return {", ".join(dict.fromkeys(found)): table for table, found in heads.items()}


def _placed(top: type, path: str) -> Iterator[tuple[type, str, tuple[str, str]]]:
    """Each table below one, with its place and the brackets around that."""
    keys = keys_of(top)
    for name, kind in _kinds(top).items():
        of = [each for each in get_args(kind) if each is not type(None)]
        is_many = get_origin(kind) is dict and bool(of) and get_origin(of[1]) is list
        brackets = ("[[", "]]") if get_origin(kind) is list or is_many else ("[", "]")
        inner = f"{path}{keys[name]}{'.NAME' if get_origin(kind) in (dict, Mapping) else ''}"
        for table in _tables(kind):
            yield table, inner, brackets
            yield from _placed(table, f"{inner}.")


_NONE: Any = object()


def _shown(usual: object) -> str:
    return str(usual).lower() if isinstance(usual, bool) else '"\\n\\n"' if usual == "\n\n" else str(usual)


def _defaults(table: type) -> Iterator[tuple[str, Any]]:
    if issubclass(table, Model):
        for name, info in table.model_fields.items():
            yield name, _NONE if info.is_required() else info.get_default()
    else:
        for each in structs.fields(table):  # type: ignore[arg-type]
            made = each.default if each.default_factory is NODEFAULT else each.default_factory()
            yield each.name, _NONE if made is NODEFAULT else made
