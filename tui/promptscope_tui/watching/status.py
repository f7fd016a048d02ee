"""How changes are noticed, in data and in words."""

from typing import Literal

from msgspec import Struct

Why = Literal["limit", "failure", "unreadable", "shared"]
"""Why something is checked every second: a limit of the system is reached, watching failed, you can't list the folder,
or other machines can change it too."""


class Polled(Struct, frozen=True):
    """What is checked every second, for one reason.

    `places` counts the paths that were asked for, `files` those that exist as files. `about` is the sysctl that raises
    the limit (`fs.inotify.max_user_watches=524288`), what failed, or a folder.
    """

    why: Why
    files: int
    places: int
    about: str


class WatchStatus(Struct, frozen=True):
    """How changes are noticed: `live`, `polling` (no folder is watched) or `off` (reload by hand).

    `places` counts the paths that were asked for, `files` those that exist as files, `folders` what is watched for
    them. `polled` is what is checked every second, `failure` why it is off.
    """

    state: Literal["live", "polling", "off"]
    files: int
    places: int
    folders: int = 0
    polled: tuple[Polled, ...] = ()
    failure: str = ""

    @property
    def problems(self) -> frozenset[str]:
        """Why not everything is watched; a status with others is worth a note."""
        return frozenset({self.failure} - {""}).union(f"{each.why}: {each.about}" for each in self.polled)

    @property
    def forms(self) -> tuple[str, ...]:
        """What is watched, what is polled and what to do about it: in full, then shorter and shorter."""
        if not self.polled:
            watched = f"{self.files:,} watched" if self.files else f"no files yet, watching {self.places:,} paths"
            return f"live, {watched}", "live"
        files = sum(each.files for each in self.polled)
        polled = f"{files:,} polled" if files else f"{sum(each.places for each in self.polled):,} paths polled"
        watched = f"{self.files - files:,} watched" if self.files else "no files yet"
        full = polled if files and files == self.files else f"live, {watched}, {polled}"
        advice, *hints = _advice(self.polled[0])
        return f"{full}: {advice}", *(f"{polled}: {hint}" for hint in hints), polled

    @property
    def detail(self) -> str:
        """The same in sentences, with the command that raises a limit."""
        if self.state == "off":
            return f"not watching: {self.failure}"
        if not self.polled:
            nothing_yet = f"{self.places - self.files:,} paths where one may appear"
            return f"watching {self.files:,} files, and {nothing_yet}, in {self.folders:,} folders"
        return "; ".join(map(self._checked, reversed(self.polled)))  # a command is best copied from the end

    def _checked(self, part: Polled) -> str:
        what = f"{part.files:,} of {self.files:,} files" if part.files else f"{part.places:,} of {self.places:,} paths"
        return f"checking {what} every second, because {_REASONS[part.why].format(part.about)}"


def _advice(part: Polled) -> tuple[str, ...]:
    if part.why == "limit":
        name = part.about.partition("=")[0]
        return f"raise {name}", f"raise {name.rpartition('.')[2]}", "inotify limit"
    return _ADVICE[part.why]


_ADVICE = {
    "failure": ("watching failed", "failed"),
    "unreadable": ("unreadable folder", "unreadable"),
    "shared": ("network folder", "network"),
}

_REASONS = {
    "limit": "a limit of the system is reached. To raise it: sudo sysctl {}",
    "failure": "watching failed ({})",
    "unreadable": "you can't list {}",
    "shared": "other machines can change what is in {}",
}
