"""Agents and commands in files of their own: heads that are none, and keys that mean nothing."""

from __future__ import annotations

import pytest

from .conftest import Ask

KEYS = "description: Looks\nmode: primary\n"


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        (f"---\n{KEYS}---\nBody\n", "Body"),
        ("---\n- list\n---\nBody\n", "Body"),
        (f"---\n{KEYS}Body\n", f"---\n{KEYS}Body"),
        (f"---\n{KEYS}a: [\n---\nBody\n", f"---\n{KEYS}a: [\n---\nBody"),
        (f"***\n{KEYS}***\nBody\n", f"***\n{KEYS}***\nBody"),
        (f"\n---\n{KEYS}---\nBody\n", f"---\n{KEYS}---\nBody"),
    ],
)
def test_a_head_that_is_none_is_part_of_the_prompt(ask: Ask, text: str, prompt: str) -> None:
    found = ask({"ws/.opencode/agents/own.md": text}, params={"agent": "own"})
    assert any(section.text.startswith(prompt) for section in found.sections if section.text)
    assert any("no key of agent own counts" in d.message for d in found.diagnostics) is (
        KEYS not in text or prompt != "Body"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f'***\n{KEYS}permission:\n  skill:\n    "*": deny\n***\nBody\n', "*** is not ---: no key of agent own counts"),
        (f"----\n{KEYS}----\nBody\n", "---- is not ---: no key of agent own counts"),
        ("Just text\n\n---\n\na: b\n---\n", ""),
        ("# Title\na: b\n", ""),
    ],
)
def test_what_looks_like_a_head_is_named(ask: Ask, text: str, said: str) -> None:
    found = ask({"ws/.opencode/agents/own.md": text})
    named = [d.message for d in found.diagnostics if d.code == "bad-agent"]
    assert [each.startswith(said) for each in named] == [True] * bool(said)


@pytest.mark.parametrize(
    ("file", "key", "said"),
    [
        ("agents", "permissions", "no key of agent own: it goes to the model as an option; did you mean `permission`?"),
        ("agents", "reasoningEffort", "no key of agent own: it goes to the model as an option"),
        ("agents", "temperature", ""),
        ("commands", "allowed-tools", "no key of command own: it means nothing"),
        ("commands", "agents", "no key of command own: it means nothing; did you mean `agent`?"),
    ],
)
def test_a_key_that_is_not_known_is_named(ask: Ask, file: str, key: str, said: str) -> None:
    found = ask({f"ws/.opencode/{file}/own.md": f"---\ndescription: Looks\n{key}: 1\n---\nBody\n"})
    named = [(d.message, d.line) for d in found.diagnostics if d.code == "ignored-key"]
    assert named == ([(f"`{key}` is {said}", 3)] if said else [])


def test_an_entry_that_names_no_file_is_named(ask: Ask) -> None:
    settings = {"home/.config/opencode/opencode.json": '{"instructions": ["rules.md"]}'}
    found = ask({**settings, "home/.config/opencode/rules.md": "Rules\n"})
    (said,) = (d.message for d in found.diagnostics if d.code == "unmatched-entry")
    assert said == (
        "`instructions` names rules.md: there is no such file; a relative path is looked up in every folder from the"
        " start folder up to the root, not beside the settings: name it as ~/.config/opencode/rules.md"
    )
    found = ask({**settings, "ws/rules.md": "Rules\n"})
    assert not [d for d in found.diagnostics if d.code == "unmatched-entry"]
