"""Models by the names that a person gives, dates in the user's language, and the switches of the sections."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.agents.gemini.conftest import (
    Project,
)

from promptscope_engine.agents.gemini.texts import long_date, resolve_model, writer


@pytest.mark.parametrize(
    "case",
    [
        ("auto", "flash", False, "gemini-3.8-flash", "modern", "gemini-3"),
        ("auto", "flash", True, "gemini-3.1-pro-preview-customtools", "modern", "gemini-3"),
        ("auto-gemini-3", "pro", False, "gemini-3.1-pro-preview-customtools", "modern", "gemini-3"),
        ("auto-gemini-2.5", "flash", False, "gemini-3.8-flash", "legacy", "gemini-3"),
        ("pro", "flash", False, "gemini-3.1-pro-preview", "modern", "gemini-3"),
        ("flash-lite", "flash", False, "gemini-3.5-flash-lite", "modern", "gemini-3"),
        ("gemini-3-flash-preview", "pro", True, "gemini-3-flash-preview", "modern", "gemini-3"),
        ("gemini-2.5-flash", "pro", False, "gemini-2.5-flash", "legacy", "default-legacy"),
        ("my-model", "flash", False, "my-model", "modern", "default-legacy"),
    ],
)
def test_models(case: tuple[str, Any, bool, str, str, str]) -> None:
    configured, routed, plan, wire, variant, family = case
    model = resolve_model(configured, routed, plan=plan)
    assert (model.name, model.variant, model.family) == (wire, variant, family)


@pytest.mark.parametrize(
    ("moment", "zone", "locale", "text"),
    [
        ("2026-11-20", "UTC", "en-US", "Friday, November 20, 2026"),
        ("2026-11-20", "UTC", "en-GB", "Friday, 20 November 2026"),
        ("2026-11-20", "UTC", "de-DE", "Freitag, 20. November 2026"),
        ("2026-11-20", "UTC", "zh-CN", "2026年11月20日星期五"),
        ("2026-11-20T23:30:00+00:00", "Asia/Tokyo", "en", "Saturday, November 21, 2026"),
        ("2026-11-20", None, "tlh", "Friday, November 20, 2026"),
        ("2026-11-20", "America/New_York", "en", "Friday, November 20, 2026"),  # a day is that day everywhere
        ("2026-11-20T23:30:00+00:00", None, "en", "Friday, November 20, 2026"),
        ("2026-11-20T23:30:00+00:00", "no/zone", "en", "Friday, November 20, 2026"),
        ("2026-12-31", "UTC", "fr", "jeudi 31 décembre 2026"),
        ("2026-01-05", "UTC", "ja-JP", "2026年1月5日月曜日"),
        ("2026-11-20", "UTC", "zh-Hant", "2026年11月20日 星期五"),
        ("2026-11-20", "UTC", "zh-Hant-TW", "2026年11月20日 星期五"),
        ("2026-11-20", "UTC", "zh-Hans-CN", "2026年11月20日星期五"),
        ("2026-11-20", "UTC", "zh-HK", "2026年11月20日星期五"),
        ("2026-11-20", "UTC", "no-NO", "fredag 20. november 2026"),
        ("2026-11-20", "UTC", "en_AU.UTF-8", "Friday, 20 November 2026"),
        ("2026-11-20", "UTC", "en-CA", "Friday, November 20, 2026"),
        ("2026-11-20", "UTC", "de_AT.UTF-8", "Freitag, 20. November 2026"),
    ],
)
def test_dates(moment: str, zone: str | None, locale: str, text: str) -> None:
    assert long_date(moment, zone, locale) == text


@pytest.mark.parametrize(
    ("locale", "is_known"),
    [
        (None, True),
        ("", True),
        ("C", True),
        ("C.UTF-8", True),
        ("POSIX", True),
        ("en", True),
        ("sv", True),
        ("tlh", False),
    ],
)
def test_which_locales_are_known(locale: str | None, is_known: bool) -> None:
    assert (writer(locale) is not None) is is_known


@pytest.mark.slow
def test_every_switch_of_a_section_takes_it_away(project: Project) -> None:
    project.write({"workspace/.git/HEAD": "x"})
    names = [
        "PREAMBLE",
        "COREMANDATES",
        "AGENTCONTEXTS",
        "AGENTSKILLS",
        "HOOKCONTEXT",
        "PRIMARYWORKFLOWS",
        "OPERATIONALGUIDELINES",
        "GIT",
    ]
    off = {f"GEMINI_PROMPT_{name}": " False " for name in names}
    assert project.assemble(env=off).request.system[0]["text"] == ""
