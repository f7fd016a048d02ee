"""The name by which recordings import what is beside the agent: the API of replies to tool calls."""

import sys
from importlib import import_module

sys.modules[__name__] = import_module("promptscope_engine.roo_replies.recorded")
