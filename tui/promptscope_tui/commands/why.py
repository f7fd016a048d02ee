"""`promptscope why ITEM`: the reasons for one section, tool or file."""

from shlex import quote

import click
from msgspec.structs import replace

from promptscope_engine.agents.features import EditStep, LimitsEdits
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.formats.document import Json
from promptscope_engine.insight.editable import EditableFiles
from promptscope_engine.insight.imagined import Imagined
from promptscope_engine.insight.known import Known
from promptscope_engine.insight.set_keys import SetKey
from promptscope_engine.prompt.model import Assembly, ModeChoice, Tool, to_json
from promptscope_engine.workspace import Workspace
from promptscope_tui.answers.asking import answer, in_words, otherwise
from promptscope_tui.answers.explaining import known_quirks
from promptscope_tui.answers.finding import NotFoundError
from promptscope_tui.answers.items import Candidate
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.settings.knowledge import knowledge_for
from promptscope_tui.settings.settings import DEFAULTS

from .options import Options, with_options
from .table import command


@command("why")
@with_options
def why(item: str, edited: str | None, options: Options) -> None:
    """Explain why ITEM is in the prompt, or is not, and what would change that."""
    workspace = Workspace()
    assembly = options.assembly(workspace=workspace)
    scenario = options.scenario(DEFAULTS).with_value("agent", assembly.agent)
    knowledge = knowledge_for(scenario)

    try:
        found = answer(item, assembly, scenario, workspace, knowledge)
    except NotFoundError as error:
        raise click.UsageError(str(error)) from None
    found = _asked(found, edited, assembly) if edited is not None else found
    named = (f"--agent {quote(agent)}" if (agent := options.given["agent"]) else "", quote(options.path or ""))
    again = "".join(f" {word}" for word in named if word.strip("'"))
    texts = in_words(found, assembly, again)
    if options.form == "text":
        texts += otherwise(item, found, assembly, scenario, workspace, knowledge=knowledge)
    match options.form:
        case "json":
            put_json([_as_json(each, assembly) for each in found])
        case "markdown":
            parts = (text.partition("\n") for text in texts)
            put_shown("\n".join(f"## {title}\n\n```text\n{text}```\n" for title, _, text in parts))
        case "plain":
            Table((), [_plain(each) for each in found]).put("plain")
        case _:
            put_shown("\n".join(texts))


def _asked(found: list[Candidate], path: str, assembly: Assembly) -> list[Candidate]:
    """Those that edit, each with the answer to whether it may edit the file. Raises click.UsageError for none."""

    def answered(each: Candidate, edits: EditableFiles) -> Candidate:
        tool = each.thing if isinstance(each.thing, Tool) else None
        answer = edits.answer(path, tool.name if tool else None)
        if tool is not None and not tool.present:
            answer = replace(answer, steps=(EditStep(False, tool.why.text),))
        return replace(each, answer=answer)

    asked = [answered(each, each.edits) for each in found if each.edits]
    if asked:
        return asked
    if not isinstance(load_agent(assembly.agent), LimitsEdits):
        raise click.UsageError(f"--path: no mode of {assembly.agent} says which files it may edit")
    raise click.UsageError("--path asks about a tool that edits, as write_to_file, or about a mode")


def _as_json(found: Candidate, assembly: Assembly) -> dict[str, Json]:
    answer = found.answer
    known = known_quirks(found, assembly)
    quirks = {"quirks": [quirk.says for quirk in known]} if known else {}
    edits = {"edits": found.edits.to_dict()} if found.edits else {}
    asked = {"path": {"path": answer.path, "allowed": answer.ok, "steps": to_json(answer.steps)}} if answer else {}
    thing = found.thing.to_dict() if isinstance(found.thing, Known) else to_json(found.thing)
    return {"item": found.kind, **thing, **quirks, **edits, **asked}


def _plain(found: Candidate) -> tuple[str, str, str]:
    thing = found.thing
    match thing:
        case _ if found.answer:
            said = found.answer.words
        case SetKey():
            said = thing.effect
        case Known():
            said = thing.now or thing.says
        case Imagined():
            said = "there is no such file"
        case ModeChoice():
            said = ", ".join(thing.groups)
        case _:
            said = thing.why.text if thing.why else "always present"
    return found.kind, found.names[0], said
