"""A scenario in work: its history, its worker, what was found out, the files being watched. No terminal."""
