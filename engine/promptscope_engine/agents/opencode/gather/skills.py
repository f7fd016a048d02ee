"""Skills: where they are, what a file needs to be one, and which of them the permissions let in."""

from collections.abc import Iterator

from promptscope_engine.agents.kit.described import Described, Shelf
from promptscope_engine.agents.kit.heads import misfit, traced
from promptscope_engine.agents.kit.rows import near_skills
from promptscope_engine.agents.kit.settings import mapping, texts
from promptscope_engine.agents.kit.walking import absolute, read_below
from promptscope_engine.agents.opencode.gates import switched
from promptscope_engine.agents.opencode.materials import Agent
from promptscope_engine.agents.opencode.permissions import kept
from promptscope_engine.agents.opencode.texts import FOLDER
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.drafts import Span, computed, traced_lines
from promptscope_engine.prompt.spans import joined
from promptscope_engine.workspace import FileText

from .settings import REACH, Session

_NAME = "SKILL.md"
_SHAPES = {"name": ("text",), "description": ("text",)}


class Skills:
    """The skills by name; of one name the last one that is found stays."""

    def __init__(self, session: Session, agent: Agent) -> None:
        self.session = session
        self.shelf = Shelf(session, "skill", lambda name: kept(agent.rules, "skill", name))
        self.every = self.shelf.every
        self.shelf.add_own(FOLDER.bundled("skills", session.inputs.agent_version), "<built-in>")
        for folder, when in self._places():
            self._folder(folder, when)

    def _places(self) -> Iterator[tuple[str, Condition]]:
        session, env = self.session, self.session.env
        everything = ~switched(env, "OPENCODE_DISABLE_EXTERNAL_SKILLS")
        claude = everything & ~switched(env, "OPENCODE_DISABLE_CLAUDE_CODE")
        claude &= ~switched(env, "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS")
        for folder in (session.home, *session.folders):  # OPENCODE_DISABLE_PROJECT_CONFIG makes no difference [asked]
            yield f"{folder.rstrip('/')}/.claude/skills", claude
            yield f"{folder.rstrip('/')}/.agents/skills", everything
        for base in session.bases:
            yield f"{base}/skill", ALWAYS
            yield f"{base}/skills", ALWAYS
        said = session.at("skills")
        for path in texts(said if isinstance(said, list) else mapping(said).get("paths")) or ():
            if "://" not in path:
                yield absolute(path, session.cwd, session.home), ALWAYS

    def _folder(self, folder: str, when: Condition) -> None:
        session = self.session
        if not session.workspace.is_dir(folder):
            return
        deep = folder.endswith((".claude/skills", ".agents/skills"))  # only there in hidden folders, too
        for file in read_below(session, folder, "skill", _NAME, REACH):
            below = file.path.removeprefix(folder)
            if below.endswith(f"/{_NAME}") and (deep or "/." not in below):
                self._file(file, when)
        session.files += near_skills(session.workspace, folder, depth=REACH.depth, root=True)

    def _file(self, file: FileText, when: Condition) -> None:
        head = self.session.heads.read(file.text)
        name, said = head.values.get("name"), head.values.get("description")
        none = "" if "name" in head.values else "its front matter has no `name`"
        if problem := head.problem or none or misfit(head.values, _SHAPES):
            self.session.warn("bad-skill", f"no skill: {problem}", file.path, 1)
            self.shelf.refuse(file, problem, when)
            return
        skill = Described(str(name), _described(file, said), file.path, file.path, head.body, when)
        if not when.holds(Facts()):
            self.shelf.row(file, skill)
            return
        before = self.every.get(skill.name)
        if before is not None and before.path and _said(before) != _said(skill):
            text = f"the skill {name} is defined twice, and no rule decides which one counts"
            self.session.say("info", "skill-replaced", text, file.path)
        self.shelf.add(file, skill)


def _described(file: FileText, said: object) -> tuple[Span, ...] | None:
    if not isinstance(said, str):
        return None
    if "\n" in said:
        return tuple(traced_lines(file.path, file.text, said, 1, "description"))
    return traced(file, said, "description") or (computed("description", said),)


def _said(skill: Described) -> tuple[str, str]:
    return skill.body, joined(skill.description or ())
