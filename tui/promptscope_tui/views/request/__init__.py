"""The request as it is sent."""
