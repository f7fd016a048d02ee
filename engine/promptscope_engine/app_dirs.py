"""The folders that are promptscope's own on this machine, as the platform has them."""

import os
import sys
from pathlib import Path
from typing import Literal

Use = Literal["cache", "config", "state"]

_XDG: dict[Use, str] = {"cache": ".cache", "config": ".config", "state": ".local/state"}


def own_folder(use: Use) -> Path:
    """The folder that `PROMPTSCOPE_CACHE`, `_CONFIG` or `_STATE` names, else the user's own for this use.

    It is relative where no home is known.

    platformdirs knows every platform, and takes 6 to 15 ms to import, since it brings tempfile along. On Linux, where
    no variable says otherwise, it has nothing to find out. macOS and Windows have one folder for settings and state:
    the state gets one of its own in it.
    """
    if named := os.environ.get(f"PROMPTSCOPE_{use.upper()}"):
        return Path(named)
    home = os.environ.get("HOME", "")
    moved = f"XDG_{use.upper()}_HOME" in os.environ or "ANDROID_ROOT" in os.environ
    if sys.platform == "linux" and home.startswith("/") and not moved:
        return Path(home, _XDG[use], "promptscope")
    import platformdirs

    dirs = platformdirs.PlatformDirs("promptscope", appauthor=False)
    path: Path = getattr(dirs, f"user_{use}_path")
    return path / "state" if use == "state" and path == dirs.user_config_path else path
