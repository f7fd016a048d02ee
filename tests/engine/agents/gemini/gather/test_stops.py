"""Settings whose values keep the client from starting (recorded 0.61.0)."""

from __future__ import annotations

import json

import pytest
from tests.engine.agents.gemini.conftest import Project, codes

SETTINGS = "home/.gemini/settings.json"

pytestmark = pytest.mark.slow


def refusal(project: Project, key: str, value: object, **given: object) -> str:
    """Why the client does not start, "" if it does."""
    name, _, inner = key.rpartition(".")
    found: dict[str, object] = {inner: value}
    for part in reversed(name.split(".") if name else []):
        found = {part: found}
    project.write({SETTINGS: json.dumps(found)})
    refused = codes(project.assemble(**given)).get("agent-refuses")
    return refused.message if refused else ""


@pytest.mark.parametrize(
    ("key", "value", "stops"),
    [
        ("general.defaultApprovalMode", "nope", True), ("general.defaultApprovalMode", 5, True),
        ("general.defaultApprovalMode", "yolo", False), ("general.defaultApprovalMode", "", False),
        ("tools.core", "read_file", True), ("tools.core", ["read_file"], False), ("tools.core", "", False),
        ("tools.exclude", "glob", False), ("tools.exclude", [5], True), ("tools.exclude", True, True),
        ("tools.allowed", 0, False), ("tools.allowed", {"a": 1}, True), ("tools.confirmationRequired", 5, True),
        ("context.fileName", 5, True), ("context.fileName", [5], True), ("context.fileName", "A.md", False),
        ("context.memoryBoundaryMarkers", 0, True), ("context.memoryBoundaryMarkers", ".hg", False),
        ("context.fileFiltering.customIgnoreFilePaths", 0, True), ("context.includeDirectories", [5], True),
        ("skills.disabled", 5, True), ("skills.disabled", 0, True), ("skills.disabled", "x", False),
        ("mcp.allowed", [5], False), ("mcp.excluded", 5, True), ("policyPaths", True, True), ("ui.theme", 5, True),
        ("ui.theme", 0, False), ("modelConfigs.overrides", 0, True), ("hooksConfig.disabled", 5, False),
        ("general.maxAttempts", "x", True), ("general.maxAttempts", 0, True), ("general.maxAttempts", False, True),
        ("general.maxAttempts", "5", False), ("general.maxAttempts", True, False), ("general.maxAttempts", None, False),
        ("tools", None, True), ("ui", None, True), ("skills", None, False), ("tools", [], False),
        ("tools.discoveryCommand", 5, True), ("tools.discoveryCommand", "", False),
        ("tools.discoveryCommand", "no-such-program -x", True), ("tools.sandbox", "no-such-program", True),
        ("tools.sandbox", {"enabled": True, "command": "no-such-program"}, True), ("tools.sandbox", "false", False),
        ("tools.sandbox", {"command": "no-such-program"}, False), ("tools.sandbox", 5, False),
        ("security.auth", {"selectedType": "a", "enforcedType": "b"}, True),
        ("security.auth", {"selectedType": "a", "enforcedType": "a"}, False),
        ("security.auth", {"enforcedType": "b"}, False),
    ],
)  # fmt: skip
def test_what_the_client_cannot_use(project: Project, key: str, value: object, stops: bool) -> None:
    assert bool(refusal(project, key, value)) is stops


def test_the_refusal_names_the_setting_and_what_it_takes(project: Project) -> None:
    said = refusal(project, "tools.core", "glob")
    assert said == "the client refuses to start: `tools.core` in ~/.gemini/settings.json:1 must be a list of strings"


def test_a_mode_that_is_given_stands_in_place_of_the_setting(project: Project) -> None:
    assert refusal(project, "general.defaultApprovalMode", "nope", mode="default") == ""
