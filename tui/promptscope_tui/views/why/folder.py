"""What Why says about a folder of files."""

from collections import Counter

from promptscope_tui.session.snapshot import GoTo
from promptscope_tui.text.spans import Span
from promptscope_tui.text.words import many, number, total
from promptscope_tui.views.files.records import FileRecord, FilesShown
from promptscope_tui.views.subjects import FileSubject, FolderSubject

from .page import Page

_MOST = 8
"""Files that are listed, and reasons."""


def folder_page(page: Page, subject: FolderSubject) -> None:
    """What its files cost, why they are here or not, and the largest of them."""
    now = page.snapshot
    shown = FilesShown(page.assembly, now.lazy_rules, now.on_read)
    files = [each for each in shown.records if _is_in(each, subject.path)]
    if not files:
        return
    page.heading(f"{subject.path}/" if subject.path else many(len(files), "usual place"))
    page.line(Span(many(len(files), "file") if subject.path else "nothing is there", "file"))
    present = [each for each in files if each.file.present]
    if present:
        page.pair("always", f"{number(total(each.file.tokens for each in present))} tok")
    if later := [each.on_read for each in files if each.on_read]:
        page.pair("on a read", f"{number(sum(each.tokens for each in later))} tok, if all are read")
    page.block("Why")
    for why, count in Counter(shown.why(each, in_folder=True) for each in files).most_common(_MOST):
        page.line(why, Span(f"  {many(count, 'file')}", "dim"), hang=2)
    page.block("Largest" if any(map(_size, files)) else "Places")
    for each in sorted(files, key=_size, reverse=True)[:_MOST]:
        size = f"  {_size(each):,} tok" if _size(each) else ""
        page.link([Span(each.names[0], "file"), Span(size, "dim")], GoTo("files", FileSubject(each.paths[0])))
    if len(files) > _MOST:
        page.line(Span(f"… {len(files) - _MOST:,} more", "faint"))


def _is_in(record: FileRecord, folder: str) -> bool:
    return record.names[0].startswith(f"{folder}/") and not record.is_missing if folder else record.is_missing


def _size(record: FileRecord) -> int:
    """The tokens that it costs now, or would on a read."""
    now = record.file.tokens if record.file.present else 0
    return now or (record.on_read.tokens if record.on_read else 0)
