"""What a chat channel brings into the prompt: buttons, reactions, its groups' settings, spoken replies."""

import json
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.rows import file_row
from promptscope_engine.agents.kit.disk.settings import mapping, text, texts
from promptscope_engine.agents.openclaw.gather.config import short_path
from promptscope_engine.agents.openclaw.levers import OVERLAY, SettingLevers, dotted, positive
from promptscope_engine.agents.openclaw.materials import KEY_PARTS, Answers, Parameter, Prompt, Session, parameter
from promptscope_engine.agents.openclaw.params import CHANNELS, OpenClawParams
from promptscope_engine.agents.openclaw.texts import FOLDER, NEWER
from promptscope_engine.agents.openclaw.tool_policy import Policy, listed
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.javascript.json import parse_json5
from promptscope_engine.javascript.text import js_trim, utf16_len
from promptscope_engine.nearest import meant
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.drafts import FileDraft, computed, label
from promptscope_engine.prompt.leaves import equals, param_decides
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.prompt.sourced import first_set
from promptscope_engine.workspace import Workspace

DEFAULT_MAX_LENGTH = 1_500
AUTO = ("off", "always", "inbound", "tagged")


def speech(config: SettingLevers, own: SettingLevers, version: str) -> Answers:
    """Whether replies are spoken, and how long they may be; length and summary are settings of the user's own."""
    key = "tts" if version >= NEWER else "messages.tts"
    by_config = config.first(_auto, f"{key}.auto", default=None)
    # one overlay for both keys: `auto` counts before `enabled`
    enabled = config.first(_enabled, f"{key}.enabled", default=None)
    enabled = replace(enabled, source=replace(enabled.source, overlay=f"{OVERLAY}.{key}.auto"))
    mine = (own.first(_auto, "tts.auto", default=None), own.first(_enabled, "tts.enabled", default=None))
    auto = first_set(*mine, by_config, enabled, replace(by_config, value=None), default="off")
    return Answers(
        auto=auto.value,
        on=auto.is_("always", "inbound", "tagged", unset="off"),
        inbound_only=auto.is_("inbound", unset="always"),
        tagged_only=auto.is_("tagged", unset="always"),
        length=computed("messages.tts.maxLength", str(positive(own.get("tts.maxLength"), DEFAULT_MAX_LENGTH))),
        summarized=own.switch("tts.summarize", usual=True),
    )


def preferences(workspace: Workspace, state: str, home: str) -> tuple[SettingLevers, tuple[FileDraft, ...]]:
    """The user's own preferences for speech, and their file if there is one. No param simulates it."""
    path = f"{state}/settings/tts.json"
    file = workspace.read(path)
    if not file.found:
        return SettingLevers({}, path, short_path(path, home), simulated=False), ()
    when = Fact("file", file.path, True, "it overrides messages.tts", "")
    draft = file_row(file, "settings", "always", when, chars=utf16_len(file.text))
    values = mapping(parse_json5(file.text).value)
    return SettingLevers(values, path, short_path(path, home), file.text, simulated=False), (draft,)


def _auto(value: Json) -> str | None:
    named = (text(value) or "").lower()
    return named if named in AUTO else None


def _enabled(value: Json) -> str | None:
    return ("always" if value else "off") if isinstance(value, bool) else None


BUTTONS = "inlineButtons"
USUAL, PLAIN = "telegram", "discord"
"""The channels that levers set: one with buttons and reactions, one without."""
_INTERNAL = "webchat"
"""The agent's own page, which is no chat channel."""
CHANNEL_PLUGINS = (
    "bluebubbles", "feishu", "line", "matrix", "mattermost", "msteams", "nextcloud-talk", "nostr", "synology-chat",
    "tlon", "twitch", "zalo", "zalouser",
)  # fmt: skip
"""Plugins of the package that bring a channel, which bears the plugin's name."""
_ALIASES = {
    "imsg": "imessage",
    "internet-relay-chat": "irc",
    "google-chat": "googlechat",
    "gchat": "googlechat",
    "teams": "msteams",
    "lark": "feishu",
}
_CAPABILITIES: Mapping[str, tuple[str, ...]] = {
    "telegram": ("nativeapprovals", "threadbound-acp-spawn", "threadbound-subagent-spawn"),
}
"""What the plugin of a channel can do."""
_MARKUP_RULES = (
    "Write plain Markdown; it is turned into what the channel shows.",
    "Bold, italics, code, links, lists and quotes work; tables and pictures inside of the text do not.",
)
_REACTIONS = {"telegram": {"name": "Telegram", "level": "ack"}, "signal": {"name": "Signal", "level": "minimal"}}
"""The channels with reactions: the display name, and the level that one which is none counts as."""
_SCOPES = ("off", "dm", "group", "all", "allowlist")
_LEVELS = ("off", "ack", "minimal", "extensive")


def normal_channel(name: str | None) -> str | None:
    """A channel's id, None if there is none."""
    lower = js_trim(name or "").lower()
    return _ALIASES.get(lower, lower) or None


def unknown_channel(settings: SettingLevers, channel: str | None) -> Iterator[Diagnostic]:
    """A channel that is neither built in nor configured: a plug-in's, or a slip."""
    configured = settings.object("channels")
    if channel is None or channel in (*CHANNELS, _INTERNAL, *map(str.lower, configured)):
        return
    hint = meant(channel, ["none", *CHANNELS, _INTERNAL, *configured])
    what = f"the channel `{channel}` is neither built in nor configured, so it is taken for a plug-in's"
    yield Diagnostic("warning" if hint else "info", "channel", what + (hint or f"; built in are {', '.join(CHANNELS)}"))


def comes_by_channel(channel: str | None, usual: str = USUAL) -> Condition:
    """The message came by a channel."""
    return FOLDER.reason("by_channel", channel is not None, channel=channel, usual=usual)


def capabilities(settings: SettingLevers, channel: str, version: str = "") -> list[str]:
    """What the channel can do; Telegram has inline buttons unless they are switched off.

    From 2026.9 on it is lower-cased and sorted, with what the channel's plugin offers.
    """
    own = settings.get(_key(settings, channel, "capabilities"))
    found = [text for item in _texts(own) if (text := js_trim(item))]
    offered = channel == "telegram" and _button_scope(own) != "off"
    if offered and not any(item.lower() == BUTTONS.lower() for item in found):
        found.append(BUTTONS)
    if version >= NEWER:
        plugin = _CAPABILITIES.get(channel, ())
        rich = settings.get(_key(settings, channel, "richMessages")) is True
        found = sorted({item.lower() for item in (*found, *plugin, *(["markdowndetails"] if rich else []))})
    return found


def chat(settings: SettingLevers, prompt: Prompt, session: Session, channel: str | None, version: str) -> Answers:
    """The channel in use and what it brings along; a `runtimeInfo` that the scenario passes names its own."""
    _, group = group_of(session) or (None, None)
    newer = version >= NEWER
    info = prompt.object("runtimeInfo")
    named = (text(info.get("channel")) or "").lower()
    if prompt.passes("runtimeInfo"):
        key = "promptParams.runtimeInfo"
        able = any(js_trim(item).lower() == BUTTONS.lower() for item in texts(info.get("capabilities")) or [])
        buttons = _passed(f"{key}.capabilities", able, [BUTTONS])
        lacks = _passed(f"{key}.channel", bool(named), PLAIN) & ~buttons
    else:
        buttons = comes_by_channel(channel) & _buttons(settings, channel or USUAL)
        lacks = comes_by_channel(channel, PLAIN) & ~_buttons(settings, channel or PLAIN)
        if newer and channel == "slack":
            lacks = lacks & Fact(
                "flag",
                "channel",
                False,
                "",
                "slack is never told how",
                remedy="take another channel: `--set channel=telegram`",
            )
    shown = channel or USUAL
    own = settings.object(("channels", shown))
    rich = own.get("richMessages") is True
    metadata: dict[str, Json] = {
        "schema": f"openclaw.inbound_meta.v{2 if newer else 1}",
        **({"account_id": text(own.get("defaultAccount")) or "default"} if newer else {}),
        **({} if newer else {"chat_id": group or session.rest.split(":")[-1]}),
        "channel": shown,
        "provider": shown,
        "surface": shown,
        "chat_type": "group" if group else "direct",
    }
    if newer:
        markup = "markdown_telegram_rich" if rich and shown == USUAL else "markdown"
        metadata["response_format"] = {"text_markup": markup, "rules": [*_MARKUP_RULES]}
    path = group_path(settings, session) or ()
    details = settings.known(_key(settings, shown, "richMessages"), rich).is_(True, unset=False)
    if shown != USUAL:  # no other channel takes the key
        details = Fact(
            "flag",
            "channel",
            False,
            "",
            f"{shown} has no details that fold",
            remedy="take another channel: `--set channel=telegram`",
        )
    return Answers(
        buttons=buttons,
        lacks_buttons=lacks,
        shown=label(named or PLAIN),
        metadata=computed("inbound_meta", json.dumps(metadata, indent=2, ensure_ascii=False)),
        comes_by_channel=comes_by_channel(channel),
        in_group=FOLDER.reason("in_group", bool(group)),
        mentions_only=bool(path) and settings.get((*path, "requireMention")) is not False,
        details=comes_by_channel(channel) & details,
        group_prompt=_group_prompt(settings, session, channel),
    )


def _passed(name: str, ok: bool, value: Json) -> Condition:
    """A value that the scenario passes."""
    return param_decides(name, ok, (f"`{name}` says so", f"`{name}` does not say so"), on=value, off=None)


def _buttons(settings: SettingLevers, channel: str) -> Condition:
    """The channel has inline buttons: Telegram unless they are switched off, any other if it lists them."""
    path = _key(settings, channel, "capabilities")
    ok = any(item.lower() == BUTTONS.lower() for item in capabilities(settings, channel))
    listed_ = _texts(settings.get(path))
    yes, no = f"{channel} has inline buttons", f"`{dotted(path)}` gives {channel} no inline buttons"
    off = {BUTTONS: "off"} if channel == "telegram" else [item for item in listed_ if item.lower() != BUTTONS.lower()]
    return settings.decides(path, ok, yes, no, on=[*listed_, BUTTONS], off=off)


def owners(settings: SettingLevers, channel: str | None) -> Parameter:
    """The owners a message is told: the channel's or anyone's; a command's is told none (recorded 2026.2.24)."""
    key, known = "commands.ownerAllowFrom", {*CHANNELS, *CHANNEL_PLUGINS}
    found = []
    for item in _texts(settings.get(key)):
        prefix, colon, name = item.partition(":")
        own = normal_channel(prefix) if colon else None
        if own not in known or own == (channel or USUAL):
            found.append(js_trim(name if own in known else item))
    found = [name for name in found if name not in ("", "*")]
    no = f"`{key}` names no owner"
    there = settings.decides(key, bool(found), "owners are known", no, on=["+15550100"], off=[])
    because = comes_by_channel(channel) & there
    return parameter((found or None) if channel else None, key, because=because)


def _group_prompt(settings: SettingLevers, session: Session, channel: str | None) -> Parameter:
    """The prompt of the session's own group, for its messages; other sessions and commands have none."""
    path = group_path(settings, session)
    if path is None:
        return parameter(None, "channels.groups.systemPrompt", because=FOLDER.reason("no_group_chat"))
    value = settings.word((*path, "systemPrompt"))
    key = dotted((*path, "systemPrompt"))
    yes, no = f"`{key}` is set", f"`{key}` is not set"
    because = settings.decides((*path, "systemPrompt"), value is not None, yes, no, on="Be kind.", off="")
    because = comes_by_channel(channel) & because
    return parameter(value if channel else None, f"channels.{path[1]}.groups.systemPrompt", because=because)


def reactions(settings: SettingLevers, prompt: Prompt, channel: str | None) -> Answers:
    """Guidance for the two channels that know reactions and the two levels that have a text."""
    if prompt.passes("reactionGuidance"):
        passed = prompt.parameter("reactionGuidance")
        named = text(prompt.object("reactionGuidance").get("channel")) or ""
        minimal = equals("promptParams.reactionGuidance.level", "minimal")
        given = parameter(named, "promptParams.reactionGuidance")
        return Answers(on=passed.because, minimal=minimal, channel=given)
    known = _REACTIONS
    shown = channel if channel and channel in known else USUAL
    name, invalid = known[shown]["name"], known[shown]["level"]
    path = _key(settings, shown, "reactionLevel")
    written = settings.get(path)
    level = settings.known(path, "minimal" if written is None else written if written in _LEVELS else invalid)
    on = FOLDER.reason("reacts", channel in known, name=name, channel=channel or "a message without a channel")
    return Answers(
        on=on & level.is_("minimal", "extensive", unset="off"),
        minimal=level.is_("minimal", unset="extensive"),
        channel=parameter(name, f"channels.{shown}.reactionLevel"),
    )


def group_policy(settings: SettingLevers, session: Session) -> Policy | None:
    """The tools of a group or channel, else those of `*`."""
    path = group_path(settings, session)
    if path is None:
        return None
    return listed(settings.get((*path, "tools")), f"channels.{path[1]}.groups tools", (*path, "tools"))


def group_path(settings: SettingLevers, session: Session) -> Path | None:
    """Where the session's group is configured: its own entry, else that of `*`; None for other sessions."""
    found = group_of(session)
    if found is None:
        return None
    channel, group = found
    groups, channels = (_key(settings, channel, name) for name in ("groups", "channels"))
    for name in (group, "*"):
        for path in ((*groups, name), (*channels, name)):
            # an entry of `groups` replaces one of `channels`, an empty one too
            if name in settings.object(path[:-1]):
                if settings.object(path):
                    return path
                break
    return (*groups, group)


def group_of(session: Session) -> tuple[str, str] | None:
    """(channel, id) of the group that a session key names; None for one that names no group."""
    parts = session.rest.split(":")
    if len(parts) < KEY_PARTS or parts[1] not in ("group", "channel"):
        return None
    ends = [at for at, part in enumerate(parts) if part in ("thread", "topic") and at >= KEY_PARTS]
    return parts[0].lower(), ":".join(parts[2 : ends[0] if ends else None])


def _key(settings: SettingLevers, channel: str, name: str) -> Path:
    """Where a channel's setting is decided: in its default account if that has it, else in the channel itself."""
    base: Path = ("channels", channel)
    accounts = settings.object((*base, "accounts"))
    chosen = "default" if "default" in accounts else min(accounts, default="")
    own = mapping(accounts.get(chosen))
    return (*base, "accounts", chosen, name) if name in own else (*base, name)


def _button_scope(own: Json) -> str:
    if isinstance(own, list):
        return "all" if any(js_trim(str(item)).lower() == BUTTONS.lower() for item in own) else "off"
    scope = (text(mapping(own).get(BUTTONS)) or "").lower()
    return scope if scope in _SCOPES else "allowlist"


def _texts(value: Json) -> list[str]:
    """The list if it holds nothing but texts: one wrong entry and the agent takes none."""
    return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else []


def by_owner(settings: SettingLevers, params: OpenClawParams) -> Condition:
    """Who sent the message is an owner; a command's sender always is, unless the scenario says otherwise."""
    allowed = FOLDER.reason("owner", params.senderIsOwner)
    if params.chat is None:
        return allowed
    key = "commands.ownerAllowFrom"
    sender = f"{USUAL}:{mapping(mapping(mapping(params.chat).get('message')).get('from')).get('id')}"
    named = _texts(settings.get(key))
    yes, no = f"`{key}` names the sender", f"only an owner may use it, and `{key}` does not name {sender}"
    rest = [each for each in named if each != sender]
    return allowed & settings.decides(key, sender in named, yes, no, on=[*named, sender], off=rest)
