"""What agents do over time: recorded conversations, command lines, and the requests that come later in a session."""
