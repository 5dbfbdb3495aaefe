"""Scripts for whoever works on Riposte; none of them is installed."""
