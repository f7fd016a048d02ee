"""The rows of files that were read, and of those that do not count."""

from __future__ import annotations

from promptscope_engine.agents.kit.rows import absent, file_row
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.model import Limit
from promptscope_engine.workspace import FileText

FILE = FileText.of("/w/a.md", "/real/a.md", "héé".encode(), 5)


def test_the_row_of_a_file_has_its_paths_and_sizes() -> None:
    row = file_row(FILE, "rules", "always", ALWAYS, "hé")
    assert (row.path, row.real_path, row.bytes, row.raw_chars, row.injected) == ("/w/a.md", "/real/a.md", 5, 3, "hé")
    assert (row.truncated, row.limits, row.imported_by) == (False, (), None)


def test_a_limit_cuts_a_file_unless_it_is_said_that_none_did() -> None:
    limits = (Limit("bytes", 1, 5),)
    assert file_row(FILE, "rules", "always", ALWAYS, limits=limits).truncated
    assert not file_row(FILE, "rules", "always", ALWAYS, limits=limits, truncated=False).truncated


def test_a_row_may_be_shown_under_another_path_and_counted_otherwise() -> None:
    row = file_row(FILE, "rules", "import", ALWAYS, shown="a.md", imported_by="/w/b.md", chars=0)
    assert (row.path, row.imported_by, row.raw_chars) == ("a.md", "/w/b.md", 0)


def test_an_absent_file_says_why_and_what_to_do() -> None:
    found = absent("/w/a.md", "it is blank", "write something into it")
    assert (found.ok, found.no, found.remedy) == (False, "it is blank", "write something into it")
