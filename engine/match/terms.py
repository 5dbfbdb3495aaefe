"""The term sheet: what two players can agree on before they begin, for every game and for each."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from engine.appraisal import STRONGEST, USUAL, WEAKEST, Appraising
from engine.board import Side
from engine.dice import Dice
from engine.game import AnyGame, NotationError, Option
from engine.match.clock import DAY, SECOND, read_clock, read_duration, write_duration
from engine.text import Code, Listing, Text


@lru_cache(maxsize=32)
def sheet(game: AnyGame) -> tuple[Option, ...]:
    """Every term of a match of this game, the common ones first; a game may have its own version of one."""
    own = {option.key for option in game.options}
    return (*(option for option in _common(game) if option.key not in own), *game.options)


def _common(game: AnyGame) -> tuple[Option, ...]:
    return (
        Option(
            "umpire",
            Text("Whether an untenable turn is refused, or stands until somebody calls it out, and what that costs."),
            game.umpire,
            ("refuse", *game.penalties),
            aliases=("penalty",),
        ),
        Option(
            "time",
            Text(
                "Time for each turn (`3d`), a bank with an increment (`20d+1d`, at most 30 days: `20d+1d<30d`), five "
                "turns in each ten days (`5/10d`), `hourglass10d`, or `none`."
            ),
            "3d",
            aliases=("days", "clock"),
        ),
        Option(
            "side",
            Text("The side that the challenger takes, or `lot`."),
            "lot",
            ("lot", *(game.names[side].lower() for side in game.sides)),
        ),
        Option(
            "start",
            Text("A position to begin from instead of the usual one, as its text in quotes."),
            "",
        ),
        Option(
            "takeback",
            Text(
                "Whether a turn may be taken back: if the others agree; `free`: one's last, without asking, until "
                "another has acted; or for one side alone."
            ),
            "consent",
            ("consent", "none", "free", *(f"free-{game.names[side].lower()}" for side in game.sides)),
        ),
        Option(
            "judge",
            Text("About untenable turns that stand: silent, advisory (the mover is warned in private), or open."),
            "silent",
            ("silent", "advisory", "open"),
        ),
        Option(
            "falsecall",
            Text(
                "What a wrong call costs: `three` are free, the next a turn each (time, where the umpire takes time); "
                "`once`: nothing, but one a turn; `none`; a tenth of the `time`; a `turn`."
            ),
            "three",
            ("three", "once", "none", "time", "turn"),
        ),
        Option(
            "rest",
            Text(
                "When time rests, by each player's own `zone`: on `vacation` (`usual`, where a side has a day "
                "or more), at the `weekend` too, or never (`none`)."
            ),
            "usual",
            ("usual", "weekend", "none"),
        ),
        Option(
            "timeout",
            Text("What ends a match on time: the `flag` by itself, or the opponent's `claim`, within 30 days."),
            "flag",
            ("flag", "claim"),
        ),
        Option(
            "callfor",
            Text("Whether a call is for anything untenable, or must name the `reason`: a piece, a place or a rule."),
            "anything",
            ("anything", "reason"),
        ),
        Option(
            "analysis",
            Text("Whether players may try turns on a board of their own (`analyse`) while the match is played."),
            "off",
            ("off", "on"),
        ),
        Option(
            "rated",
            Text(
                "Whether it counts for its players' ratings; a match against Riposte or from a given start never does."
            ),
            "yes",
            ("yes", "no"),
        ),
        *((TIME_PENALTY,) if "time" in game.penalties else ()),
        *(PARTNERS_TERMS if isinstance(game, Appraising) else ()),
    )


PARTNERS_TERMS = (
    Option(
        "level",
        Text("Where Riposte itself plays: how well, from 1 for beginners to 6."),
        str(USUAL),
        low=WEAKEST,
        high=STRONGEST,
    ),
    Option(
        "slips",
        Text("Where Riposte itself plays: whether it makes an untenable turn now and then, so that one can call."),
        "off",
        ("off", "on"),
    ),
    Option(
        "hints",
        Text("Under `umpire=refuse`: whether players may ask for a `hint`, the piece first and then the turn."),
        "off",
        ("off", "on"),
    ),
)


TIME_PENALTY = Option(
    "timepenalty",
    Text("Under `umpire=time`: a tenth of the time less for the offender (minus), or more for the others (plus)."),
    "minus",
    ("minus", "plus"),
)


def read_terms(game: AnyGame, given: Mapping[str, str]) -> dict[str, str]:
    """The whole sheet, the given terms filled in. Raises NotationError with what the sheet allows."""
    options = sheet(game)
    by_name = {name: option for option in options for name in (option.key, *option.aliases)}
    terms = {option.key: option.default for option in options}
    for name, value in given.items():
        option = by_name.get(name.lower())
        if option is None and name.lower() in ("handicap", "handicaps", "odds"):
            raise NotationError(
                Text("No game here knows handicaps."),
                Text("Agree on a position in which one side has less: `start=`, with its text in quotes."),
            )
        if option is None:
            keys = Listing(tuple(_term(option.key) for option in options))
            raise NotationError(
                Text("{game} has no term called {word}.", game=game.name, word=Code(name[:40])),
                Text("Its terms are {terms}; for example `{example}`.", terms=keys, example=_written(options[0])),
            )
        terms[option.key] = _start(game, value) if option.key == "start" else _read(option, value)
    return terms


def settled(game: AnyGame, given: Mapping[str, str]) -> tuple[dict[str, str], tuple[Side, ...]]:
    """The whole sheet and the sides that take part, once a match could begin on it. Raises NotationError."""
    terms = read_terms(game, given)
    _fit(game, given, terms)
    sides = game.seats(terms)
    names = [game.names[side].lower() for side in sides]
    if terms["side"] not in ("lot", *names):
        raise NotationError(
            Text("Nobody plays {side} on these terms.", side=Code(terms["side"])),
            Text("It can be {values}; for example `{example}`.", values=_codes(("lot", *names)), example="side=lot"),
        )
    if read_clock(terms["time"]).kind == "hourglass" and len(sides) != 2:
        raise NotationError(Text("An hourglass is for two players."), Text("Write a time for each turn: `time=3d`."))
    for term in ("umpire", "falsecall"):
        if terms[term] == "time" and read_clock(terms["time"]).kind == "none":
            raise NotationError(
                Text("Without a clock there is no time to lose, so {term} settles nothing.", term=Code(f"{term}=time")),
                Text("Agree on a clock, such as `time=3d`, or on another {term}.", term=_term(term)),
            )
    if terms.get("hints") == "on" and terms["umpire"] != "refuse":
        raise NotationError(
            Text("A hint would tell what is tenable, so there are none where turns stand until they are called out."),
            Text("Agree on {umpire}, or leave the hints out.", umpire=Code("umpire=refuse")),
        )
    game.setup(resolved(game, terms), Dice(bytes(32)))  # what a game's own terms may not be, it says here
    return terms, sides


def _fit(game: AnyGame, given: Mapping[str, str], terms: Mapping[str, str]) -> None:
    """Raises NotationError where somebody wrote a term that settles nothing beside the others."""
    names = _names(game)
    written = {names[name.lower()] for name in given}
    for option in sheet(game):
        if option.key not in written or terms[option.key] != option.default:
            continue
        for key, value in option.idle_with:
            if terms.get(key) == value:
                both = Code(_written(option)), Code(f"{key}={value}")
                raise NotationError(
                    Text("{term} settles nothing with {other}.", term=both[0], other=both[1]),
                    Text("Leave one of them out."),
                )


def _names(game: AnyGame) -> dict[str, str]:
    """The keys of the terms by every name that they are written under."""
    return {name: option.key for option in sheet(game) for name in (option.key, *option.aliases)}


LATER_TERMS = ("time", "takeback", "falsecall", "callfor", "rest", "timeout")
"""Terms that can be changed while a match is played, because they judge nothing that stands."""


def in_mid_match(game: AnyGame, terms: Mapping[str, str], line: str) -> dict[str, str]:
    """The whole sheet with some terms changed, `time=5d rest=weekend`, while it is played. Raises NotationError."""
    given = dict(word.partition("=")[::2] for word in line.split() if "=" in word)
    names = _names(game)
    fixed = next((word for word in given if names.get(word.lower(), word) not in LATER_TERMS), None)
    if not given or fixed is not None:
        raise NotationError(
            Text("{term} stands for the whole match.", term=_term(fixed)) if fixed else Text("Which terms?"),
            Text(
                "What can be changed from the next turn on: {terms}; for example `propose time=5d`.",
                terms=Listing(tuple(map(_term, LATER_TERMS))),
            ),
        )
    changed, _ = settled(game, {**differing(game, terms), **given, "start": ""})
    changed |= {"start": terms["start"]}
    if changed == dict(terms):
        raise NotationError(Text("Those are the terms already."), Text("Name others, for example `propose time=5d`."))
    return changed


def resolved(game: AnyGame, terms: Mapping[str, str]) -> dict[str, str]:
    """The terms as a game reads them: lengths of time in seconds, the usual one after the match's clock."""
    spans = {option.key for option in sheet(game) if option.span}
    return {key: str(_seconds(value, terms["time"])) if key in spans else value for key, value in terms.items()}


def _seconds(span: str, time: str) -> int:
    if span != "usual":
        return int(span) if span.isdigit() else read_duration(span) // SECOND
    clock = read_clock(time)
    return (DAY if clock.kind == "none" else min(DAY, max(LEAST, clock.turn // 10))) // SECOND


LEAST = 10 * SECOND
"""The usual length of a dying turn is a tenth of any other, but no less than this."""


def complete(game: AnyGame, stored: Mapping[str, str]) -> dict[str, str]:
    """Terms as they were stored, in the words of today: what was agreed on under a version that knew fewer of them."""
    terms = {option.key: option.default for option in sheet(game)} | dict(stored)
    return {key: EARLIER.get((key, value), value) for key, value in terms.items()}


EARLIER: Mapping[tuple[str, str], str] = {
    ("falsecall", "limit"): "once",
    ("board", "r2-255"): "255",
    ("board", "r2-265"): "265",
}
"""What values of terms were called earlier."""


def differing(game: AnyGame, terms: Mapping[str, str]) -> dict[str, str]:
    """The terms that are not the default: what a challenge needs to say."""
    return {o.key: terms[o.key] for o in sheet(game) if terms.get(o.key, o.default) != o.default}


def _start(game: AnyGame, value: str) -> str:
    """A position that a match can begin from."""
    if not value.strip():
        return ""
    position = game.decode(value.strip())
    if game.outcome(position) is not None:
        raise NotationError(
            Text("The game is over in that position."), Text("Choose one in which somebody can still move.")
        )
    return game.encode(position)


def _read(option: Option, value: str) -> str:
    text = value.strip().lower()
    text = EARLIER.get((option.key, text), text)
    if option.key == "time":
        read_clock(text)
        return text
    if option.span:
        return text if text == option.default else _span(option, value)
    if option.values:
        fitting = [known for known in option.values if known == text] or [
            known for known in option.values if text and known.startswith(text)
        ]
        if len(fitting) != 1:
            raise NotationError(
                _cannot_be(option, value),
                Text(
                    "It can be {values}; for example `{example}`.",
                    values=_codes(option.values),
                    example=_written(option),
                ),
            )
        return fitting[0]
    if option.low is not None or option.high is not None:
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None
        low, high = option.low or 0, option.high if option.high is not None else 999_999
        if number is None or not low <= number <= high:
            raise NotationError(
                _cannot_be(option, value),
                Text("It is a number, {low} or more: `{example}`.", low=low, example=_written(option))
                if option.high is None
                else Text(
                    "It is a number from {low} to {high}: `{example}`.", low=low, high=high, example=_written(option)
                ),
            )
        return str(number)
    return value.strip()


def _span(option: Option, value: str) -> str:
    text = value.strip().lower()
    low, high = (option.low or 0) * SECOND, (option.high or DAY // SECOND) * SECOND
    plain = text.isascii() and text.isdigit() and len(text) < 7
    try:
        span = int(text) * SECOND if plain else read_duration(text)
    except NotationError:
        span = -1
    if not low <= span <= high:
        raise NotationError(
            _cannot_be(option, value),
            Text(
                "It is a length of time from {low} to {high}, or {usual}: `{example}`.",
                low=Code(write_duration(low)),
                high=Code(write_duration(high)),
                usual=Code(option.default),
                example=f"{option.key}=10m",
            ),
        )
    return write_duration(span)


def _cannot_be(option: Option, value: str) -> Text:
    if not value.strip():
        return Text("{term} cannot be empty.", term=_term(option.key))
    return Text("{term} cannot be {word}.", term=_term(option.key), word=Code(value[:40]))


def _codes(values: Iterable[str]) -> Listing:
    """What one of them is to be typed."""
    return Listing(tuple(Code(value) for value in values), "or")


def _written(option: Option) -> str:
    """The term with its default, as one types it."""
    return f"{option.key}={option.default}"


def _term(key: str) -> Code:
    """A term as it is written: without its sign, some are commands as well."""
    return Code(f"{key}=")
