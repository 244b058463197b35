"""The command line: it reads arguments, asks the desk, and shows the answer."""
