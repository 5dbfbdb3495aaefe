"""The command line, for hosts and programs."""
