"""What a session knows by the time of a later request: files, and skills that were invoked [asked of 2.1.332]."""

from collections.abc import Iterable, Iterator

from promptscope_engine.agents.claude_code.materials import InstructionFile, Invoked, KnownFile, Later, LazyLoaded
from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.inputs.after import After, Exchange
from promptscope_engine.workspace.paths import path_in

from .commands import invoked_skill
from .memory import memory_folder
from .prompt import read_answer
from .session import Session
from .skills import SkillGatherer

_CHARS_PER_TOKEN = 4
_FITS, _BEFORE, _MOST = 0.981, 40_000, 0.56
"""Where the service refused a request as too long: the share of its limit that is aimed at, the characters before the
first exchange, and the share of the exchanges' text that is kept at most. Right within an exchange."""
_SESSION = "00000000-0000-0000-0000-000000000000"
_SOURCES = {"user": "userSettings", "project": "projectSettings", "managed": "policySettings"}
"""How the client calls the place that a skill is from."""


def gather_later(
    session: Session,
    skills: SkillGatherer,
    loaded: Iterable[InstructionFile],
    lazy: tuple[LazyLoaded, ...],
    after: After,
) -> Later:
    """The files that may come back and the skills, newest first, and what is kept of the conversation.

    `loaded` are the instruction files of the start, which a terminal's session knows as files too.
    """
    project = memory_folder(session.written, session.cwd).removesuffix("/memory")
    kept = _kept(after)
    known = () if session.params.args.print else [path_in(session.cwd, each.shown) for each in loaded]
    files = _newest_first(session, known, lazy, {path_in(session.cwd, path) for each in kept for path in each.files})
    return Later(after, kept, tuple(_with_room(files)), tuple(_invoked(skills, after)), f"{project}/{_SESSION}.jsonl")


def _kept(after: After) -> tuple[Exchange, ...]:
    """The exchanges that a compaction keeps word for word: the last one, unless it is the only one."""
    if not after.compacts:
        return tuple(after.exchanges)
    count = _too_many(after) if after.refused else 1
    return tuple(after.exchanges[-count:]) if len(after.exchanges) > 1 else ()


def _too_many(after: After) -> int:
    """How many of the newest exchanges stay out of the summary, so that it fits, where the service refused the request.

    As many as hold the share of the text by which the prompt was too long; one where the service gave no numbers.
    """
    sizes = [len(each.spoken) + sum(map(len, each.follows)) for each in after.exchanges]
    share = 0 if after.over is None else 1 - _FITS / after.over
    wanted = min(share * (_BEFORE + sum(sizes)), _MOST * sum(sizes))
    return next((n for n in range(1, len(sizes)) if sum(sizes[-n:]) >= wanted), len(sizes) - 1)


def _newest_first(
    session: Session, known: Iterable[str], lazy: tuple[LazyLoaded, ...], kept: set[str]
) -> list[KnownFile]:
    """Every file that the session knows, those that changed last first.

    A resumed session takes what it read before from its file: by the time of the read, and without what reads woke.
    The start folder's CLAUDE.md and CLAUDE.local.md and the user's CLAUDE.md are sent as instructions alone; all others
    count, imports, rules and the parents' files too. What is kept of the conversation isn't sent a second time.
    """
    own = {f"{session.cwd}/CLAUDE.md", f"{session.cwd}/CLAUDE.local.md", f"{session.config}/CLAUDE.md"}
    after = session.inputs.after
    replayed = [path_in(session.cwd, path) for path in reversed(after.replayed_reads if after else ())]
    read = [path_in(session.cwd, path) for path in session.inputs.reads]
    woken = [path_in(session.cwd, each.file.shown) for each in lazy if path_in(session.cwd, each.read) not in replayed]
    found = []
    for path in dict.fromkeys((*known, *read, *woken)):
        if path not in own and path not in kept:
            source = session.workspace.read(path)
            answer, _ = read_answer(path, source, None, session.version)
            modified = None if path in replayed else session.workspace.modified(path)
            found.append(KnownFile(path, source, answer, modified, path in woken))
    gone = {each.path for each in found if not each.source.found}  # each keeps a place, which one nobody can tell
    others = (each for each in found if each.path not in replayed)
    by_time = sorted(others, key=lambda file: (file.path not in gone, -(file.modified or 0)))
    return [*sorted((each for each in found if each.path in replayed), key=lambda f: replayed.index(f.path)), *by_time]


def _with_room(files: list[KnownFile]) -> Iterator[KnownFile]:
    """Each with the condition under which it comes back. A file that is gone or does not fit keeps its place."""
    limits = FOLDER.agent["after"]
    places, left = limits["files"], limits["file_tokens"]
    border = files[places].modified if len(files) > places else None
    for number, file in enumerate(files):
        tokens = round(len(file.source.text) / _CHARS_PER_TOKEN)
        tied = (
            border is not None
            and file.modified is not None
            and file.modified == border
            and files[places - 1].modified == border
        )
        newest = FOLDER.reason("after_tied" if tied else "after_newest", number < places, path=file.path, places=places)
        fits = FOLDER.reason("after_fits", tokens <= left, path=file.path, tokens=tokens, left=left)
        when = newest & fits
        if not file.source.found:
            when = FOLDER.reason("after_there", path=file.path)
        elif number < places and tokens <= left:
            left -= tokens
        yield KnownFile(file.path, file.source, file.answer, file.modified, file.woken, tied, when)


def _invoked(skills: SkillGatherer, after: After) -> Iterator[Invoked]:
    """Each skill once, as it was last invoked; those from before a resume are absent."""
    limits = FOLDER.agent["after"]
    left = limits["skill_tokens"]
    typed = {_name(each): each for each in (*after.replayed_skills, *after.skills)}
    here = [_name(each) for each in reversed(after.skills)]
    for name in dict.fromkeys((*here, *map(_name, reversed(after.replayed_skills)))):
        found = invoked_skill(skills, name, typed[name].partition(" ")[2])
        if found is None:
            continue
        source, body = found
        length = sum(len(span.text) for span in body)
        tokens = round(min(length, limits["skill_chars"]) / _CHARS_PER_TOKEN)
        fits = FOLDER.reason("after_skill_fits", tokens <= left, name=name, tokens=tokens, left=left)
        since = FOLDER.reason("after_resumed", name in here, name=name)
        if name in here and tokens <= left:
            left -= tokens
        yield Invoked(name, f"{_SOURCES.get(source, source)}:{name}", body, length, since & fits)


def _name(typed: str) -> str:
    return typed.partition(" ")[0].removeprefix("/")
