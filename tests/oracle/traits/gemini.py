"""Traits of Gemini CLI that take more than a table."""

from __future__ import annotations

from tests.oracle.sketch import Sketch

from . import trait

_SETTINGS = ("home/.gemini/settings.json", "repo/.gemini/settings.json")
_TOOLS = [
    *("read_file", "glob", "ReadFileTool", "run_shell_command", "run_shell_command(ls)", "nope", "google_web_search"),
    *("GrepTool", "grep_search", "replace", "write_file", "list_directory", "save_memory", "activate_skill"),
    *("ask_user", "Read_File", "mcp_x_*", "*", "ShellTool(ls)", "web_fetch", "search_file_content"),
]


@trait("gemini")
def tools(s: Sketch) -> None:
    """Tools taken away or kept, by settings, arguments and the approval mode."""
    key, names = s.one("core", "exclude", "exclude", "allowed", "useRipgrep", "argument"), s.some(_TOOLS, 1, 3)
    if key == "argument":
        s.argument("allowedTools", names)
    else:
        s.settings(s.one(*_SETTINGS), {"tools": {key: s.perhaps() if key == "useRipgrep" else names}})
    if s.perhaps():
        s.argument("mode", s.one("yolo", "auto_edit", "plan", "default"))
    label = f"tools {key} {names}, mode {s.situation.args.get('mode')}"
    s.label_tools(label)
    s.add("repo/GEMINI.md", s.text(f"GEMINI.md beside {label}"))


_HEADS = {
    "plain": "name: NAME\ndescription: MARK does\n",
    "tag": "name: NAME\ndescription: !x MARK does\n",
    "str tag": "name: !!str NAME\ndescription: !!str MARK does\n",
    "set": "name: NAME\ndescription: !!set {MARK}\n",
    "quoted": "name: 'NAME'\ndescription: \"MARK does\"\n",
    "colon": "name: NAME\ndescription: MARK does: this\n",
    "number name": "name: 5\ndescription: MARK does\n",
    "no desc": "name: NAME\n",
    "empty desc": "name: NAME\ndescription:\n",
    "list desc": "name: NAME\ndescription: [MARK]\n",
    "dup": "name: NAME\ndescription: MARK a\ndescription: MARK b\n",
    "tab": "name: NAME\n\tdescription: MARK does\n",
    "anchor": "name: &a NAME\ndescription: MARK *a\n",
    "folded": "name: NAME\ndescription: >\n  MARK does\n  more\n",
    "upper": "Name: NAME\nDescription: MARK does\n",
    "bool desc": "name: NAME\ndescription: yes\n",
    "comment": "name: NAME # c\ndescription: MARK does # c\n",
    "merge": "<<: {name: NAME}\ndescription: MARK does\n",
    "date": "name: NAME\ndescription: 2020-01-01\n",
    "binary": "name: NAME\ndescription: !!binary TUFSSw==\n",
    "js": "name: NAME\ndescription: !!js/function 'MARK'\n",
    "null name": "name: ~\ndescription: MARK does\n",
    "extra": "name: NAME\ndescription: MARK does\nnope: 1\n",
    "tools text": "name: NAME\ndescription: MARK does\ntools: read_file\n",
    "tools bad": "name: NAME\ndescription: MARK does\ntools: [nope]\n",
    "kind remote": "name: NAME\ndescription: MARK does\nkind: remote\n",
    "model": "name: NAME\ndescription: MARK does\nmodel: nope\n",
    "temp": "name: NAME\ndescription: MARK does\ntemperature: x\n",
    "max turns": 'name: NAME\ndescription: MARK does\nmax_turns: "5"\n',
    "upper name": "name: NAME_X\ndescription: MARK does\n",
    "space name": "name: NAME x\ndescription: MARK does\n",
}
"""Front matter by what is special in it."""


@trait("gemini")
def head_values(s: Sketch) -> None:
    """Values of YAML in the front matter of agents and skills."""
    place = s.one("home/.gemini/agents/{}.md", "repo/.gemini/skills/{}/SKILL.md")
    for kind in s.some(list(_HEADS), 6, 12):
        mark = s.mark(f"head of {place}: {kind}")
        name = mark.replace("ZQ", "ag")
        s.put(place.format(name), f"---\n{_HEADS[kind].replace('NAME', name).replace('MARK', mark)}---\nYou help.\n")
