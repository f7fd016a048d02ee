"""What people ask about OpenCode: whose text it is, which file counts, why a tool is gone."""

from __future__ import annotations

import json

import pytest

from promptscope_engine import Assembly
from promptscope_engine.prompt.drafts import UNPREDICTABLE

from .conftest import Ask


def codes(assembly: Assembly) -> list[str]:
    return [note.code for note in assembly.diagnostics]


def tool(assembly: Assembly, name: str) -> bool:
    return next(each.present for each in assembly.tools if each.name == name)


def test_an_agents_prompt_takes_the_place_of_the_base_text(ask: Ask) -> None:
    found = ask({"ws/opencode.json": '{\n "agent": {\n  "build": {"prompt": "Mine."}}}'})
    own = found.section("base.own")
    assert own is not None
    assert own.text.startswith("Mine.")
    assert not [each.id for each in found.sections if each.present and each.id.startswith("base.claude")]
    [note] = [each for each in found.diagnostics if each.code == "prompt-replaces-base"]
    assert (note.path or "").endswith("opencode.json")
    assert note.line == 3


def test_one_agents_md_at_the_top_hides_a_claude_md_beside_the_code(ask: Ask) -> None:
    found = ask({"ws/AGENTS.md": "a\n", "ws/CLAUDE.md": "b\n"})
    hidden = next(each for each in found.files if each.path.endswith("CLAUDE.md") and "workspace" in each.path)
    assert not hidden.present
    assert "only AGENTS.md counts" in hidden.why.text


def test_an_address_is_not_fetched_and_its_place_is_told(ask: Ask) -> None:
    said = {"ws/opencode.json": '{\n "instructions": ["https://x.test/a.md"]}'}
    [note] = [each for each in ask(said).diagnostics if each.code == "address-not-fetched"]
    assert note.line == 2
    assert "Be brief." in ask(said, params={"urls": {"/a.md": "Be brief."}}).system_text


@pytest.mark.parametrize(
    ("permission", "stays"),
    [
        ({"bash": "deny"}, False),
        ({"bash": {"*": "deny", "git *": "allow"}}, True),
        ({"bash": "deny", "*": "allow"}, True),
    ],
)
def test_a_tool_goes_only_by_a_plain_denial_that_comes_last(ask: Ask, permission: object, stays: bool) -> None:
    assert tool(ask({"ws/opencode.json": json.dumps({"permission": permission})}), "bash") is stays


def test_a_denied_tool_says_where(ask: Ask) -> None:
    found = ask({"ws/opencode.json": '{\n "permission": {\n  "bash": "deny"}}'})
    why = next(each.why for each in found.tools if each.name == "bash")
    assert "`bash` is denied (in opencode.json:3)" in why.text
    assert [(each.param, each.value) for each in why.levers] == [("settings.permission.bash", "allow")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not valid JSON"),
        ("\n", "not valid JSON"),
        ('{"instructions": "a"}', "`instructions`: must be a list"),
        ('{"permissions": 1}', "permissions"),
    ],
)
def test_what_it_does_not_start_with(ask: Ask, text: str, says: str) -> None:
    found = ask({"ws/opencode.json": text})
    assert codes(found)[0] == "agent-refuses"
    assert says in found.diagnostics[0].message
    assert not found.request.messages  # type: ignore[union-attr]


def test_comments_and_a_last_comma_are_fine(ask: Ask) -> None:
    found = ask({"ws/opencode.jsonc": '// mine\n{"instructions": ["a.md",],}\n', "ws/a.md": "Read me.\n"})
    assert "Read me." in found.system_text


@pytest.mark.parametrize(
    ("model", "heading"),
    [
        ("anthropic/claude-sonnet-5", "# Professional objectivity"), ("openai/gpt-5.5", "## Editing Approach"),
        ("openai/gpt-6-sol", "# Harness"), ("openai/gpt-4.1", "# Workflow"),
        ("google/gemini-2.5-pro", "# Core Mandates"),
        ("mine/other", "# Proactiveness"), ("mine/pro3", "# Workflow"), ("mine/GPT-5", "# Proactiveness"),
    ],
)  # fmt: skip
def test_the_base_text_follows_the_models_id(ask: Ask, model: str, heading: str) -> None:
    assert f"\n{heading}\n" in ask(model=model).system_text


def test_a_model_that_its_provider_does_not_have_ends_the_start(ask: Ask) -> None:
    found = ask(model="anthropic/claude-nothing")
    assert found.diagnostics[0].message == "OpenCode does not start: the model anthropic/claude-nothing is unknown"


def test_run_puts_words_into_quotes_and_the_terminal_does_not(ask: Ask) -> None:
    def last(**params: str) -> str:
        return ask(params={"prompt": 'two "words"', **params}).request.messages[-1]["content"][-1]["text"]  # type: ignore[union-attr,no-any-return]

    assert last() == '"two \\"words\\""'
    assert last(entry="interactive") == 'two "words"'


def test_two_skills_of_one_name_that_differ_are_told(ask: Ask) -> None:
    head = "---\nname: a\ndescription: {}\n---\n"
    one, other = "ws/.claude/skills/a/SKILL.md", "ws/.agents/skills/a/SKILL.md"
    assert "skill-replaced" in codes(ask({one: head.format("x"), other: head.format("y")}))
    assert "skill-replaced" not in codes(ask({one: head.format("x"), other: head.format("x")}))


def test_which_of_two_skills_of_one_name_counts_is_not_predicted(ask: Ask) -> None:
    text = "---\nname: {}\ndescription: x\n---\n"
    files = {"ws/.claude/skills/a/SKILL.md": text.format("a"), "ws/.agents/skills/a/SKILL.md": text.format("a")}
    found = ask({**files, "ws/.claude/skills/b/SKILL.md": text.format("b")})
    [skills] = [section for section in found.sections if section.id == "skills"]
    places = [each for each in skills.fragments if each.text.endswith("SKILL.md")]
    assert [(each.origin.name or "").startswith(UNPREDICTABLE) for each in places] == [True, False]


def test_of_two_skills_of_one_name_that_differ_a_row_says_which_one_is_shown(ask: Ask) -> None:
    text = "---\nname: a\ndescription: {}\n---\n"
    found = ask({"ws/.claude/skills/a/SKILL.md": text.format("x"), "ws/.agents/skills/a/SKILL.md": text.format("y")})
    [first] = [file for file in found.files if file.path.endswith(".claude/skills/a/SKILL.md")]
    assert "has the same name and replaces it" in first.why.text


def test_a_read_wakes_the_files_of_the_folders_below(ask: Ask) -> None:
    files = {"ws/a/AGENTS.md": "Of a.\n", "ws/a/b/CLAUDE.md": "Of b.\n", "ws/a/b/x.txt": "x\n"}
    found = ask(files, reads=["a/b/x.txt"])
    [result] = [b for m in found.request.messages for b in m["content"] if b["type"] == "tool_result"]  # type: ignore[union-attr]
    text = result["content"][0]["text"]
    assert text.index("Of b.") < text.index("Of a.")


def test_the_conversation_is_summed_up_where_the_model_has_room_for_one_answer_left(ask: Ask) -> None:
    assert ask().tokens.compact_at == 1_000_000 - 32_000
    off = ask({"ws/opencode.json": '{"compaction": {"auto": false}}'}).tokens
    assert (off.compact_at, off.compaction) == (None, "switched off")


def test_a_byte_order_mark_before_settings_is_fine(ask: Ask) -> None:
    found = ask({"ws/opencode.json": '\ufeff{"agent": {"build": {"prompt": "Mine."}}}\n'})
    assert "Mine." in found.system_text


def test_an_attached_file_that_is_missing_ends_the_start(ask: Ask) -> None:
    found = ask(params={"files": ["none.txt"]})
    assert found.diagnostics[0].message.startswith("OpenCode does not start: there is no file ")


def test_a_hidden_reference_is_listed_all_the_same(ask: Ask) -> None:
    found = ask({"ws/opencode.json": '{"references": {"l": {"path": "/opt", "description": "Lib.", "hidden": true}}}'})
    assert "Lib." in found.system_text


@pytest.mark.parametrize("text", ["", "\ufeff"])
def test_settings_without_a_word_are_none(ask: Ask, text: str) -> None:
    assert "agent-refuses" not in codes(ask({"ws/opencode.json": text}))


def blocks(assembly: Assembly) -> list[str]:
    """What the user's message is made of."""
    return [each.text for each in assembly.sections if each.present and each.channel == "messages"]


CODE = {"ws/src/a.ts": "one\ntwo\nthree\n", "ws/.opencode/command/go.md": "Go $ARGUMENTS with @src/a.ts"}


def test_a_mention_in_the_terminal_follows_the_message_and_in_a_run_is_text(ask: Ask) -> None:
    said = {"prompt": "see @src/a.ts#2-3 and @explore, not @gone.ts"}
    prompt, call, output, agent = blocks(ask(CODE, params={"entry": "interactive", **said}))
    assert prompt == said["prompt"]
    assert call.endswith('src/a.ts","offset":2,"limit":2}')
    assert "\n2: two\n3: three\n" in output
    assert agent.endswith("explore")
    assert len(blocks(ask(CODE, params=said))) == 1


def test_a_message_in_the_terminal_may_be_a_command_with_arguments(ask: Ask) -> None:
    repository = {f"ws/.git/{name}/kept": "" for name in ("objects", "refs")}
    found = blocks(ask({**CODE, **repository}, params={"entry": "interactive", "prompt": "/go on @src"}))
    assert found[0] == "Go on @src with @src/a.ts"
    calls = [block.rpartition('"filePath":')[2] for block in found if block.startswith("Called")]
    assert [call.rpartition("/")[2] for call in calls] == ['a.ts"}', 'src"}']
    assert blocks(ask(CODE, params={"entry": "interactive", "prompt": "/gone on"})) == ["/gone on"]
    assert blocks(ask(CODE, params={"prompt": "/go"})) == ["/go"]


@pytest.mark.parametrize(
    ("limit", "compaction", "total"),
    [
        ({"context": 200_000, "input": 150_000, "output": 64_000}, {}, 130_000),
        ({"context": 200_000, "input": 150_000, "output": 8_000}, {}, 142_000),
        ({"context": 200_000, "input": 150_000, "output": 8_000}, {"reserved": 1_000}, 149_000),
        ({"context": 200_000, "output": 8_000}, {}, 192_000),
    ],
)
def test_the_conversation_is_summed_up_before_an_answer_would_not_fit(
    ask: Ask, limit: object, compaction: object, total: int
) -> None:
    config = {"provider": {"mine": {"npm": "x", "models": {"m": {"limit": limit}}}}, "compaction": compaction}
    found = ask({"ws/opencode.json": json.dumps(config)}, model="mine/m").tokens
    assert (found.window, found.compact_at) == (200_000, total)


@pytest.mark.parametrize(
    ("settings", "is_there"),
    [
        ({}, True),
        ({"enabled_providers": ["anthropic", "openai"]}, True),
        ({"enabled_providers": ["openai"]}, False),
        ({"disabled_providers": ["openai"]}, True),
        ({"disabled_providers": ["anthropic"]}, False),
    ],
)
def test_settings_choose_the_providers(ask: Ask, settings: dict[str, object], is_there: bool) -> None:
    found = ask({"ws/opencode.json": json.dumps(settings)})
    assert bool(found.request.messages) is is_there  # type: ignore[union-attr]
    assert ("agent-refuses" in codes(found)) is not is_there
