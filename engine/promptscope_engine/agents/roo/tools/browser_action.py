"""browser_action (specs/roo.md 2.3): the viewport's size is named twice."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.gates import BROWSER
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, label, param_value

from .block import optional, required, tool, usage


@tool("browser", when=BROWSER, parameters=required("action") + optional("url", "coordinate", "size", "text"))
def browser_action(materials: Materials) -> Iterator[Piece]:
    """Driving a browser, one action at a time."""
    size = param_value("browserViewportSize", materials.params.browserViewportSize)
    yield builtin(
        "browser_action.description",
        "Description: Request a single action of a browser that is driven by Puppeteer. Every action but `close` is answered with a screenshot of how the browser looks then, together with any new console logs. One message may hold one browser action only, and the next has to wait for the user's response with screenshot and logs, for these decide what it should be.\n\n",
    )
    yield builtin(
        "browser_action.use_cases",
        """\
Typical occasions for the tool are:
- Looking at a web application while you build it
- Trying out whether a page responds as it should: links, forms, menus
- Finding an error that appears only in the browser

""",
    )
    yield builtin(
        "browser_action.best_practices",
        """\
What has proved itself:
- Take the coordinates of a click from the latest screenshot, never from an older one
- Let a page finish loading before you judge it
- Click into a field before you type into it
- Heed errors in the console even when the page itself looks right

""",
    )
    yield builtin(
        "browser_action.order",
        """\
The order of actions:
- `launch` at a URL comes **first in every sequence**, and `close` comes **last**. To get to an address to which no link leads from the page at hand, close the browser and launch it anew at that address.
- Between `launch` and `close` all tools but `browser_action` are out of bounds. If an error shows that a file has to be repaired, for example, close the browser, make the change with the other tools, and come back with a new `launch` to see whether the repair was a success.
""",
    )
    yield builtin("browser_action.viewport", "- The window measures **")
    yield size
    yield builtin(
        "browser_action.viewport",
        """\
** pixels, and every coordinate you give must lie inside it.
- Where an element (an icon, a link, a button) is to be clicked, read its position off the screenshot first, and aim at **its middle**, away from the edges.

""",
    )
    yield label("Parameters:\n- action: (required) ")
    yield builtin("browser_action.action", "What to do. The actions are these:\n    * ")
    yield label("launch: ")
    yield builtin(
        "browser_action.launch",
        """\
Open a fresh browser at a URL. **No other action may come before this one**.
        - The address goes into the `url` parameter.
        - Write it in full, with its protocol (such as http://127.0.0.1:8080/orders, file:///tmp/report.html)
    * """,
    )
    yield label("hover: ")
    yield builtin(
        "browser_action.hover",
        """\
Let the cursor rest on a place, x,y.
        - The place goes into the `coordinate` parameter.
        - It should be the middle of an element in the latest screenshot.
    * """,
    )
    yield label("click: ")
    yield builtin(
        "browser_action.click",
        """\
Press and release the mouse on a place, x,y.
        - The place goes into the `coordinate` parameter.
        - It should be the middle of an element in the latest screenshot.
    * """,
    )
    yield label("type: ")
    yield builtin(
        "browser_action.type",
        """\
Enter text through the keyboard, once a field has the focus.
        - The characters go into the `text` parameter.
    * """,
    )
    yield label("resize: ")
    yield builtin(
        "browser_action.resize",
        """\
Change the size of the viewport to w,h.
        - The new size goes into the `size` parameter.
    * """,
    )
    yield label("scroll_down: ")
    yield builtin("browser_action.scroll_down", "Go down the page by one window's height.\n    * ")
    yield label("scroll_up: ")
    yield builtin("browser_action.scroll_up", "Go up the page by one window's height.\n    * ")
    yield label("close: ")
    yield builtin(
        "browser_action.close",
        "Shut the browser down. **No sequence may end without this**.\n        - Example: `<action>close</action>`",
    )
    yield label("\n- url: (optional) ")
    yield builtin(
        "browser_action.url", "Address for the `launch` action.\n    * Example: <url>https://shop.example.org</url>"
    )
    yield label("\n- coordinate: (optional) ")
    yield builtin(
        "browser_action.coordinate",
        "X and Y of the place for the `click` and `hover` actions, inside the resolution of **",
    )
    yield size
    yield builtin("browser_action.coordinate", "**.\n    * Example: <coordinate>212,96</coordinate>")
    yield label("\n- size: (optional) ")
    yield builtin(
        "browser_action.size",
        "Width and height of the viewport for the `resize` action.\n    * Example: <size>1024,768</size>",
    )
    yield label("\n- text: (optional) ")
    yield builtin(
        "browser_action.text", "Characters to type for the `type` action.\n    * Example: <text>two tickets</text>"
    )
    yield from usage(
        "browser_action",
        action="one of the actions (such as launch, click, type, scroll_down, close)",
        url="address to launch the browser at (may be left out)",
        coordinate="x,y (may be left out)",
        text="characters to type (may be left out)",
    )
    yield builtin("browser_action.examples", "Example: a browser that is launched at https://shop.example.org\n")
    yield builtin(
        "browser_action.examples",
        "<browser_action>\n<action>launch</action>\n<url>https://shop.example.org</url>\n</browser_action>\n\n",
    )
    yield builtin("browser_action.examples", "Example: a click on the element at 212,96\n")
    yield builtin(
        "browser_action.examples",
        "<browser_action>\n<action>click</action>\n<coordinate>212,96</coordinate>\n</browser_action>",
    )
