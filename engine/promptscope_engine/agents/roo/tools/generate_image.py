"""generate_image, an experiment (specs/roo.md 2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, label
from promptscope_engine.prompt.leaves import flag

from .block import cwd, optional, required, tool, usage


@tool("edit", when=flag("experiments.imageGeneration"), parameters=required("prompt", "path") + optional("image"))
def generate_image(materials: Materials) -> Iterator[Piece]:
    """Making an image, or changing one."""
    yield builtin(
        "generate_image.description",
        "Description: Request an image from an AI model that is reached over the OpenRouter API. It can create an image from nothing but a text prompt, or alter an existing one as you instruct it. If an image is given as input, the model applies to it what the prompt asks for: edits, changes of style, enhancements of any sort.\n",
    )
    yield label("Parameters:\n- prompt: (required) ")
    yield builtin(
        "generate_image.prompt", "Text that says what shall be created, or how the given image shall be altered"
    )
    yield label("\n- path: (required) ")
    yield builtin("generate_image.path", "The file in which the result is saved, relative to the workspace directory ")
    yield cwd(materials)
    yield builtin(
        "generate_image.path", ". Where the name lacks an extension for images, a fitting one is appended by the tool."
    )
    yield label("\n- image: (optional) ")
    yield builtin(
        "generate_image.image",
        "An existing image that is to be edited or transformed, relative to the workspace directory ",
    )
    yield cwd(materials)
    yield builtin("generate_image.image", ". The formats PNG, JPG, JPEG, GIF and WEBP are supported.")
    yield from usage(
        "generate_image",
        prompt="description of the image",
        path="where to save it",
        image="image to start from (may be left out)",
    )
    yield builtin("generate_image.examples", "Example: a picture for a landing page\n")
    yield builtin(
        "generate_image.examples",
        "<generate_image>\n<prompt>A wooden crate of apples in morning light, seen from above</prompt>\n<path>assets/crate.png</path>\n</generate_image>\n\n",
    )
    yield builtin("generate_image.examples", "Example: an existing drawing in another style\n")
    yield builtin(
        "generate_image.examples",
        "<generate_image>\n<prompt>Redraw this sketch as a flat two-color icon</prompt>\n<path>assets/icon.png</path>\n<image>drafts/sketch.jpg</image>\n</generate_image>\n\n",
    )
    yield builtin("generate_image.examples", "Example: a scan made clean\n")
    yield builtin(
        "generate_image.examples",
        "<generate_image>\n<prompt>Remove the stains and the fold from this scanned map, straighten it, and leave all lettering and borders exactly as they are</prompt>\n<path>assets/map.png</path>\n<image>drafts/map-scan.png</image>\n</generate_image>",
    )
