"""Why: what a word names, found in every spelling, and the reasons for it in lines. No terminal, no command."""
