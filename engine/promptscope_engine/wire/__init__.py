"""The request as it goes over the wire."""
