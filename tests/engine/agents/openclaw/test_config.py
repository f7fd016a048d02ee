"""Reading `~/.openclaw/openclaw.json` (docs/agents/openclaw.md#configuration)."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.openclaw.gather.config import overlaid
from promptscope_engine.javascript.json import MAX_JSON5_CHARS, parse_json5
from promptscope_engine.prompt.model import Assembly, Lever

from .conftest import Claw

PATH = "home/.openclaw/openclaw.json"


def zone(assembly: Assembly) -> str:
    section = assembly.section("date_and_time")
    assert section is not None
    return section.text.rpartition(": ")[2]


def problem(assembly: Assembly) -> tuple[str, int | None]:
    [found] = [d for d in assembly.diagnostics if d.code in ("config", "agent-refuses")]
    return found.message, found.line


def test_what_a_person_writes_is_read(claw: Claw) -> None:
    text = "// c\n{ agents: { defaults: { userTimezone: 'Asia/Tokyo', }, /* x */ }, }"
    assert zone(claw({PATH: text})) == "Asia/Tokyo"


def test_without_a_file_the_defaults_hold(claw: Claw) -> None:
    assembly = claw()
    assert zone(assembly) == "Europe/Vienna"
    assert not [d for d in assembly.diagnostics if d.code == "config"]
    [settings] = [f for f in assembly.files if f.kind == "settings"]
    assert (settings.present, settings.why.text) == (False, "absent: there is no configuration file")
    assert settings.why.remedy == f"create {settings.path}, or try one: `--set 'config={{}}'`"


def test_the_scenarios_configuration_replaces_the_file(claw: Claw) -> None:
    assembly = claw({PATH: "{ broken"}, config={"agents": {"defaults": {"userTimezone": "Asia/Tokyo"}}})
    assert zone(assembly) == "Asia/Tokyo"


def test_the_scenarios_configuration_is_taken_as_it_is(claw: Claw, bare: dict[str, Any]) -> None:
    del bare["heartbeatPrompt"], bare["modelAliasLines"]
    defaults = {"heartbeat": {"prompt": "${NOT_SET}"}, "models": {"anthropic/claude-opus-4-6": {}}}
    assembly = claw(config={"agents": {"defaults": defaults}}, passed=bare)
    assert "Heartbeat prompt: ${NOT_SET}\n" in assembly.system_text
    assert not next(s for s in assembly.sections if s.id == "model_aliases").present


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("{\n a: 1\n b: 2 }", 'Unexpected "b"', 3),
        ("[1]", "must be an object", None),
        ("[" * 5000, "nested too deeply", None),
        ('{"a": "${NOT_SET}"}', "NOT_SET, which is not set", None),
        ('{"$include": "../other.json"}', "leads out of", None),
        ('{"$include": "openclaw.json"}', "is circular", None),
        ('{"$include": "nothing.json"}', "cannot be read", None),
        ('{"$include": 7}', "not a path", None),
        ("{ // c\n" + "a" * MAX_JSON5_CHARS, "too large for JSON5", 1),
    ],
)
def test_a_broken_configuration_stops_the_start(claw: Claw, text: str, message: str, line: int | None) -> None:
    assembly = claw({PATH: text})
    found, where = problem(assembly)
    refused = any(d.code == "agent-refuses" for d in assembly.diagnostics)
    assert zone(assembly) == ("" if refused else "Europe/Vienna")
    assert refused is not ("too large" in message or "too deep" in message)
    assert message in found
    assert where == line


def test_variables_are_put_in_and_can_be_escaped(claw: Claw) -> None:
    config = {
        "env": {"vars": {"OWN_ZONE": "Asia/Tokyo"}},
        "agents": {"defaults": {"userTimezone": "${OWN_ZONE}", "heartbeat": {"prompt": "$${OWN_ZONE} ${lower}"}}},
    }
    assembly = claw({PATH: json.dumps(config)})
    assert zone(assembly) == "Asia/Tokyo"
    assert "Heartbeat prompt: ${OWN_ZONE} ${lower}" in assembly.system_text


def test_the_environment_goes_before_the_configurations_own_variables(claw: Claw) -> None:
    config = {"env": {"ZONE": "Asia/Tokyo"}, "agents": {"defaults": {"userTimezone": "${ZONE}"}}}
    assert zone(claw({PATH: json.dumps(config)}, env={"ZONE": "Asia/Kolkata"})) == "Asia/Kolkata"
    assert zone(claw(env={"ZONE": " "})) == "Asia/Tokyo"


def test_included_files_are_merged_below_what_stands_beside_them(claw: Claw) -> None:
    files: dict[str, str | bytes] = {
        PATH: "{ $include: ['a.json5', './sub/b.json5'], tools: { deny: ['exec'] } }",
        "home/.openclaw/a.json5": "{ tools: { deny: ['read'] }, agents: { defaults: { userTimezone: 'Asia/Tokyo' } } }",
        "home/.openclaw/sub/b.json5": "{ agents: { $include: '../agents.json' } }",
        "home/.openclaw/agents.json": '{"defaults": {"userTimezone": "Asia/Kolkata"}}',
    }
    assembly = claw(files)
    assert zone(assembly) == "Asia/Kolkata"
    removed = {tool.name for tool in assembly.tools if not tool.present}
    assert {"read", "exec"} <= removed  # lists are joined
    loaded = [(f.path.rpartition("/")[2], f.load) for f in assembly.files if f.kind == "settings"]
    included = [(name, "import") for name in ("a.json5", "b.json5", "agents.json")]
    assert loaded == [("openclaw.json", "always"), *included]


def test_aliases_of_models_that_the_catalog_lacks_are_not_listed_for_that_reason(claw: Claw) -> None:
    """From 2026.9 on: before, every alias is listed."""
    written = {"agents": {"defaults": {"models": {"acme/a": {"alias": "fast"}, "acme/b": {"alias": "slow"}}}}}
    files = {PATH: json.dumps(written)}
    section = claw(files, version="2026.9.6").section("model_aliases")
    assert section is not None
    assert section.why.text == "absent: the catalog lacks the models that have an alias: acme/a, acme/b"
    assert Lever("moreModels", ["acme/a", "acme/b"]) in section.why.levers
    listed = claw(files, version="2026.9.6", moreModels=["acme/b"]).section("model_aliases")
    assert listed is not None
    assert listed.text.endswith("\n- slow: acme/b")
    older = claw(files, version="2026.2.24").section("model_aliases")
    assert older is not None
    assert older.present


def test_listed_models_have_their_built_in_alias(claw: Claw, bare: dict[str, Any]) -> None:
    del bare["modelAliasLines"]
    models = {"anthropic/claude-opus-4-6": {}, "openai/gpt-5.2": {"alias": "zed"}, "b/c": {"alias": "Ant"}, "d/e": {}}
    assembly = claw({PATH: json.dumps({"agents": {"defaults": {"models": models}}})}, passed=bare)
    section = assembly.section("model_aliases")
    assert section is not None
    assert section.text.split("\n")[3:] == ["- Ant: b/c", "- opus: anthropic/claude-opus-4-6", "- zed: openai/gpt-5.2"]


@given(st.text(alphabet="{}[]:,'\"/*ab1 \n\\$+.", max_size=60))
def test_no_text_makes_the_parser_raise(text: str) -> None:
    found = parse_json5(text)
    assert found.problem is None or found.value is None


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 99) | st.floats(allow_nan=True) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = ["agents", "tools", "skills", "plugins", "channels", "commands", "messages", "memory", "hooks", "session", "env"]
INNER = [
    "defaults",
    "list",
    "profile",
    "allow",
    "deny",
    "byProvider",
    "limits",
    "entries",
    "load",
    "slots",
    "telegram",
    "tts",
]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("value", [None, 7, "x", [], [7], {}, {"a": 1}])
@pytest.mark.slow
def test_a_key_of_the_wrong_kind_is_survived(claw: Claw, key: str, value: Any) -> None:
    assert claw(config={key: value}, channel="telegram").system_text


@pytest.mark.parametrize("inner", INNER)
@pytest.mark.parametrize("value", [None, 7, "x", [7, None], {"a": [1]}])
@pytest.mark.slow
def test_one_level_below_too(claw: Claw, inner: str, value: Any) -> None:
    config = {key: {inner: value} for key in KEYS if key != "env"}
    assert claw(config=config, channel="telegram", sessionKey="agent:main:telegram:group:1").system_text


def test_lists_of_includes_within_lists_end(claw: Claw) -> None:
    files: dict[str, str | bytes] = {PATH: "{ $include: ['l0.json', 'l0.json', 'l0.json'] }"}
    for level in range(8):
        names = ", ".join([f'"l{level + 1}.json"'] * 9)
        files[f"home/.openclaw/l{level}.json"] = f'{{"$include": [{names}]}}'
    files["home/.openclaw/l8.json"] = "{}"
    assert problem(claw(files))[0].startswith("`$include` names more than 200 files")


@pytest.mark.parametrize(
    ("included", "beside", "denied"),
    [
        ("{ deny: ['read'] }", "{ deny: ['exec'] }", {"read", "exec"}),
        ("7", "{ deny: ['exec'] }", {"exec"}),
    ],
)
def test_what_stands_beside_an_include_replaces_what_is_of_another_kind(
    claw: Claw, included: str, beside: str, denied: set[str]
) -> None:
    files: dict[str, str | bytes] = {
        PATH: f"{{ $include: 'a.json5', tools: {beside} }}",
        "home/.openclaw/a.json5": f"{{ tools: {included} }}",
    }
    assert {tool.name for tool in claw(files).tools if not tool.present} & {"read", "exec"} == denied


@pytest.mark.parametrize(("count", "is_broken"), [(199, False), (200, False), (201, True)])
def test_so_many_files_are_included(claw: Claw, count: int, is_broken: bool) -> None:
    config = {"$include": ["a.json"] * count, "agents": {"defaults": {"userTimezone": "Asia/Tokyo"}}}
    assembly = claw({PATH: json.dumps(config), "home/.openclaw/a.json": "{}"})
    assert zone(assembly) == ("Europe/Vienna" if is_broken else "Asia/Tokyo")


@pytest.mark.parametrize(("levels", "is_broken"), [(9, False), (10, False), (11, True)])
def test_includes_are_nested_ten_deep(claw: Claw, levels: int, is_broken: bool) -> None:
    names = ["openclaw.json", *(f"{level}.json" for level in range(levels))]
    files: dict[str, str | bytes] = {
        f"home/.openclaw/{name}": json.dumps({"$include": following}) for name, following in pairwise(names)
    }
    files[f"home/.openclaw/{names[-1]}"] = '{"agents": {"defaults": {"userTimezone": "Asia/Tokyo"}}}'
    assert zone(claw(files)) == ("" if is_broken else "Asia/Tokyo")


@pytest.mark.slow
@pytest.mark.parametrize(("more", "is_broken"), [(-1, False), (0, False), (1, True)])
def test_all_files_of_json5_together_are_so_long(claw: Claw, more: int, is_broken: bool) -> None:
    """Two of 20,000 characters come before the last one; plain JSON does not count."""
    files: dict[str, str | bytes] = {
        PATH: '{"$include": ["a.json5", "b.json5", "plain.json", "last.json"]}',
        "home/.openclaw/a.json5": "{} //".ljust(20_000, "x"),
        "home/.openclaw/b.json5": "{} //".ljust(20_000 + more, "x"),
        "home/.openclaw/plain.json": "{}",
        "home/.openclaw/last.json": '{"agents": {"defaults": {"userTimezone": "Asia/Tokyo"}}}',
    }
    assert zone(claw(files)) == ("Europe/Vienna" if is_broken else "Asia/Tokyo")


@pytest.mark.parametrize(
    ("name", "says"), [("none.json", "No such file or directory"), ("folder.json", "is a directory")]
)
def test_what_is_broken_is_named_by_its_file(claw: Claw, place: Path, name: str, says: str) -> None:
    (place / "home/.openclaw/folder.json").mkdir(parents=True)
    assembly = claw({PATH: '{"$include": "a.json"}', "home/.openclaw/a.json": json.dumps({"$include": name})})
    assert [(d.path, d.message) for d in assembly.diagnostics if d.code == "agent-refuses"] == [
        (
            f"{place}/home/.openclaw/{name}",
            f"OpenClaw does not start: its configuration is not valid: cannot be read: {says}",
        )
    ]


@pytest.mark.parametrize(
    ("config", "says", "line"),
    [
        ('{"agents": {"defaults": {\n"agentsFile": "a"}}}', "`agents.defaults.agentsFile`: unknown key", 2),
        ('{"tools": {"profile": "coder"}}', "`tools.profile`: must be one of minimal, coding", 1),
        ('{"toolz": {}}', "`toolz`: unknown key; did you mean `tools`?", 1),
        ('{"agents": {"list": [{"id": "main", "skillz": []}]}}', "`agents.list[0].skillz`: unknown key; did you", 1),
        ('{"agents": {"defaults": {"workspace": 5}}}', "`agents.defaults.workspace`: must be a string", 1),
        ("[]", "", None),
        ('{"tools": {"allow": ["a"], "alsoAllow": ["b"]}}', "`tools`: cannot have both `allow` and `alsoAllow`", 1),
        (
            '{"agents": {"defaults": {"heartbeat": {"every": "soon"}}}}',
            "`agents.defaults.heartbeat.every`: must be a d",
            1,
        ),
        ('{"ui": {"seamColor": "red"}}', "`ui.seamColor`: must be a colour of six hexadecimal digits", 1),
        ('{"channels": {"slack": {"mode": "http"}}}', "`channels.slack`: needs a `signingSecret`, as `mode` is", 1),
        ('{"audio": {"transcription": {"command": ["a;b"]}}}', "`audio.transcription`: needs the name or path of", 1),
        (
            '{"browser": {"profiles": {"My": {"cdpPort": 9, "color": "#000000"}}}}',
            "`browser.profiles.My`: the name must be of a-z, 0-9 and hyphens alone",
            1,
        ),
        (
            '{"channels": {"telegram": {"accounts": {"a": {"webhookUrl": "https://a.b"}}}}}',
            "`channels.telegram`: needs a `webhookSecret`, its own or that of the channel",
            1,
        ),
        (
            '{"channels": {"slack": {"accounts": {"a": {"mode": "http"}}}}}',
            "`channels.slack`: needs a `signingSecret`, its own or that of the channel",
            1,
        ),
        ('{"channels": {"irc": {"dmPolicy": "open"}}}', '`channels.irc`: needs "*" in `allowFrom`, as `dmPolicy`', 1),
        ('{"agents": {"defaults": {\n"mediaMaxMb": 0}}}', "`agents.defaults.mediaMaxMb`: must be a number above 0", 2),
        ('{"channels": {"Telegram": {}}}', "`channels.Telegram`: there is no channel Telegram; did you mean", 1),
        (
            '{"agents": {"defaults": {"heartbeat": {"target": "x"}}}}',
            "`agents.defaults.heartbeat.target`: there is no",
            1,
        ),
        (
            '{"plugins": {"enabled": false, "allow": ["memory-cor"]}}',
            "`plugins.allow`: there is no plugin memory-cor;",
            1,
        ),
        ('{"plugins": {"entries": {"nope": {}}}}', "`plugins.entries.nope`: there is no plugin nope", 1),
        ('{"plugins": {"load": {"paths": ["./x"]}}}', "`plugins.load.paths[0]`: there is no ./x", 1),
        (
            '{"plugins": {"slots": {"memory": "memory-lancedb"}}}',
            "`plugins.entries.memory-lancedb.config.embedding`: is m",
            1,
        ),
        (
            '{"plugins": {"entries": {"lobster": {"config": {"x": 1}}}}}',
            "`plugins.entries.lobster.config.x`: unknown",
            1,
        ),
        (
            '{"agents": {"list": [{"id": "a", "agentDir": "/x"}, {"id": "b", "agentDir": "/x"}]}}',
            "`agents.list[1].ag",
            1,
        ),
        (
            '{"agents": {"list": [{"id": "a", "identity": {"avatar": "../x.png"}}]}}',
            "`agents.list[0].identity.avatar`",
            1,
        ),
        ('{"agents": {"list": [{"id": "a"}]}, "broadcast": {"g": ["b"]}}', "`broadcast.g[0]`: there is no agent b", 1),
    ],
)
def test_what_openclaw_does_not_take_stops_the_start(claw: Claw, config: str, says: str, line: int | None) -> None:
    """Each was refused by 2026.2.24."""
    found, where = problem(claw({PATH: config}))
    assert found.startswith(f"OpenClaw does not start: {says}")
    assert where == line


@pytest.mark.parametrize(
    "config",
    [
        {"agents": {"defaults": {"heartbeat": {"every": "1h30m", "target": "gchat"}}}},
        {"agents": {"defaults": {"heartbeat": {"every": "", "activeHours": {"start": "9"}}}}},
        {"channels": {"irc": {"dmPolicy": "open", "allowFrom": ["*"]}, "feishu": {}}},
        {
            "plugins": {
                "slots": {"memory": "None"},
                "entries": {"google-antigravity-auth": {}, "lobster": {"config": {}}},
            }
        },
        {"plugins": {"slots": {"memory": "memory-lancedb"}, "deny": ["memory-lancedb"]}},
        {"broadcast": {"g": ["b"]}},
        {"agents": {"list": [{"id": "a", "identity": {"avatar": "pictures/me.png"}}]}},
    ],
)
def test_what_openclaw_takes_does_not_stop_the_start(claw: Claw, config: dict[str, Any]) -> None:
    """Each was taken by 2026.2.24."""
    assert not [d for d in claw({PATH: json.dumps(config)}).diagnostics if d.code == "agent-refuses"]


_TWO = {"main": {}, "b": {}}
_DEFAULTS = "agents.defaults"


def nested(path: str, value: Any) -> dict[str, Any]:
    """A configuration of one key."""
    first, _, rest = path.partition(".")
    return {first: nested(rest, value) if rest else value}


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (f"{_DEFAULTS}.compaction.maxActiveTranscriptBytes", "1.5 mb", "must be"),
        ("session.maintenance.pruneAfter", "0", "must be a duration such as 30d, longer than none"),
        ("session.maintenance.pruneAfter", 0, "must be a number above 0"),
        (f"{_DEFAULTS}.heartbeat.every", " ", "must be a duration"),
        (f"{_DEFAULTS}.heartbeat.activeHours.start", "24:00", "must be a time such as 09:30"),
        (f"{_DEFAULTS}.heartbeat.target", "webchat", "there is no channel webchat"),
        (f"{_DEFAULTS}.heartbeat.agentId", "x", "there is no agent x"),
        (f"{_DEFAULTS}.systemAgent.agentId", "x", "there is no agent x"),
        (f"{_DEFAULTS}.decisionModel", "/b", "must be PROVIDER/MODEL, or empty"),
        (f"{_DEFAULTS}.modelPolicy.allow", ["a/b", "a/*/c"], "[1]`: must be PROVIDER/MODEL, PROVIDER/* or an alias"),
        (f"{_DEFAULTS}.models", {"x": {"codeMode": True}}, ".x.codeMode`: needs a model that is named as"),
        (f"{_DEFAULTS}.sandbox.docker.binds", ["./a:/b"], "[0]`: must be a mount whose source is an absolute path"),
        (f"{_DEFAULTS}.sandbox.docker.env", {"A-B": "c"}, ".A-B`: the name must be of letters, digits and `_`"),
        ("agents.entries", _TWO, "agents.ownership`: must be explicit, as there are several agents"),
        ("agents.entries", {"a": {"default": True}, "b": {"default": True}}, "must be true of one agent at most"),
        ("agents.entries", {"a": {}, "A": {}}, "two of its names are of one agent"),
        ("agents.entries", {"a b": {}}, ".a b`: the name must be of letters"),
        ("agents", {"ownership": "explicit"}, "agents.entries`: is missing"),
        ("agents", {"ownership": "explicit", "entries": {"a": {"default": True}}}, "must be left out"),
        ("agents", {"entries": {"a": {}}, "list": [{"id": "a"}]}, ".list`: unknown key"),
        ("agents.list", [{"id": "a"}, {"id": "A"}], "`: unknown key"),
        ("agents.list", [{"id": "main", "foo": 1}], "agents.entries.main.foo`: unknown key"),
        ("bindings", [{"agentId": "x", "match": {"channel": "telegram"}}], "[0].agentId`: there is no agent x"),
        ("mcp.apps.sandboxOrigin", "https://a/b", "must be the origin of a web address"),
        ("mcp.servers.a", {"transport": "stdio", "url": "https://a"}, "needs a `command`, as `transport` is stdio"),
        ("mcp.servers.a", {"toolFilter": {"include": []}}, ".toolFilter.include`: must not be empty"),
        ("mcp.servers.a", {"url": "ftp://a"}, ".url`: must be an address with http:// or https://"),
        ("mcp.servers.a", {"url": "http://a", "oauth": {"identity": "per-requester"}}, "needs `auth` and a `url`"),
        ("plugins.slots.memory", "x", "there is no plugin x"),
        ("tools.exec", {"mode": "ask", "ask": "off"}, "cannot have `mode` beside `security` or `ask`"),
        ("tools.web.search.provider", "nope", "must be one of gemini, grok"),
        ("worktreeRoot", "~x", "must be an absolute path, or one that begins with ~/"),
    ],
)
def test_what_a_newer_openclaw_does_not_take_stops_the_start(claw: Claw, path: str, value: Any, says: str) -> None:
    """Each was refused by 2026.9.6."""
    found, _ = problem(claw({PATH: json.dumps(nested(path, value))}, version="2026.9.6"))
    assert found.startswith("OpenClaw does not start: `")
    assert says in found


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (f"{_DEFAULTS}.compaction.maxActiveTranscriptBytes", " 2MB "),
        ("session.maintenance.preserveRecent", False),
        (f"{_DEFAULTS}.heartbeat", {"every": "", "target": " Owner ", "activeHours": {"end": "24:00"}}),
        (f"{_DEFAULTS}.decisionModel", ""),
        (_DEFAULTS, {"models": {"a/b": {"alias": "Mine"}}, "modelPolicy": {"allow": ["mine", "a/b/*"]}}),
        ("agents", {"entries": _TWO, "ownership": "explicit", "defaults": {"systemAgent": {"agentId": " B "}}}),
        ("agents.entries", {"a": {"default": True}, "b": {}}),
        ("agents.list", [{"id": "main", "default": True}, {"id": "b"}]),
        ("agents.list", []),
        ("bindings", [{"agentId": "main", "match": {"channel": "telegram"}}]),
        ("mcp.servers.a", {"url": "https://a", "auth": "oauth", "oauth": {"identity": "per-requester"}}),
        ("mcp.servers.a", {}),
        ("plugins.slots.memory", "memory-lancedb"),
        ("worktreeRoot", "~/trees"),
    ],
)
def test_what_a_newer_openclaw_takes_does_not_stop_the_start(claw: Claw, path: str, value: Any) -> None:
    """Each was taken by 2026.9.6."""
    assembly = claw({PATH: json.dumps(nested(path, value))}, version="2026.9.6")
    assert [d.message for d in assembly.diagnostics if d.code == "agent-refuses"] == []


@pytest.mark.parametrize(
    ("env", "path"),
    [
        ({"OPENCLAW_HOME": "{place}/other"}, "other/.openclaw/openclaw.json"),
        ({"OPENCLAW_HOME": "~/other"}, "home/other/.openclaw/openclaw.json"),
        ({"OPENCLAW_HOME": " "}, PATH),
        ({"OPENCLAW_HOME": "{place}/other", "OPENCLAW_STATE_DIR": "~/state"}, "other/state/openclaw.json"),
        ({"OPENCLAW_STATE_DIR": "{place}/state"}, "state/openclaw.json"),
        ({"CLAWDBOT_STATE_DIR": "{place}/state"}, "state/clawdbot.json"),
        ({"CLAWDBOT_STATE_DIR": "{place}/x", "OPENCLAW_STATE_DIR": "{place}/state"}, "state/openclaw.json"),
        ({"CLAWDBOT_CONFIG_PATH": "{place}/state/my.json"}, "state/my.json"),
        ({}, "home/.openclaw/moltbot.json"),
        ({}, "home/.moldbot/openclaw.json"),
        ({"OPENCLAW_STATE_DIR": "{place}/empty"}, "home/.openclaw/clawdbot.json"),
    ],
)
def test_where_the_configuration_is_looked_for(claw: Claw, place: Path, env: dict[str, str], path: str) -> None:
    text = '{"agents": {"defaults": {"userTimezone": "Asia/Tokyo"}}}'
    assert (
        zone(claw({path: text}, env={name: value.format(place=place) for name, value in env.items()})) == "Asia/Tokyo"
    )


def test_env_files_set_what_the_configuration_names(claw: Claw) -> None:
    named = {PATH: '{"agents": {"defaults": {"userTimezone": "${ZONE}"}}}'}
    files = {**named, "workspace/.env": "ZONE=Asia/Tokyo # home\n", "home/.openclaw/.env": "ZONE=x\nOTHER=1\n"}
    assembly = claw(files)
    assert zone(assembly) == "Asia/Tokyo"
    rows = {
        f.path.rpartition("/workspace/")[2].rpartition("/home/")[2]: f.why.text
        for f in assembly.files
        if f.kind == "env"
    }
    assert rows == dict.fromkeys((".env", ".openclaw/.env"), "present: it sets variables")


def test_what_is_set_stays_even_if_empty(claw: Claw) -> None:
    files = {PATH: '{"agents": {"defaults": {"userTimezone": "${ZONE}"}}}', "workspace/.env": "ZONE=Asia/Tokyo\n"}
    assert "names the variable ZONE, which is not set" in problem(claw(files, env={"ZONE": ""}))[0]


@pytest.mark.parametrize("name", ["NODE_OPTIONS", "LD_PRELOAD", "home", "A B"])
def test_a_configuration_does_not_set_what_programs_start_by(claw: Claw, name: str) -> None:
    text = json.dumps({"env": {name: "x"}, "agents": {"defaults": {"repoRoot": f"${{{name.upper()}}}"}}})
    assert any(d.code == "agent-refuses" for d in claw({PATH: text}).diagnostics) == (name != "A B")


def test_a_plugin_beside_the_agent_is_known(claw: Claw) -> None:
    manifest = {"id": "mine", "channels": ["pigeon"], "configSchema": {}}
    config = {"plugins": {"allow": ["mine"]}, "channels": {"pigeon": {}}}
    files = {PATH: json.dumps(config), "home/.openclaw/extensions/mine/openclaw.plugin.json": json.dumps(manifest)}
    assert not [d for d in claw(files).diagnostics if d.code == "agent-refuses"]


def test_a_folder_in_the_place_of_the_file_is_to_be_repaired(claw: Claw, place: Path) -> None:
    (place / PATH).mkdir(parents=True)
    (settings,) = [f for f in claw().files if f.kind == "settings"]
    assert settings.why.text == "absent: the configuration file cannot be read: is a directory"
    assert settings.why.remedy.startswith(f"repair {settings.path}, or try another: ")


@pytest.mark.parametrize(
    ("under", "over", "both"),
    [
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}}, {"a": {"b": 3, "c": 2}}),
        ({"a": {"b": 1}}, {"a": 2}, {"a": 2}),
        ({"a": 1}, {"a": {"b": 2}}, {"a": {"b": 2}}),
        ({"a": [1, 2]}, {"a": [1]}, {"a": [1]}),
        ([1], {"a": 1}, {"a": 1}),
        ({}, {"a": None}, {"a": None}),
    ],
)
def test_an_overlay_replaces_what_is_no_object(under: Any, over: Any, both: Any) -> None:
    assert overlaid(under, over) == both


@pytest.mark.parametrize(
    ("config", "refused"),
    [
        ('{\n "nonsense": 1}', "OpenClaw does not start: `nonsense`: unknown key"),
        ('{\n "agents": {"defaults": {"bootstrapMaxChars": "x"}}}', "must be a whole number of 1 or more"),
        ('{\n "messages": {"tts": {"auto": "always"}}}', "`messages.tts`: unknown key"),
        ('{\n "agents": {"list": [{"id": "main"}]}, "tts": {"auto": "always"}}', None),
        ('{\n "tools": {"toolSearch": {"mode": "directory"}, "codeMode": true}}', None),
    ],
)
def test_each_version_holds_its_configuration_to_its_own_schema(claw: Claw, config: str, refused: str | None) -> None:
    assembly = claw({"home/.openclaw/openclaw.json": config}, version="2026.9.6")
    said = [(d.message, d.line) for d in assembly.diagnostics if d.code == "agent-refuses"]
    assert bool(said) is bool(refused)
    assert not refused or (refused in said[0][0] and said[0][1] == 2)
    assert bool(assembly.request.system) is not bool(refused)
