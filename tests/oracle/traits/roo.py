"""Traits of Roo Code."""

from __future__ import annotations

import json

from tests.oracle.sketch import Sketch

from . import trait

MODES = ("architect", "code", "ask", "debug", "orchestrator")
ENCODINGS = ("utf-8-sig", "utf-16", "latin-1", "crlf", "cr", "nul", "blank", "empty", "nbsp")


def _odd(s: Sketch, path: str, how: str) -> None:
    """A rule in an encoding that few expect."""
    text = s.text(f"rule as {how}")
    match how:
        case "crlf" | "cr":
            s.raw(path, text.replace("\n", {"crlf": "\r\n", "cr": "\r"}[how]).encode())
        case "nul":
            s.raw(path, text.replace("words", "wo\0rds").encode())
        case "blank" | "empty":
            s.put(path, " \n\n" if how == "blank" else "")
        case "nbsp":
            s.put(path, f"\u00a0\u2028\ufeff{text}\u3000\u0085")
        case "latin-1":
            s.raw(path, text.replace("words", "größe").encode("latin-1"))
        case _:
            s.raw(path, text.encode(how))


@trait("roo")
def rule_folders(s: Sketch) -> None:
    """Rules of all modes and of one, at home and in the project."""
    mode = s.one(*MODES)
    s.argument("mode", mode)
    names = [
        "a.md",
        "B.md",
        "10-x.md",
        "2-x.txt",
        "deep/00.md",
        "deep/er/z",
        ".hidden.md",
        "x.bak",
        "UPPER.LOG",
        "log",
        "é.md",
        "_u.md",
        "a b.md",
        "Thumbs.db",
        "z.md~",
        "deep/a.md",
        "node_modules/n.md",
        "x.swp",
    ]
    for folder in s.some(
        ["repo/.roo/rules", f"repo/.roo/rules-{mode}", "home/.roo/rules", f"home/.roo/rules-{mode}"], 1, 4
    ):
        for name in s.some(names, 1, 6):
            s.put(f"{folder}/{name}", s.text(f"{folder} {name}"))


@trait("roo")
def legacy_rules(s: Sketch) -> None:
    """The older single files, and what silences them."""
    mode = s.one("code", "debug")
    s.argument("mode", mode)
    for name in s.some([".roorules", ".clinerules", f".roorules-{mode}", f".clinerules-{mode}", ".roorules-ask"], 2, 5):
        match s.one("text", "text", "text", "blank", "folder"):
            case "text":
                s.put(f"repo/{name}", s.text(f"{name}"))
            case "blank":
                s.put(f"repo/{name}", " \n\t\n")
            case _:
                s.put(f"repo/{name}/a.md", s.text(f"{name} as a folder"))
    if s.perhaps(0.4):
        where = s.one("repo/.roo/rules", "home/.roo/rules", f"repo/.roo/rules-{mode}", f"home/.roo/rules-{mode}")
        s.put(f"{where}/{s.one('a.md', 'a.bak', 'deep/a.md')}", s.one(s.text(f"silences: {where}"), " \n"))


@trait("roo")
def rule_near_misses(s: Sketch) -> None:
    """Names that look like places of rules."""
    paths = [
        "repo/.roo/rule/a.md",
        "repo/.roo/Rules/a.md",
        "repo/.roo/rules.md",
        "repo/.Roo/rules/a.md",
        "repo/roo/rules/a.md",
        "repo/roo/rules-code/a.md",
        "repo/.roo/roo/rules/a.md",
        "repo/.roo/.roo/rules/a.md",
        "repo/rules/a.md",
        "repo/pkg/deep/.roo/rules-code/a.md",
        "home/roo/rules/a.md",
        ".roo/rules/a.md",
        "repo/roorules",
        "repo/roomodes",
        "repo/.roo/a.md",
        "repo/.roo/roorules",
        "repo/.roo/rules-Code/a.md",
        "repo/.roo/rules_code/a.md",
        "repo/.roo/rules-",
        "repo/pkg/.roo/rules/a.md",
        "repo/.roorules.md",
        "repo/.Roorules",
        "repo/.clinerules-Code",
        "repo/agents.md",
        "repo/AGENTS.MD",
        "repo/Agent.md",
        "home/AGENTS.md",
        "repo/AGENTS.local.md",
        "repo/pkg/AGENTS.md",
        "AGENTS.md",
        "repo/.roo/AGENTS.md",
        "home/.roo/AGENTS.md",
        "home/.roorules",
        "repo/.roo/system-prompt",
        "repo/.roo/system-prompt-Code",
        "repo/.roo/system-prompt-code.md",
        "repo/.roo/rules/AGENTS.md",
        "repo/CLAUDE.md",
        "repo/.cursorrules",
        "repo/.roo/rules-code.md",
    ]
    for path in s.some(paths, 3, 8):
        s.put(path, s.text(path))
    s.argument("mode", "code")


@trait("roo")
def agents_files(s: Sketch) -> None:
    """AGENTS.md, AGENT.md, links for them, and the setting."""
    for name in s.some(["AGENTS.md", "AGENT.md"], 1, 2):
        how = s.one("text", "text", "blank", "folder", "link", "outside", "chain", "folder link", "broken", *ENCODINGS)
        match how:
            case "text":
                s.put(f"repo/{name}", s.text(name))
            case "folder":
                s.put(f"repo/{name}/a.md", s.text(f"{name} as a folder"))
            case "link":
                s.put(f"repo/docs/{name}.txt", s.text(f"{name} as a link"))
                s.link(f"repo/{name}", f"docs/{name}.txt")
            case "outside":
                s.put(f"shared/{name}", s.text(f"{name} as a link out"))
                s.link(f"repo/{name}", s.one(f"../shared/{name}", f"{{ROOT}}/shared/{name}"))
            case "chain":
                s.put(f"repo/docs/{name}.txt", s.text(f"{name} as a chain"))
                s.link(f"repo/mid-{name}", f"docs/{name}.txt")
                s.link(f"repo/{name}", f"mid-{name}")
            case "folder link":
                s.put(f"repo/docs-{name}/b.md", s.text(f"{name} to a folder"))
                s.put(f"repo/docs-{name}/deep/a.md", s.text(f"{name} to a folder, deep"))
                s.link(f"repo/{name}", f"docs-{name}")
            case "broken":
                s.link(f"repo/{name}", "none.md")
            case _:
                _odd(s, f"repo/{name}", how)
    if s.perhaps(0.3):
        s.argument("useAgentRules", s.one(True, False))


def _link_to_file(s: Sketch, base: str, how: str) -> None:
    at = how.replace(" ", "-")
    end = "y.log" if how == "log" else "y.md"
    s.put(f"shared/{at}/{end}", s.text(f"link: {how}"))
    s.link(f"{base}/{at}.{'log' if how == 'named log' else 'md'}", f"{{ROOT}}/shared/{at}/{end}")
    if how == "twice":
        s.link(f"{base}/again.md", f"{{ROOT}}/shared/{at}/{end}")


def _link_to_folder(s: Sketch, base: str, how: str) -> None:
    at = how.replace(" ", "-")
    s.put(f"shared/{at}/k.md", s.text(how))
    s.put(f"shared/{at}/sub/b.md", s.text(f"{how}, deeper"))
    if how != "folder":
        s.link(f"shared/{at}/rel.md", "../common.md")
        s.put("shared/common.md", s.text("relative link in a linked folder"))
    s.link(f"{base}/{at}", f"{{ROOT}}/shared/{at}")


def _link_to_folders(s: Sketch, base: str, how: str) -> None:
    at = how.replace(" ", "-")
    count = 3 if how.startswith("three") else 2
    for n in range(count):
        s.put(f"shared/{at}{n}/f{n}.md", s.text(f"{how}: {n}"))
        if n + 1 < count:
            s.link(f"shared/{at}{n}/next", f"../{at}{n + 1}")
    s.link(f"{base}/{at}", f"{{ROOT}}/shared/{at}0")


@trait("roo")
def rule_links(s: Sketch) -> None:
    """Links among the rules: to files, folders, themselves, nowhere, through others."""
    base = s.one("repo/.roo/rules", "home/.roo/rules")
    s.put(f"{base}/m.md", s.text("beside links"))
    for how in s.some(
        [
            "file",
            "absolute",
            "chain",
            "folder",
            "two folders",
            "three folders",
            "self",
            "broken",
            "loop",
            "log",
            "named log",
            "twice",
            "relative in folder",
        ],
        2,
        5,
    ):
        match how:
            case "file" | "twice" | "log" | "named log":
                _link_to_file(s, base, how)
            case "absolute":
                s.put("repo/docs/absolute.md", s.text("absolute link"))
                s.link(f"{base}/absolute.md", "{REPO}/docs/absolute.md")
            case "chain":
                s.put("shared/chain.md", s.text("chain of links"))
                s.link("shared/mid.md", "chain.md")
                s.link(f"{base}/c.md", "{ROOT}/shared/mid.md")
            case "folder" | "relative in folder":
                _link_to_folder(s, base, how)
            case "two folders" | "three folders":
                _link_to_folders(s, base, how)
            case "self":
                s.link(f"{base}/self", ".")
            case "broken":
                s.link(f"{base}/broken.md", "none.md")
            case "loop":
                s.link(f"{base}/ping.md", "pong.md")
                s.link(f"{base}/pong.md", "ping.md")


@trait("roo")
def linked_folders(s: Sketch) -> None:
    """`.roo`, or its rules, as links."""
    s.put("shared/rules/a.md", s.text("in a linked folder"))
    s.put("shared/common.md", s.text("behind a relative link"))
    s.link("shared/rules/rel.md", "../common.md")
    if s.perhaps():
        s.link("repo/.roo", s.one("../shared", "{ROOT}/shared"))
    else:
        s.link(s.one("repo/.roo/rules", "home/.roo/rules"), "{ROOT}/shared/rules")


@trait("roo")
def rule_encodings(s: Sketch) -> None:
    """Rules that are no plain UTF-8, blank or empty ones."""
    base = s.one("repo/.roo/rules", "repo/.roo/rules-architect", "home/.roo/rules")
    for how in s.some(list(ENCODINGS), 2, 5):
        _odd(s, f"{base}/{how}.md", how)
    if s.perhaps(0.4):
        s.put("repo/.roorules", s.text("beside odd rules"))


_EXTRA = (
    "description: {}",
    "customInstructions: |\n      {}\n      more",
    "whenToUse: {}",
    "extra: {}",
    "tools: [read]",
    "source: {}",
)
_GROUPS = (
    "[read, edit]",
    "[]",
    "[read, [edit, {fileRegex: '\\.md$'}]]",
    "[read, mcp]",
    "[modes, read]",
    "[command, browser, read]",
    "[read, terminal]",
    "[read, read]",
    "read",
    "[[edit, {fileRegex: '('}]]",
    "[[read, {}]]",
    "[read, [edit]]",
    "[[edit, {description: x}], read]",
    "[READ]",
    "null",
)


def _mode(s: Sketch, slug: str, label: str) -> str:
    extra = [s.one(*_EXTRA) for _ in range(s.chance.randint(0, 2))]
    lines = [
        f"slug: {slug}",
        f"name: {s.one('Plain', 'Fancy 🎉', '1', '~', 'yes')}",
        f"roleDefinition: {s.mark(label)} e.g. this. More",
    ]
    lines += [f"groups: {s.one(*_GROUPS[:6]) if s.perhaps(0.75) else s.one(*_GROUPS)}"]
    keys = {line.partition(":")[0] for line in lines}
    for line in extra:
        if (key := line.partition(":")[0]) not in keys:
            keys.add(key)
            lines.append(
                line.format(s.mark(f"{label}: {key}") if key != "source" else s.one("project", "global", "other"))
            )
    if s.perhaps(0.15):
        lines.pop(s.chance.randrange(len(lines)))
    return "  - " + "\n    ".join(lines) + "\n"


@trait("roo")
def custom_modes(s: Sketch) -> None:
    """Modes of both files, good ones and bad ones, and one of them in force."""
    slugs = ["docs", "code", "ask", "Docs", "two-words", "a_b", "x.y", "9"]
    chosen: list[str] = []
    for path in s.some(["repo/.roomodes", "storage/settings/custom_modes.yaml"], 1, 2):
        own = s.some(slugs if s.perhaps(0.3) else slugs[:5], 1, 3)
        chosen += own
        text = "customModes:\n" + "".join(_mode(s, slug, f"{path} {slug}") for slug in own)
        match s.one("plain", "plain", "plain", "bom", "crlf", "tabs", "smart", "double", "top", "docs"):
            case "bom":
                text = "\ufeff" + text
            case "crlf":
                text = text.replace("\n", "\r\n")
            case "tabs":
                text = text.replace("    ", "\t")
            case "smart":
                text = text.replace("'", "\u2019").replace("more", "m\u2014r\u00a0e\u200b")
            case "double":
                text += _mode(s, own[0], "twice")
            case "top":
                text = f"other: 1\n{text}" if s.perhaps() else text.replace("customModes", "custom_modes")
            case "docs":
                text = f"---\n{text}"
        s.put(path, text)
    s.argument("mode", s.one(*chosen, "architect"))
    if s.perhaps(0.3):
        slug = s.one(*chosen)
        s.put(f"repo/.roo/rules-{slug}/r.md", s.text("rules of a custom mode"))


@trait("roo")
def modes_as_json(s: Sketch) -> None:
    """.roomodes as JSON: comments, trailing commas, tabs, a byte order mark."""
    mode = {"slug": "docs", "name": "D", "roleDefinition": f"{s.mark('role')}. x", "groups": ["read"]}

    text = json.dumps({"customModes": [mode]}, indent=s.one(None, 2, "\t"))
    how = s.one("plain", "comma", "comment", "bom", "tabs", "single")
    match how:
        case "comma":
            text = text.replace("]}", "],}")
        case "comment":
            text = f"// x\n{text}"
        case "bom":
            text = "\ufeff" + text
        case "single":
            text = text.replace('"', "'")
    s.label_tools(f"JSON: {how}")
    s.put(s.one("repo/.roomodes", "storage/settings/custom_modes.yaml"), text)
    s.argument("mode", "docs")


@trait("roo")
def prompts_of_modes(s: Sketch) -> None:
    """Texts changed in the settings, for built-in and custom modes."""
    slugs = s.some([*MODES, "docs", "none"], 1, 3)
    keys = ["roleDefinition", "whenToUse", "customInstructions", "description"]
    values = {
        slug: {
            key: s.one(s.mark(f"{slug} {key}"), "", " ", f"{s.mark(key)}\nand. more\n") for key in s.some(keys, 0, 3)
        }
        for slug in slugs
    }
    s.argument("customModePrompts", values)
    s.argument("mode", s.one(*slugs))
    if s.perhaps():
        s.put("repo/.roomodes", "customModes:\n" + _mode(s, s.one("docs", "ask"), "custom"))
    s.argument("customInstructions", s.one(s.text("global"), " \n", ""))


@trait("roo")
def overrides(s: Sketch) -> None:
    """.roo/system-prompt-MODE with placeholders, blank ones, for other modes."""
    mode = s.one("code", "none", "ask")
    s.argument("mode", mode)
    for name in s.some([mode, "ask", "Code"], 1, 2) or [mode]:
        path = f"repo/.roo/system-prompt-{name}"
        if path not in s.situation.files:
            words = "{{mode}} {{workspace}} {{ language }} {{language}} {{shell}} {{operatingSystem}} {{other}} $& "
            s.put(path, s.one(s.text(f"override {name}", words), " \n", f"\ufeff{s.text('with a mark')}"))
    if s.perhaps():
        s.put(f"repo/.roo/rules-{mode}/a.md", s.text("rules of the mode in force"))
        s.put("repo/.roo/rules-architect/a.md", s.text("rules of the default mode"))
    if s.perhaps(0.3):
        s.argument("language", s.one("de", "", "xx-YY"))


@trait("roo")
def ignore_file(s: Sketch) -> None:
    """.rooignore and mentions of what it hides."""
    patterns = [
        "secret/",
        "*.pem",
        "/top.txt",
        "!keep.pem",
        "**/deep",
        "a?c",
        "[ab].md",
        "#c",
        "\\#d",
        "doc/*.md",
        "UPPER",
        "x ",
        "dir",
    ]
    text = "\n".join(s.some(patterns, 1, 5)) + s.one("", "\n")
    how = s.one("plain", "plain", "crlf", "bom", "blank", "link")
    if how == "link":
        s.put("repo/ig", text)
        s.link("repo/.rooignore", "ig")
    else:
        data = {"crlf": text.replace("\n", "\r\n"), "bom": "\ufeff" + text, "blank": " \n"}.get(how, text)
        s.put("repo/.rooignore", f"# {s.mark('ignore ' + how)}\n{data}" if how not in ("bom", "blank") else data)
    names = [
        "secret/a.txt",
        "k.pem",
        "keep.pem",
        "top.txt",
        "sub/top.txt",
        "x/deep/f.txt",
        "abc",
        "a.md",
        "doc/a.md",
        "doc/in/b.md",
        "upper",
        "dir/f.txt",
    ]
    chosen = s.some(names, 2, 5)
    for name in chosen:
        s.put(f"repo/{name}", s.text(f"mentioned: {name} under {text!r} ({how})"))
    s.ask("look at " + " and ".join(f"@/{name}" for name in chosen) + s.one("", " @/doc/", " @/secret/"))
    if s.perhaps(0.3):
        s.argument("showRooIgnoredFiles", True)


@trait("roo")
def slash_commands(s: Sketch) -> None:
    """Commands of the project and at home, with front matter of many kinds."""
    heads = [
        "description: {}",
        "description: '{}'",
        "description: [a]",
        "description: 5",
        "description: {} # c",
        "argument-hint: {}",
        "description: |\n  {}\n  two",
        "bad: [",
        "description: a: {}",
        "description:",
        "\tdescription: {}",
        "Description: {}",
        'description: "{}',
        "- {}",
        "description: @{}",
        "x: 1\nx: 2",
        "description: {}\ndescription: b",
        "'",
    ]
    names = s.some(["go", "review", "a-b", "deep/er", "init", "Up", "a_b", "go2", "a.b"], 2, 5)
    for name in names:
        for root in s.some(["repo", "home"], 1, 2):
            path = f"{root}/.roo/commands/{name}{s.one('.md', '.md', '.md', '.MD', '', '.txt')}"
            head = s.one(*heads)
            body = s.text(f"command with {head!r}")
            fence = s.one(
                "---\n{}\n---\n",
                "---\n{}\n---\n",
                "---\n{}\n---\n",
                "--- \n{}\n---\n",
                "---yaml\n{}\n---\n",
                "\n---\n{}\n---\n",
                "---\n{}\n----\n",
                "---\n{}\n",
                "\ufeff---\n{}\n---\n",
                "---\r\n{}\r\n---\r\n",
                "---\n{}\n--- \n",
                "----\n{}\n----\n",
                "---\n---\n",
                "---\n{}\n---",
                "---js\n{}\n---\n",
                "---json\n{}\n---\n",
            )
            s.put(path, fence.replace("{}", head.replace("{}", s.mark(f"head {head!r} in {fence!r}"))) + body)
    s.ask(s.one("please /{} now /{}", "/{} and /{}", "do\n/{}\n/{}", "x/{} /{}.", "/{}/{}").format(*(names * 2)[:2]))


@trait("roo")
def mentions(s: Sketch) -> None:
    """Files and folders that the task mentions: kinds, spaces, links, limits."""
    kinds = ["a.txt", "b c.txt", "sub/d.md", "bin.dat", "l.txt", "e.json", "none.txt", "wide.txt", "empty.txt", "x.pdf"]
    chosen = s.some(kinds, 2, 5)
    for name in chosen:
        match name:
            case "bin.dat":
                s.raw("repo/bin.dat", b"\0\1\2" + s.mark("binary").encode())
            case "l.txt":
                s.put("shared/l.txt", s.text("behind a link"))
                s.link("repo/l.txt", "../shared/l.txt")
            case "none.txt":
                pass
            case "empty.txt":
                s.put("repo/empty.txt", "")
            case "wide.txt":
                s.put("repo/wide.txt", "".join(f"{s.mark('long') if n in (0, 40) else 'x'} {n}\n" for n in range(60)))
            case "x.pdf":
                s.raw("repo/x.pdf", b"%PDF-1.4 broken")
            case _:
                s.put(f"repo/{name}", s.text(f"mentioned {name}", s.one("", "\r\nx\n", "ü\n")))
    words = [
        s.one("@/{}", "@/{},", "(@/{})", "@/{}.", "'@/{}'").format(name.replace(" ", s.one("\\ ", " ")))
        for name in chosen
    ]
    s.ask(
        s.one("see {}", "{}\nthen", "<feedback>{}</feedback>").format(" ".join(words))
        + s.one("", " @/sub/", " @/sub", " @/.")
    )
    if s.perhaps(0.4):
        s.argument("maxReadFileLine", s.one(-1, 1, 5, 10, 500))


@trait("roo")
def mcp_servers(s: Sketch) -> None:
    """Servers of both files: whether the part on MCP is there, and what loses a file."""

    servers = [
        {"command": "x"},
        {"command": "x", "args": ["a"], "disabled": True},
        {"url": "https://a.invalid"},
        {"type": "sse", "url": "https://a.invalid"},
        {"type": "streamable-http", "url": "https://a.invalid"},
        {"command": ""},
        {"command": "x", "url": "https://a.invalid"},
        {"type": "stdio"},
        {"command": "x", "timeout": 0},
        {"command": "x", "timeout": "5"},
        {"command": "x", "env": {"A": 1}},
        {"command": "x", "other": 1},
        {"type": "http", "url": "https://a.invalid"},
        {"url": "not an address", "type": "sse"},
        {"command": "x", "disabled": "yes"},
        {"command": "x", "alwaysAllow": "a"},
        {"type": "sse", "command": "x"},
        {"command": "x", "disabled": False},
        {},
    ]
    for path in s.some(["repo/.roo/mcp.json", "storage/settings/mcp_settings.json"], 1, 2):
        own = {
            f"s{n}": s.one(*servers[:5]) if s.perhaps(0.6) else s.one(*servers) for n in range(s.chance.randint(1, 2))
        }
        text = json.dumps(
            s.one({"mcpServers": own}, {"mcpServers": own}, {"mcpServers": own}, {"mcpservers": own}, {"servers": own})
        )
        how = s.one("plain", "plain", "plain", "plain", "comma", "comment", "bom", "empty", "list")
        text = {
            "comma": text.replace("}}}", "},}}"),
            "comment": f"// x\n{text}",
            "bom": "\ufeff" + text,
            "empty": "",
            "list": "[]",
        }.get(how, text)
        s.put(path, text)
    s.label_tools(f"servers in {how}: {text[:200]}")
    s.argument("mode", s.one("code", "code", "orchestrator", "ask"))
    if s.perhaps(0.2):
        s.argument("mcpEnabled", s.one(False, True))
    if s.perhaps(0.2):
        s.argument("enableMcpServerCreation", s.one(True, False))


@trait("roo")
def state_values(s: Sketch) -> None:
    """Settings of the extension, null among them."""
    s.label_tools("settings")
    for key, values in s.some(
        [
            ("maxConcurrentFileReads", [None, 1, 3]),
            ("mcpEnabled", [None, False]),
            ("todoListEnabled", [True, False]),
            ("newTaskRequireTodos", [True, False]),
            ("diffEnabled", [True, False]),
            ("supportsComputerUse", [True, False]),
            (
                "experiments",
                [
                    {"imageGeneration": True},
                    {"runSlashCommand": True},
                    {"multiFileApplyDiff": True},
                    {"powerSteering": True},
                ],
            ),
            ("maxReadFileLine", [-1, 100]),
            ("language", ["de", "", "zz", "pt-BR"]),
        ],
        1,
        4,
    ):
        s.argument(key, s.one(*values))
    s.argument("mode", s.one(*MODES))
    s.put("repo/.roo/rules/a.md", s.text("a rule"))
    s.put("repo/.roo/rules-code/a.md", s.text("a rule of code"))


@trait("roo")
def steered(s: Sketch) -> None:
    """powerSteering repeats the instructions in the message."""
    s.argument("experiments", {"powerSteering": True})
    s.argument("mode", s.one("code", "ask", "none"))
    for path in s.some(
        [
            "repo/AGENTS.md",
            "repo/.roo/rules/a.md",
            "repo/.roo/rules-none/a.md",
            "repo/.roorules-code",
            "repo/.rooignore",
            "repo/.roo/rules-architect/a.md",
        ],
        2,
        4,
    ):
        s.put(path, s.text(path))
    if s.perhaps(0.3):
        s.argument("useAgentRules", False)


@trait("roo")
def started_below(s: Sketch) -> None:
    """Opened in a folder of a repository: what is above is not read."""
    s.start_in(s.one("repo/sub", "repo/sub/deep"))
    for path in s.some(
        [
            "repo/AGENTS.md",
            "repo/.roo/rules/a.md",
            "repo/.roomodes",
            "repo/.roorules",
            "repo/sub/AGENTS.md",
            "repo/sub/.roo/rules/b.md",
            "repo/sub/.roorules",
            "repo/sub/deep/AGENT.md",
            "repo/sub/deep/.clinerules",
        ],
        2,
        6,
    ):
        s.put(path, s.text(path))


@trait("roo")
def backslashes(s: Sketch) -> None:
    """Paths with backslashes: of the folder it is opened in, of files that are shown, mentioned, linked, ignored."""
    if s.perhaps():
        s.start_in("repo/win\\d")
        for name in ("d", "win\\d", "win/d"):
            s.put(f"repo/names/{name}" if "/" not in name else "repo/other/d", "1\n")
        s.put("repo/win\\d/AGENTS.md", s.text("rules in a folder with a backslash"))
    base = s.situation.cwd
    for kind in ("visibleFiles", "openTabs"):
        if s.perhaps(0.7):
            found = []
            for how in s.some(
                ["{}/{}", "{}\\{}", "\\\\?\\C:\\{}\\{}", "C:\\{}\\{}", "\\\\srv\\{}\\{}", ".\\{}\\{}"], 1, 4
            ):
                mark = s.mark(f"{kind}: {how}")
                found.append(how.format(f"{mark}n0001", f"{mark}n0002"))
            s.argument(kind, found)
    for how in s.some(["link written so", "link to a name", "mention", "ignored"], 1, 3):
        name = s.name("b", how)
        match how:
            case "link written so":
                s.put(f"{base}/parts/{name}.md", s.text("behind a link with a backslash"))
                s.link(f"{base}/.roo/rules/{name}.md", f"..\\..\\parts\\{name}.md")
            case "link to a name":
                s.put(f"{base}/.roo/parts\\{name}.md", s.text("behind a link to a name with a backslash"))
                s.link(f"{base}/.roo/rules/x{name}.md", f"../parts\\{name}.md")
            case "mention":
                s.put(f"{base}/m\\{name}.md", s.text("mentioned with a backslash"))
                s.put(f"{base}/m2/{name}.md", s.text("mentioned by a backslash"))
                s.ask(f"see @/m\\{name}.md and @/m2\\{name}.md")
            case _:
                s.put(f"{base}/.rooignore", "secret/*\n")


@trait("roo")
def earlier_turns(s: Sketch) -> None:
    """A task that goes on: what its file holds comes first, and words answer a result."""
    roles = s.one(["user", "assistant"], ["user", "assistant"] * 3, ["user", "user", "assistant"], ["user"], [])
    messages = [_message(s, number, role) for number, role in enumerate(roles)]
    match s.one("plain", "summary", "user's summary", "two summaries", "no list", "empty file", "not JSON"):
        case "summary" | "user's summary" | "two summaries" as how if len(messages) > 1:
            for number in (-1, 0)[: 2 if how.startswith("two") else 1]:
                messages[number]["isSummary"] = True
            messages[-1]["role"] = "user" if how.startswith("user") else "assistant"
            text = json.dumps(messages)
        case "no list":
            text = json.dumps({"messages": messages})
        case "empty file":
            text = ""
        case "not JSON":
            text = json.dumps(messages)[:-1]
        case _:
            text = json.dumps(messages, indent=s.one(None, 1))
    s.put("storage/tasks/t/api_conversation_history.json", text)
    if s.perhaps(0.7):
        s.argument("laterTurn")
    s.put("repo/a.txt", s.text("mentioned in a later turn"))
    s.ask(f"{s.text('the words')}\n" + s.one("", "@/a.txt", "<task>@/a.txt</task>"))


def _message(s: Sketch, number: int, role: str) -> dict[str, object]:
    label = f"message {number} of {role}"
    blocks = [
        {"type": "text", "text": s.text(label)},
        {"type": "text", "text": f"<feedback>{s.mark(label)} @/a.txt</feedback>"},
        {"type": "text", "text": s.mark(label)},
    ]
    return {"role": role, "content": s.one(s.text(label), s.some(blocks, 1, 3)), "ts": number}
