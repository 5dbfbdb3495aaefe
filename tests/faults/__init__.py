"""Faults on purpose: the bot is killed, its disk, its clock and its platforms fail, and nothing acknowledged is lost.

python -m tests.faults kills 5000 [SEED]    killed at counted points of whole stories
python -m tests.faults FAULT 200 [SEED]     evenings of play with one fault, or `all` of them in turn
python -m tests.faults again CASE           one case once more, as it was printed
"""
