"""YAML that anybody may have written, as plain values: no tags, no cycles, no more of it than was written plus a bit.

An alias costs a few characters and may stand for a thousand values that hold a thousand aliases: PyYAML shares them,
but whoever walks over the result never comes to an end. So sizes are added up before a value is made.
"""

from __future__ import annotations

import yaml

from .document import Json

MAX_NODES = 100_000
"""Values that a text may stand for once its aliases are written out: ten times the largest settings file seen."""


def load_yaml(text: str) -> Json:
    """The value of a YAML text. Raises yaml.YAMLError for what is no YAML, refers to itself, or is too large."""
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        expanded_size(node)
        return loader.construct_document(node)
    except RecursionError:
        raise yaml.YAMLError("nested too deeply") from None
    except (ValueError, OverflowError) as error:  # a date with a thirteenth month
        raise yaml.YAMLError(str(error)) from None
    finally:
        loader.dispose()


def expanded_size(node: yaml.Node, sizes: dict[int, int] | None = None) -> int:
    """The values that a node stands for, aliases written out. Raises yaml.MarkedYAMLError above MAX_NODES."""
    sizes = {} if sizes is None else sizes
    known = sizes.get(id(node))
    if known is not None:
        if known == 0:
            raise yaml.MarkedYAMLError(problem="refers to itself", problem_mark=node.start_mark)
        return known
    sizes[id(node)] = 0  # under way
    size = 1
    if isinstance(node, yaml.MappingNode):
        size += sum(expanded_size(part, sizes) for pair in node.value for part in pair)
    elif isinstance(node, yaml.SequenceNode):
        size += sum(expanded_size(item, sizes) for item in node.value)
    if size > MAX_NODES:
        problem = f"stands for more than {MAX_NODES:,} values once its aliases are written out"
        raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
    sizes[id(node)] = size
    return size
