"""Which shells Roo accepts, and the language it passes to the prompt."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.roo.gather.gather import ALLOWED_SHELLS, language_code

EVERYWHERE = {"bash", "zsh"}
OF_THE_SYSTEM = {"sh", "dash", "ash", "csh", "ksh", "ksh93", "mksh", "pdksh", "busybox"}
INSTALLED = {"elvish", "xonsh", "nu", "nushell", "ion"}


@pytest.mark.parametrize(
    ("folder", "names"),
    [
        ("/bin", EVERYWHERE | OF_THE_SYSTEM | {"tcsh"}),
        ("/usr/bin", EVERYWHERE | OF_THE_SYSTEM | INSTALLED | {"tcsh", "fish"}),
        ("/usr/local/bin", EVERYWHERE | INSTALLED | {"tcsh", "fish"}),
        ("/opt/homebrew/bin", EVERYWHERE | {"fish"}),
        ("/opt/local/bin", EVERYWHERE | {"fish"}),
        (r"C:\Program Files\PowerShell\7", {"pwsh.exe"}),
        (r"C:\Program Files\PowerShell\6", {"pwsh.exe"}),
        (r"C:\Program Files\PowerShell\5", {"pwsh.exe"}),
    ],
)
def test_the_shells_of_a_folder(folder: str, names: set[str]) -> None:
    sign = "\\" if "\\" in folder else "/"
    assert {path.rpartition(sign)[2] for path in ALLOWED_SHELLS if path.rpartition(sign)[0] == folder} == names


def test_no_other_shell_is_accepted() -> None:
    assert len([path for path in ALLOWED_SHELLS if path.startswith("/")]) == 12 + 18 + 9 + 3 + 3
    assert len([path for path in ALLOWED_SHELLS if path.startswith("C:")]) == 15


@pytest.mark.parametrize(
    ("locale", "code"),
    [("de", "de"), ("pt-br", "pt-BR"), ("zh-CN", "zh-CN"), ("", "en"), ("tlh", "en"), ("de-at", "en")],
)
def test_the_editors_language_counts_where_none_is_given(locale: str, code: str) -> None:
    assert language_code(None, locale) == code
    assert language_code("", locale) == ""
