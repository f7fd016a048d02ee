"""promptscope's engine: what a coding agent would be given as its prompt, and why.

    from promptscope_engine import Scenario, assemble
    assembly = assemble(Scenario.model_validate({"agent": "roo", "workspace": "."}))

The names are imported when they are first used, so that `import promptscope_engine` costs nothing.
"""

# Type checkers take this name as true; importing it from typing would cost 4 ms where nothing else has yet.
TYPE_CHECKING = False

__version__ = "0.1.0"

_HOMES = {
    "Assembly": "model",
    "Counter": "tokens",
    "Effect": "whatif",
    "Scenario": "scenario",
    "ScenarioError": "errors",
    "SectionChange": "comparison",
    "Workspace": "workspace",
    "assemble": "assembler",
    "compare": "comparison",
    "effects": "whatif",
    "load_scenario": "scenario",
    "schema": "schemas",
}

if TYPE_CHECKING:
    from .assembler import assemble as assemble
    from .comparison import SectionChange as SectionChange
    from .comparison import compare as compare
    from .errors import ScenarioError as ScenarioError
    from .model import Assembly as Assembly
    from .scenario import Scenario as Scenario
    from .scenario import load_scenario as load_scenario
    from .schemas import schema as schema
    from .tokens import Counter as Counter
    from .whatif import Effect as Effect
    from .whatif import effects as effects
    from .workspace import Workspace as Workspace

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
