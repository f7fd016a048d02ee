"""stdout, stderr and exit codes of the headless commands."""
