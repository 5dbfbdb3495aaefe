"""Every rule that a turn of Veney can break, and every way to end, by section and code, in our own words."""
# ruff: noqa: E501 -- one rule a line

from typing import Final

from engine.game import Rule

_CODES: Final = """
2.0.01:own-piece | Pieces | Two of your own pieces never share a square; only your engagements give way, as stepping stones.
2.0.02:geometry | Self | The Self moves straight or diagonally, never by a bent path.
2.0.02:lunge | Self: lunge | The Self goes up to 4, 3, 2 or 1 squares forward and 1, 2, 3 or 4 back when it starts in its own 1st, 2nd, 3rd or 4th measure.
2.0.02:sideways | Self | Sideways the Self goes one square only.
2.0.02:leap | Self | The Self leaps over nothing.
2.0.02:cannot-attack | Self | The Self fends engagements, Cloaks, Balances, Lanterns and Jutsus, and nothing else.
2.0.02:retreat-step | Self: retreat | A retreat is the step off the board from the last step behind you.
2.0.02:retreat-barred | Self: retreat | There is no retreat while the opposing Self is on your side of the board.
2.0.02:retreat-double | Self: retreat | A retreat is the whole turn.
2.0.03:geometry | Sword | The Sword moves along lines, steps and diagonals.
2.0.03:leap | Sword | The Sword leaps its own pieces other than the Self, and the free engagement in its possession, and nothing else.
2.0.03:range | Sword: range | The Sword ends at most one measure from its Self, or on a step further ahead that carries an engagement of its own.
2.0.03:cavazione-side | Sword: cavazione | Cavazione trades the places of two adjacent blades that are both on the opponent's side.
2.0.03:opposition-none | Sword: opposition | Opposition pushes an opposing blade that is in line with your own.
2.0.03:opposition-side | Sword: opposition | Opposition needs both blades on your own side.
2.0.03:opposition-short | Sword: opposition | Opposition ends on or beyond the square where the pushed blade stood.
2.0.03:opposition-blocked | Sword: opposition | Opposition pushes over open squares only, with nothing between the blades.
2.0.03:opposition-centre | Sword: opposition | The pushing blade stays on its own side of the centre line.
2.0.03:self-stays | Concert | In a concert the Self really moves.
2.0.03:cannot-attack | Sword | The Sword cannot attack a Ruin or a Donkey.
2.0.04:geometry | Engagement | An engagement goes straight ahead to an open square and fends one square diagonally ahead.
2.0.04:advance | Engagement | Two or three squares at once only inside its own second measure.
2.0.04:leap | Engagement | An engagement leaps over nothing.
2.0.04:cannot-attack | Engagement | An engagement fends engagements, Cloaks, Balances, Lanterns and Jutsus, and nothing else.
2.0.05:absent | Free engagement | The free engagement is not in this set.
2.0.05:possession | Free engagement | Only the player of the colour it stands on moves the free engagement: White on light, Black on dark squares.
2.0.05:geometry | Free engagement | In play the free engagement goes one square to an open square, or fends one square diagonally forward.
2.0.05:entry | Free engagement | It enters on a square that its point touches.
2.0.05:entry-occupied | Free engagement | It enters on an open square.
2.0.05:in-play | Meta-move | Meta-moves are for the free engagement out of play.
2.0.05:meta-order | Meta-move | One meta-move a turn, before anything else.
2.0.05:meta-and-intention | Meta-move | A meta-move and an intention exclude one another in a turn.
2.0.05:edge | Meta-move | A meta-move stays on the grid.
2.0.05:no-repetition | Free engagement | It is returned to its start only after going to and fro between the same two squares.
2.0.05:cannot-attack | Free engagement | The free engagement fends engagements, Cloaks, Balances, Lanterns and Jutsus, and nothing else.
2.0.06:geometry | Cloak | The Cloak leaps like a knight.
2.0.06:not-adjacent | Cloak: feign | A feign trades the places of adjacent Cloak and Self.
2.0.06:capturing | Cloak: feign | A Cloak on a captured blade cannot feign.
2.0.06:captured | Cloak: blade capture | A captured blade is pinned: it cannot move, attack, be traded or be pushed.
2.0.06:not-captured | Cloak: severing | Only a captured blade severs a Cloak.
2.0.06:too-soon | Cloak: severing | A blade is freed from its owner's second turn after the capture on.
2.0.06:recapture | Cloak: blade capture | A Cloak does not go from one capture to the next within a turn.
2.0.06:cloak-on-blade | Cloak: blade capture | A Cloak on a captured blade is attacked by nothing; only the blade itself severs it.
2.0.06:cannot-attack | Cloak | The Cloak attacks neither Self nor Guard nor Ruin.
2.0.07:geometry | Balance | The Balance moves diagonally.
2.0.07:control | Balance: control | The Jutsu does not enter a measure that the opposing Balance and Self share.
2.0.07:leap | Balance | The Balance leaps over anything but a Donkey.
2.0.07:no-control | Balance: control | Control fends the opposing Jutsu from a measure that your Balance and your Self share.
2.0.07:late-control | Balance: control | Control fends only in the turn in which Balance or Self enters.
2.0.07:shift-range | Balance: shift | A shift leaves the blade inside its range.
2.0.07:cannot-attack | Balance | The Balance attacks neither Self nor armaments nor Ruin.
2.0.08:geometry | Dagger | The Dagger moves along lines, steps and diagonals.
2.0.08:leap | Dagger | The Dagger leaps nothing but the free engagement in its possession.
2.0.08:range | Dagger: range | The Dagger ends at most one measure from its Self.
2.0.08:dagger-vs-sword | Dagger | The Dagger's cavazione and opposition work only against a Dagger.
2.0.08:throw-line | Dagger: throw | A Dagger is thrown at the opposing Self in line with it.
2.0.08:throw-blocked | Dagger: throw | Only engagements may stand between a thrown Dagger and the Self.
2.0.08:reposition | Dagger: distraction | Self and Sword are repositioned only after a throw that misses by a single stick.
2.0.08:reposition-zone | Dagger: distraction | They are put on their own side, behind the opposing Self's step.
2.0.08:reposition-occupied | Dagger: distraction | They are put on empty squares.
2.0.08:cannot-attack | Dagger | The Dagger cannot attack a Ruin or a Donkey.
2.0.09:geometry | Guard | The Guard moves along lines and steps, or one square diagonally.
2.0.09:leap | Guard | The Guard leaps over nothing.
2.0.09:range | Guard: range | The Guard ends in its Self's measure or one step outside it.
2.0.09:deflect-none | Guard: deflection | Deflection pushes an opposing Sword, Dagger or Guard.
2.0.09:deflect-blocked | Guard: deflection | The square behind a deflected piece is open.
2.0.09:cannot-attack | Guard | The Guard attacks neither Self nor armaments nor Ruin; armaments it deflects.
2.0.10:geometry | Lantern | The Lantern moves along lines, steps and diagonals.
2.0.10:short | Lantern | The Lantern goes at least two squares.
2.0.10:range | Lantern | In its Self's measure the Lantern stays there.
2.0.10:flail | Lantern: flail | A flailing Lantern ends in its Self's measure or the next one beyond.
2.0.10:leap | Lantern | The Lantern leaps only when flailing, and only over pieces of the next measure.
2.0.10:stone-measure | Lantern: flail | Stone, or fire square, and end of a flailing double-move share a measure.
2.0.10:no-glare | Lantern: glare | Glare needs the opposing Self in line, with no Guard, Cloak or own Self between.
2.0.10:glare-bars-placement | Lantern: glare | No Jutsu is placed while its Self stands in the glare.
2.0.10:glare-bars-throw | Lantern: glare | A player in the glare may be prevented from throwing.
2.0.10:glare-cooldown | Lantern: glare | A Jutsu fended by glare is not placed on the very next turn.
2.0.10:cannot-attack | Lantern | The Lantern attacks neither Self nor armaments nor Ruin.
2.0.11:geometry | Jutsu | The Jutsu goes one or two squares straight or diagonally, or to the same square of another measure.
2.0.11:leap | Jutsu | The Jutsu leaps over anything but a Donkey.
2.0.11:presence | Jutsu: presence | Nothing is placed into a measure that the opposing Jutsu and Self share.
2.0.11:no-jutsu | Jutsu: intention | An intention is enacted with one's own Jutsu on the board.
2.0.11:not-declared | Jutsu: intention | A strike enacts what was declared on one's own turn before.
2.0.11:target-moved | Jutsu: intention | The target of a strike has not moved since.
2.0.11:no-target | Jutsu: intention | A strike needs an opposing piece on its square.
2.0.11:not-a-blade | Jutsu: intention | Only blades strike.
2.0.11:jutsu-alignment | Jutsu: intention | The Jutsu shares a measure or a diagonal with the target.
2.0.11:cannot-attack | Jutsu | The Jutsu attacks neither Self nor blades nor Ruin.
2.0.12:range | Ruin | The Ruin stands at most one measure from its Self.
2.0.12:opponent-measure | Ruin | The Ruin does not go into the opposing Self's measure.
2.0.12:occupied | Ruin | The Ruin goes to open squares.
2.0.12:stone | Ruin | The Ruin uses no stepping stones.
2.0.12:cannot-attack | Ruin | The Ruin attacks nothing.
2.0.13:not-in-reserve | Placing | Only pieces in reserve are placed.
2.0.13:occupied | Placing | Pieces are placed on empty squares.
2.0.13:not-adjacent | Placing | Pieces are placed next to the Self.
2.0.13:range | Placing | A Lantern is placed inside its Self's measure.
2.0.13:not-on-board | Withdrawing | Only a piece on the board is withdrawn.
2.0.13:cannot-withdraw | Withdrawing | Self, Sword and the free engagement are never withdrawn.
2.0.13:far-side | Withdrawing | Pieces are withdrawn from one's own side of the board.
2.0.14:no-disarm | Disarm | An armament is taken only outside its range, or attacked by a technical piece as well as by the blade; a Dagger does it only without a Sword.
2.0.15:too-many | Double-moves | A turn has two moves at most.
2.0.15:unlinked | Double-moves | Two moves are linked by a stone, a concert, a fire square or the end of hirakamae.
2.0.15:place-in-double | Double-moves | A placement is never part of a double-move.
2.0.15:special-second | Double-moves | What moves two of your own pieces is never the second half.
2.0.16:after-end | Immaterial actions | Glare and intention end the turn.
2.0.17:forced | Passing | After two passes the first to pass makes a move on the board.
2.0.18:hirakamae-no-pass | Hirakamae | Against hirakamae there is no passing.
2.0.18:no-empty-measure | Casting | A piece is cast into an empty measure between the two Selves.
2.0.18:not-available | Devices | The device is not there to be used.
2.0.18:cast-cloak-concert | Casting | A cast Cloak is never linked with a move.
2.0.18:reposition-zone | Chaos | Self and blade are put on their own side, behind the Cloak's step.
2.0.18:reposition-occupied | Chaos | Right after the cast they are put on empty squares.
2.0.18:shima | Shima | Under Shima there is no retreat and no reset.
2.0.20:dead-self | Dying turn | A Self that was touched does not move.
2.0.20:no-impasse | Impasse | An impasse needs two returns of the free engagement in a row with no other piece moving.
2.0.21:over | Endings | Once the game has ended nobody has a turn.
2.0.23:dagger-limit | Archives Assassin | No more Daggers at a time than the preset allows.
"""


def _rules() -> dict[str, Rule]:
    table = {}
    for line in _CODES.strip().splitlines():
        ref, title, gist = (part.strip() for part in line.split("|"))
        table[ref] = Rule(ref, title, gist)
    return table


RULES: Final = _rules()
"""Every rule that a turn can break, by `section:code`, in the rulebook's order."""

ENDINGS: Final = {
    "touch": Rule("2.0.21:touch", "Checkmate by touch", "A blade has taken the Self."),
    "spell": Rule("2.0.18:deathspell", "Checkmate by touch, death spell", "The loser takes the winner's token along."),
    "double": Rule("2.0.21:double", "Double-checkmate", "Both Selves were touched; both players have lost."),
    "disarm": Rule("2.0.21:disarm", "Checkmate by disarm", "The last blade on the board was disarmed."),
    "self-disarm": Rule("2.0.21:self-disarm", "Checkmate by self-disarm", "The only blade was thrown away."),
    "resignation": Rule("2.0.21:resignation", "Resignation", "One side has yielded."),
    "penalty": Rule("2.0.22:penalty", "Penalty", "The penalty for an untenable turn ended the game."),
    "draw": Rule("2.0.21:draw", "Draw", "The players agreed on a draw."),
    "contest": Rule("2.0.21:no-contest", "Draw by no contest", "For too long nobody has fenced."),
    "shima": Rule("2.0.18:shima-draw", "No way out", "Under Shima a draw is a loss for both."),
    "betrayal": Rule("2.0.23:betrayal", "Betrayal", "A hug was answered with a Dagger."),
}
"""How a game can end, by the word that position texts use."""
