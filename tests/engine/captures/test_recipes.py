"""How each agent's traffic is turned."""

from __future__ import annotations

import json

import pytest

from promptscope_engine.captures.recipes import (
    DUMMY_KEY,
    GENERIC,
    RECIPES,
    agent_name,
    command_line,
    environment,
    fidelity_of,
    given_settings,
    is_one_shot,
    recipe_for,
    settings_of,
    typed_prompt,
    without_env,
)

URL = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("command", "agent", "prompt"),
    [
        ("/usr/bin/claude -p hi", "claude-code", "hi"),
        ("claude --print=hi", "claude-code", "hi"),
        ("codex exec --skip-git-repo-check hi", "codex", "hi"),
        ("gemini -p hi", "gemini", "hi"),
        ("opencode run hi", "opencode", "hi"),
        ("qwen -p hi", "qwen", "hi"),
        ("copilot -p hi --allow-all-tools", "copilot", "hi"),
        ("openclaw agent --local --agent main --message hi", "openclaw", "hi"),
        ("aider --message hi --yes-always", "aider", "hi"),
        ("./own-agent", "own-agent", None),
    ],
)
def test_the_recipe_goes_by_the_base_name(command: str, agent: str, prompt: str | None) -> None:
    words = command.split()
    recipe = recipe_for(None, words)
    assert agent_name(None, words) == agent
    assert (recipe is GENERIC) == (agent == "own-agent")
    assert typed_prompt(recipe, words) == prompt
    assert is_one_shot(recipe, words) == (prompt is not None)


def test_a_named_agent_overrides_the_command() -> None:
    assert recipe_for("codex", ["claude"]).agent == "codex"
    assert recipe_for("claude", ["wrapper"]).agent == "claude-code"
    assert recipe_for("unheard-of", ["claude"]) is GENERIC


@pytest.mark.parametrize("recipe", [*RECIPES, GENERIC], ids=lambda recipe: recipe.agent)
def test_every_recipe_leads_to_the_server_with_a_made_up_key(recipe: object) -> None:
    found = next(each for each in (*RECIPES, GENERIC) if each is recipe)
    own = {"ANTHROPIC_API_KEY": "real", "OPENAI_API_KEY": "real", "PATH": "/bin", **dict.fromkeys(found.unset, "x")}
    env = environment(found, URL, own, keep_login=False, proxied=True)
    words = command_line(found, URL, ["program", "-p", "hi"])
    assert URL in json.dumps([env, words])
    assert "{url}" not in json.dumps([env, words])
    assert all(env[key] == DUMMY_KEY for key in found.keys)
    assert not env.keys() & set(found.unset)
    assert (env["HTTPS_PROXY"], env["PATH"]) == (URL, "/bin")
    assert words[0] == "program"
    assert " -p hi" in " ".join(words)
    kept = environment(found, URL, own, keep_login=True, proxied=False)
    assert kept["ANTHROPIC_API_KEY"] == "real"
    assert "HTTPS_PROXY" not in kept


def test_own_settings_of_the_command_line_stay_below_the_recipes() -> None:
    recipe = recipe_for("claude-code", [])
    words = ["claude", "--settings", '{"env": {"ANTHROPIC_BASE_URL": "https://x", "A": "1"}, "model": "m"}', "-p", "hi"]
    own = json.loads(given_settings(recipe, words) or "")
    line = command_line(recipe, URL, words, settings_of(recipe, URL, own))
    assert line.count("--settings") == 1
    made = json.loads(line[line.index("--settings") + 1])
    assert made["model"] == "m"
    assert made["env"]["A"] == "1"
    assert made["env"]["ANTHROPIC_BASE_URL"] == URL


def test_a_made_up_key_is_said_in_the_grade() -> None:
    recipe = recipe_for("claude-code", [])
    assert any("logged out" in note for note in fidelity_of(recipe, keep_login=False).notes)
    assert fidelity_of(recipe, keep_login=True).notes == ()


@pytest.mark.parametrize(
    ("command", "given"),
    [
        ("claude --settings {} -p hi", "{}"),
        ("claude -p hi --settings x.json", "x.json"),
        ("claude --settings=x.json", "x.json"),
        ("claude --settings=", ""),
        ("claude --settings", None),
        ("claude --settings-file x", None),
        ("claude -p hi", None),
        ("--settings x", "x"),
    ],
)
def test_settings_that_the_command_line_gives_itself(command: str, given: str | None) -> None:
    assert given_settings(recipe_for("claude-code", []), command.split()) == given
    assert given_settings(recipe_for("codex", []), command.split()) is None


@pytest.mark.parametrize(
    ("command", "left", "variables"),
    [
        ("claude -p hi", "claude -p hi", {"A": "1"}),
        ("env X=2 claude -p", "claude -p", {"A": "1", "X": "2"}),
        ("/usr/bin/env -u A X=a=b -- claude", "claude", {"X": "a=b"}),
        ("env -i --unset=B X= claude", "claude", {"X": ""}),
        ("env -S x claude", "env -S x claude", {"A": "1"}),
        ("env X=1", "env X=1", {"A": "1"}),
        ("", "", {"A": "1"}),
    ],
)
def test_a_leading_env_sets_variables(command: str, left: str, variables: dict[str, str]) -> None:
    assert without_env(command.split(), {"A": "1"}) == (tuple(left.split()), variables)
