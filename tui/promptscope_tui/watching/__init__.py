"""Which of the files behind a prompt changed, while the app runs."""
