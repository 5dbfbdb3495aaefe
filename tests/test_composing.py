"""Turns composed of picks: every game's menus, what they lead to, and what they must not tell."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, NoReturn

import pytest

from engine.composition import Ways
from engine.dice import Dice
from engine.examination.journey import Moment, journey
from engine.game import AnyGame
from engine.games import GAMES
from engine.games.veney import Veney
from tests.parts_of_games import COMPOSED

every_game = pytest.mark.parametrize("game", [pytest.param(GAMES[key], id=key) for key in GAMES])
every_composed_game = pytest.mark.parametrize("game", [pytest.param(GAMES[key], id=key) for key in COMPOSED])

FORBIDDEN = ("judge", "tenable", "turns", "candidates", "play", "examine", "roll")
"""What would tell tenable picks from others, or carry a turn out."""

LONG = 8
"""Picks after which no turn is followed further."""


def positions(game: AnyGame) -> Iterator[Any]:
    for seed in range(3):
        yield from (position for position in journey(game, seed).positions[::7] if game.outcome(position) is None)


def way(game: AnyGame, position: Any, chance: Random) -> tuple[str, ...]:
    """Random picks, until nothing more is offered."""
    picks: tuple[str, ...] = ()
    for _ in range(6):
        menu = game.menu(position, picks)
        offered = [*menu.sites, *(choice.key for choice in menu.choices)]
        if not offered:
            break
        picks = (*picks, chance.choice(offered))
    return picks


def picked(game: AnyGame, *picks: str, position: str = "") -> str:
    """The notation that these picks, all on offer, make up."""
    at = game.decode(position) if position else game.setup({}, Dice(bytes(32)))
    found = game.compose(at, picks, game.to_act(at))
    assert found.picks == picks
    assert found.menu.complete
    return found.menu.text


@every_game
def test_composing_never_asks_what_is_tenable(game: AnyGame) -> None:
    def refuse(*asked: object) -> NoReturn:
        raise AssertionError("a menu asked what it must not know")

    silent = type("Silent", (type(game),), dict.fromkeys(FORBIDDEN, refuse))()
    for number, position in enumerate(positions(game)):
        picks, side = way(game, position, Random(number)), game.to_act(position)
        for length in range(len(picks) + 1):
            assert silent.compose(position, picks[:length], side) == game.compose(position, picks[:length], side)
        assert list(islice(silent.going_on(position, ""), 40)) == list(islice(game.going_on(position, ""), 40))


@every_composed_game
def test_a_text_goes_on_pick_by_pick_until_it_is_a_turn(game: AnyGame) -> None:
    position = game.setup({}, Dice(bytes(32)))
    for number in range(3):
        chance, text = Random(number), ""
        for _ in range(3):
            going_on = [more for more, _ in islice(game.going_on(position, text), 25)]
            assert all(more.lower().startswith(text.lower()) for more in going_on)
            text = chance.choice(going_on)
            if going_on == [text]:
                game.read(text, position)


ASKED = (
    {"setup": "concealed"},
    {"setup": "concealed", "whiteset": "assassin", "blackset": "guard"},
    {"first": "hands"},
)


@pytest.mark.parametrize(
    "options", [*ASKED, {"setup": "concealed", "whiteset": "-C-B", "blackset": "-$-e", "lines": "abcd"}]
)
def test_whatever_is_picked_in_private_is_an_answer(options: dict[str, str]) -> None:
    game = Veney()
    for seed in range(12):
        position, chance = game.setup(options, Dice(bytes(32))), Random(seed)
        while asks := game.asks(position):
            picks: tuple[str, ...] = ()
            menu = game.answer_menu(position, asks[0].side, asks[0].key, picks)
            while menu.sites or menu.choices:
                picks = (*picks, chance.choice([*menu.sites, *(choice.key for choice in menu.choices)]))
                menu = game.answer_menu(position, asks[0].side, asks[0].key, picks)
            assert menu.complete
            assert game.compose_answer(position, asks[0].side, asks[0].key, picks).picks == picks
            position = game.answer(position, asks[0], menu.text, Dice(bytes(32)))


@every_game
def test_places_are_offered_in_the_boards_order(game: AnyGame) -> None:
    for number, position in enumerate(positions(game)):
        order = {site: at for at, site in enumerate(game.board(position).outlines)}
        picks = way(game, position, Random(number))
        for length in range(len(picks) + 1):
            sites = game.menu(position, picks[:length]).sites
            assert list(sites) == sorted(sites, key=order.__getitem__)


@every_game
def test_a_preview_moves_the_picked_pieces_and_nothing_else(game: AnyGame) -> None:
    for number, position in enumerate(positions(game)):
        for viewer in (None, *game.sides):
            seen = game.draw(position, viewer)
            found = game.compose(position, way(game, position, Random(number)), viewer)
            touched = {site for shift in found.menu.shifts for site in (shift.origin, shift.target)}
            assert [f for f in found.preview.figures if f.site not in touched] == [
                f for f in seen.figures if f.site not in touched
            ]
            for kept in ("trays", "throws", "notes", "links", "to_act", "turned"):
                assert getattr(found.preview, kept) == getattr(seen, kept)


@every_composed_game
def test_picks_that_no_longer_fit_are_dropped_with_all_behind_them(game: AnyGame) -> None:
    position = game.setup({}, Dice(bytes(32)))
    picks = way(game, position, Random(1))
    assert game.compose(position, (picks[0], "nowhere", *picks[1:]), None).picks == picks[:1]


def led(game: AnyGame, position: Any, picks: tuple[str, ...], ways: Ways) -> Iterator[tuple[str, ...]]:
    """What a random choice of all that leads on comes to: every whole turn on the way, and the last picks."""
    menu = game.offer(position, picks, ways)
    while True:
        if menu.complete:
            yield picks
        if not menu.offered or (menu.complete and len(picks) > LONG):
            break
        picks = (*picks, Random(str(picks)).choice(menu.offered))
        menu = game.offer(position, picks, ways)
    assert menu.complete, f"{picks} lead nowhere"


@every_composed_game
def test_where_untenable_turns_are_refused_every_pick_leads_to_a_tenable_turn(game: AnyGame) -> None:
    for position in positions(game):
        ways = game.ways(position)
        offered = game.offer(position, (), ways).offered
        assert offered
        for first in offered:
            for picks in led(game, position, (first,), ways):
                text = game.compose(position, picks, game.to_act(position), ways).menu.text
                assert game.tenable(position, game.read(text, position)), (picks, text)


@every_composed_game
def test_where_untenable_turns_are_refused_every_tenable_turn_can_be_picked(game: AnyGame) -> None:
    for number, position in enumerate(positions(game)):
        ways, turns = game.ways(position), list(game.turns(position))
        for turn in Random(number).sample(turns, min(40, len(turns))):
            found = game.compose(position, game.picks(turn, position), game.to_act(position), ways)
            assert found.menu.complete, game.write(turn, position)
            assert game.read(found.menu.text, position) == turn


@every_composed_game
def test_where_untenable_turns_stand_they_can_be_picked_as_well(game: AnyGame) -> None:
    untenable = 0
    for seed in range(3):
        walked = journey(game, seed)
        for ply in range(0, len(walked.positions), 7):
            moment = Moment(game, walked, ply, seed)
            for turn in moment.untenable() if game.outcome(moment.position) is None else ():
                picks = game.picks(turn, moment.position)
                if not picks:
                    continue  # it can be typed alone
                found = game.compose(moment.position, picks, None)
                assert found.menu.complete
                assert game.read(found.menu.text, moment.position) == turn
                refused = game.compose(moment.position, picks, None, game.ways(moment.position))
                assert refused.picks != picks or not refused.menu.complete
                untenable += 1
    assert untenable > 20


INTENTIONS = (
    ("other", "intend", "J", "X10", "go"),
    ("other", "intend", "B", "Z9", "f"),
    ("other", "intend", "S", "W2", "t", "_", "$", "X6", "go"),
    ("W5", "W6", "other", "intend", "$", "Z16", "t"),
)


@pytest.mark.parametrize("options", [{"first": "white"}, {"first": "white", "lines": "abcd"}])
def test_an_intention_may_name_anything_where_untenable_turns_are_refused_as_well(options: dict[str, str]) -> None:
    game = Veney()
    position = game.setup(options, Dice(bytes(32)))
    letters = str.maketrans("WXYZ", "ABCD" if "lines" in options else "WXYZ")
    for said in INTENTIONS:
        picks = tuple(pick.translate(letters) if pick[1:].isdigit() else pick for pick in said)
        found = game.compose(position, picks, "W", game.ways(position))
        assert (found.picks, found.menu.complete) == (picks, True)
        assert game.tenable(position, game.read(found.menu.text, position))
        assert set(found.menu.offered) <= {"_"}, "an intention ends a turn"


def test_what_an_intention_may_not_follow_does_not_lead_to_one() -> None:
    game = Veney()
    position = game.setup({"first": "white"}, Dice(bytes(32)))
    menu = game.offer(position, ("meta", "a+", "other"), game.ways(position))
    assert "intend" not in menu.offered
    assert "intend" in game.menu(position, ("meta", "a+", "other")).offered


@pytest.mark.parametrize(
    ("game", "position", "picks", "text"),
    [
        ("tokonoma", "", ("c7", "c6"), "c7c6"),
        ("tokonoma", "", ("c7", "a1"), "c7a1"),
        ("tokonoma", "", ("b6", "beneath", "b5"), "Fb6b5"),
        ("tokonoma", "", ("pass",), "pass"),
        ("tirachen", "", ("P", "d2"), "P@d2"),
        ("tirachen", "", ("e1", "e9"), "Ge1xe9"),
        ("tirachen", "", ("mobilize",), "mobilize"),
        ("tirachen", "", ("e1", "e5", "remove"), "Ge1xe5"),
        ("tirachen", "", ("e1", "e5", "turn", "stay"), "Ge1xe5=T"),
        ("tirachen", "", ("e1", "e5", "turn", "e9"), "Ge1xe5=T e5xe9"),
        ("ironclad", "", ("place", "d5"), "d5"),
        ("ironclad", "", ("robot", "A1", "A5"), "A1-A5"),
        ("ironclad", "", ("fire", "A1"), "xA1"),
        ("chirality", "", ("muster", "A44"), "*A44"),
        ("chirality", "", ("pass",), "pass"),
    ],
)
def test_picks_make_up_a_turn_tenable_or_not(game: str, position: str, picks: tuple[str, ...], text: str) -> None:
    assert picked(GAMES[game], *picks, position=position) == text


def test_a_swap_of_sides_is_offered_wherever_it_can_be_said() -> None:
    game = GAMES["ironclad"]
    for mode in ("discourse", "full"):
        position = game.setup({"mode": mode}, Dice(bytes(32)))
        offered = {choice.key for choice in game.menu(position, ()).choices}
        assert ("swap" in offered) == (mode == "discourse")
    assert picked(game, "swap", position=game.encode(game.setup({"mode": "discourse"}, Dice(bytes(32))))) == "swap"


THROWER = "W: S@W9 $@W2 / B: S@Z12 / a: - / to: W / flags: ask=distraction,W,0,"


@pytest.mark.parametrize(
    ("picks", "text"),
    [
        (("pass",), "--"),
        (("S", "W3"), "SW3"),
        (("S", "W3", "$", "X2"), "SW3 $X2"),
    ],
)
def test_a_distraction_is_settled_by_picks(picks: tuple[str, ...], text: str) -> None:
    assert picked(GAMES["veney"], *picks, position=THROWER) == text


TWINS = "W: S@X4 $@Y5 D@Z4 J@W4 e@W6 / B: S@Z12 $@Y11 e@X12 / rW: G / rB: B C / a: ^XY8 / to: W / flags: {hidden}=B@{}"


@pytest.mark.parametrize("hidden", ["fire", "chaos"])
def test_what_is_hidden_changes_no_menu_and_no_preview(hidden: str) -> None:
    game = GAMES["veney"]
    one, other = (game.decode(TWINS.replace("{hidden}", hidden).format(site)) for site in ("X9", "Y10"))
    for number in range(60):
        picks = way(game, one, Random(number))
        for length in range(len(picks) + 1):
            assert game.compose(one, picks[:length], "W") == game.compose(other, picks[:length], "W")


def test_pieces_set_up_by_turns_are_put_down_by_picks() -> None:
    game = GAMES["veney"]
    position = game.setup({"setup": "turns"}, Dice(bytes(32)))
    while position.pending is not None:
        turn = next(iter(game.turns(position)))
        found = game.compose(position, game.picks(turn, position), game.to_act(position))
        assert found.menu.complete
        position = game.play(position, game.read(found.menu.text, position))


def test_a_self_and_its_partner_trade_places_by_picks() -> None:
    position = "W: S@W5 $@X5 / B: S@Z12 / a: - / to: W"
    assert picked(GAMES["veney"], "W5", "X5", "X5", "W5", position=position) == "SW5-X5 $X5-W5"


def test_two_pieces_that_trade_places_are_both_seen_where_they_come_to() -> None:
    game = GAMES["veney"]
    position = game.decode("W: S@W5 $@X5 / B: S@Z12 / a: - / to: W")
    figures = game.compose(position, ("W5", "X5", "X5", "W5"), "W").preview.figures
    standing = {figure.site: figure.kind for figure in figures if not figure.ghost}
    assert (standing["X5"], standing["W5"]) == ("S", "$")


def test_a_piece_that_goes_on_from_where_it_came_to_is_seen_once() -> None:
    game = GAMES["veney"]
    position = game.decode("W: S@W5 $@X5 / B: S@Z12 e@X6 / a: - / to: W")
    figures = game.compose(position, ("X5", "X6", "X6", "X7"), "W").preview.figures
    assert [figure.site for figure in figures if figure.kind == "$" and not figure.ghost] == ["X7"]


def test_lines_with_other_letters_are_picked_by_these_letters() -> None:
    game = Veney()
    position = game.setup({"lines": "abcd"}, Dice(bytes(32)))
    menu = game.menu(position, ())
    assert {site[0] for site in menu.sites} <= set("ABCD^")
    composed = game.compose(position, (menu.sites[0],), game.to_act(position))
    assert {site[0] for site in composed.menu.sites} <= set("ABCD")
    assert game.read(game.compose(position, (menu.sites[0], composed.menu.sites[0]), None).menu.text, position)
