"""Databases that are read in memory, a stranger's among them."""

from __future__ import annotations

import sqlite3

import pytest

from promptscope_engine.formats.sqlite import HEAD, DatabaseError, rows


def database() -> bytes:
    made = sqlite3.connect(":memory:")
    made.execute("CREATE TABLE word (text)")
    made.executemany("INSERT INTO word VALUES (?)", [("one",), ("two",)])
    made.commit()
    return bytes(made.serialize())


def test_the_rows_of_a_query() -> None:
    assert list(rows(database(), "SELECT text FROM word WHERE text > ?", "p")) == [("two",)]


def test_a_database_with_a_log_beside_it_is_read_without() -> None:
    logged = bytearray(database())
    logged[18:20] = b"\2\2"
    assert [text for (text,) in rows(bytes(logged), "SELECT text FROM word")] == ["one", "two"]


@pytest.mark.parametrize("data", [b"", HEAD, HEAD + b"\0" * 4_000, b"text"])
def test_what_is_no_database_is_an_error(data: bytes) -> None:
    with pytest.raises(DatabaseError, match="cannot be read"):
        list(rows(data, "SELECT text FROM word"))


def test_endless_work_ends() -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    with pytest.raises(DatabaseError, match="interrupted"):
        list(rows(database(), endless))
