"""Capturing what an agent sends."""
