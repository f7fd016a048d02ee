"""browser_action (specs/roo.md 2.3): the viewport's size is named twice."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.gates import BROWSER
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.conditions import mode_has
from promptscope_engine.draft import Piece, ToolDraft, builtin, label, param_value

from .block import block, optional, required


def browser_action(materials: Materials) -> ToolDraft:
    """Driving a browser, one action at a time."""
    return block(
        "browser_action",
        "browser",
        _pieces(materials.params.browserViewportSize),
        when=mode_has("browser") & BROWSER,
        parameters=required("action") + optional("url", "coordinate", "size", "text"),
    )


def _pieces(viewport: str) -> Iterator[Piece]:
    size = param_value("browserViewportSize", viewport)
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
- A sequence **always begins with** launching the browser at a URL and **must always end with** closing it. A new URL that cannot be reached by navigation from the current page requires that the browser is closed first and launched again at that URL.
- As long as the browser is active, `browser_action` is the only tool that may be called. No other tool in between; only after the browser is closed may you go on with other tools. If you meet an error and a file has to be repaired, for example, close the browser, make the change with the other tools, and launch the browser again to verify the result.
""",
    )
    yield builtin("browser_action.viewport", "- The browser window has a resolution of **")
    yield size
    yield builtin(
        "browser_action.viewport",
        """\
** pixels. Whatever you click must have coordinates within that resolution.
- Before you click an element such as an icon, a link or a button, you have to consult the screenshot of the page to find the coordinates of that element. Aim at the **center of the element**, not at its edges.

""",
    )
    yield label("Parameters:\n- action: (required) ")
    yield builtin("browser_action.action", "What to do. The actions are these:\n    * ")
    yield label("launch: ")
    yield builtin(
        "browser_action.launch",
        """\
Start a new browser instance under the control of Puppeteer at a URL. This **must always be the first action**.
        - The address goes into the `url` parameter.
        - It must be valid and have its protocol (such as http://localhost:3000/page, file:///path/to/file.html)
    * """,
    )
    yield label("hover: ")
    yield builtin(
        "browser_action.hover",
        """\
Move the cursor to an x,y coordinate.
        - The place goes into the `coordinate` parameter.
        - Always go to the middle of an element (icon, button, link and so on), as the screenshot has it.
    * """,
    )
    yield label("click: ")
    yield builtin(
        "browser_action.click",
        """\
Click at an x,y coordinate.
        - The place goes into the `coordinate` parameter.
        - Always click the middle of an element (icon, button, link and so on), as the screenshot has it.
    * """,
    )
    yield label("type: ")
    yield builtin(
        "browser_action.type",
        """\
Type text on the keyboard, after a click on a text field for instance.
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
    yield builtin("browser_action.scroll_down", "Move the page down by the height of one window.\n    * ")
    yield label("scroll_up: ")
    yield builtin("browser_action.scroll_up", "Move the page up by the height of one window.\n    * ")
    yield label("close: ")
    yield builtin(
        "browser_action.close",
        "End the browser instance. This **must always be the last action**.\n        - Example: `<action>close</action>`",
    )
    yield label("\n- url: (optional) ")
    yield builtin(
        "browser_action.url",
        "Address for the `launch` action.\n    * Example: <url>https://example.com</url>",
    )
    yield label("\n- coordinate: (optional) ")
    yield builtin(
        "browser_action.coordinate",
        "X and Y of the place for the `click` and `hover` actions, inside the resolution of **",
    )
    yield size
    yield builtin("browser_action.coordinate", "**.\n    * Example: <coordinate>450,300</coordinate>")
    yield label("\n- size: (optional) ")
    yield builtin(
        "browser_action.size",
        "Width and height of the viewport for the `resize` action.\n    * Example: <size>1280,720</size>",
    )
    yield label("\n- text: (optional) ")
    yield builtin(
        "browser_action.text",
        "Characters to type for the `type` action.\n    * Example: <text>Hello, world!</text>",
    )
    yield label("\nUsage:\n<browser_action>\n<action>")
    yield builtin("browser_action.usage", "one of the actions (such as launch, click, type, scroll_down, close)")
    yield label("</action>\n<url>")
    yield builtin("browser_action.usage", "address to launch the browser at (may be left out)")
    yield label("</url>\n<coordinate>")
    yield builtin("browser_action.usage", "x,y (may be left out)")
    yield label("</coordinate>\n<text>")
    yield builtin("browser_action.usage", "characters to type (may be left out)")
    yield label("</text>\n</browser_action>\n\n")
    yield builtin("browser_action.examples", "Example: a browser that is launched at https://example.com\n")
    yield label("<browser_action>\n<action>launch</action>\n<url>https://example.com</url>\n</browser_action>\n\n")
    yield builtin("browser_action.examples", "Example: a click on the element at 450,300\n")
    yield label("<browser_action>\n<action>click</action>\n<coordinate>450,300</coordinate>\n</browser_action>")
