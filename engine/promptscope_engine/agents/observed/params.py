"""What can be chosen of a capture."""

from __future__ import annotations

from promptscope_engine.inputs.params import Params, param


class ObservedParams(Params):
    """Which request of the capture is shown."""

    request: int = param(0, "Capture", "the number of the request that is shown; 0: the main one", ge=0)
