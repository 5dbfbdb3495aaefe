"""The words of Veney's rulebook: its pieces, then play and its terms, devices, ends and what stands around a game."""

from engine.games.veney.teaching.devices import DEVICES
from engine.games.veney.teaching.ends import ENDS
from engine.games.veney.teaching.pieces import PIECES
from engine.games.veney.teaching.play import PLAY
from engine.games.veney.teaching.vocabulary import VOCABULARY

ENTRIES = (*PIECES, *PLAY, *VOCABULARY, *DEVICES, *ENDS)
