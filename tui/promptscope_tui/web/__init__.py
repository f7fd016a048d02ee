"""The app in a browser."""
