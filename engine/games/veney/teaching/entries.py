"""The words of Veney's rulebook: its pieces, then play, devices, ends and what stands around a game."""

from engine.games.veney.teaching.devices import DEVICES
from engine.games.veney.teaching.ends import ENDS
from engine.games.veney.teaching.pieces import PIECES
from engine.games.veney.teaching.play import PLAY

ENTRIES = (*PIECES, *PLAY, *DEVICES, *ENDS)
