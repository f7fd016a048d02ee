"""The capture file, read once."""

from promptscope_engine.captures.files import MAX_BYTES, read_capture
from promptscope_engine.captures.model import Capture, CaptureError, Recorded
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.workspace import Workspace

_PIECE = 1 << 20


def recording(path: str, workspace: Workspace) -> Capture:
    """The capture at `path`. Raises ScenarioError where nothing of the file can be used.

    It is kept until all is looked at again: captures are not edited.
    """
    return workspace.memo(("capture", path), lambda: _read(path, workspace), tracked=True)


def _read(path: str, workspace: Workspace) -> Capture:
    workspace.allow([path])
    try:
        data = b"".join(workspace.chunks(path, _PIECE, MAX_BYTES + 1))
        return read_capture(data)
    except OSError as error:
        raise ScenarioError(f"cannot read the capture: {error.strerror or error}", where=path) from None
    except CaptureError as error:
        where = f"{path}:{error.line}" if error.line else path
        raise ScenarioError(f"no capture: {error.message}", where=where) from None


def chosen(capture: Capture, number: int) -> Recorded:
    """The request of this number, 0 being the main one. Raises ScenarioError if there is none to show."""
    if number == 0:
        if capture.main is None:
            raise ScenarioError("the capture holds no request to a model", where="capture")
        return capture.main
    found = capture.request(number)
    usable = [str(each.index) for each in capture.requests if each.protocol and each.body is not None]
    if found is None or str(number) not in usable:
        message = f"no request {number} to a model in the capture; there are: {', '.join(usable[:20]) or 'none'}"
        raise ScenarioError(message, where="params.request")
    return found


def recorded_in(path: str) -> str | None:
    """The folder in which promptscope recorded a capture; None for a file of another tool, or one that is none."""
    try:
        return recording(path, Workspace()).header.cwd
    except ScenarioError:  # who assembles it is told
        return None
