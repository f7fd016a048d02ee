"""agent.toml of a built-in agent."""

from typing import Any, Literal

from promptscope_engine.inputs.models import field

from .shared import Group, Mode, Place, Stability, Tools, either
from .table import Table

Facts = dict[str, Any]
Verb = Literal["kept", "computed", "lost", "dropped", "unknown"]


def some(kind: Any = dict) -> Any:
    """A list or a table that may be left out."""
    return field(default_factory=kind)


class State(Table):
    """What became of the agent."""

    now: Literal["active", "limited", "archived"]
    """`active`, `limited` (not everybody can use it any more) or `archived`"""
    looked_up: str
    """the day on which this was checked, as 2026-11-27"""
    since: str = ""
    """the day since which it is no longer active"""
    remark: str = ""
    """why, or what took its place"""


class Fact(Table):
    """A fact, with a sentence for each outcome. `{name}` in one is replaced by a value."""

    when: str = ""
    """the condition itself, of a gate"""
    op: str = "file"
    """what kind of thing decides: `file`, `flag`, `model`, `mcp`, `all` …"""
    name: str = "{path}"
    """the name of that thing"""
    yes: str = ""
    """the sentence where it holds"""
    no: str = ""
    """the sentence where it does not"""
    remedy: str = ""
    """what a person can do about it"""
    on: Facts | list[str] = some()
    """inputs that make it so, with their values, or the names of inputs to leave out"""
    off: Facts | list[str] = some()
    """the same for making it not so"""


class Note(Table):
    """What is said where something surprises people."""

    says: str
    """the sentence, with `{name}` for values of the case"""
    severity: Literal["info", "warning", "error"] = "info"
    """how serious it is"""
    code: str = ""
    """the code that tools filter by; without it the row's name"""


class Input(Table):
    """An input, or a switch, which is a setting as an input. A text in its place is its `help`."""

    help: str = ""
    """one line on what it does"""
    type: str | list[str] = "text?"
    """its shape, as `bool`, `int 0..9`, `=a|b`, `[text]`, `{text}` or another table's name; `?`: it may be left out"""
    default: Any = None
    """the value unless one is set"""
    title: str = ""
    """as it is shown; without it the key"""
    group: str = ""
    """the heading of its group; without it that of the table"""
    choices: list[list[Any]] = some(list)
    """pairs of a label and a value, where the shape does not list them; a label alone means that nothing is set"""


class Inputs(Table):
    """The inputs of a scenario (the first table), of an input that is an object, or of settings that are switches."""

    group: str = ""
    """the heading under which they are shown"""
    keys: dict[str, either(Input)] = some()  # type: ignore[valid-type]
    """the inputs by name, or the settings by their keys"""
    doc: str = ""
    """what the table is, for people who use the library"""
    switches: bool = False
    """of `[inputs.NAME]`: it has the switches in place of `keys`"""
    below: str = ""
    """of `[[switches]]`: the table of the settings that the keys are in"""


class Variable(Table):
    """An environment variable that a person may set."""

    help: str
    """what it is for"""
    values: list[str] = some(list)
    """its usual values"""
    group: str = "Environment"
    """the heading under which it is shown"""


class Sections(Group):
    """Sections in their order, and what holds for all of them unless their front matter says otherwise."""

    name: str = ""
    """the name of a group that Python asks for; without it the group is always part of the prompt"""
    parent: str | None = None
    """the section that they belong to; `""` for none"""
    prefix: str = ""
    """what the ids of their wording begin with; without it the section's name"""
    measured: bool | str = False
    """whether the size of the agent's own text was measured: `true`, or the name that it was measured under"""


class BuiltInPlace(Place):
    """Where sections are in the request."""

    block: str
    """sections of one block are one text; `{name}` gives each section its own"""
    message: int | None = None
    """the message's number, below 0 in front of the first one; without it the system prompt"""
    role: Literal["user", "assistant", "system", "developer", "tool"] = "user"  # type: ignore[assignment]
    """whose message it is"""
    run: str = ""
    """neighbouring blocks of one run belong together"""
    ends: str = ""
    """exact text behind the last section of a run"""


class BuiltInTools(Tools):
    """The tools: tools/NAME.md and .json. What front matter may say, too, holds for all tools that say nothing else."""

    order: list[str] = some(list)
    """the tools in the order of the request"""
    keys: list[str] = some(list)
    """what the front matter of this agent's tools may say besides the usual keys"""
    prefix: str = "{name}"
    """what the ids of a tool's wording begin with"""
    opens: str = ""
    """exact text before each description"""
    section: str | None = None
    """the section of the prompt that describes a tool; without it the request has it"""


class Bundled(Table):
    """What comes along with the agent: bundled/KIND/NAME.md."""

    order: list[str]
    """the names, in the order in which they are listed"""
    keys: list[str] = some(list)
    """what front matter may say besides `since`, `until`, `when` and `breaks`"""
    prefix: str = ""
    """what the ids of the wording begin with; without it the kind"""
    says: str = ""
    """what `why` says of one; without it that it comes along with the agent"""


class Row(Table):
    """A row that applies where its `if` fits: all that fit, the later ones counting more, or the first one."""

    if_: Facts = field(default_factory=dict, alias="if")
    """facts with the value that each must have, one of several values, or words in a text: `{any, all, none}`"""
    keys: Facts = some()
    """what it comes to, key by key; `"{name}"` is a fact, and the keys of a fact replace `"*"`"""
    is_: str = field("", alias="is")
    """what it comes to, where that is one word"""


class Endpoint(Table):
    """Where the request goes: the first row that fits. What one leaves out is that of the last row."""

    if_: Facts = field(default_factory=dict, alias="if")
    """as in `[[rows.NAME]]`"""
    base: str = ""
    """the usual address"""
    bases: list[str] = some(list)
    """variables and settings that name another address, the first one that is set counts"""
    path: str = ""
    """what follows the address; `{name}` is a fact"""
    says: str = ""
    """why it goes there"""


class FirstMessage(Table):
    """How the first message of a session can be drafted."""

    param: str
    """the input that holds its words"""
    hint: str = ""
    """what expands in it"""
    sections: list[str] = some(list)
    """ids, or beginnings of ids up to a dot or colon, of what comes of it"""
    notes: list[str] = some(list)
    """codes of what may be said about it"""


class Body(Table):
    """The keys of the request beside texts and tools."""

    keys: list[str] = some(list)
    """those that may be sent"""
    modes: dict[str, list[str]] = some()
    """keys that some modes alone send, each with these modes"""
    says: dict[str, str] = some()
    """what is in keys that tell about the person or the machine"""
    not_in: dict[str, str] = some()
    """the last version that was seen without a key"""
    handed: dict[str, str] = some()
    """what is given to the provider's code, which sends it by other names, each with what is in it"""


class CommandLine(Table):
    """What the options of a captured command line say of inputs. An option is known by the title of its input."""

    aliases: dict[str, str] = some()
    """other words for options"""
    also: dict[str, str] = some()
    """options with a text that are no title of an input, each with its input"""
    json_: dict[str, str] = field(default_factory=dict, alias="json")
    """options that take JSON or the path of a file, each with the input that has the JSON"""
    split: list[str] = some(list)
    """options whose words are split at commas and blanks"""
    several: bool = False
    """an option of a list takes all words up to the next option"""
    single: list[str] = some(list)
    """options of a list that take one word all the same"""
    sets: dict[str, Facts] = some()
    """words that set inputs by themselves"""
    headless_words: list[str] = some(list)
    """words of a headless run"""
    headless: str = ""
    """the value of the input `entry` in such a run, or without a command line"""
    attended: str = ""
    """its value in any other run"""


class FromRequest(Table):
    """What a captured request says of an input: the first text that fits a pattern."""

    param: str
    """the input"""
    system: str = ""
    """a pattern of the system text; its first group is the value"""
    messages: str = ""
    """a pattern of the messages' texts"""
    protocol: str = ""
    """a pattern of the protocol's name"""
    value: Any = None
    """the value, in place of the group"""
    split: str = ""
    """what the items of a list are separated by"""


class SentServers(Table):
    """How the names of MCP servers' tools are put together in a request."""

    prefix: str
    """what is in front of the server's name"""
    separator: str
    """what is between the server's and the tool's name"""
    says: str = ""
    """a pattern of what the system text quotes of a server: its name, and the text"""
    indent: str = ""
    """what the lines of that text begin with"""
    told: bool = False
    """only servers that the system text quotes are known"""


class AccountRow(Table):
    """A row of the window's account."""

    name: str
    """as it is shown"""
    kind: str
    """what it holds, which decides its colour: `prompt`, `tools`, `files`, `skills` …"""
    sections: list[str] = some(list)
    """the ids, or beginnings of ids up to a dot or colon, that it counts"""
    channel: Literal["", "system", "messages"] = ""
    """it takes the rest of this part, `messages` the rest of all"""


class Account(Table):
    """Where the window's tokens go, of an agent that prints no such account itself."""

    rows: list[AccountRow]
    """the rows in their order"""
    server_tool: str
    """a pattern of the names of servers' tools"""
    remark: str = ""
    """what is said below it"""


class CacheRule(Table):
    """What an event does to sections: of several rules the first that fits decides. What is left out always fits."""

    effect: str
    """`kept`, `computed`, `lost`, `dropped` or `unknown`"""
    why: str
    """the reason, as a clause"""
    id: str = ""
    """the section's id"""
    begins: str = ""
    """what its id begins with"""
    holds: str = ""
    """what is in its id"""
    stability: Stability | Literal[""] = ""
    """how often it changes"""
    channel: Literal["", "system", "messages"] = ""
    """the part of the request that it is in"""
    version: str = ""
    """the agent's version"""


class CacheEvent(Table):
    """What can happen in a session, and what it does to what was sent."""

    name: str
    """as people call it"""
    rules: list[CacheRule]
    """the rules in their order"""


class HookEvent(Table):
    """An event that hooks can be set on."""

    subject: str = ""
    """what a matcher has to fit in a new session"""
    adds: str = ""
    """what of a hook's output reaches the prompt"""


class KnownKeys(Table):
    """The keys that the agent knows of a kind of file, or of a kind of entry in settings."""

    keys: list[str]
    """those that count"""
    meant: dict[str, str] = some()
    """keys that are common elsewhere, each with the key that counts here, or a sentence on where it counts"""
    types: dict[str, list[str]] = some()
    """the types that the value of a key may have"""
    otherwise: dict[str, str] = some()
    """what a value of another type counts for"""
    files: str = "*.md"
    """the files of that kind that have such keys, as a pattern"""
    says: str = ""
    """what becomes of any other key"""


class Unread(Table):
    """Why files of some names are not read."""

    names: list[str]
    """file names, or parts of paths: `.roo/rules/`, and `~/.roo/` for the home folder's own"""
    says: str
    """the sentence, with `{name}` and `{version}`"""
    since: str = ""
    """the first version of which it is true"""


class Reads(Table):
    """What the agent reads, in sentences for the files that it does not read."""

    otherwise: str
    """what is said of a file that no row names"""
    sequence: dict[str, str] = some()
    """how the files of a kind are read, and in which order they are in the prompt"""
    moved: dict[str, str] = some()
    """places that an environment variable takes away"""
    named: list[Unread] = some(list)
    """sentences by name; the longest name that fits decides"""


class Near(Table):
    """A place whose files count, and what a person may put there that does not."""

    at: str
    """the folders of the scenario, by name"""
    below: str = ""
    """a path in each of them"""
    kind: str
    """the kind of such files"""
    names: list[str] | None = None
    """the names that count; without it those that the agent has for all such places"""
    ending: str = ""
    """the ending that counts, in place of names"""
    others: dict[str, str] = some()
    """what one may expect to count there, each with why it does not"""
    theirs: dict[str, str] = some()
    """what other agents read there, each with why this one does not"""
    but: str = ""
    """folders that are left out, by name"""


class Quirk(Table):
    """A slip of the agent itself, which is reproduced."""

    says: str
    """what it does"""
    fact: str
    """the heading and number of the fact in docs/agents/ID.md"""
    at: list[str] = some(list)
    """where it shows: ids of sections and texts, `tool:NAME`, `file:KIND`, names of inputs, and all below them"""
    since: str = ""
    """the first version with it"""
    until: str = ""
    """the last version with it"""


class Overfull(Table):
    """What the agent does where its first request does not fit the window."""

    says: str
    """what it does"""
    known: str
    """how that is known: recorded, or read in its source"""
    past: Literal["window", "room", "compaction"] = "window"
    """what the request is over: the window, what the reserve leaves of it, or the point where it compacts"""
    below: int | None = None
    """in its place: a window of fewer tokens"""
    reserves: bool | None = None
    """it holds only where a reserve is kept (or, `false`, where none is)"""
    since: str = ""
    """the first version that does so"""
    until: str = ""
    """the last version that does so"""


class After(Table):
    """A later request of a session: limits of the client."""

    files: int | None = None
    """places for files that come back after a compaction, newest change first"""
    file_tokens: int | None = None
    """tokens of all of them, at four characters each"""
    skill_chars: int | None = None
    """characters of each skill that was invoked"""
    skill_tokens: int | None = None
    """tokens of all skills that were invoked"""
    message_chars: int | None = None
    """characters of a message as JSON around its text, for the client's own estimate"""
    call_chars: int | None = None
    """the same of a call with its result"""


class BuiltIn(Table):
    """The whole file."""

    id: str
    """the agent's name on the command line"""
    name: str
    """as people know it"""
    versions: list[str]
    """the versions that are modelled, the oldest first"""
    modelled: dict[str, str] = some()
    """the day on which each version was modelled"""
    state: State | None = None
    """what became of the agent"""
    own_files: list[str]
    """names of files and folders that this agent alone reads, by which it is recognised"""
    model: str | None = None
    """the model unless one is chosen, of an agent that needs one to be named"""
    window: int | None = None
    """tokens of the window that is shown of a model of which nothing is known"""
    mode: list[Mode] = some(list)
    """`[[mode]]`: the modes, the first is the default"""
    names: list[str] = some(list)
    """values of a scenario that texts may name"""
    gates: dict[str, either(Fact)] = some()  # type: ignore[valid-type]
    """`[gates]`: conditions with a name, each a text or a table; one may name those before it"""
    facts: dict[str, Fact] = some()
    """`[facts]`: what the agent finds out, in sentences, for conditions"""
    reasons: dict[str, Fact] = some()
    """`[reasons]`: why a file, a tool or a part counts or does not"""
    notes: dict[str, either(Note)] = some()  # type: ignore[valid-type]
    """`[notes]`: what is said where something surprises people, each a text or a table"""
    inputs: dict[str, Inputs] = some()
    """`[inputs.NAME]`: the inputs"""
    switches: list[Inputs] = some(list)
    """`[[switches]]`: the settings that are drawn as switches"""
    variables: dict[str, Variable] = some()
    """`[variables]`: the environment variables that a person may set"""
    sections: list[Sections] = some(list)
    """`[[sections]]`: the prompt, in its order"""
    places: dict[str, BuiltInPlace] = some()
    """`[places.NAME]`: places of sections"""
    tools: BuiltInTools | None = None
    """`[tools]`: the tools"""
    bundled: dict[str, Bundled] = some()
    """`[bundled.KIND]`: skills, sub-agents and the like that come along"""
    rows: dict[str, list[Row]] = some()
    """`[[rows.NAME]]`: rows of which those that fit apply, as the options of the request by model"""
    endpoints: list[Endpoint] = some(list)
    """`[[endpoints]]`: where the request goes"""
    hosts: dict[str, str] = some()
    """`[hosts]`: the usual address of each provider"""
    first_message: FirstMessage | None = None
    """`[first_message]`: how the first message is drafted"""
    body: Body | None = None
    """`[body]`: the other keys of the request"""
    after: After | None = None
    """`[after]`: limits of later requests"""
    account: Account | None = None
    """`[account]`: where the window's tokens go"""
    caching: dict[str, CacheEvent] = some()
    """`[caching.EVENT]`: what is computed again, and when"""
    command_line: CommandLine | None = None
    """`[command_line]`: what a captured command line says of inputs"""
    from_request: list[FromRequest] = some(list)
    """`[[from_request]]`: what a captured request says of inputs"""
    sent_servers: SentServers | None = None
    """`[sent_servers]`: how servers' tools are named in a request"""
    hook_events: dict[str, HookEvent] = some()
    """`[hook_events]`: the events of hooks"""
    front_matter: dict[str, KnownKeys] = some()
    """`[front_matter.KIND]`: the keys that count in front matter, by kind of file"""
    known_keys: dict[str, KnownKeys] = some()
    """`[known_keys.KIND]`: the keys that count in an entry of the settings"""
    shapes: dict[str, Any] = some()
    """`[shapes.NAME]`: shapes of files that the agent checks itself, in the notation of kit/disk/settings_schema.py"""
    reads: Reads | None = None
    """`[reads]`: why other files are not read"""
    near: list[Near] = some(list)
    """`[[near]]`: files that nearly count"""
    quirks: list[Quirk] = some(list)
    """`[[quirks]]`: slips of the agent itself"""
    overfull: list[Overfull] = some(list)
    """`[[overfull]]`: what it does where a request does not fit the window"""
