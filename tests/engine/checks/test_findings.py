"""The rules, as docs/check.md tells about them."""

from __future__ import annotations

from pathlib import Path

from promptscope_engine.checks.findings import RULES, rule_of

CODES = ("agent-refuses", "bad-frontmatter", "external-import", "import-failed", "large-file", "modes-invalid")


def test_the_documents_have_the_table_of_rules() -> None:
    document = (Path(__file__).parents[3] / "docs" / "check.md").read_text(encoding="utf-8")
    head = "| rule | level | what it finds |\n|---|---|---|\n"
    rows = (f"| `{r.id}` | {r.level}{', off' if r.advice else ''} | {r.text} |\n" for r in RULES.values())
    table = document.partition("a test compares -->\n")[2].partition("<!-- /rules -->")[0]
    assert table == head + "".join(rows)


def test_diagnostics_belong_to_rules_that_exist() -> None:
    assert {rule_of(code) for code in CODES} <= set(RULES)
    assert None not in {rule_of(code) for code in CODES}
    assert rule_of("of-another-kind") is None
