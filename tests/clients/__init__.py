"""Real clients that people use, driven on a screen of their own: `make test-clients`."""
