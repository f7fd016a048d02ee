"""What is seen: a folder or a module for each view, with its words, its rows and its widget or screen."""
