"""The paths in the `args` of a `read_file` call, read as leniently as the agent's XML parser does.

That parser (npm `fast-xml-parser` 5 without validation) lets any closing tag close the innermost element and
forgives missing ones; it gives up only on a tag, comment or section that never ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from promptscope_engine.javascript.text import js_trim

_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


@dataclass
class _Element:
    name: str
    has_attributes: bool = False
    text: str = ""
    children: list[_Element] = field(default_factory=list)

    def value(self) -> str:
        """As it reads in a JavaScript template: an element that is more than its text is an object there."""
        return "[object Object]" if self.children or self.has_attributes else self.text


def file_paths(args: str) -> list[str]:
    """The path of each top-level `<file>` that has one. `args` that cannot be parsed are a ValueError."""
    found = []
    for file in _parse(args).children:
        if file.name != "file":
            continue
        paths = [child.value() for child in file.children if child.name == "path"]
        # Several paths in one file are a list, which JavaScript prints with commas.
        if any(paths) or len(paths) > 1:
            found.append(",".join(paths))
    return found


def _parse(args: str) -> _Element:
    root = _Element("")
    open_elements = [root]
    position = 0
    while True:
        start = args.find("<", position)
        if start < 0:
            _add_text(open_elements[-1], args[position:])
            return root
        _add_text(open_elements[-1], args[position:start])
        if args.startswith("</", start):
            position = _end_of(">", args, start)
            if len(open_elements) > 1:
                open_elements.pop()
        elif args.startswith("<!--", start):
            position = _end_of("-->", args, start + 4)
        elif args.startswith("<![", start):
            position = _end_of("]]>", args, start)
            open_elements[-1].text += args[start + len("<![CDATA[") : position - len("]]>")]
        elif args.startswith("<?", start):
            position = _end_of("?>", args, start)
        elif args.startswith("<!D", start):
            position = _end_of(">", args, start)
        else:
            position = _end_of_tag(args, start)
            _open(open_elements, args[start + 1 : position - 1])


def _add_text(element: _Element, text: str) -> None:
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    element.text += js_trim(text)


def _open(open_elements: list[_Element], tag: str) -> None:
    closed = tag.endswith("/")
    name, _, attributes = tag.removesuffix("/").partition(" ")
    element = _Element(name.rstrip(), "=" in attributes)
    open_elements[-1].children.append(element)
    if not closed:
        open_elements.append(element)


def _end_of(mark: str, args: str, start: int) -> int:
    """The position behind the next `mark`."""
    return args.index(mark, start) + len(mark)


def _end_of_tag(args: str, start: int) -> int:
    """The position behind the `>` that ends the tag; one within quotes does not."""
    quote = ""
    for position in range(start, len(args)):
        character = args[position]
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == ">":
            return position + 1
    raise ValueError("a tag does not end")
