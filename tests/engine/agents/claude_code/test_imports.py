from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptscope_engine import Scenario
from promptscope_engine.agents.claude_code.gather.gather import gather
from promptscope_engine.agents.claude_code.gather.instruction_files import import_tokens, is_importable
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.workspace import Workspace

if TYPE_CHECKING:
    from .conftest import Project

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("@a.md", ["a.md"]),
        ("see @a.md and @./b.md", ["a.md", "./b.md"]),
        ("@~/x.md @/abs/y.md @../up.md", ["~/x.md", "/abs/y.md", "../up.md"]),
        ("@a.md, and @b.md.", ["a.md,", "b.md."]),
        ("(@a.md) mail me@b.md", []),
        (r"@with\ space.md", ["with space.md"]),
        ("@a.md#part", ["a.md"]),
        ("@#part", []),
        ("- item @a.md\n  - @b.md\n> quote @c.md\n# head @d.md", ["a.md", "b.md", "c.md", "d.md"]),
        ("`@a.md` ``@b.md``", []),
        ("```\n@a.md\n```\n@b.md", ["b.md"]),
        ("~~~\n@a.md\n```\n~~~\n@b.md", ["b.md"]),
        ("text\n\n    @code.md\n\n@b.md", ["b.md"]),
        ("<!-- @a.md -->\n\n@b.md", ["b.md"]),
        ("<!-- x\n@y.md\n@z.md\n-->\n\n@b.md", ["b.md"]),
        ("<!--\n@y.md\n-->\n@b.md", ["b.md"]),
        ("<div>\n@y.md\n\n@b.md", ["b.md"]),
        ("> ```\n> @y.md\n> ```\n> @b.md", ["b.md"]),
        ("````\n```\n@y.md\n````\n@b.md", ["b.md"]),
        ("```\n```x\n@y.md\n```\n@b.md", ["b.md"]),
        ("- a\n  ```\n  @y.md\n  ```\n@b.md", ["b.md"]),
        ("- a\n\nx\n\n    @y.md\n\n@b.md", ["b.md"]),
        ("**@a.md** _@b.md_ @c_d.md", ["a.md", "b.md", "c_d.md"]),
        ("*x *@a.md", []),
        ("x * @a.md*", ["a.md*"]),
        ("foo*bar @a.md*", ["a.md"]),
        ("*@a.md*bar", ["a.md"]),
        ("*@a.md!* x", ["a.md!"]),
        ("*@a.md!*x", []),
        ("x_@a.md_", []),
        ("foo_bar @a.md_", ["a.md_"]),
        ("_@a.md_bar", []),
        ("(_@a.md_)", ["a.md"]),
        ("x a*@b.md*", []),
        ("*@a.md!*x y", []),
        ("x _ @a.md_", ["a.md_"]),
        ("_@a.md _ b", []),
        (r"[text](@a.md) \@b.md", []),
        ("| @a.md | b |\n|---|---|", ["a.md"]),
        ("@a.md @a.md", ["a.md", "a.md"]),
        ("~~@a.md~~ ~~ @b.md", ["b.md"]),
        ("[@a.md] x [@b.md](u) ![@c.md](u) [ @d.md ]", ["b.md", "d.md"]),
        ("[x @a.md] [y @b.md ]\n\n[x @a.md]: u", ["a.md", "b.md"]),
        ("[a]: @b.md\n[^1]: @c.md\n@d.md", ["d.md"]),
        ("    @a.md\n\n-     @b.md\n\n-    @c.md", ["c.md"]),
        ("- a\n\n\t@b.md", ["b.md"]),
        ("`a`@b.md \\*@c.md @d.md[x](y)", ["b.md", "c.md", "d.md"]),
        ("```a`b\n@c.md", ["c.md"]),
        ("> ```\n@a.md", ["a.md"]),
        ("- ```\n@a.md", ["a.md"]),
        ("<b> @a.md\n\n<b>\n@b.md\n\nx\n<b>\n@c.md", ["a.md", "c.md"]),
        ("<style>\n\n@a.md\n</style>\n@b.md", ["b.md"]),
        ("<?x?> @a.md\n\n<?x\n@b.md\n?>\n@c.md", ["a.md", "c.md"]),
        ("x\ufeff@a.md", ["a.md"]),
        ("@ @/ @~ @~/ @. @./", []),
        ("x\n\n   - @a.md", ["a.md"]),
        ("x\n\n    - @a.md", []),
        ("- a\n\n     - @b.md", ["b.md"]),
        ("- a\n\n      - @b.md", []),
        ("-\n\n      @b.md", []),
        ("- a\n\n  b\n\n    @c.md", ["c.md"]),  # two blanks belong to the item
        ("- a\n\n b\n\n    @c.md", []),
        ("1. a\n\n  b\n\n    @c.md", []),
        ("1. a\n  b\n\n    @c.md", ["c.md"]),
        ("| a | b |\n|---|---|\n| @c.md |@d.md |", ["c.md"]),
        ("x\n---\n    @c.md", []),
        ("x\n<div>\n@c.md\n\n@d.md", ["d.md"]),
        ("x\n <div>\n@c.md", ["c.md"]),
        ("1. a\n\n b\n\n    @c.md", []),
        ("text <!-- @a.md --> @b.md", ["b.md"]),
        ("text <!-- @a.md -->@b.md <!-- @c.md -->", ["b.md"]),
        ("text <!-- @a.md @b.md", ["a.md", "b.md"]),
        ("text --> @a.md <!-- @b.md", ["a.md", "b.md"]),
        ("|@a.md", []),
        ("|@a.md|", []),
        ("x|@a.md|@b.md|", []),
        ("|x|y|\nz|@a.md", []),
        ("```\n~~~\n@a.md\n```\n@b.md", ["b.md"]),
        ("```\n    ```\n@a.md", []),
        ("```\n``` x\n@a.md", []),
        ("```\n `````  \n@a.md", ["a.md"]),
    ],
)
def test_tokens(text: str, paths: list[str]) -> None:
    assert import_tokens(text) == paths


@pytest.mark.parametrize("first", list("azAZ09._-"))
def test_how_a_path_begins(first: str) -> None:
    assert import_tokens(f"@{first}x.md") == [f"{first}x.md"]


@pytest.mark.parametrize("first", list("!\"$%&'()+,:;=>?@]^{|}éπ名😀"))
def test_another_first_character_needs_a_folder_before_it(first: str) -> None:
    assert import_tokens(f"@{first}x.md") == []
    assert import_tokens(f"@./{first}x.md") == [f"./{first}x.md"]


@pytest.mark.parametrize(
    "name", ["a.md", "a.MD", "Makefile", ".env", ".mdx", "a.tar.md", "b.mdx/README", "x.d.ts", "a.R"]
)
def test_what_may_be_imported(name: str) -> None:
    assert is_importable(f"/r/{name}")


@pytest.mark.parametrize(
    "name", ["a.mdx", "a.mdc", "a.markdown", "a.svg", "a.jsonl", "a.tf", "a.", ".env.local", "a.md~"]
)
def test_what_may_not_be_imported(name: str) -> None:
    assert not is_importable(f"/r/{name}")


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=400))
def test_never_raises(text: str) -> None:
    assert all(path for path in import_tokens(text))


@given(st.text(alphabet="@a./\\ \n\t`~*_<>!-[]()|#\x00\x1f", max_size=200))
def test_never_raises_on_markup(text: str) -> None:
    for path in import_tokens(text):
        assert "\x00" not in path
        assert "#" not in path


@pytest.mark.parametrize("part", ["`a ", "<!-- ", "*a ", "[", "_a@b ", "``` ", "> ", "- "])
def test_hostile_text_is_read_in_linear_time(part: str) -> None:
    assert import_tokens(part * 20_000 + " @x") in ([], ["x"])


def test_runs_of_backticks_of_all_lengths_are_read_in_linear_time() -> None:
    runs = "".join("`" * length + " @x " for length in range(1, 340))
    assert len(import_tokens(runs)) == 339


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(st.integers(0, 6), st.lists(st.integers(0, 6), max_size=4), max_size=7))
def test_each_file_once_and_four_levels_deep(
    tmp_path_factory: pytest.TempPathFactory, graph: dict[int, list[int]]
) -> None:
    root = tmp_path_factory.mktemp("graph").resolve()
    (root / "CLAUDE.md").write_text("start @f0.md @f1.md")
    for node in range(7):
        targets = " ".join(f"@f{target}.md" for target in graph.get(node, ()))
        (root / f"f{node}.md").write_text(f"file {node} {targets}")
    workspace = Workspace()
    scenario = {"agent": "claude-code", "workspace": str(root), "home": str(root / "home"), "env": {}}
    _, inputs = resolve(Scenario.model_validate(scenario), workspace)
    files = gather(inputs, workspace).materials.instructions
    paths = [file.shown for file in files]
    assert len(paths) == len(set(paths))
    assert max(file.depth for file in files) <= 4
    assert paths[0].endswith("CLAUDE.md")


@pytest.mark.parametrize(("links", "loaded"), [(1, 1), (3, 3), (4, 4), (5, 4), (6, 4)])
def test_imports_are_followed_four_levels_deep(project: Project, links: int, loaded: int) -> None:
    project.write({"workspace/CLAUDE.md": "@1.md", f"workspace/{links}.md": "the last"})
    project.write({f"workspace/{number}.md": f"{number} @{number + 1}.md" for number in range(1, links)})
    assert project.loaded() == ["workspace/CLAUDE.md", *(f"workspace/{number}.md" for number in range(1, loaded + 1))]
    if loaded < links:
        row = project.file(f"workspace/{loaded + 1}.md")
        assert row.why.text == "absent: imports are followed 4 levels deep"
