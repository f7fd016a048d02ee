"""What looks like a secret or like nothing, and what does not; references to what is not there, with the nearest."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.repository import commit, write

from promptscope_engine import Scenario
from promptscope_engine.checks.checker import check
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model

from .test_checker import checked


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("sk-ant-api03-" + "a1B2" * 8, "an Anthropic key"),
        ("sk-proj-" + "a1B2" * 10, "an OpenAI key"),
        ("AKIA" + "A1B2C3D4E5F6G7H8", "an AWS access key"),
        ("ghp_" + "a1B2" * 9, "a GitHub token"),
        ("glpat-" + "a1B2" * 5, "a GitLab token"),
        ("xoxb-123456789012-abcdef", "a Slack token"),
        ("xoxb-1a2b3c4d5e", "a Slack token"),
        ("AIza" + "a1B2c" * 7, "a Google key"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "a private key"),
        ("postgres://app:s3cret99@db/x", "a password in an address"),
        ('api_key = "q8Z3k1L9x7V5b2N4"', "a password or token"),
    ],
)
def test_secrets(tmp_path: Path, line: str, name: str) -> None:
    report = checked(tmp_path, {"CLAUDE.md": f"Use {line}\n"})
    assert [f.message for f in report.findings] == [f"this looks like {name}, and every request sends it"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "Set ANTHROPIC_API_KEY=your-key-goes-here-1234",
        "token: ${{ secrets.GITHUB_TOKEN_1234567 }}",
        "The secret: keep functions short and names long",
        "password = os.environ['DATABASE_PASSWORD_1']",
        "postgres://user:password@localhost/db",
        "sk-ant-short",
        "task-AKIA-like words",
    ],
)
def test_no_secrets(tmp_path: Path, line: str) -> None:
    assert not checked(tmp_path, {"CLAUDE.md": f"{line}\n"}).findings


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\u200bb", "1 × U+200B zero width space"),
        ("a\u202eb\u202c", "2 × U+202E right-to-left override, U+202C pop directional formatting"),
        ("x" + "".join(chr(0xE0000 + ord(c)) for c in "hi"), "2 × U+E0068 tag latin small letter h, U+E0069"),
        ("soft\u00adhyphen", "1 × U+00AD soft hyphen"),
        ("\u02ff\u200c\u0300", "1 × U+200C zero width non-joiner"),
        ("\u0300\u200c\u02ff", "1 × U+200C zero width non-joiner"),
        ("\u0300\u200c\u02ffz", "1 × U+200C zero width non-joiner"),
        ("\u0300\u200c\u200d\u0300", "2 × U+200C zero width non-joiner, U+200D zero width joiner"),
    ],
)
def test_invisible_characters(tmp_path: Path, text: str, words: str) -> None:
    (finding,) = checked(tmp_path, {"CLAUDE.md": f"{text}\n"}).findings
    assert finding.message.startswith(words)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "Grüße, 中文, עברית",
        "👩\u200d💻 pairs",
        "می\u200cخواهم",
        "\ufeffwith a mark at the start",
        "a\u0300\u200d\u0300b",
    ],
)
def test_what_scripts_need_is_fine(tmp_path: Path, text: str) -> None:
    assert not checked(tmp_path, {"CLAUDE.md": f"{text}\n"}).findings


@pytest.mark.slow
def test_of_many_invisible_characters_the_names_are_cut_at_200_characters(tmp_path: Path) -> None:
    tags = "".join(chr(0xE0061 + number) for number in range(26))  # each name has 37 characters
    (finding,) = checked(tmp_path, {"CLAUDE.md": f"x{tags}\n"}).findings
    count, _, names = finding.message.partition(" × ")
    assert (count, len(names)) == ("26", 200)


COUNTER = Counter(tokenizer_for_model(None))
TREE = {
    "src/shop/models/user.py": "",
    "src/shop/cart.ts": "",
    "web/src/app.ts": "",
    "docs/guide.md": "",
    ".github/pull_request_template.md": "",
    ".gitignore": "*.log\n/config/local.*\n",
    "config/base.toml": "",
    "package.json": '{"scripts": {"lint": "eslint"}}',
    "web/package.json": '{"scripts": {"dev": "vite"}}',
    "Makefile": "CC := gcc\n.PHONY: lint all\nlint: base\n\truff check\nbuild test: lint\n",
    "justfile": "set shell := ['sh']\nalias l := lint\n@lint path='src':\n  ruff {{path}}\n",
    "pyproject.toml": "[project.scripts]\nshop-lint = 'shop:lint'\n",
}


def said(folder: Path, text: str, tree: dict[str, str] = TREE, file: str = "CLAUDE.md") -> list[str]:
    """`line: message` of each stale reference; the files are git's."""
    commit(folder, {**tree, file: text})
    report = check(Scenario(workspace=str(folder), agent="claude-code"), counter=COUNTER)
    return [f"{each.line}: {each.message}" for each in report.findings if each.rule == "stale-reference"]


STALE = """# Shop
- Models: `src/shop/models/usr.py`
- Cart: `src/cart.ts`
- Views: `src/shop/views/`
- Use `.github/PULL_REQUEST_TEMPLATE.md`.
- [Guide](docs/guides.md) and [rules](rules.md)
- Run `npm run lnt`, `make lnt`, `just fmt`, `uv run shop-lnt`.
- Run `python src/shop/seed.py --all`.

```sh
npm run lint && npm run start
```
"""


def test_each_with_the_nearest_that_is_there(tmp_path: Path) -> None:
    assert said(tmp_path, STALE) == [
        "2: there is no src/shop/models/usr.py: did you mean src/shop/models/user.py?",
        "3: there is no src/cart.ts: did you mean src/shop/cart.ts?",
        "4: there is no src/shop/views/",
        "5: there is no .github/PULL_REQUEST_TEMPLATE.md: did you mean .github/pull_request_template.md?",
        "6: there is no docs/guides.md: did you mean docs/guide.md?",
        "6: there is no rules.md",
        "7: no Makefile has a target `lnt`: did you mean `lint`?",
        "7: no justfile has a recipe `fmt`",
        "7: no package.json has a script `lnt`: did you mean `lint`?",
        "7: no pyproject.toml has a script `shop-lnt`: did you mean `shop-lint`?",
        "8: there is no src/shop/seed.py",
        "11: no package.json has a script `start`",
    ]


def test_what_is_there_or_may_be_is_not_told_about(tmp_path: Path) -> None:
    text = """# Shop
`src/shop/models/user.py`, `./src/shop/`, `models/user.py`, `src/app.ts`, `web/src/app.js`, `../elsewhere/a.md`
`src/shop/dist/a.js`, `src/debug.log`, `config/local.toml`, `src/your-module/a.py`, `src/FILE_NAME.py`
`.vscode/mcp.json`, `.github/CODE_OF_CONDUCT.md`
`other/repository/a.py`, `application/json.v1`, `origin/main.x`, [guide](docs/guide.md#part), [above](../a.md)
`npm run dev`, `make build CC=clang`, `make docs/guide.md`, `make all`, `just l`, `just lint src`, `uv run pytest`
"""
    assert said(tmp_path, text) == []


def test_paths_are_looked_for_around_the_file_and_links_from_it(tmp_path: Path) -> None:
    text = "---\npaths: '**/*.ts'\n---\n`src/app.ts`, `web/src/none.ts` [guide](../../docs/guide.md) [lost](lost.md)\n"
    found = ["4: there is no lost.md", "4: there is no web/src/none.ts"]
    assert said(tmp_path / "a", text, file=".claude/rules/a.md") == found
    assert said(tmp_path / "b", text.replace("../..", "../../.."), file="web/.claude/rules/a.md") == found


@pytest.mark.parametrize(
    ("file", "text", "command"),
    [
        ("package.json", "{", "npm run lnt"),
        ("package.json", "[" * 10_000, "npm run lnt"),
        ("package.json", '{"scripts": []}', "npm run lnt"),
        ("Makefile", "include more.make\nlint:\n", "make lnt"),
        ("Makefile", "$(ALL):\n\tdo\n", "make lnt"),
        ("Makefile", "%-all:\n\tdo\n", "make lnt"),
        ("justfile", "import 'more.just'\nlint:\n", "just lnt"),
        ("api/pyproject.toml", "[", "uv run shop-lnt"),
        ("README.md", "", "npm run lnt"),
    ],
)
def test_a_runner_that_cannot_be_understood_is_left_alone(tmp_path: Path, file: str, text: str, command: str) -> None:
    assert said(tmp_path, f"Run `{command}`.\n", {file: text}) == []


def test_a_file_by_two_names_is_told_about_once(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": "ref: refs/heads/main\n", "AGENTS.md": "[lost](lost.md)\n"})
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    (found,) = check(Scenario(workspace=str(tmp_path)), counter=COUNTER).findings
    assert (found.place, found.agents) == (
        "AGENTS.md:1",
        ("claude-code", "roo", "openclaw", "codex", "opencode", "copilot"),
    )


def test_a_file_about_another_repository_does_not_fill_the_screen(tmp_path: Path) -> None:
    text = "".join(f"`src/shop/{name}{name}{name}.py`\n" for name in range(100, 300))
    assert len(said(tmp_path, text)) == 50
