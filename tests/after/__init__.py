"""What a session sends later, held against recorded runs of the real clients: see README.md."""
