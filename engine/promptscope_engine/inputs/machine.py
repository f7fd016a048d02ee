"""The machine's facts, where a scenario does not give them. The only place that asks the machine."""

import os
import platform
import re
from collections.abc import Callable, Mapping
from datetime import tzinfo
from pathlib import Path

from promptscope_engine.workspace.paths import folders_of

from .scenario import Environment

try:
    import pwd
except ImportError:  # POSIX only
    pwd = None  # type: ignore[assignment]

# os-name's table: Darwin's major release to the marketing name, as the agents print it.
_MACOS = {
    25: "Tahoe", 24: "Sequoia", 23: "Sonoma", 22: "Ventura", 21: "Monterey", 20: "Big Sur",
    19: "Catalina", 18: "Mojave",
}  # fmt: skip
_ZONE = r"UTC|GMT|(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)/[\w+/-]+"
_ARCH = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "i386": "ia32", "i686": "ia32"}


def read_machine(given: Environment, env: Mapping[str, str]) -> Environment:
    """The environment with every absent fact read from the machine; `env` is the process environment to consult."""
    system = platform.system()
    release = platform.release()
    read: dict[str, Callable[[], str | None]] = {
        "os_name": lambda: _os_name(system, release),
        "os_type": lambda: "Windows_NT" if system == "Windows" else system,
        "os_version": lambda: release,
        "platform": lambda: {"Darwin": "darwin", "Windows": "win32"}.get(system, system.lower()),
        "arch": lambda: _ARCH.get(platform.machine().lower(), platform.machine().lower()),
        "shell": lambda: _login_shell(env),
        "hostname": platform.node,
        "timezone": lambda: _timezone(env),
        "date": lambda: given.read_at,
        "username": lambda: env.get("USER") or env.get("LOGNAME") or env.get("USERNAME") or _account(),
        "language": lambda: _language(env),
    }
    missing = {name: fact() for name, fact in read.items() if getattr(given, name) is None}
    return given.model_copy(update=missing)


def search_path(env: Mapping[str, str]) -> tuple[str, ...]:
    """The folders in which programs are looked for: of `env`, or the machine's where it names none."""
    return folders_of(env.get("PATH") or os.environ.get("PATH", ""))


def time_zone(name: str) -> str | None:
    """The name if it is a time zone's, in any case as JavaScript takes it; else None."""
    from zoneinfo import ZoneInfo, available_timezones  # 8 ms, for importlib.resources

    try:
        ZoneInfo(name)
    except (OSError, ValueError, LookupError):
        known = available_timezones()
        # a machine without the database cannot tell: then the form decides
        fits = name.lower() in {zone.lower() for zone in known} if known else bool(re.fullmatch(_ZONE, name))
        return name if fits else None
    return name


def zone_of(name: str | None) -> tzinfo | None:
    """The time zone of a name, which may begin with a colon; None for one that is not known."""
    if not name:
        return None
    from zoneinfo import ZoneInfo  # 8 ms

    try:
        return ZoneInfo(name.removeprefix(":"))
    except (OSError, ValueError, LookupError):
        return None


def _os_name(system: str, release: str) -> str:
    """`Linux 6.1`, `macOS Sonoma`, `Windows 11`: the form of the npm package os-name."""
    parts = release.split(".")
    if system == "Darwin" and parts[0].isdigit():
        return f"macOS {_MACOS.get(int(parts[0]), '')}".strip()
    if system == "Linux":
        return f"Linux {'.'.join(parts[:2])}"
    return f"{system} {release}"


def _account() -> str | None:
    """The account that this runs under."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name if pwd else None
    except KeyError:
        return None


def _login_shell(env: Mapping[str, str]) -> str | None:
    if pwd is None:
        return env.get("COMSPEC")
    try:
        return pwd.getpwuid(os.getuid()).pw_shell or env.get("SHELL")
    except KeyError:
        return env.get("SHELL")


def _timezone(env: Mapping[str, str]) -> str:
    if env.get("TZ"):
        return env["TZ"].removeprefix(":")
    try:
        target = str(Path("/etc/localtime").readlink())
    except OSError:
        return "UTC"
    return target.partition("zoneinfo/")[2].removeprefix("posix/") or "UTC"


def _language(env: Mapping[str, str]) -> str:
    """The editor follows the locale: `pt_BR.UTF-8` becomes `pt-br`; C and POSIX are English."""
    locale = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    code = locale.partition(".")[0].partition("@")[0].replace("_", "-").lower()
    return "en" if code in ("", "c", "posix") or code.startswith("en-") else code
