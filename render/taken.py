"""Turns marks for taken pieces into what is shown of them: a ghost, and an arrow from each attacker."""

from dataclasses import replace

from engine.diagram import Diagram


def show_taken(diagram: Diagram) -> Diagram:
    """Returns the diagram with a ghost for each taken piece, and no mark that still tells of one."""
    for mark in diagram.marks:
        if mark.piece:
            return replace(diagram, marks=()).marked(diagram.marks)
    return diagram
