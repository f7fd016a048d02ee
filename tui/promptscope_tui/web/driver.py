"""What the server and the processes that it starts know of each other."""

import os

DRIVER = {"TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}
"""What the server sets for the processes that it starts: Textual then draws into a pipe, for the browser."""


def in_browser() -> bool:
    """Whether this process was started by the server, for a visitor."""
    return all(os.environ.get(name) == value for name, value in DRIVER.items())
