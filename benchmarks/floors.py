"""Small programs that do no more than is needed: what promptscope takes is a multiple of what they take."""

from __future__ import annotations

LIBRARIES = "import json, click, pydantic\nclass M(pydantic.BaseModel):\n    a: int = 1\nM()"
"""What a command cannot do without."""

METADATA = "import importlib.metadata"

APP = """
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    BINDINGS = [("u", "flip", ""), ("q", "quit", "")]
    def compose(self):
        yield Static("hello", id="word")
    def action_flip(self):
        word = self.query_one(Static)
        self.flipped = not getattr(self, "flipped", False)
        word.update("changed" if self.flipped else "restored")
Minimal().run()
"""
"""A minimal Textual app. `u` changes its one word."""

WATCHING_APP = """
import sys, threading
from pathlib import Path
from textual.app import App
from textual.widgets import Static
from watchfiles import watch
class Watching(App):
    def compose(self):
        yield Static("hello", id="word")
    def on_mount(self):
        threading.Thread(target=self.listen, daemon=True).start()
    def listen(self):
        for changes in watch(sys.argv[1], debounce=200, step=20, recursive=False):
            for _, path in changes:
                self.call_from_thread(self.query_one(Static).update, Path(path).read_text())
Watching().run()
"""
"""A minimal Textual app that shows the file of a folder that was saved last."""

VIEW_APP = """
import sys
from pathlib import Path
from rich.segment import Segment
from textual.app import App
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
class View(ScrollView, can_focus=True):
    lines, read = [], None
    def on_mount(self):
        if len(sys.argv) > 2:
            self.key_space()
    def key_space(self):
        if self.read is None:
            self.read = Path(sys.argv[1]).read_text().splitlines()
        self.lines = [] if self.lines else self.read
        self.virtual_size = Size(self.size.width, len(self.lines))
        self.refresh()
    def render_line(self, y):
        y += self.scroll_offset.y
        return Strip([Segment(self.lines[y] if y < len(self.lines) else "")]).crop(0, self.size.width)
class Viewer(App):
    def compose(self):
        yield View()
    def on_mount(self):
        self.query_one(View).focus()
        self.animation_level = "none"
Viewer().run()
"""
"""A bare view of a text by Textual's line API, opened at once, or opened and closed by a space, and paged through."""

ENCODING_APP = """
from textual.app import App
from textual.widgets import Static
from promptscope_engine.tokens.encodings import load
class Minimal(App):
    def compose(self):
        yield Static("hello", id="word")
    def on_mount(self):
        self.encoding = load("o200k_base")
Minimal().run()
"""
"""A minimal Textual app that has the encoding loaded."""

ENCODE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from promptscope_engine.tokens.encodings import load
encoding = load("o200k_base")
paths = sorted(Path(sys.argv[1]).rglob("*.md"))
def counted(path):
    return len(encoding.encode_ordinary(path.read_text(encoding="utf-8")))
with ThreadPoolExecutor(2) as pool:
    print(sum(pool.map(counted, paths, chunksize=64)))
"""
"""A process that reads and encodes each Markdown file below a folder once, on two threads."""
