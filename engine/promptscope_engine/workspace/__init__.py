"""The only access to the disk and to git."""

from .reader import FileText, Listing
from .workspace import Workspace

__all__ = ["FileText", "Listing", "Workspace"]
