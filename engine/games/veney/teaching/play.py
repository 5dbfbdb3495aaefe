"""What Veney's pieces do beside moving, in our own words; reach is drawn from the positions given here."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.entries import Entry, Scene, listed
from engine.text import Term, Text

PLAY = (
    Entry(
        "play",
        Term("Turn"),
        (
            Text("First, if you like, shift the free engagement by one point while it is out of play."),
            Text("Then make one move, two that are linked, or none; last, if you like, a glare or an intention."),
        ),
        ("turns", "immaterial", "immaterial action", "immaterial actions"),
        section="2.0.16",
    ),
    Entry(
        "play",
        Term("Measure"),
        (
            Text("Four steps are a measure; counted from yourself they are your first to fourth."),
            Text("The board has four lines W to Z and sixteen steps; the centre line runs between steps 8 and 9."),
        ),
        listed(
            "measures, board, line, step, side, centre line, center line, piste, engagement measure, w, x, y, z, "
            "w1, rank, file, black square, white square, light square, dark square"
        ),
        scene=Scene(),
    ),
    Entry(
        "play",
        Term("Fend"),
        (
            Text(
                "What is fended goes back to its owner's reserve and may be placed again; what is taken is discarded for good."
            ),
            Text(
                "Cloak and Lantern take each other; Guard takes Balance takes Jutsu takes Guard; Jutsu and Jutsu destroy each other."
            ),
        ),
        listed(
            "take, taking, fending, attack, chart, reserve, discard, taken, fended, fent, fendable, "
            "fendable piece, discarded, removed, lost, loss, shattered, burned, extinguished, transcended, "
            "bludgeoned, subverted, negated, negation, rock paper scissors, destroyed, supplanted, replaceable, "
            "f, t, one-way"
        ),
        section="2.0.01",
    ),
    Entry(
        "play",
        Term("Concert"),
        (
            Text("When the Self moves, one of Sword, Dagger, Guard or Lantern may move with it."),
            Text("First the Self goes, then its partner, whose range is that of the Self's new square."),
        ),
        ("in concert", "partner", "castling"),
        Scene("W: S@Y4 $@X4 e@Y5 e@W8 / B: S@X13 $@Y13 C@X9 e@W12 / a: ^XY8 / to: W", "SY5 $?", "X4"),
        "2.0.15",
    ),
    Entry(
        "play",
        Term("Stepping stone"),
        (
            Text(
                "A piece of yours but the Ruin may move onto your own engagement: that goes to reserve, and the piece may go on."
            ),
            Text("An engagement steps on another one straight or diagonally."),
        ),
        listed("stone, stepping-stone, stones, step-stone, wager"),
        Scene("W: S@Y6 $@X4 e@X8 / B: S@X12 $@Y13 B@Z10 e@Z12 / a: ^XY8 / to: W", "$X8 $?", "X8"),
        "2.0.15",
    ),
    Entry(
        "play",
        Term("Double-move"),
        (
            Text("A turn has two moves at most, linked by a stone, a concert, a fire square or the end of hirakamae."),
            Text("Feign and shift are double-moves by themselves, so nothing comes before or after them."),
        ),
        ("double move", "double", "two moves", "linked", "link"),
        section="2.0.15",
    ),
    Entry(
        "play",
        Term("En passant"),
        (
            Text(
                "If an engagement has just gone two or three squares, an opposing one that attacks the first square it crossed may go there and fend it."
            ),
            Text("Only on the very next turn."),
        ),
        listed("passant, e.p."),
        Scene("W: S@Y4 $@X4 e@W7 / B: S@X13 $@Y13 e@X8 / a: - / to: W", "eW7?", "W7"),
        "2.0.04",
    ),
    Entry(
        "play",
        Term("Cavazione"),
        (
            Text("Your blade and an opposing one that are adjacent, both on the opponent's side, trade places."),
            Text("Your blade must be in range afterwards; a Dagger does it only with a Dagger."),
        ),
        ("disengage", "trade"),
        Scene("W: S@Y8 $@X9 e@X7 / B: S@Y14 $@Y10 e@Z12 / a: - / to: W", "$?~", "X9"),
        "2.0.03:cavazione",
    ),
    Entry(
        "play",
        Term("Opposition"),
        (
            Text(
                "Both blades on your own side and in line: yours moves along to the other's square or beyond, pushing it ahead over open squares."
            ),
            Text("The pushed blade may cross the centre line, the pusher not."),
        ),
        ("push", "pushing"),
        Scene("W: S@Y3 $@X5 e@W6 / B: S@Z10 $@X7 e@Y12 / a: - / to: W", "$?~", "X5"),
        "2.0.03:opposition",
    ),
    Entry(
        "play",
        Term("Feign"),
        (
            Text("Adjacent Cloak and Self trade places, as a whole double-move; not while the Cloak captures."),
            Text("Any two neighbouring squares will do."),
        ),
        ("feint",),
        Scene("W: S@X5 C@Y4 $@W4 e@Z5 / B: S@X13 $@Y13 e@Z12 / a: - / to: W", "CY4~S?", "Y4"),
        "2.0.06",
    ),
    Entry(
        "play",
        Term("Capture of a blade"),
        (
            Text("A Cloak that lands on an opposing Sword or Dagger stays on it: the blade is pinned."),
            Text("Cloak and Sword together disarm it; nothing attacks the Cloak meanwhile."),
        ),
        ("capture", "captured", "pinned", "pin"),
        Scene("W: S@Y6 C@W7 e@X8 / B: S@X12 $@X9 e@Z12 / a: ^XY8 / to: W", "CX9~"),
        "2.0.06",
    ),
    Entry(
        "play",
        Term("Severing"),
        (
            Text(
                "From the second turn after the capture on, the owner of a captured blade may cut it free: the Cloak is discarded."
            ),
            Text("It is a move, alone or in concert."),
        ),
        ("sever", "severed", "cut free"),
        Scene("W: S@W1 C@X9 / B: S@Z12 $@Y11 / a: - / to: W", "$tC~", before=("CY11~", "SZ13", "SX1")),
        "2.0.06",
    ),
    Entry(
        "play",
        Term("Control"),
        (
            Text("While your Balance and your Self share a measure, the opposing Jutsu may not enter it."),
            Text(
                "When one of them comes to share a measure with the other and the Jutsu, you may fend the Jutsu in that same turn."
            ),
        ),
        scene=Scene("W: S@X10 B@W7 / B: S@Z16 J@W9 / a: - / to: W", "BY9 BfJ~"),
        section="2.0.07",
    ),
    Entry(
        "play",
        Term("Shift"),
        (
            Text(
                "Balance and own Sword or Dagger trade places anywhere, the blade into its range, as a whole double-move."
            ),
            Text("It is never the second half of a double-move."),
        ),
        ("swap",),
        Scene("W: S@Y5 B@W7 $@Y6 e@X8 / B: S@X13 $@Y13 / a: ^XY8 / to: W", "BY6~$W7"),
        "2.0.07:shift",
    ),
    Entry(
        "play",
        Term("Throw"),
        (
            Text("A Dagger in line with the opposing Self, with nothing but engagements between, may be thrown."),
            Text(
                "Two sticks fall, and one more for each measure between the Selves' measures: all your colour touches, one off distracts, else the Dagger is lost."
            ),
        ),
        listed(
            "throwing, dagger throw, sticks, stick, dice, to be thrown, odds, stick-dice, alternate dice, "
            "knucklebone, coin, coin flip, heads, one-in-six, pen and paper, pen & paper, guess, flat odds"
        ),
        Scene("W: S@X6 $@Z6 D@Y6 e@Y8 / B: S@Y14 $@Z14 e@Y12 / a: - / to: W", "Dt?~", "Y6"),
        "2.0.08:throw",
    ),
    Entry(
        "play",
        Term("Distraction"),
        (
            Text(
                "A throw that misses by one stick loses the Dagger, but you may put Self and Sword on empty squares of your side, behind the opposing Self's step."
            ),
            Text("Nothing is taken by it, and the turn is over."),
        ),
        listed("distract, reposition, short success, repositioning"),
        Scene("W: S@W1 D@X4 $@W2 / B: S@X13 / a: - / to: W ", "DtX13~(WWWWB) SX7 $Y8"),
        "2.0.08:reposition",
    ),
    Entry(
        "play",
        Term("Persistence"),
        (
            Text("If the Dagger is on the board when the Sword is lost, you fight on with it."),
            Text("Then the Dagger disarms in the Sword's place; a Dagger in reserve comes too late."),
        ),
        listed("persist, last blade, only blade, survive"),
    ),
    Entry(
        "play",
        Term("Deflection"),
        (
            Text(
                "The Guard moves onto an opposing Sword, Dagger or Guard and pushes it on; the square behind must be open."
            ),
            Text(
                "Forward or sideways from your own side it flies until the centre line or something stops it, else one square."
            ),
        ),
        listed("deflect, pushed away"),
        Scene("W: S@Y5 G@Y6 $@X4 / B: S@X12 $@Y7 e@W11 / a: - / to: W", "G?~", "Y6"),
        "2.0.09:deflect",
    ),
    Entry(
        "play",
        Term("Flail"),
        (
            Text("A Lantern outside its Self's measure ends in that measure or the next one beyond it."),
            Text("In the next measure on its way it leaps everything."),
        ),
        ("flailing",),
        Scene("W: S@Y6 L@X10 $@W4 e@X8 / B: S@X13 $@Z13 e@Z12 / a: - / to: W", "L?", "X10"),
        "2.0.10",
    ),
    Entry(
        "play",
        Term("Glare"),
        (
            Text(
                "A Lantern in line with the opposing Self, with no Guard, no Cloak and not your own Self between, may fend the Jutsu as the last thing in a turn."
            ),
            Text("In the glare no Jutsu is placed, and a throw may be prevented."),
        ),
        ("glaring", "shine", "light"),
        Scene("W: S@Y6 $@X6 L@X7 e@W5 / B: S@X13 $@Z13 J@W14 e@X10 / a: ^XY8 / to: W", "LfJ~"),
        "2.0.10:glare",
    ),
    Entry(
        "play",
        Term("Presence"),
        (
            Text("While your Jutsu and your Self share a measure, the opponent places nothing into it."),
            Text("Like every rule it is called at once or not at all."),
        ),
        scene=Scene("W: S@Y9 J@W12 / B: S@Y13 / rB: G / a: - / to: B", "G*Y12"),
        section="2.0.11:presence",
    ),
    Entry(
        "play",
        Term("Intention"),
        (
            Text("As the last thing in your turn you announce an attack by your blade; a bluff is no fault."),
            Text(
                "On your next turn the blade may strike just that from where it stands, with your Jutsu on the target's measure or diagonal."
            ),
        ),
        listed("intend, strike, announce, bluff, enact, !, declare, declaring"),
        Scene("W: S@Y6 $@X8 J@W9 e@W5 / B: S@X13 $@Z13 C@X11 e@Z12 / a: ^XY8 / to: W", "eW6 !$fX11"),
        "2.0.11",
    ),
    Entry(
        "play",
        Term("Placing"),
        (
            Text("A piece in reserve is placed on an empty square next to your Self, as the only move of the turn."),
            Text("The Lantern stays inside the Self's measure; the Ruin may come anywhere in its range."),
        ),
        listed("place, placement, piece drop, drop, *, reserved piece, supply"),
        Scene("W: S@Y6 $@X6 e@X8 / B: S@X12 $@Y13 e@Z12 / rW: G / a: ^XY8 / to: W", "G*?"),
        "2.0.13",
    ),
    Entry(
        "play",
        Term("Withdrawing"),
        (
            Text("A piece on your own side goes back to reserve, as a move; never Self, Sword or the free engagement."),
            Text("To withdraw the only blade is to resign."),
        ),
        ("withdraw", "withdrawal", "withdrawn"),
        Scene("W: S@Y6 $@X6 G@Z6 e@X8 / B: S@X12 $@Y13 e@Z12 / a: ^XY8 / to: W", "*G"),
        "2.0.13",
    ),
    Entry(
        "play",
        Term("Retreat"),
        (
            Text(
                "From the last step behind you the Self may step off the board, and the board is set up anew; the opponent moves next."
            ),
            Text("Not while the opposing Self is on your side; one retreat more than agreed gives the game up."),
        ),
        listed("reset, retreats, ==, surpassed"),
        Scene("W: S@X1 $@X4 e@X8 / B: S@Z16 $@Z9 / rW: e e / a: X9 / to: W", "S=="),
        "2.0.02:retreat",
    ),
    Entry(
        "play",
        Term("Disarm"),
        (
            Text(
                "Your Sword takes an armament that stands outside its own range, or that one of your technical pieces attacks as well."
            ),
            Text("A Dagger does it only without a Sword."),
        ),
        listed(
            "overextended, overextension, disadvantaged, disarming, disarmament, disadvantage, two attackers, "
            "supporting piece, unobstructed"
        ),
        Scene("W: S@Y6 $@X6 B@Z8 e@X8 / B: S@X12 $@X10 e@Z12 / a: - / to: W", "$tX10"),
        "2.0.14",
    ),
    Entry(
        "play",
        Term("Passing"),
        (
            Text(
                "A turn without a move on the board is a pass; the other side accepts it by moving or refuses by passing too."
            ),
            Text("Then the first to pass must move on the board."),
        ),
        listed("pass, forced, zugzwang, waiting move, ---, two passes, consecutive passes, refusal, refuse"),
        section="2.0.17",
    ),
    Entry(
        "play",
        Term("Initiative"),
        (
            Text("An engagement on your 8th, 7th, 6th or 5th step counts 3, 2, 1 or 0; the higher sum begins."),
            Text("Over the standard array the lot decides, or the terms."),
        ),
        listed(
            "setup, beginning, array, baseline, standard, concealed, layout, setting up, set up, sittuyin, "
            "setup in turns, advantage, random drawing, lot, first move, starting position, partition, "
            "who goes first, goes first, first player"
        ),
    ),
)
