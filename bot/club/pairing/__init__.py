"""Who meets whom: all play all, Swiss rounds, knock-out rounds, and tables of several."""
