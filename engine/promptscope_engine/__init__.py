"""promptscope's engine: what a coding agent would be given as its prompt, and why.

    from promptscope_engine import Scenario, assemble
    assembly = assemble(Scenario.model_validate({"agent": "roo", "workspace": "."}))

The names are imported when they are first used, so that `import promptscope_engine` costs nothing.
"""

from .lazy import imported_when_used

# Type checkers take this name as true; importing it from typing would cost 4 ms where nothing else has yet.
TYPE_CHECKING = False

__version__ = "0.2.0"

_HOMES = {
    "Assembly": "prompt.model",
    "CheckReport": "checks.findings",
    "Comparison": "insight.comparison",
    "Counter": "tokens.counter",
    "Effect": "insight.effects",
    "Scenario": "inputs.scenario",
    "ScenarioError": "inputs.errors",
    "SectionChange": "insight.comparison",
    "Workspace": "workspace.workspace",
    "assemble": "assembly.assembler",
    "check": "checks.checker",
    "compare": "insight.comparison",
    "effects": "insight.effects",
    "load_scenario": "inputs.scenario",
    "schema": "schemas",
}

if TYPE_CHECKING:
    from .assembly.assembler import assemble as assemble
    from .checks.checker import check as check
    from .checks.findings import CheckReport as CheckReport
    from .inputs.errors import ScenarioError as ScenarioError
    from .inputs.scenario import Scenario as Scenario
    from .inputs.scenario import load_scenario as load_scenario
    from .insight.comparison import Comparison as Comparison
    from .insight.comparison import SectionChange as SectionChange
    from .insight.comparison import compare as compare
    from .insight.effects import Effect as Effect
    from .insight.effects import effects as effects
    from .prompt.model import Assembly as Assembly
    from .schemas import schema as schema
    from .tokens.counter import Counter as Counter
    from .workspace.workspace import Workspace as Workspace

__all__ = ["__version__", *_HOMES]


__getattr__ = imported_when_used(__name__, _HOMES)
