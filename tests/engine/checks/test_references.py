"""What instructions name of their repository: which words are a reference, and which are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptscope_engine.checks.references import references


def named(text: str) -> list[tuple[int, str, str]]:
    return [(each.line, each.kind, each.name) for each in references(text)]


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("Models are in `src/models/user.py`.", "path", "src/models/user.py"),
        ("Models are in `src/models/`.", "path", "src/models/"),
        ("See `./docs/a.md` and keep it short.", "path", "./docs/a.md"),
        ("The loop is in `src/a.py:42`.", "path", "src/a.py"),
        ("The loop is in `src/a.py:42-50`.", "path", "src/a.py"),
        ("The loop is in `src/a.py#L42`.", "path", "src/a.py"),
        ("It is `tests/test_a.py::test_b`.", "path", "tests/test_a.py"),
        ("CI is `.github/workflows/ci.yml`.", "path", ".github/workflows/ci.yml"),
        ("| models | ``src/models/user.py`` |", "path", "src/models/user.py"),
        ("Read [the guide](docs/guide.md).", "link", "docs/guide.md"),
        ("Read [the guide](<docs/my guide.md>).", "link", "docs/my guide.md"),
        ("Read [the guide](docs/my%20guide.md#part 'title').", "link", "docs/my guide.md"),
        ("Read [`guide`](docs/guide.md).", "link", "docs/guide.md"),
        ("![a](img/a.png)", "link", "img/a.png"),
        ("Run `npm run lint:fix` first.", "npm", "lint:fix"),
        ("Run `pnpm --filter web run lint -- --fix`.", "npm", "lint"),
        ("Run `cd web && CI=1 npm run lint`.", "npm", "lint"),
        ("Run `make -j 4 lint V=1`.", "make", "lint"),
        ("Run `just lint src`.", "just", "lint"),
        ("Run `uv run --extra dev shop-lint --all`.", "uv", "shop-lint"),
        ("Run `./scripts/lint.sh --all`.", "path", "./scripts/lint.sh"),
        ("Run `python scripts/lint.py --all`.", "path", "scripts/lint.py"),
        ("Run `uv run python -u scripts/lint.py`.", "path", "scripts/lint.py"),
        ("Run `uv run scripts/lint.py`.", "path", "scripts/lint.py"),
        ("Models are in src/models/user.py, tests beside them.", "path", "src/models/user.py"),
        ("Run ./scripts/lint.sh.", "path", "./scripts/lint.sh"),
        ("Brief: docs/briefs/12-Layers.md", "path", "docs/briefs/12-Layers.md"),
        ("```bash\n$ npm run lint  # and so on\n```", "npm", "lint"),
        ("1. Do it:\n   ```sh\n   make lint\n   ```", "make", "lint"),
    ],
)
def test_a_reference(text: str, kind: str, name: str) -> None:
    assert [each[1:] for each in named(text)] == [(kind, name)]


@pytest.mark.parametrize(
    "text",
    [
        "src/models/ and models/user without an ending are in no backticks",
        "# Ported from src/models/user.py",
        "<source src='src/a.mp4'> \"src/a.py\" =src/a.py https://x.org/src/a.py src/*/a.py src/<a>/b.py",
        "There is no src/models/user.py.",
        "`./scripts/lint.sh` is gone.",
        "`user.py` and `models/user` could be many things",
        "`my file.md`, `docs/my file.md`",
        "`src/**/*.ts`, `src/{a,b}.ts`, `src/[id]/page.tsx`, `src/<name>.ts`, `src/$NAME.ts`, `src/.../a.ts`",
        "`https://example.com/a.md`, `//cdn/a.js`, `~/a/b.md`, `/etc/a.conf`, `C:\\a\\b.md`",
        "[a](https://example.com/a.md) [b](#part) [c](/a.md) [d](mailto:a@b.c) [e](../guide) [f](a.html) [g](~/a.md)",
        "`[a](docs/a.md)`",
        "```\nsrc/models/user.py\nnpm run lint\n```",
        "```ts\nimport a from 'src/models/user.ts' // `src/models/user.ts`\n```",
        "~~~~bash\n~~~\n```\n~~~~x\ngit clone there\nnpm run lint\n~~~~",
        "---\npaths: '`src/models/user.py`'\n---\n",
        "<!-- `src/models/user.py`\n[a](docs/a.md)\n-->",
        "There is no `src/models/user.py`, and do not run `npm run lint`.",
        "Create `src/models/user.py`.",
        "If you have one, `config/local.toml` wins.",
        "Names look like this, for example:\n\n- `src/models/user.py`\n- `npm run lint`",
        "The module that was\n`src/models/user.py` is gone.",
        "`npm run`, `npm install a`, `npm run --if-present lint`, `npm test`, `yarn lint`, `npm run <name>`",
        "`npm run your-script`, `make target`, `make`, `just`, `just a::b`, `npm run build:*`",
        "`uv sync`, `uv run -m shop lint`, `python -m shop/lint.py`, `node --version`",
        "`",
        "``src/models/user.py`",
        "[a]( [b](<a.md) [c](a.md",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert named(text) == []


@pytest.mark.parametrize(
    "word", ["[x](docs/missing.md)", "./no/such.sh", "https://x.org/old/moved", "[the list](docs/old.md)", "never.md"]
)
def test_what_a_line_names_says_nothing_about_its_references(word: str) -> None:
    """A file may be called `missing.md`: only the author's own words say that something is gone or an example."""
    found = [each[2] for each in named(f"Run {word}, then `./scripts/gone.sh` and `npm run devx`; see `src/lost.ts`.")]
    assert {"./scripts/gone.sh", "devx", "src/lost.ts"} <= {*found}


def test_the_line_is_that_of_the_whole_file() -> None:
    assert [each.line for each in references("a\n`src/a.py`\n```sh\nmake b\n```\n[c](c.md)\n", 10)] == [11, 13, 15]


def test_a_list_is_example_as_long_as_what_introduces_it() -> None:
    text = "Wrong:\n- `src/a.py`\n  `src/b.py`\n\nRight, and here\n- `src/c.py`\n"
    assert [each[2] for each in named(text)] == ["src/c.py"]


MARKS = (
    "`",
    "``",
    "```",
    "~~~",
    "```sh\n",
    "\n",
    " ",
    "[",
    "](",
    ")",
    "<",
    ">",
    "<!--",
    "-->",
    "---\n",
    "#",
    "- ",
    ":",
)
WORDS = (
    "npm run a",
    "make b",
    "uv run c",
    "src/a.py",
    "a.md",
    "./",
    "../",
    "%00",
    "%2e%2e/",
    "\0",
    "\u202e",
    "é",
    "\\",
)
MARKDOWN = st.lists(st.sampled_from(MARKS + WORDS), max_size=60).map("".join)


@given(MARKDOWN)
def test_any_text_can_be_read_and_names_only_what_is_in_its_lines(text: str) -> None:
    lines = text.split("\n")
    for each in references(text):
        assert 1 <= each.line <= len(lines)
        assert each.name
        assert "\0" not in each.name
        assert "\n" not in each.name
        if each.kind != "link":  # whose name may be written with %20
            assert each.name in lines[each.line - 1]


@settings(max_examples=50)
@given(st.text(max_size=100))
def test_what_is_in_a_fence_of_no_shell_is_never_named(text: str) -> None:
    inner = text.replace("~", "")
    assert named(f"~~~~~python\n{inner}\n~~~~~") == []


LONG = (
    "`",
    "a/",
    "a/b.c ",
    "./",
    "a.b",
    "[x](",
    "[",
    "](",
    "<!--",
    "`a/b.c` ",
    "[a](",
    "[a](b.c) `d/e.f` ",
    "a:\n- `b/c.d`",
    "    ",
    "&& ",
    "npm run ",
)


@pytest.mark.parametrize("piece", LONG)
def test_a_long_text_takes_no_longer_than_it_is_long(piece: str) -> None:
    assert len([*references(piece * (100_000 // len(piece)))]) < 50_000
