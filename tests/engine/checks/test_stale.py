"""References to what is not there: found where they are certain, with the nearest thing that is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.repository import commit, write

from promptscope_engine import Scenario
from promptscope_engine.checks.checker import check
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model

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
