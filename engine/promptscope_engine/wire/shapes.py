"""The shapes that a request can have."""

from .chat import ChatRequest
from .request import Request
from .responses import ResponsesRequest

AnyRequest = Request | ResponsesRequest | ChatRequest
