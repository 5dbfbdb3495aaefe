"""The term sheet of Veney, and what is read from it."""

import re
from collections.abc import Mapping
from typing import Final

from engine.game import NotationError, Option
from engine.games.veney.position import STANDARD, Terms
from engine.games.veney.setup.armies import Army
from engine.text import Code, Listing, Text

DEVICES: Final = ("shadow", "hirakamae", "deathspell", "cast-lantern", "cast-cloak", "cast-dagger")

THROWS: Final = ("sticks", "coins", "d6", "d8", "d10", "d12", "d20", "guess", "guess-side")
"""What decides a thrown Dagger, besides a number on paper."""
_THROWS: Final = Listing(tuple(Code(how) for how in THROWS), "unit")

OPTIONS: Final = (
    Option(
        "takeback",
        Text(
            "Who may take a turn back if the other agrees: nobody, both (`usual` in a friendly game), or one side; "
            "`free`: one's last, without asking, until the other has acted."
        ),
        "usual",
        ("usual", "none", "consent", "white", "black", "free", "free-white", "free-black"),
    ),
    Option(
        "delayed_reset",
        Text("Whether an untenable turn of long ago can be called out (`late`), for a reset; not in sudden death."),
        "on",
        ("on", "off"),
        idle_with=(("umpire", "sudden"),),
    ),
    Option(
        "secondhalf",
        Text("Whether the other half of a double-move may be added, until the opponent has acted."),
        "off",
        ("off", "on"),
    ),
    Option("lines", Text("The letters of the four lines."), "wxyz", ("wxyz", "abcd")),
    Option("touchmove", Text("For over the board; a turn sent here is final either way."), "off", ("off", "on")),
    Option(
        "formality", Text("Casual, or formal: for keeps, each Self a token at stake."), "casual", ("casual", "formal")
    ),
    Option(
        "freetoken",
        Text("For keeps: what lies on the board as the free engagement, such as `grey pebble`; nobody wins it."),
        "",
    ),
    Option("retreats", Text("How often each side may retreat: a number, `unlimited`, or two such as `1,2`."), "1"),
    Option(
        "setup",
        Text("The standard array, or each side's own: concealed, or piece by piece in turns."),
        "standard",
        ("standard", "concealed", "turns"),
    ),
    Option(
        "first",
        Text(
            "Who goes first; usual: the lot decides over the standard array, the initiative over one's own; `hands`: "
            "White hides the free engagement in one hand, and Black goes first if they guess which."
        ),
        "usual",
        ("usual", "random", "white", "black", "initiative", "hands"),
    ),
    Option(
        "whiteset",
        Text("White's set: full, assassin, aristocrat, guard, illusionist, or left-out pieces like `-J-L`."),
        "full",
    ),
    Option("blackset", Text("Black's set, in the same words."), "full"),
    Option("ruin", Text("Whether each side has a Ruin in reserve."), "on", ("on", "off")),
    Option("devices", Text("All, none, or those that are not played, like `-shadow -cast-cloak`."), "all"),
    Option(
        "throw",
        Text(
            "What decides a thrown Dagger: {throws}, or a number on paper (`paper6`, or any up to `paper99`).",
            throws=_THROWS,
        ),
        "sticks",
    ),
    Option(
        "draw",
        Text("A draw by agreement, or settled with a hug that may be betrayed."),
        "agreement",
        ("agreement", "hug"),
    ),
    Option(
        "nocontest",
        Text(
            "Turns of each side without attack, placement or step forward, after which a draw is for want of a contest."
        ),
        "30",
        low=0,
        high=999,
    ),
    Option(
        "cast",
        Text("Where a cast piece falls: scattered around its aim, or anywhere in the measure."),
        "scatter",
        ("scatter", "uniform16"),
    ),
    Option(
        "castmark",
        Text("Whether cast-squares stay marked on the board, or everybody has to remember them."),
        "off",
        ("off", "on"),
    ),
    Option(
        "donkey",
        Text("The Donkey: none, one for each side, or one that is shared; with + it comes back from off the board."),
        "off",
        ("off", "each", "each+", "shared", "shared+"),
    ),
    Option(
        "dyingtime",
        Text("Time for the turn after a touch; usual: a tenth of a turn's time, from ten seconds to a day."),
        "usual",
        low=10,
        high=604800,
        span=True,
    ),
    Option(
        "disarm",
        Text("What may be the second attacker of a disarm (house term)."),
        "technical",
        ("technical", "technical+dagger"),
        aliases=("disarm_support",),
    ),
)


def chosen(options: Mapping[str, str], key: str) -> str:
    """The value of an option, its default where nothing was agreed."""
    option = next(one for one in OPTIONS if one.key == key)
    return options.get(key, next((options[alias] for alias in option.aliases if alias in options), option.default))


def _retreats(text: str) -> tuple[int, int]:
    words = [word.strip() for word in text.split(",")]
    if not 1 <= len(words) <= 2 or not all(re.fullmatch(r"\d{1,3}|unlimited", word) for word in words):
        raise NotationError(
            Text("`{words}` is no number of retreats.", words=text),
            Text("Write `1`, `unlimited`, or `1,2` for White and Black."),
        )
    counts = [-1 if word == "unlimited" else int(word) for word in words]
    return counts[0], counts[-1]


def _throw(text: str) -> str:
    how = text.strip().lower()
    if how not in THROWS and not re.fullmatch(r"paper([2-9]|[1-9]\d)", how):
        raise NotationError(
            Text("`{words}` decides no throw.", words=text),
            Text("It can be {throws}, or paper with a number: `throw=paper6`.", throws=_THROWS),
        )
    return how


def _devices_off(text: str) -> frozenset[str]:
    if text.strip() == "none":
        return frozenset(DEVICES)
    named = frozenset(re.findall(r"(?<![\w])-([a-z][a-z-]*)", text))
    if (text.strip() != "all" and not named) or not named <= set(DEVICES):
        raise NotationError(
            Text("`{words}` names no devices.", words=text),
            Text("Write `all`, `none`, or leave some out: `-shadow`."),
        )
    return named


LONGEST_TOKEN: Final = 40


def _check_token(options: Mapping[str, str]) -> None:
    """A token for the free engagement belongs to a game for keeps, and to one line of a record."""
    token = chosen(options, "freetoken")
    if token and chosen(options, "formality") != "formal":
        raise NotationError(
            Text("Only a formal game has a token for the free engagement."),
            Text("Add {term}.", term=Code("formality=formal")),
        )
    if len(token) > LONGEST_TOKEN or not token.isprintable() or set(token) & set(";=*_`~|"):
        raise NotationError(
            Text("That is no name for a token: it has at most {count} plain characters.", count=LONGEST_TOKEN),
            Text("For example: {term}.", term=Code('freetoken="grey pebble"')),
        )


def terms_of(options: Mapping[str, str], armies: tuple[Army, Army]) -> Terms:
    """What the rules must know of the options during the game."""
    _check_token(options)
    dying = chosen(options, "dyingtime")
    return Terms(
        retreats=_retreats(chosen(options, "retreats")),
        formal=chosen(options, "formality") == "formal",
        off=_devices_off(chosen(options, "devices")),
        support=chosen(options, "disarm") == "technical+dagger",
        uniform=chosen(options, "cast") == "uniform16",
        castmark=chosen(options, "castmark") == "on",
        throw=_throw(chosen(options, "throw")),
        touch=(armies[0].touch, armies[1].touch),
        cap=(armies[0].cap, armies[1].cap),
        dying=int(dying) if dying.isdigit() else STANDARD.dying,
        hug=chosen(options, "draw") == "hug",
        abcd=chosen(options, "lines") == "abcd",
        reset=chosen(options, "delayed_reset") == "on" and options.get("umpire") != "sudden",
        nocontest=int(chosen(options, "nocontest")),
        asked=True,
        anew="ask" if chosen(options, "setup") == "standard" else chosen(options, "setup"),
        donkey="" if chosen(options, "donkey") == "off" else chosen(options, "donkey"),
    )
