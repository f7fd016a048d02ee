"""A tool as a TypeScript declaration: how tools are described that a script calls (specs/codex.md 7.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Piece, builtin

_PLAIN = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean"}


def declaration(
    prefix: str,
    name: str,
    schema: Json,
    returns: str,
    gates: Mapping[str, Condition],
    others: Sequence[tuple[Condition, str, Json]] = (),
) -> Iterator[Piece]:
    """The declaration in a fenced block, a piece for each parameter, and for each of its `others`, the forms that a
    condition chooses; a tool without a schema takes a text."""
    yield builtin(prefix, "\n\nexec tool declaration:\n```ts\n")
    if schema is None:
        yield builtin(prefix, f"declare const tools: {{ {name}(input: string): Promise<{returns}>; }};\n```")
        return
    yield builtin(prefix, f"declare const tools: {{ {name}(args: {{")
    required = schema.get("required") or ()
    for parameter, each in schema["properties"].items():
        when, optional = gates.get(parameter, ALWAYS), "" if parameter in required else "?"
        forms = [(chosen, other["properties"][parameter]) for chosen, key, other in others if key == parameter]
        for chosen, form in (*forms, (ALWAYS, each)):
            note = f"\n  // {form['description']}" if form.get("description") else ""
            line = f"{note}\n  {parameter}{optional}: {_type(form)};"
            yield builtin(f"{prefix}.{parameter}", line, when=when & chosen)
            when = when if chosen is ALWAYS else when & ~chosen
    yield builtin(prefix, f"{chr(10) if schema['properties'] else ''}}}): Promise<{returns}>; }};\n```")


def _type(schema: Mapping[str, Json]) -> str:
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    match schema.get("type"):
        case "array":
            return f"Array<{_type(schema['items'])}>"
        case "object":
            required = schema.get("required") or ()
            parts = (
                f"{name}{'' if name in required else '?'}: {_type(each)};"
                for name, each in schema.get("properties", {}).items()
            )
            return f"{{ {' '.join(parts)} }}" if schema.get("properties") else "{}"
        case str() as kind if kind in _PLAIN:
            return _PLAIN[kind]
    return "unknown"
