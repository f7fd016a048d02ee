"""The date as `toLocaleDateString` writes it with weekday and month in words (specs/gemini.md 4)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from zoneinfo import ZoneInfo

from promptscope_engine.frozen import frozen


@frozen
class _Language:
    """The names of weekdays (Monday first) and months, and how a date is put together of them.

    In `form` stand {weekday}, {day}, {month} (its name), {number} (of the month) and {year}.
    """

    weekdays: str
    months: str
    form: str

    def write(self, day: date) -> str:
        return self.form.format(
            weekday=self.weekdays.split()[day.weekday()],
            month=self.months.split()[day.month - 1] if self.months else "",
            day=day.day,
            number=day.month,
            year=day.year,
        )


_EN_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_EN_MONTHS = "January February March April May June July August September October November December"
_ZH_DAYS = "星期一 星期二 星期三 星期四 星期五 星期六 星期日"

_LANGUAGES = {
    "en-US": _Language(_EN_DAYS, _EN_MONTHS, "{weekday}, {month} {day}, {year}"),
    "en": _Language(_EN_DAYS, _EN_MONTHS, "{weekday}, {day} {month} {year}"),
    "de": _Language(
        "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "{weekday}, {day}. {month} {year}",
    ),
    "fr": _Language(
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "{weekday} {day} {month} {year}",
    ),
    "es": _Language(
        "lunes martes miércoles jueves viernes sábado domingo",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "{weekday}, {day} de {month} de {year}",
    ),
    "it": _Language(
        "lunedì martedì mercoledì giovedì venerdì sabato domenica",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "{weekday} {day} {month} {year}",
    ),
    "pt": _Language(
        "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "{weekday}, {day} de {month} de {year}",
    ),
    "nl": _Language(
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "{weekday} {day} {month} {year}",
    ),
    "pl": _Language(
        "poniedziałek wtorek środa czwartek piątek sobota niedziela",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
        "{weekday}, {day} {month} {year}",
    ),
    "ru": _Language(
        "понедельник вторник среда четверг пятница суббота воскресенье",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "{weekday}, {day} {month} {year} г.",
    ),
    "cs": _Language(
        "pondělí úterý středa čtvrtek pátek sobota neděle",
        "ledna února března dubna května června července srpna září října listopadu prosince",
        "{weekday} {day}. {month} {year}",
    ),
    "sv": _Language(
        "måndag tisdag onsdag torsdag fredag lördag söndag",
        "januari februari mars april maj juni juli augusti september oktober november december",
        "{weekday} {day} {month} {year}",
    ),
    "da": _Language(
        "mandag tirsdag onsdag torsdag fredag lørdag søndag",
        "januar februar marts april maj juni juli august september oktober november december",
        "{weekday} den {day}. {month} {year}",
    ),
    "nb": _Language(
        "mandag tirsdag onsdag torsdag fredag lørdag søndag",
        "januar februar mars april mai juni juli august september oktober november desember",
        "{weekday} {day}. {month} {year}",
    ),
    "fi": _Language(
        "maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta "
        "marraskuuta joulukuuta",
        "{weekday} {day}. {month} {year}",
    ),
    "tr": _Language(
        "Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi Pazar",
        "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
        "{day} {month} {year} {weekday}",
    ),
    "ja": _Language("月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日", "", "{year}年{number}月{day}日{weekday}"),
    "ko": _Language("월요일 화요일 수요일 목요일 금요일 토요일 일요일", "", "{year}년 {number}월 {day}일 {weekday}"),
    "zh": _Language(_ZH_DAYS, "", "{year}年{number}月{day}日{weekday}"),
    "zh-TW": _Language(_ZH_DAYS, "", "{year}年{number}月{day}日 {weekday}"),
}
_SAME = {"no": "nb", "nn": "nb", "zh-HK": "zh", "zh-Hant": "zh-TW", "en-CA": "en-US", "en-PH": "en-US"}
DEFAULT = "en-US"


def local_day(moment: str, zone: str | None) -> date:
    """The day of an ISO 8601 moment in a time zone. A day without a time is that day everywhere."""
    at = datetime.fromisoformat(moment)
    if at.tzinfo is None or zone is None:
        return at.date()
    try:
        return at.astimezone(ZoneInfo(zone)).date()
    except (OSError, ValueError, LookupError, OverflowError):
        return at.date()


def writer(locale: str | None) -> Callable[[date], str] | None:
    """How a locale writes a day; None for one that is not known here."""
    parts = (locale or "").replace("_", "-").split(".")[0].split("-")
    language, rest = parts[0].lower(), parts[1:]
    region = next((part.upper() for part in rest if len(part) == 2), "")
    script = next((part.title() for part in rest if len(part) == 4), "")
    if language in ("", "c", "posix") or (language == "en" and not region):
        return _LANGUAGES[DEFAULT].write
    for name in (f"{language}-{region}", f"{language}-{script}", language):
        found = _LANGUAGES.get(_SAME.get(name, name))
        if found:
            return found.write
    return None


def long_date(moment: str, zone: str | None, locale: str | None) -> str:
    """The day in words, in American English where the locale is not known."""
    write = writer(locale) or _LANGUAGES[DEFAULT].write
    return write(local_day(moment, zone))
