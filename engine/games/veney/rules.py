"""Every rule that a turn of Veney can break, and every way to end, by section and code, in our own words."""

# ruff: noqa: E501 -- one rule a line
from typing import Final

from engine.game import Rule
from engine.text import Term, Text

# fmt: off
_ALL: Final = (
    Rule("2.0.01:own-piece", Term("Pieces"), Text("Two of your own pieces never share a square; only your engagements give way, as stepping stones.")),
    Rule("2.0.02:geometry", Term("the Self's movement"), Text("The Self moves straight or diagonally, never by a bent path.")),
    Rule("2.0.02:lunge", Term("the Self's lunge"), Text("The Self goes up to 4, 3, 2 or 1 squares forward and 1, 2, 3 or 4 back when it starts in its own 1st, 2nd, 3rd or 4th measure.")),
    Rule("2.0.02:sideways", Term("the Self's movement"), Text("Sideways the Self goes one square only.")),
    Rule("2.0.02:leap", Term("the Self's movement"), Text("The Self leaps over nothing.")),
    Rule("2.0.02:cannot-attack", Term("the Self's attacks"), Text("The Self fends engagements, Cloaks, Balances, Lanterns and Jutsus, and nothing else.")),
    Rule("2.0.02:retreat-step", Term("the Self's retreat"), Text("A retreat is the step off the board from the last step behind you.")),
    Rule("2.0.02:retreat-barred", Term("the Self's retreat"), Text("There is no retreat while the opposing Self is on your side of the board.")),
    Rule("2.0.02:retreat-double", Term("the Self's retreat"), Text("A retreat is the whole turn.")),
    Rule("2.0.03:geometry", Term("the Sword's movement"), Text("The Sword moves along lines, steps and diagonals.")),
    Rule("2.0.03:leap", Term("the Sword's movement"), Text("The Sword leaps its own pieces other than the Self, and the free engagement in its possession, and nothing else.")),
    Rule("2.0.03:range", Term("the Sword's range"), Text("The Sword ends at most one measure from its Self, or on a step further ahead that carries an engagement of its own.")),
    Rule("2.0.03:cavazione-side", Term("the Sword's cavazione"), Text("Cavazione trades the places of two adjacent blades that are both on the opponent's side.")),
    Rule("2.0.03:opposition-none", Term("the Sword's opposition"), Text("Opposition pushes an opposing blade that is in line with your own.")),
    Rule("2.0.03:opposition-side", Term("the Sword's opposition"), Text("Opposition needs both blades on your own side.")),
    Rule("2.0.03:opposition-short", Term("the Sword's opposition"), Text("Opposition ends on or beyond the square where the pushed blade stood.")),
    Rule("2.0.03:opposition-blocked", Term("the Sword's opposition"), Text("Opposition pushes over open squares only, with nothing between the blades.")),
    Rule("2.0.03:opposition-centre", Term("the Sword's opposition"), Text("The pushing blade stays on its own side of the centre line.")),
    Rule("2.0.03:self-stays", Term("Concert"), Text("In a concert the Self really moves.")),
    Rule("2.0.03:cannot-attack", Term("the Sword's attacks"), Text("The Sword cannot attack a Ruin or a Donkey.")),
    Rule("2.0.04:geometry", Term("the engagement's movement"), Text("An engagement goes straight ahead to an open square and fends one square diagonally ahead.")),
    Rule("2.0.04:advance", Term("the engagement's movement"), Text("Two or three squares at once only inside its own second measure.")),
    Rule("2.0.04:leap", Term("the engagement's movement"), Text("An engagement leaps over nothing.")),
    Rule("2.0.04:cannot-attack", Term("the engagement's attacks"), Text("An engagement fends engagements, Cloaks, Balances, Lanterns and Jutsus, and nothing else.")),
    Rule("2.0.05:absent", Term("Free engagement"), Text("The free engagement is not in this set.")),
    Rule("2.0.05:possession", Term("Free engagement"), Text("Only the player of the colour it stands on moves the free engagement: White on light, Black on dark squares.")),
    Rule("2.0.05:geometry", Term("Free engagement"), Text("In play the free engagement goes one square to an open square, or fends one square diagonally forward.")),
    Rule("2.0.05:entry", Term("Free engagement"), Text("It enters on a square that its point touches.")),
    Rule("2.0.05:entry-occupied", Term("Free engagement"), Text("It enters on an open square.")),
    Rule("2.0.05:in-play", Term("Meta-move"), Text("Meta-moves are for the free engagement out of play.")),
    Rule("2.0.05:meta-order", Term("Meta-move"), Text("One meta-move a turn, before anything else.")),
    Rule("2.0.05:meta-and-intention", Term("Meta-move"), Text("A meta-move and an intention exclude one another in a turn.")),
    Rule("2.0.05:edge", Term("Meta-move"), Text("A meta-move stays on the grid.")),
    Rule("2.0.05:no-repetition", Term("Free engagement"), Text("It is returned to its start only after going to and fro between the same two squares.")),
    Rule("2.0.05:cannot-attack", Term("Free engagement"), Text("The free engagement fends engagements, Cloaks, Balances, Lanterns and Jutsus, and nothing else.")),
    Rule("2.0.06:geometry", Term("the Cloak's movement"), Text("The Cloak leaps like a knight.")),
    Rule("2.0.06:not-adjacent", Term("the Cloak's feign"), Text("A feign trades the places of adjacent Cloak and Self.")),
    Rule("2.0.06:capturing", Term("the Cloak's feign"), Text("A Cloak on a captured blade cannot feign.")),
    Rule("2.0.06:captured", Term("the Cloak's blade capture"), Text("A captured blade is pinned: it cannot move, attack, be traded or be pushed.")),
    Rule("2.0.06:not-captured", Term("the Cloak's severing"), Text("Only a captured blade severs a Cloak.")),
    Rule("2.0.06:too-soon", Term("the Cloak's severing"), Text("A blade is freed from its owner's second turn after the capture on.")),
    Rule("2.0.06:recapture", Term("the Cloak's blade capture"), Text("A Cloak does not go from one capture to the next within a turn.")),
    Rule("2.0.06:cloak-on-blade", Term("the Cloak's blade capture"), Text("A Cloak on a captured blade is attacked by nothing; only the blade itself severs it.")),
    Rule("2.0.06:cannot-attack", Term("the Cloak's attacks"), Text("The Cloak attacks neither Self nor Guard nor Ruin.")),
    Rule("2.0.07:geometry", Term("the Balance's movement"), Text("The Balance moves diagonally.")),
    Rule("2.0.07:control", Term("the Balance's control"), Text("The Jutsu does not enter a measure that the opposing Balance and Self share.")),
    Rule("2.0.07:leap", Term("the Balance's movement"), Text("The Balance leaps over anything but a Donkey.")),
    Rule("2.0.07:no-control", Term("the Balance's control"), Text("Control fends the opposing Jutsu from a measure that your Balance and your Self share.")),
    Rule("2.0.07:late-control", Term("the Balance's control"), Text("Control fends only in the turn in which Balance or Self enters.")),
    Rule("2.0.07:shift-range", Term("the Balance's shift"), Text("A shift leaves the blade inside its range.")),
    Rule("2.0.07:cannot-attack", Term("the Balance's attacks"), Text("The Balance attacks neither Self nor armaments nor Ruin.")),
    Rule("2.0.08:geometry", Term("the Dagger's movement"), Text("The Dagger moves along lines, steps and diagonals.")),
    Rule("2.0.08:leap", Term("the Dagger's movement"), Text("The Dagger leaps nothing but the free engagement in its possession.")),
    Rule("2.0.08:range", Term("the Dagger's range"), Text("The Dagger ends at most one measure from its Self.")),
    Rule("2.0.08:dagger-vs-sword", Term("the Dagger's cavazione and opposition"), Text("The Dagger's cavazione and opposition work only against a Dagger.")),
    Rule("2.0.08:throw-line", Term("the Dagger's throw"), Text("A Dagger is thrown at the opposing Self in line with it.")),
    Rule("2.0.08:throw-blocked", Term("the Dagger's throw"), Text("Only engagements may stand between a thrown Dagger and the Self.")),
    Rule("2.0.08:reposition", Term("the Dagger's distraction"), Text("Self and Sword are repositioned only after a throw that misses by a single stick.")),
    Rule("2.0.08:reposition-zone", Term("the Dagger's distraction"), Text("Self and Sword are put on their own side, behind the opposing Self's step.")),
    Rule("2.0.08:reposition-occupied", Term("the Dagger's distraction"), Text("Self and Sword are put on empty squares.")),
    Rule("2.0.08:cannot-attack", Term("the Dagger's attacks"), Text("The Dagger cannot attack a Ruin or a Donkey.")),
    Rule("2.0.09:geometry", Term("the Guard's movement"), Text("The Guard moves along lines and steps, or one square diagonally.")),
    Rule("2.0.09:leap", Term("the Guard's movement"), Text("The Guard leaps over nothing.")),
    Rule("2.0.09:range", Term("the Guard's range"), Text("The Guard ends in its Self's measure or one step outside it.")),
    Rule("2.0.09:deflect-none", Term("the Guard's deflection"), Text("Deflection pushes an opposing Sword, Dagger or Guard.")),
    Rule("2.0.09:deflect-blocked", Term("the Guard's deflection"), Text("The square behind a deflected piece is open.")),
    Rule("2.0.09:cannot-attack", Term("the Guard's attacks"), Text("The Guard attacks neither Self nor armaments nor Ruin; armaments it deflects.")),
    Rule("2.0.10:geometry", Term("the Lantern's movement"), Text("The Lantern moves along lines, steps and diagonals.")),
    Rule("2.0.10:short", Term("the Lantern's movement"), Text("The Lantern goes at least two squares.")),
    Rule("2.0.10:range", Term("the Lantern's range"), Text("In its Self's measure the Lantern stays there.")),
    Rule("2.0.10:flail", Term("the Lantern's flail"), Text("A flailing Lantern ends in its Self's measure or the next one beyond.")),
    Rule("2.0.10:leap", Term("the Lantern's movement"), Text("The Lantern leaps only when flailing, and only over pieces of the next measure.")),
    Rule("2.0.10:stone-measure", Term("the Lantern's flail"), Text("Stone, or fire square, and end of a flailing double-move share a measure.")),
    Rule("2.0.10:no-glare", Term("the Lantern's glare"), Text("Glare needs the opposing Self in line, with no Guard, Cloak or own Self between.")),
    Rule("2.0.10:glare-bars-placement", Term("the Lantern's glare"), Text("No Jutsu is placed while its Self stands in the glare.")),
    Rule("2.0.10:glare-bars-throw", Term("the Lantern's glare"), Text("A player in the glare may be prevented from throwing.")),
    Rule("2.0.10:glare-cooldown", Term("the Lantern's glare"), Text("A Jutsu fended by glare is not placed on the very next turn.")),
    Rule("2.0.10:cannot-attack", Term("the Lantern's attacks"), Text("The Lantern attacks neither Self nor armaments nor Ruin.")),
    Rule("2.0.11:geometry", Term("the Jutsu's movement"), Text("The Jutsu goes one or two squares straight or diagonally, or to the same square of another measure.")),
    Rule("2.0.11:leap", Term("the Jutsu's movement"), Text("The Jutsu leaps over anything but a Donkey.")),
    Rule("2.0.11:presence", Term("the Jutsu's presence"), Text("Nothing is placed into a measure that the opposing Jutsu and Self share.")),
    Rule("2.0.11:no-jutsu", Term("the Jutsu's intention"), Text("An intention is enacted with one's own Jutsu on the board.")),
    Rule("2.0.11:not-declared", Term("the Jutsu's intention"), Text("A strike enacts what was declared on one's own turn before.")),
    Rule("2.0.11:target-moved", Term("the Jutsu's intention"), Text("The target of a strike has not moved since the strike was declared.")),
    Rule("2.0.11:no-target", Term("the Jutsu's intention"), Text("A strike needs an opposing piece on its square.")),
    Rule("2.0.11:not-a-blade", Term("the Jutsu's intention"), Text("Only blades strike.")),
    Rule("2.0.11:jutsu-alignment", Term("the Jutsu's intention"), Text("The Jutsu shares a measure or a diagonal with the target.")),
    Rule("2.0.11:cannot-attack", Term("the Jutsu's attacks"), Text("The Jutsu attacks neither Self nor blades nor Ruin.")),
    Rule("2.0.12:range", Term("the Ruin's movement"), Text("The Ruin stands at most one measure from its Self.")),
    Rule("2.0.12:opponent-measure", Term("the Ruin's movement"), Text("The Ruin does not go into the opposing Self's measure.")),
    Rule("2.0.12:occupied", Term("the Ruin's movement"), Text("The Ruin goes to open squares.")),
    Rule("2.0.12:stone", Term("the Ruin's movement"), Text("The Ruin uses no stepping stones.")),
    Rule("2.0.12:cannot-attack", Term("the Ruin's attacks"), Text("The Ruin attacks nothing.")),
    Rule("2.0.13:not-in-reserve", Term("Placing"), Text("Only pieces in reserve are placed.")),
    Rule("2.0.13:occupied", Term("Placing"), Text("Pieces are placed on empty squares.")),
    Rule("2.0.13:not-adjacent", Term("Placing"), Text("Pieces are placed next to the Self.")),
    Rule("2.0.13:range", Term("Placing"), Text("A Lantern is placed inside its Self's measure.")),
    Rule("2.0.13:not-on-board", Term("Withdrawing"), Text("Only a piece on the board is withdrawn.")),
    Rule("2.0.13:cannot-withdraw", Term("Withdrawing"), Text("Self, Sword and the free engagement are never withdrawn.")),
    Rule("2.0.13:far-side", Term("Withdrawing"), Text("Pieces are withdrawn from one's own side of the board.")),
    Rule("2.0.14:no-disarm", Term("Disarm"), Text("An armament is taken only outside its range, or attacked by a technical piece as well as by the blade; a Dagger does it only without a Sword.")),
    Rule("2.0.15:too-many", Term("Double-moves"), Text("A turn has two moves at most.")),
    Rule("2.0.15:unlinked", Term("Double-moves"), Text("Two moves are linked by a stone, a concert, a fire square or the end of hirakamae.")),
    Rule("2.0.15:place-in-double", Term("Double-moves"), Text("A placement is never part of a double-move.")),
    Rule("2.0.15:special-second", Term("Double-moves"), Text("What moves two of your own pieces is never the second half.")),
    Rule("2.0.16:after-end", Term("Immaterial actions"), Text("Glare and intention end the turn.")),
    Rule("2.0.17:forced", Term("Passing"), Text("After two passes the first to pass makes a move on the board.")),
    Rule("2.0.18:hirakamae-no-pass", Term("Hirakamae"), Text("Against hirakamae there is no passing.")),
    Rule("2.0.18:no-empty-measure", Term("Casting"), Text("A piece is cast into an empty measure between the two Selves.")),
    Rule("2.0.18:not-available", Term("Devices"), Text("The device is not there to be used.")),
    Rule("2.0.18:cast-cloak-concert", Term("Casting"), Text("A cast Cloak is never linked with a move.")),
    Rule("2.0.18:reposition-zone", Term("Chaos"), Text("Self and blade are put on their own side, behind the Cloak's step.")),
    Rule("2.0.18:reposition-occupied", Term("Chaos"), Text("Right after the cast they are put on empty squares.")),
    Rule("2.0.18:shima", Term("Shima"), Text("Under Shima there is no retreat and no reset.")),
    Rule("2.0.20:dead-self", Term("Dying turn"), Text("A Self that was touched does not move.")),
    Rule("2.0.20:no-impasse", Term("Impasse"), Text("An impasse needs two returns of the free engagement in a row with no other piece moving, and its reset is the whole turn.")),
    Rule("2.0.21:over", Term("Endings"), Text("Once the game has ended nobody has a turn.")),
    Rule("2.0.23:dagger-limit", Term("Archives Assassin"), Text("No more Daggers at a time than the preset allows.")),
)
# fmt: on

RULES: Final = {rule.ref: rule for rule in _ALL}
"""Every rule that a turn can break, by `section:code`, in the rulebook's order."""

SUBTLE: Final = frozenset(
    ref
    for ref in RULES
    if ref.startswith(("2.0.10:", "2.0.11:", "2.0.15:", "2.0.18:")) or ref in ("2.0.14:no-disarm", "2.0.13:range")
)
"""What even good players overlook: glare, the Jutsu, links of double-moves, devices, ranges of disarms."""

ENDINGS: Final = {
    "touch": Rule("2.0.21:touch", Term("Checkmate by touch"), Text("The Self has been taken.")),
    "spell": Rule(
        "2.0.18:deathspell", Term("Checkmate by touch, death spell"), Text("The loser takes the winner's token along.")
    ),
    "double": Rule(
        "2.0.21:double", Term("Double-checkmate"), Text("Both Selves were touched; both players have lost.")
    ),
    "disarm": Rule("2.0.21:disarm", Term("Checkmate by disarm"), Text("The last blade on the board was disarmed.")),
    "self-disarm": Rule(
        "2.0.21:self-disarm", Term("Checkmate by self-disarm"), Text("The only blade was thrown away.")
    ),
    "resignation": Rule("2.0.21:resignation", Term("Resignation"), Text("One side has yielded.")),
    "penalty": Rule("2.0.22:penalty", Term("Penalty"), Text("The penalty for an untenable turn ended the game.")),
    "draw": Rule("2.0.21:draw", Term("Draw"), Text("The players agreed on a draw.")),
    "contest": Rule("2.0.21:no-contest", Term("No contest"), Text("For too long nobody has fenced.")),
    "shima": Rule("2.0.18:shima-draw", Term("No way out"), Text("Under Shima a draw is a loss for both.")),
    "betrayal": Rule("2.0.23:betrayal", Term("Betrayal"), Text("A hug was answered with a Dagger.")),
}
"""How a game can end, by the word that position texts use."""
