"""What an agent really sent: recorded requests, read from many kinds of file, and how they are recorded.

Knows no screen, no agent's package and no network: `promptscope capture` serves, everything else is here.
"""
