from __future__ import annotations

import pytest

from promptscope_engine.formats.front_matter import FrontMatter
from promptscope_engine.formats.yaml import CORE, YAML_1_1, YamlError, YamlLimitError


def test_lines_are_those_of_the_file() -> None:
    parsed = FrontMatter("name: a\ndescription:\n  b\n").parse(CORE)
    assert [parsed.line(("name",)), parsed.line(("description",)), parsed.value_line(("description",))] == [2, 3, 4]
    assert FrontMatter("name: a", line=1).parse(CORE).line(("name",)) == 1


def test_errors_name_the_line_of_the_file() -> None:
    with pytest.raises(YamlError, match="could not determine") as caught:
        FrontMatter("a: 1\nb: !x", line=5).parse(YAML_1_1)
    assert caught.value.line == 6


@pytest.mark.parametrize("size", [65_535, 65_536, 65_537])
def test_its_size_is_limited(size: int) -> None:
    front_matter = FrontMatter("#" + "x" * (size - 1))
    if size <= 65_536:
        assert front_matter.parse(YAML_1_1).value is None
    else:
        with pytest.raises(YamlLimitError, match="too many") as caught:
            front_matter.parse(YAML_1_1)
        assert caught.value.line is None
