"""The whole program for a long time, as a host runs it, while people play on Discord, Matrix and the page.

    python -m tests.soak.live [TURNS] [MATCHES] [SEED] [FOLDER] [RATE] [MINUTES]

The bot has a process of its own, and only that one is measured; so have a stand-in for Discord, a Synapse, and all who
play. Its matches stand in its database before it starts. Time is real; what is pruned after a month or half a year is
pruned after minutes. Into FOLDER go plots, samples and the log.
"""
