"""What lists and pages show, as rows: pure functions from a snapshot to text with tones."""
