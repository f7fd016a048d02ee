"""What holds for every test of the app."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from textual.css import model, stylesheet
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

from promptscope_engine.tokens import encodings


@pytest.fixture(scope="session", autouse=True)
def _style_sheets_are_parsed_once() -> Iterator[None]:
    """Hundreds of apps read the style sheets of the same widgets. Parsed rules are never changed."""
    tokenize, parse = stylesheet.tokenize_values, stylesheet.parse
    variables: dict[Any, Any] = {}
    rules: dict[Any, Any] = {}

    def tokenized(values: dict[str, str]) -> Any:
        key = tuple(values.items())
        if key not in variables:
            variables[key] = tokenize(values)
        return variables[key]

    def parsed(scope: str, css: str, read_from: Any, *, variable_tokens: Any, **given: Any) -> Any:
        key = (scope, css, read_from, id(variable_tokens), *given.items())  # the tokens are kept above
        if key not in rules:
            rules[key] = list(parse(scope, css, read_from, variable_tokens=variable_tokens, **given))
        return rules[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(stylesheet, "tokenize_values", tokenized)
        patched.setattr(stylesheet, "parse", parsed)
        yield


@pytest.fixture(scope="session", autouse=True)
def _component_classes_are_matched_once(_style_sheets_are_parsed_once: None) -> Iterator[None]:
    """A widget's component classes are matched against all rules whenever it is styled: with a start, a theme, the
    focus. The outcome is kept under everything that selectors look at: the rules themselves, and type, id, classes and
    pseudo-classes of each node from the app to the widget."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            Stylesheet, "_process_component_classes", _Components(Stylesheet._process_component_classes).apply
        )
        patched.setattr(model.RuleSet, "__hash__", object.__hash__)  # the same identity, without a call of Python
        yield


@pytest.fixture(scope="session", autouse=True)
def _texts_are_encoded_once() -> Iterator[None]:
    """Every app has a cache of its own, which is empty: its worker would encode the same prompt again."""
    count, counts = encodings.count_tokens, dict[tuple[str, str], int]()

    def counted(name: encodings.EncodingName, text: str) -> int:
        key = name, text
        if key not in counts:
            if len(text) > _LONG:
                return count(name, text)
            counts[key] = count(name, text)
        return counts[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(encodings, "count_tokens", counted)
        yield


_LONG = 100_000
"""Characters of a text that is not worth keeping."""


class _Components:
    """The rules of component classes, by what decides them."""

    def __init__(self, match: Callable[[Stylesheet, DOMNode], None]) -> None:
        self._match = match
        self._kept: dict[Any, dict[str, dict[str, Any]]] = {}
        self._sheets: dict[tuple[int, ...], tuple[list[model.RuleSet], list[set[str]]]] = {}

    @property
    def apply(self) -> Callable[[Stylesheet, DOMNode], None]:
        """What takes the place of Textual's method."""

        def applied(sheet: Stylesheet, node: DOMNode) -> None:
            if not node._get_component_classes():
                return
            key = self._key(sheet, node)
            if node._component_styles and node.__dict__.get("_components_key") == key:
                return
            node.__dict__["_components_key"] = key
            if key in self._kept:
                _take(node, self._kept[key])
            else:
                self._match(sheet, node)
                self._kept[key] = {name: dict(found.base._rules) for name, found in node._component_styles.items()}

        return applied

    def _key(self, sheet: Stylesheet, node: DOMNode) -> Any:
        rules = tuple(map(id, sheet.rules))
        if rules not in self._sheets:
            names = sorted(set().union(*(rule.pseudo_classes for rule in sheet.rules)))
            self._sheets[rules] = list(sheet.rules), [{name} for name in names]  # kept, so that no id is given again
        _, pseudo = self._sheets[rules]
        return rules, tuple(
            (type(each), each.id, frozenset(each.classes), *map(each.has_pseudo_classes, pseudo))
            for each in node.css_path_nodes
        )


def _take(node: DOMNode, components: dict[str, dict[str, Any]]) -> None:
    """What Textual does with the rules that it found."""
    before = node._component_styles.copy()
    node._component_styles.clear()
    for name, rules in components.items():
        virtual = DOMNode(classes=name)
        virtual._attach(node)
        virtual.styles.base._rules.update(rules)
        node._component_styles[name] = virtual.styles
    if before != node._component_styles:
        node.refresh()
