"""Disk, settings and machine to materials."""
