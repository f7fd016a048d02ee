"""What a person can set."""

from promptscope_engine.inputs.params import Params, param


class ToyParams(Params):
    """The toy's own inputs."""

    polite: bool = param(True, "Prompt", "whether the prompt asks for good manners")
    search: bool = param(False, "Tools", "whether the tool `search` is offered")
