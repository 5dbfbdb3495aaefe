"""How a game of Veney ends, and what stands around it, in our own words."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.entries import Entry, Scene, listed
from engine.text import Term, Text

ENDS = (
    Entry(
        "ends",
        Term("Touch"),
        (
            Text("A blade that takes the Self has touched, by a move, a strike or a throw; there is no check."),
            Text("The touched side has one dying turn; if it touches in return, both have lost."),
        ),
        listed(
            "checkmate, mate, checkmate by touch, win, goal, check, touché, touche, māta, mata, #, "
            "follow through, followed through"
        ),
        Scene("W: S@Y6 $@X6 e@X8 / B: S@X12 $@Y13 e@Z12 / a: - / to: W", "SY8 $tX12"),
        "2.0.21",
    ),
    Entry(
        "ends",
        Term("Dying turn"),
        (
            Text(
                "A touched side has one last turn, with its Self staying where it fell: touch in return, call the touch out, or let it stand with `ok`."
            ),
            Text("A disarm in return saves nothing: the touch still wins."),
        ),
        ("dying", "last turn", "dying time", "disarm from death", "edge case"),
        section="2.0.20",
    ),
    Entry(
        "ends",
        Term("Double-checkmate"),
        (Text("The dying side touches in return: both have lost."), Text("Staked tokens are traded then.")),
        listed("double checkmate, double touch, double mate, ##, both dead, both lose"),
        scene=Scene("W: $@Y9 / B: S@Y12 $@Y8 / dW: S / a: - / to: W / flags: dying=W@Y8", "$tY12"),
    ),
    Entry(
        "ends",
        Term("Checkmate by disarm"),
        (
            Text("Whoever takes the last blade on the board has won at once; a Dagger in reserve does not help."),
            Text("Throwing away the only blade loses as well."),
        ),
        ("self-disarm", "disarmed", "checkmate by self-disarm"),
    ),
    Entry(
        "ends",
        Term("No contest"),
        (
            Text("After thirty quiet turns each either player may claim a draw with `nocontest`."),
            Text("The other accepts, or contests it and must take, fend or place within three turns."),
        ),
        listed(
            "draw, draw by no contest, contest, quiet, non-fencing, draw by agreement, stalemate, peace, not fencing"
        ),
    ),
    Entry(
        "ends",
        Term("Impasse"),
        (
            Text(
                "If the free engagement was returned twice in a row with no other piece moving, the side to move may declare a reset as its turn."
            ),
            Text("So it cannot be pushed to and fro for ever."),
        ),
        listed("returned, quibbling, repetition, back and forth, quibble"),
        section="2.0.20",
    ),
    Entry(
        "ends",
        Term("Resignation"),
        (
            Text("`resign` ends the game; so do time over, one retreat too many and withdrawing the only blade."),
            Text("The other side has won then."),
        ),
        listed("resign, yield, yielding, abandonment, leaving, give up"),
    ),
    Entry(
        "ends",
        Term("Penalty"),
        (
            Text(
                "A penalty ends the game in sudden death, or when it takes Self or only blade under the absolute piece penalty."
            ),
            Text(
                "What an untenable turn costs is settled by the term `umpire`: nothing, time, the turn, a piece or the game."
            ),
        ),
        listed(
            "penalties, sudden death, friendly, time penalty, turn penalty, piece penalty, absolute, "
            "absolute piece penalty, lenient, lenient piece penalty, revert, lose a piece"
        ),
        section="2.0.22",
    ),
    Entry(
        "around",
        Term("Untenable"),
        (
            Text("A turn that breaks a rule is untenable, but it stands until somebody says `call`."),
            Text("You may call until you have made your own turn; what it costs is settled by the term `umpire`."),
        ),
        listed(
            "untenable move, call, calling out, call out, callout, sand, playing with sand, u, illegal, "
            "illegal move, mistake, illegitimate"
        ),
    ),
    Entry(
        "around",
        Term("Delayed reset"),
        (
            Text(
                "What comes to light after it was answered is called with `late`: the board is set up anew and the innocent player moves."
            ),
            Text("Whether any retreats are left does not matter."),
        ),
        ("late",),
    ),
    Entry(
        "around",
        Term("Token"),
        (
            Text(
                "In a formal game each stakes a token; the loser's goes to the winner, and if both have lost they are traded."
            ),
            Text("`token moon shell` stakes one."),
        ),
        ("tokens", "for keeps", "formal", "casual", "casual game", "formal game", "playing for keeps"),
    ),
    Entry(
        "around",
        Term("Hug"),
        (
            Text(
                "With `draw=hug` a draw is settled in secret: two hugs are a draw, one betrayal wins, two lose for both."
            ),
            Text("Nobody sees the other choice before both are made."),
        ),
        ("betray", "betrayal"),
    ),
    Entry(
        "around",
        Term("Sets"),
        (
            Text(
                "Aristocrat, Guard, Assassin and Illusionist are sets of other pieces; `whiteset` and `blackset` name them."
            ),
            Text("The Assassin of the Archives has Daggers only, at most two on the board at a time."),
        ),
        listed(
            "archives assassin, assassin, aristocrat, illusionist, preset, ceremonial guard, incomplete set, "
            "asymmetrical, asymmetrical game, swordless"
        ),
    ),
    Entry(
        "around",
        Term("Notation"),
        (
            Text(
                "A letter and a square are a move (`SY7`), a star places (`G*Y7`) or withdraws (`*G`), `~` marks what is special, `!` an intention, `--` a pass."
            ),
            Text("`games veney` has examples of all."),
        ),
        ("writing", "write", "symbols"),
    ),
    Entry(
        "around",
        Term("Your move"),
        (
            Text("Over a board one says so, or “à toi”, when a turn is over, and moves a piece that was touched."),
            Text("Here a turn is over when it is sent, and nothing is touched."),
        ),
        listed("à toi, a toi, and to you, touch-move, touch-move rule, turn counter, good form, form"),
    ),
    Entry(
        "around",
        Term("Time control"),
        (
            Text(
                "With `time=3d` each turn has three days, with `time=hourglass 10d` your time is what the other side has used."
            ),
            Text("`terms veney` lists all terms."),
        ),
        ("clock", "chess clock", "hourglass", "time"),
    ),
    Entry(
        "around",
        Term("Variants"),
        (
            Text("The Donkey, other sets, other ways to throw and to set up are terms of a match."),
            Text("The round board (Mystic Circle) and pieces of one's own invention are not played here."),
        ),
        listed(
            "mystic circle, fairy piece, custom rule, custom piece, gauntlet, caltrop, jitte, gunblade, falcon, "
            "spear, tassel, magic circle, mysterious circle, destreza"
        ),
    ),
)
