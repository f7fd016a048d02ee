"""Copilot's texts and tools, and what they may name in every scenario (agent.toml, sections/, tools/)."""

from promptscope_engine.agents.kit.text.folder import Folder
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.leaves import equals

INTERACTIVE: Condition = equals("entry", "interactive", yes="the session is interactive", no="it is `copilot -p`")
MODES = ("interactive", "plan", "autopilot")
FOLDER = Folder.of(__file__, words=frozenset({"tool", "env", "subagent"}), modes=MODES)
