"""What an MCP server answered: its `tools/list` and the `initialize` before it, as files and servers give them."""

import json
from collections.abc import Iterator, Sequence

from msgspec import Struct

from promptscope_engine.formats.document import Json, unfit

MAX_BYTES = 8 * 1024 * 1024
MAX_TOOLS = 2_000
"""Of one server: with more, the tools of a server alone would fill any window many times."""


class AnswerError(Exception):
    """What no answer of a server is; the message says why, and where in it."""


class Told(Struct, frozen=True):
    """What a text says about a server, None for what it leaves open. `notes` are on what was left out."""

    tools: tuple[dict[str, Json], ...] | None
    instructions: str | None
    notes: tuple[str, ...] = ()


def read_answer(data: bytes) -> Told:
    """What is in the JSON-RPC answers of a server, or in their `result`, or in a list of tools.

    Several answers may be a list or lines: the pages of tools/list, and initialize, which has the instructions. Raises
    AnswerError.
    """
    if len(data) > MAX_BYTES:
        raise AnswerError(f"larger than {MAX_BYTES:,} bytes")
    pages: list[Sequence[Json]] = []
    instructions: str | None = None
    more = False
    for place, result in _results(_values(data)):
        if problem := unfit(result):
            where = _place(place, *problem[0])
            raise AnswerError(f"{where}{problem[1]}")
        if isinstance(result, dict) and "protocolVersion" in result:
            instructions = _text(result.get("instructions"), f"{place}instructions") or ""
        else:
            pages.append(_tools(result, place))
            more = isinstance(result, dict) and bool(result.get("nextCursor"))
    if not pages and instructions is None:
        raise AnswerError("not an answer of an MCP server: expected the answer to tools/list")
    tools, notes = _checked([tool for page in pages for tool in page])
    notes += ["the last page of tools/list is missing: the answer names a next one (nextCursor)"] if more else []
    return Told(tuple(tools) if pages else None, instructions, tuple(notes))


def _values(data: bytes) -> list[Json]:
    """The document, or one for each line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise AnswerError("not UTF-8 text") from None
    if not text.strip():
        raise AnswerError("it is empty")
    try:
        return [_json(text)]
    except json.JSONDecodeError as error:
        whole = error
    try:
        return [_json(line) for line in text.splitlines() if line.strip()]
    except json.JSONDecodeError:
        raise AnswerError(f"line {whole.lineno}: not valid JSON: {whole.msg}") from None


def _json(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except RecursionError:
        raise AnswerError("nested too deeply") from None
    except json.JSONDecodeError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise AnswerError(f"not valid JSON: {error}") from None
    return value


def _results(values: Sequence[Json]) -> Iterator[tuple[str, Json]]:
    """The results of the answers, each with its place; a list of tools is one."""
    for value in values:
        if isinstance(value, list) and any(isinstance(each, dict) and "jsonrpc" in each for each in value):
            for number, each in enumerate(value):
                yield from _result(each, f"[{number}].")
        else:
            yield from _result(value, "")


def _result(value: Json, place: str) -> Iterator[tuple[str, Json]]:
    if not isinstance(value, dict) or ("jsonrpc" not in value and "result" not in value):
        yield place, value
    elif (error := value.get("error")) is not None:
        said = error.get("message") if isinstance(error, dict) else error
        raise AnswerError(f"{place}error: the server refused: {str(said)[:200]}")
    elif isinstance(value.get("result"), dict):
        yield f"{place}result.", value["result"]
    elif "method" not in value:  # what the client asked, and what the server sends unasked, may be among them
        raise AnswerError(f"{place}result: must be an object")


def _tools(result: Json, place: str) -> Sequence[Json]:
    tools = result.get("tools") if isinstance(result, dict) else result
    if not isinstance(tools, list):
        what = f"{place}tools: must be a list" if isinstance(result, dict) else "must be an object or a list of tools"
        raise AnswerError(f"{what}; expected the answer to tools/list")
    return tools


def _checked(given: Sequence[Json]) -> tuple[list[dict[str, Json]], list[str]]:
    """The tools, the first of each name, and what is to be said of others."""
    if len(given) > MAX_TOOLS:
        raise AnswerError(f"{len(given):,} tools; at most {MAX_TOOLS:,} are kept for one server")
    found: dict[str, dict[str, Json]] = {}
    twice: list[str] = []
    for number, tool in enumerate(given):
        place = f"tools[{number}]"
        if not isinstance(tool, dict):
            raise AnswerError(f"{place}: must be an object")
        if not (name := _text(tool.get("name"), f"{place}.name")):
            raise AnswerError(f"{place}.name: must be a string with at least one character")
        _text(tool.get("description"), f"{place}.description")
        if not isinstance(tool.get("inputSchema") or {}, dict):
            raise AnswerError(f"{place}.inputSchema: must be an object")
        if name in found:
            twice.append(name)
        found.setdefault(name, tool)
    return [*found.values()], [f"{len(twice):,} tools have the name of another one and are left out"] if twice else []


def _text(value: Json, place: str) -> str | None:
    """The text, or None without one. Half a surrogate pair, which no file can hold, is refused."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise AnswerError(f"{place}: must be a string")
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise AnswerError(f"{place}: half a surrogate pair is no character")
    return value


def _place(start: str, *path: str | int) -> str:
    words = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in path)
    whole = f"{start}{words.removeprefix('.')}"
    return f"{whole}: " if whole else ""
