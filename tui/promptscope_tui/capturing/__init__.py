"""Recording what an agent sends: a server on this machine, the agent's command, and the files of both.

Nothing else of promptscope runs what a repository names; here the person names a command, and is asked first.
"""
