"""What Roo says at several places, in our own words."""

from __future__ import annotations

FEEDBACK_LEAD = (
    "The user looked at the result and gives the feedback below. Take it up, go on with the task from "
    "there, and attempt completion again."
)
"""In front of the user's answer to a result."""
