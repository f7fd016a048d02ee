"""The only access to the disk and to git."""

from .reader import FileText, Listing, Workspace

__all__ = ["FileText", "Listing", "Workspace"]
