"""The base instructions of each kind of model, by the names of the catalogue."""

from .part import Part
from .prose_base_classic import CLASSIC
from .prose_base_current import ASTRA, LUNA_6, SOL_6, SOL_6_1
from .prose_base_middle import DAYBREAK, MIDDLE
from .prose_base_unknown import UNKNOWN

PROSE: dict[str, tuple[Part, ...]] = {
    "gpt-6.1-sol": SOL_6_1,
    "gpt-6-astra": ASTRA,
    "gpt-6-sol": SOL_6,
    "gpt-6-luna": LUNA_6,
    "gpt-5.6": MIDDLE,
    "gpt-daybreak": DAYBREAK,
    "gpt-5.5": CLASSIC,
    "unknown": UNKNOWN,
}
