"""Gemini CLI's sections and tools as text (agent.toml, sections/, tools/), models, and dates in the user's language.

The conditions are those that several parts share; agent.toml names them.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime
from functools import partial
from typing import Literal

from msgspec import Struct

from promptscope_engine.agents.kit.text.folder import Folder
from promptscope_engine.inputs.machine import zone_of
from promptscope_engine.prompt.conditions import Condition, Setting
from promptscope_engine.prompt.leaves import either, flag, mode_is
from promptscope_engine.prompt.model import Lever
from promptscope_engine.prompt.sourced import Sourced

TRUST = "GEMINI_CLI_TRUST_WORKSPACE"
RESTRICTED = "GEMINI_RESTRICTED_MODE"
TRUSTED_FOLDERS = "GEMINI_CLI_TRUSTED_FOLDERS_PATH"
MODEL = "GEMINI_MODEL"
SYSTEM_MD = "GEMINI_SYSTEM_MD"
HOME = "GEMINI_CLI_HOME"
SANDBOX = "SANDBOX"
SYSTEM_SETTINGS = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"
SYSTEM_DEFAULTS = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"
SEATBELT = "sandbox-exec"

OFF_WORDS = ("0", "false")
"""What switches a section off, or the override file; any case, white space around it."""
ON_WORDS = ("1", "true")


def home_folder(env: Mapping[str, str], home: str) -> str:
    """The home folder: the user's, or GEMINI_CLI_HOME."""
    return (env.get(HOME) or home).rstrip("/") or "/"


HEADLESS: Condition = flag("args.print", yes="the session is headless", no="the session is interactive")
INTERACTIVE: Condition = ~HEADLESS


def approval(*slugs: str, trusted: Condition) -> Condition:
    """One of these approval modes, of which none is the usual one: all of them take a trusted folder."""
    return mode_is(*slugs) & trusted


def section_switch(variable: Sourced[str]) -> Condition:
    """No `GEMINI_PROMPT_…` leaves the section out."""
    name, overlay = variable.source.key.removeprefix("env."), variable.source.overlay
    off = variable.value.strip().lower() in OFF_WORDS
    yes, no = f"`{name}` does not leave it out", f"`{name}` leaves it out"
    on, switch = (Lever(overlay, "1"), Lever(overlay, "0")) if overlay else (None, None)
    return Setting(variable.source, "0" if off else "1", "in", ("1",), yes, no, on=on, off=switch)


def sandbox_gates(variable: Sourced[str]) -> dict[str, Condition]:
    """The client runs in a sandbox; it is that of macOS."""
    overlay = variable.source.overlay
    named = f"`{SANDBOX}` is {{actual}}"
    any_one = Setting(
        variable.source, variable.value, "given", True, named, f"`{SANDBOX}` is not set",
        on=Lever(overlay, "docker") if overlay else None, off=Lever(overlay, "") if overlay else None,
    )  # fmt: skip
    seatbelt = Setting(
        variable.source, variable.value, "is", SEATBELT, *either(named, (SEATBELT,)),
        on=Lever(overlay, SEATBELT) if overlay else None, off=Lever(overlay, "docker") if overlay else None,
    )  # fmt: skip
    return {"sandboxed": any_one, "seatbelt": seatbelt}


_WORDS = frozenset({"tool", "switch"})
FOLDER = Folder.of(__file__, {"print": HEADLESS}, words=_WORDS)


Variant = Literal["modern", "legacy"]
Family = Literal["gemini-3", "default-legacy"]
Routed = Literal["flash", "pro"]

AUTO = "auto"
LOGINS = ("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "GEMINI_API_KEY")
"""Variables that are a login where no setting chooses one."""
ALIASES = {
    "pro": "gemini-3.1-pro-preview",
    "none": "gemini-3.5-flash-lite",
    "gemini-3-pro-preview": "gemini-3.1-pro-preview",
    "flash": "gemini-3.8-flash",
    "gemini-3.5-flash": "gemini-3.8-flash",
    "flash-lite": "gemini-3.5-flash-lite",
    "gemini-3.1-flash-lite": "gemini-3.5-flash-lite",
}
"""Names that are replaced on the wire; every other name is sent unchanged."""
ROUTERS: Mapping[str, Mapping[Routed, str]] = {
    "auto": {"flash": "gemini-3.8-flash", "pro": "gemini-3.1-pro-preview-customtools"},
    "auto-gemini-3": {"flash": "gemini-3.8-flash", "pro": "gemini-3.1-pro-preview-customtools"},
    "auto-gemini-2.5": {"flash": "gemini-3.8-flash", "pro": "gemini-2.5-pro"},
}
"""Names for which a small model is asked first which model is to answer."""

_GEMINI_3 = re.compile(r"gemini-3(?:[.-]|\Z)")


_PREVIEW = re.compile(r"gemini-3.*-pro-preview")


class Model(Struct, frozen=True):
    """The model as configured, and as it is named on the wire.

    `previews` is whether preview models are known to be allowed when the prompt is made. A headless session of which no
    setting chooses the login finds it too late: asked of the client.
    """

    configured: str
    name: str
    previews: bool = True

    @property
    def variant(self) -> Variant:
        """The prompt follows the configured name: the 2.5 family has the older one, `auto-gemini-2.5` too."""
        resolved = ROUTERS[self.configured]["pro"] if self.configured in ROUTERS else self.configured
        resolved = ALIASES.get(resolved, resolved)
        if not self.previews and _PREVIEW.match(resolved):
            return "legacy"
        return "modern" if _GEMINI_3.match(resolved) or not resolved.startswith("gemini-") else "legacy"

    @property
    def family(self) -> Family:
        """The tools follow the name on the wire: `auto-gemini-2.5` has the newer ones."""
        return "gemini-3" if _GEMINI_3.match(self.name) else "default-legacy"


def resolve_model(configured: str, routed: Routed, *, plan: bool, previews: bool = True) -> Model:
    """The model behind a configured name. The router's answer is imagined; plan mode always takes the larger one."""
    if configured in ROUTERS:
        return Model(configured, ROUTERS[configured]["pro" if plan else routed], previews)
    return Model(configured, ALIASES.get(configured, configured), previews)


DEFAULT_LANGUAGE = "en-US"


def local_day(moment: str, zone: str | None) -> date:
    """The day of an ISO 8601 moment in a time zone. A day without a time is that day everywhere."""
    at, place = datetime.fromisoformat(moment), zone_of(zone)
    with suppress(OverflowError):
        return at.astimezone(place).date() if at.tzinfo and place else at.date()
    return at.date()


_LANGUAGES: Mapping[str, Mapping[str, str]] = {
    "en-US": {
        "weekdays": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
        "months": "January February March April May June July August September October November December",
        "form": "{weekday}, {month} {day}, {year}",
    },
    "en": {
        "weekdays": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
        "months": "January February March April May June July August September October November December",
        "form": "{weekday}, {day} {month} {year}",
    },
    "de": {
        "weekdays": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
        "months": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "form": "{weekday}, {day}. {month} {year}",
    },
    "fr": {
        "weekdays": "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "months": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "form": "{weekday} {day} {month} {year}",
    },
    "es": {
        "weekdays": "lunes martes miércoles jueves viernes sábado domingo",
        "months": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "form": "{weekday}, {day} de {month} de {year}",
    },
    "it": {
        "weekdays": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
        "months": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "form": "{weekday} {day} {month} {year}",
    },
    "pt": {
        "weekdays": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
        "months": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "form": "{weekday}, {day} de {month} de {year}",
    },
    "nl": {
        "weekdays": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        "months": "januari februari maart april mei juni juli augustus september oktober november december",
        "form": "{weekday} {day} {month} {year}",
    },
    "pl": {
        "weekdays": "poniedziałek wtorek środa czwartek piątek sobota niedziela",
        "months": (
            "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"
        ),
        "form": "{weekday}, {day} {month} {year}",
    },
    "ru": {
        "weekdays": "понедельник вторник среда четверг пятница суббота воскресенье",
        "months": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "form": "{weekday}, {day} {month} {year} г.",
    },
    "cs": {
        "weekdays": "pondělí úterý středa čtvrtek pátek sobota neděle",
        "months": "ledna února března dubna května června července srpna září října listopadu prosince",
        "form": "{weekday} {day}. {month} {year}",
    },
    "sv": {
        "weekdays": "måndag tisdag onsdag torsdag fredag lördag söndag",
        "months": "januari februari mars april maj juni juli augusti september oktober november december",
        "form": "{weekday} {day} {month} {year}",
    },
    "da": {
        "weekdays": "mandag tirsdag onsdag torsdag fredag lørdag søndag",
        "months": "januar februar marts april maj juni juli august september oktober november december",
        "form": "{weekday} den {day}. {month} {year}",
    },
    "nb": {
        "weekdays": "mandag tirsdag onsdag torsdag fredag lørdag søndag",
        "months": "januar februar mars april mai juni juli august september oktober november desember",
        "form": "{weekday} {day}. {month} {year}",
    },
    "fi": {
        "weekdays": "maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
        "months": (
            "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta "
            "lokakuuta marraskuuta joulukuuta"
        ),
        "form": "{weekday} {day}. {month} {year}",
    },
    "tr": {
        "weekdays": "Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi Pazar",
        "months": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
        "form": "{day} {month} {year} {weekday}",
    },
    "ja": {
        "weekdays": "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日",
        "form": "{year}年{number}月{day}日{weekday}",
    },
    "ko": {
        "weekdays": "월요일 화요일 수요일 목요일 금요일 토요일 일요일",
        "form": "{year}년 {number}월 {day}일 {weekday}",
    },
    "zh": {
        "weekdays": "星期一 星期二 星期三 星期四 星期五 星期六 星期日",
        "form": "{year}年{number}月{day}日{weekday}",
    },
    "zh-TW": {
        "weekdays": "星期一 星期二 星期三 星期四 星期五 星期六 星期日",
        "form": "{year}年{number}月{day}日 {weekday}",
    },
}
"""How `toLocaleDateString` writes a day with weekday and month in words, by locale; Monday is the first weekday."""
_SAME_LANGUAGE = {"no": "nb", "nn": "nb", "zh-HK": "zh", "zh-Hant": "zh-TW", "en-CA": "en-US", "en-PH": "en-US"}
"""Locales that write a day as another does."""
_REGION, _SCRIPT = 2, 4
"""Letters of a region (`BR`) and of a script (`Latn`) in the name of a language."""


def writer(locale: str | None) -> Callable[[date], str] | None:
    """How a locale writes a day; None for one that is not known here."""
    parts = (locale or "").replace("_", "-").split(".")[0].split("-")
    language, rest = parts[0].lower(), parts[1:]
    region = next((part.upper() for part in rest if len(part) == _REGION), "")
    script = next((part.title() for part in rest if len(part) == _SCRIPT), "")
    if language in ("", "c", "posix") or (language == "en" and not region):
        return partial(_written, DEFAULT_LANGUAGE)
    names = (_SAME_LANGUAGE.get(name, name) for name in (f"{language}-{region}", f"{language}-{script}", language))
    return next((partial(_written, name) for name in names if name in _LANGUAGES), None)


def _written(language: str, day: date) -> str:
    said = _LANGUAGES[language]
    months = said.get("months", "").split()
    return str(said["form"]).format(
        weekday=said["weekdays"].split()[day.weekday()],
        month=months[day.month - 1] if months else "",
        number=day.month,
        day=day.day,
        year=day.year,
    )


def long_date(moment: str, zone: str | None, locale: str | None) -> str:
    """The day in words, in American English where the locale is not known."""
    write = writer(locale) or partial(_written, DEFAULT_LANGUAGE)
    return write(local_day(moment, zone))
