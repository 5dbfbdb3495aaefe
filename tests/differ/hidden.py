"""Matches that differ only in what somebody hides, as everybody sees them who must not know."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from engine.dice import Dice
from engine.games import GAMES
from tests.chat_room import open_room
from tests.differ.noticed import PEOPLE, Found, Noticed, Watch, found
from tests.differ.untenable import ASIDE, Line, aside, next_turn
from tests.table import SEED, Table, begun

FALLS_LEFT = 3
"""A seed whose casts fall one line W-ward of where they are aimed, on the same step."""
APART = "W: S@Y4 $@X4 J@W2 e@X3 / B: S@X14 $@Z14 J@W14 e@X12 / rW: C D L / rB: C L / a: ^XY8 / to: W"
"""The measures between the Selves can be cast into."""
AIMED = "W: S@X6 $@Z6 D@Y6 e@W5 / B: S@Y14 $@Z14 e@W12 / a: ^XY8 / to: W"
"""White's Dagger can be thrown."""
PARTNERS_NAME = "riposte"
CROWDED = "W: S@Y1 $@X4 C@W4 B@Z4 G@W2 L@X2 / B: S@Z16 $@Z13 C@W9 B@X9 J@Y9 R@Z9 / rW: e / rB: G / a: - / to: W"
"""White retreats, and both have two pieces more than their baselines hold."""
OPEN_QUESTIONS = (
    *("board", "look", "turns", "export", "terms", "help", "matches", "rules", "games", "learn", "record"),
    *("draw", "takeback", "link"),
)
"""What cannot be taken for an answer in private, by who owes one."""


@dataclass(frozen=True, slots=True)
class Twins:
    """Two matches that differ in one line, or in the seed alone."""

    key: str
    terms: str
    before: tuple[Line, ...]
    hidden: tuple[tuple[Line, ...], tuple[Line, ...]]
    """What somebody says in the one match, and in the other."""
    unknowing: tuple[str, ...] = ("ben", "carol", "dora")
    after: tuple[Line, ...] = ()
    """What is said in both before anybody may look."""
    seeds: tuple[int, int] = (7, 7)
    without: tuple[str, ...] = ()
    """Commands that may tell it."""
    asked: tuple[str, ...] = ("",)
    """How all that is asked begins."""
    opponent: str = "ben"


async def evening(kind: str, number: int, folder: Path) -> Found:
    """Two matches beside each other, asked about by everybody who must not know what differs."""
    chance = Random(f"{kind} {number}")
    twins = KINDS[kind](chance)
    game = GAMES[twins.key]
    position = game.setup({}, Dice(SEED))
    asked: list[Line] = []
    while len(asked) < 4 * ASIDE:
        line = chance.choice(twins.unknowing), aside(game, position, chance.choice(("--", "c7c5", "e5d5")), chance)
        if line[1].startswith(twins.asked) and not line[1].startswith(twins.without):
            asked.append(line)
    (one, here), (other, there) = [await _noticed(twins, at, asked, folder / str(at), number) for at in (0, 1)]
    assert here != there, f"{kind} {number} hides nothing"
    one, other = ([[told for told in each if told[0] not in twins.without] for each in many] for many in (one, other))
    return found(("the hidden", *asked, "the daily lists"), one, other, 1)


async def _noticed(
    twins: Twins, at: int, asked: list[Line], folder: Path, number: int
) -> tuple[list[list[Noticed]], object]:
    """What the unknowing notice, and what is hidden from them."""
    folder.mkdir(parents=True)
    room = await open_room(folder)
    room.seed = twins.seeds[at]
    watch, chance = Watch(room, twins.unknowing, twin=bool(at), hashes=twins.seeds[0] == twins.seeds[1]), Random(number)
    told: list[list[Noticed]] = []
    try:
        began = await watch.says("anna", f"challenge @{twins.opponent} {twins.key} {twins.terms}", "")
        if twins.opponent != PARTNERS_NAME:
            began = await watch.says(twins.opponent, "accept 1")
        for who, text in twins.before:
            began += await watch.says(who, text)
        for who, text in twins.hidden[at]:
            began += await watch.says(who, text)
        if twins.after:
            began = []
        for who, text in twins.after:
            began = await watch.says(who, text)
        match = await room.service.repository.match("1")
        assert match is not None
        hidden = match.game.encode(match.position), match.seed
        told.append([*began, *await watch.offered(chance, "--")])
        for count, (who, text) in enumerate(asked):
            if await watch.is_over():  # then everything is told
                told.append([])
                continue
            told.append(await watch.says(who, text))
            if count % ASIDE == 0:
                told[-1] += await watch.offered(chance, text)
        told.append([] if await watch.is_over() else await watch.daily(*twins.unknowing))
        return told, hidden
    finally:
        await room.store.close()


# --- what is hidden ---------------------------------------------------------------------------------------


def _layout(chance: Random) -> str:
    line = [*"C$SB"]
    chance.shuffle(line)
    return "".join(line) + " " + "".join(chance.choices("5678", k=4))


def _two(chance: Random, one: Callable[[Random], str]) -> tuple[str, str]:
    first = one(chance)
    while (second := one(chance)) == first:
        pass
    return first, second


def _said(who: str, how: str, texts: tuple[str, str]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    one, other = (((who, how.format(text)),) for text in texts)
    return one, other


def _concealed(chance: Random) -> Twins:
    who = chance.choice(("anna", "ben"))
    how = chance.choice(("secret 1 {}", "secret {}", "{}"))
    return Twins(
        "veney",
        "side=white setup=concealed",
        (),
        _said(who, how, _two(chance, _layout)),
        tuple(name for name in PEOPLE if name != who),
        asked=OPEN_QUESTIONS,
    )


def _thrown(chance: Random) -> Twins:
    throw, token, guess = chance.choice(
        (
            ("guess", _square, lambda chance: str(chance.randint(1, 16))),
            ("guess-side", _square, lambda chance: chance.choice(("white", "black"))),
            ("paper20", _number, _number),
        )
    )
    who, answer = chance.choice((("anna", guess), ("ben", token)))
    return Twins(
        "veney",
        f'side=white umpire={chance.choice(GAMES["veney"].penalties)} time=3d throw={throw} start="{AIMED}"',
        (("anna", "throw"),),
        _said(who, "secret 1 {}", _two(chance, answer)),
        tuple(name for name in PEOPLE if name != who),
        asked=OPEN_QUESTIONS,
    )


def _square(chance: Random) -> str:
    return chance.choice("WXYZ") + str(chance.randint(1, 16))


def _number(chance: Random) -> str:
    return str(chance.randint(1, 20))


def _hugged(chance: Random) -> Twins:
    who = chance.choice(("anna", "ben"))
    before = (("anna", "SY5"), ("ben", "SX12"), ("anna", "draw"), ("ben", "accept draw"))
    return Twins(
        "veney",
        "side=white first=white draw=hug",
        before[chance.choice((0, 2)) :],
        _said(who, "secret 1 {}", ("hug", "betray")),
        tuple(name for name in PEOPLE if name != who),
        asked=OPEN_QUESTIONS,
    )


def _surplus(chance: Random) -> Twins:
    who, letters = chance.choice((("anna", "GL"), ("ben", "JR")))
    answers = _two(chance, lambda chance: chance.choice(("-", *letters, letters, letters[::-1])))
    return Twins(
        "veney",
        f'side=white umpire=turn start="{CROWDED}"',
        (("anna", "S=="),),
        _said(who, "secret 1 {}", answers),
        tuple(name for name in PEOPLE if name != who),
        asked=OPEN_QUESTIONS,
    )


def _cast(chance: Random) -> Twins:
    """A square that was seen, and is shown no more."""
    piece = chance.choice("LDC")
    aims = _two(chance, lambda chance: chance.choice("XY") + chance.choice("67"))
    pause = (("anna", "--"),) if piece == "C" else ()
    one, other = ((("anna", f"~{piece}:{aim}"), *pause) for aim in aims)
    after = (
        ("ben", "SX15"),
        ("anna", "JW1"),
        ("ben", "SX14"),
        *((("anna", "JW2"), ("ben", "SX15")) if chance.random() < 0.5 else ()),
    )
    terms = f'side=white umpire={chance.choice(GAMES["veney"].penalties)} time=3d start="{APART}"'
    return Twins("veney", terms, (), (one, other), PEOPLE, after, without=("turns", "export"))


def _lots(chance: Random) -> Twins:
    """Numbers that have not been drawn yet: nothing but the hashes may differ."""
    key = chance.choice([*GAMES])
    game = GAMES[key]
    terms = {"side": game.names[game.sides[0]].lower(), "umpire": chance.choice(game.penalties), "time": "3d"}
    terms |= {"first": "white"} if key == "veney" else {}
    table = begun(key, ("ben",), **terms)
    lines = tuple(next_turn(table, chance, lucky=False) for _ in range(chance.randint(1, 6)) if _goes_on(table))
    sheet = " ".join(f"{name}={value}" for name, value in terms.items())
    return Twins(key, sheet, lines, ((), ()), PEOPLE, seeds=(chance.randrange(1 << 64), chance.randrange(1 << 64)))


def _goes_on(table: Table) -> bool:
    return table.now.status == "running" and table.now.ending is None


def _both_laid_out(chance: Random) -> Twins:
    """The lot between equal layouts, before the second is there."""
    layout = _layout(chance)
    lines = (("anna", f"secret 1 {layout}"), ("ben", "secret 1 nonsense"))
    return Twins(
        "veney",
        "side=white setup=concealed",
        lines,
        ((), ()),
        PEOPLE,
        seeds=(chance.randrange(1 << 64), chance.randrange(1 << 64)),
    )


def _hands(chance: Random) -> Twins:
    """In which hand the free engagement is, and what is guessed."""
    who = chance.choice(("anna", "ben"))
    return Twins(
        "veney",
        "side=white first=hands",
        (),
        _said(who, chance.choice(("secret 1 {}", "secret {}", "{}")), ("left", "right")),
        tuple(name for name in PEOPLE if name != who),
        asked=OPEN_QUESTIONS,
    )


def _ripostes(chance: Random) -> Twins:
    """What Riposte itself has answered in private, before its opponent has."""
    terms = chance.choice(("setup=concealed", "first=hands"))
    return Twins(
        "veney",
        f"side=white {terms} level={chance.randint(1, 6)}",
        (),
        ((), ()),
        PEOPLE,
        seeds=(chance.randrange(1 << 64), chance.randrange(1 << 64)),
        asked=OPEN_QUESTIONS,
        opponent=PARTNERS_NAME,
    )


KINDS: Mapping[str, Callable[[Random], Twins]] = {
    "layouts": _concealed,
    "tokens and guesses": _thrown,
    "hugs": _hugged,
    "surplus pieces": _surplus,
    "cast squares": _cast,
    "lots": _lots,
    "lots between layouts": _both_laid_out,
    "hands": _hands,
    "Riposte's answers": _ripostes,
}
"""What is hidden, and twins that differ in it."""
