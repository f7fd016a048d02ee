"""Skills: where they are, what a file needs to be one, and which of them the permissions let in."""

from collections.abc import Iterator

from promptscope_engine.agents.kit.heads import traced
from promptscope_engine.agents.kit.rows import absent, followed, near_skills
from promptscope_engine.agents.kit.settings import mapping
from promptscope_engine.agents.kit.walking import absolute
from promptscope_engine.agents.opencode.gates import switched
from promptscope_engine.agents.opencode.materials import Agent, Skill
from promptscope_engine.agents.opencode.permissions import kept
from promptscope_engine.agents.opencode.texts import FOLDER
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.drafts import Span, builtin, computed, traced_lines
from promptscope_engine.prompt.spans import joined
from promptscope_engine.workspace import FileText

from .settings import DEEP, Session, files_in

_NAME = "SKILL.md"
_MAX = 500


class Skills:
    """The skills by name; of one name the last one that is found stays."""

    def __init__(self, session: Session, agent: Agent) -> None:
        self.session, self.agent = session, agent
        own = FOLDER.bundled("skills", session.inputs.agent_version)
        self.every = {
            name: Skill(name, (builtin(f"skills.{name}", each.text),), "<built-in>", when=self._allowed(name))
            for name, each in own.items()
        }
        for folder, when in self._places():
            self._folder(folder, when)

    def _places(self) -> Iterator[tuple[str, Condition]]:
        session, env = self.session, self.session.env
        everything = ~switched(env, "OPENCODE_DISABLE_EXTERNAL_SKILLS")
        claude = everything & ~switched(env, "OPENCODE_DISABLE_CLAUDE_CODE")
        claude &= ~switched(env, "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS")
        for folder in (session.home, *(session.folders if session.of_project else ())):
            yield f"{folder.rstrip('/')}/.claude/skills", claude
            yield f"{folder.rstrip('/')}/.agents/skills", everything
        for base in session.bases:
            yield f"{base}/skill", ALWAYS
            yield f"{base}/skills", ALWAYS
        said = session.at("skills")
        paths = said if isinstance(said, list) else mapping(said).get("paths")
        for path in paths if isinstance(paths, list) else ():
            if isinstance(path, str) and "://" not in path:
                yield absolute(path, session.cwd, session.home), ALWAYS

    def _folder(self, folder: str, when: Condition) -> None:
        session = self.session
        if not session.workspace.is_dir(folder):
            return
        deep = folder.endswith((".claude/skills", ".agents/skills"))  # only there in hidden folders, too
        for file in files_in(session, folder, "skill", _NAME, _MAX):
            below = file.path.removeprefix(folder)
            if below.endswith(f"/{_NAME}") and (deep or "/." not in below):
                self._file(file, when)
        session.files += near_skills(session.workspace, folder, depth=DEEP, root=True)

    def _file(self, file: FileText, place: Condition) -> None:
        session = self.session
        parsed, body, problem = session.heads.read(file)
        values = mapping(parsed.value)
        name, said = values.get("name"), values.get("description")
        if not problem and not isinstance(name, str):
            problem = "its front matter has no `name`"
        elif not problem and "description" in values and not isinstance(said, str):
            problem = "its `description` is not a text"
        when = place & followed(session.workspace, file.path, session.inputs.follow_links)
        if problem or not isinstance(name, str):
            session.warn("bad-skill", f"no skill: {problem}", file.path, 1)
            session.row(file, "skill", "always", when & absent(file.path, problem, f"correct {file.path}"))
            return
        spans = self._described(file, said) if isinstance(said, str) else None
        listed = when & self._allowed(name)
        if spans is None:
            listed = listed & absent(file.path, "without a `description` it is not listed", "describe it")
        if when.holds(Facts()):
            before = self.every.get(name)
            if before is not None and before.path and (before.body, joined(before.description or ())) != (body, said):
                text = f"the skill {name} is defined twice, and no rule decides which one counts"
                session.say("info", "skill-replaced", text, file.path)
            self.every[name] = Skill(name, spans, file.path, body, file.path, listed)
        session.row(file, "skill", "always", listed, joined(spans or ()))

    def _described(self, file: FileText, said: str) -> tuple[Span, ...]:
        if "\n" in said:
            return tuple(traced_lines(file.path, file.text, said, 1, "description"))
        return traced(file, said, "description") or (computed("description", said),)

    def _allowed(self, name: str) -> Condition:
        return kept(self.agent.rules, "skill", name)
