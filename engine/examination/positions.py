"""What must hold at every position of a game: its text, its turns, its judge, its penalties and its picture."""

from collections.abc import Iterator
from typing import Any

from engine.composition import Composing
from engine.diagram import Diagram
from engine.dice import Dice
from engine.examination.journey import Moment, comes_back, is_text, same, tried
from engine.game import RESIGNED, Examined, Game, NotationError, Outcome
from engine.text import Term, Text

NO_DICE = bytes(32)
WIDE = 60
"""Turns of a position from which lines of two are not counted: it would take too long."""
PICKED = 8
"""Turns of a position that are composed of picks."""
LONGEST_WAY = 12
"""Picks after which no turn is followed further."""


# --- positions and turns as text --------------------------------------------------------------------------


def comes_back_from_its_text(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    text = game.encode(position)
    if len(text.splitlines()) != 1:
        yield Text("Its text is not one line.")
    if not same(game, game.decode(text), position):
        yield Text("Its text was read as another position.")


def turns_come_back_from_their_notation(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    turns = list(game.turns(position))
    texts = {}
    for turn in turns:
        text = game.write(turn, position)
        if game.read(text, position) != turn:
            yield Text("`{text}` was read as another turn.", text=text)
        texts[text] = turn
    if not len(texts) == len(set(texts.values())) == len(turns):
        yield Text("Two turns are written in the same way, or one is listed twice.")


def has_an_example_that_can_be_read(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    example = game.example(position)
    if game.example(position) != example:
        yield Text("There are two examples for one position.")
    if game.outcome(position) is None and isinstance(tried(game.read, example, position), NotationError):
        yield Text("The example `{example}` cannot be read.", example=example)


# --- judging and playing ----------------------------------------------------------------------------------


def lists_what_the_judge_lets_pass(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    candidates = list(game.candidates(position))
    if len(set(candidates)) != len(candidates):
        yield Text("One candidate is given twice.")
    if list(game.turns(position)) != [turn for turn in candidates if not list(game.judge(position, turn))]:
        yield Text("`turns` are not the candidates that `judge` has no objection to.")


def lets_pass_what_is_listed(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    turns, dice = set(game.turns(position)), Dice(NO_DICE)
    # One move may be said in several ways: then it is listed in one of them, and leads to the same position.
    reached = {game.play(position, game.roll(position, turn, Dice(NO_DICE))) for turn in turns}
    for turn in moment.described():
        if turn not in turns and game.tenable(position, turn):
            dice.counter = 0
            if game.play(position, game.roll(position, turn, dice)) not in reached:
                yield Text("`{text}` is tenable, but not listed.", text=game.write(turn, position))


def cites_its_rules_in_order(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    places = set(game.board(position).outlines)
    for turn in moment.untenable():
        text, rulings = game.write(turn, position), list(game.judge(position, turn))
        if any(ruling.rule not in game.rules for ruling in rulings):
            yield Text("`{text}` breaks a rule that is not among `rules`.", text=text)
            continue
        for ruling in rulings:
            if not is_text(ruling.because) or not str(ruling.because).endswith((".", "!", "?")):
                yield Text("What is said of `{text}` is no sentence in a `Text`.", text=text)
            if not {site for mark in ruling.marks for site in mark.sites} <= places:
                yield Text("A mark of `{text}` is not on the board.", text=text)
        cited = [game.rules.index(ruling.rule) for ruling in rulings]
        parts = [turn.index(ruling.move) if ruling.move in turn else 0 for ruling in rulings]
        by_part = [*zip(parts, cited, strict=True)]
        if cited != sorted(cited) and by_part != sorted(by_part):  # of the whole turn, or part by part
            yield Text("The rules that `{text}` breaks are not cited in the rulebook's order.", text=text)
        if rulings != list(game.judge(position, turn)):
            yield Text("The judge answered twice about `{text}`, and differently.", text=text)


def lets_luck_break_no_rule(moment: Moment) -> Iterator[Text]:
    """Where untenable turns are refused, a turn is judged before its dice are thrown, and then no more."""
    game, position = moment.game, moment.position
    for turn in game.turns(position):
        rolled = game.roll(position, turn, moment.dice())
        if rolled is not turn and not game.tenable(position, rolled):
            yield Text("`{text}` held until its dice were thrown.", text=game.write(turn, position))


def carries_out_untenable_turns(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    for turn in moment.untenable():
        text = game.write(turn, position)
        if game.read(text, position) != turn:
            yield Text("`{text}` was read as another turn.", text=text)
        rolled = game.roll(position, turn, Dice(NO_DICE))
        after = game.play(position, rolled)
        try:
            if not comes_back(game, after):
                yield Text("The position after `{text}` does not come back from its text.", text=text)
        except NotationError:
            yield Text("`decode` refuses the position after `{text}`.", text=text)
        game.outcome(after)
        list(game.turns(after))
        game.draw_turn(position, rolled, None)
        if not game.show(rolled, position, None):
            yield Text("`{text}` is shown as nothing.", text=text)


def examines_as_it_judges(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    for turn in (*game.turns(position), *moment.untenable()):
        text, rulings = game.write(turn, position), tuple(game.judge(position, turn))
        if game.examine(position, turn) != Examined(turn, rulings, game.play(position, turn), text):
            yield Text("`examine` says otherwise of `{text}` than `judge`, `play` and `write`.", text=text)


def survives_every_penalty(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    for turn in moment.untenable():
        rulings = tuple(game.judge(position, turn))
        for penalty in game.penalties:
            follows = game.penalize(position, turn, rulings, penalty, Dice(NO_DICE))
            if isinstance(follows, Outcome):
                if not follows.winners <= set(game.sides):
                    yield Text("The penalty `{penalty}` makes a winner of nobody's side.", penalty=penalty)
            else:
                if not comes_back(game, follows):
                    yield Text("The position after the penalty `{penalty}` does not come back.", penalty=penalty)
                game.draw(follows, None)
            if not _is_told(game.penalty_text(position, turn, rulings, penalty, follows)):
                yield Text("What the penalty `{penalty}` costs is not told in a `Text`.", penalty=penalty)


def goes_on_while_there_are_turns(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    outcome, turns, playing = game.outcome(position), list(game.turns(position)), set(game.playing(position))
    if outcome is None:
        if not turns:
            yield Text("The game is not over, but there is no tenable turn.")
        if game.to_act(position) not in playing:
            yield Text("A side is to act that does not play.")
    else:
        if turns:
            yield Text("The game is over, but there are tenable turns.")
        if outcome.rule not in game.rules or not outcome.winners <= set(game.sides):
            yield Text("The game ended by no rule of its own, or was won by nobody's side.")
    if not playing <= set(game.sides):
        yield Text("A side plays that there is not.")


def goes_on_after_a_lost_turn(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    if game.outcome(position) is None:
        passed = game.pass_turn(position, Dice(NO_DICE))
        if not comes_back(game, passed):
            yield Text("The position after a lost turn does not come back from its text.")
        if game.to_act(passed) not in game.sides:
            yield Text("Nobody is to act after a lost turn.")


def lets_nobody_win_by_giving_up(moment: Moment) -> Iterator[Text]:
    for side in moment.game.playing(moment.position):
        if side in moment.game.forfeit(moment.position, side, RESIGNED).winners:
            yield Text("`{side}` has given up and won.", side=side)


def counts_right(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    for depth in (0, 1) if len(list(game.turns(position))) > WIDE else (0, 1, 2):
        if game.perft(position, depth) != Game.perft(game, position, depth):
            yield Text("`perft` counts other lines of {depth} than there are.", depth=depth)


def is_replayed_to_the_same_position(moment: Moment) -> Iterator[Text]:
    if moment.ply >= len(moment.journey.turns):
        return
    game, before, turn = moment.game, moment.position, moment.journey.turns[moment.ply]
    expected = moment.journey.positions[moment.ply + 1]
    text = game.write(turn, before)
    reached = game.play(before, game.read(text, before))
    if not same(game, reached, expected) or hash(game.identity(reached)) != hash(game.identity(expected)):
        yield Text("`{text}` led elsewhere when it was replayed from its notation.", text=text)


# --- composing ----------------------------------------------------------------------------------------------


def is_composed_of_picks(moment: Moment) -> Iterator[Text]:
    game, position, dice = moment.game, moment.position, moment.dice()
    if type(game).menu is Composing.menu:
        return
    side = game.to_act(position)
    candidates = list(game.candidates(position))
    listed = [candidates[dice.roll(len(candidates))] for _ in range(PICKED if candidates else 0)]
    for turn in (*listed, *moment.untenable()):
        way = game.picks(turn, position)
        found = game.compose(position, way, side)
        text = game.write(turn, position)
        if not way and turn not in listed:
            continue  # it can be typed alone
        if found.picks != way or not found.menu.complete:
            yield Text("`{text}` cannot be picked: `{pick}` is not on offer.", text=text, pick=" ".join(way))
        elif game.read(found.menu.text, position) != turn:
            yield Text("What was picked for `{text}` was read as another turn.", text=text)


def offers_picks_that_make_turns(moment: Moment) -> Iterator[Text]:
    game, position, dice = moment.game, moment.position, moment.dice()
    places, side = set(game.board(position).outlines), game.to_act(position)
    for _ in range(PICKED):
        way: tuple[str, ...] = ()
        while len(way) < LONGEST_WAY:
            found = game.compose(position, way, side)
            offered = (*found.menu.sites, *(choice.key for choice in found.menu.choices))
            if len(set(offered)) != len(offered) or not set(found.menu.sites) <= places:
                yield Text("After `{pick}` something is offered twice, or is not on the board.", pick=" ".join(way))
            if found.menu.complete:
                turn = tried(game.read, found.menu.text, position)
                if isinstance(turn, NotationError):
                    yield Text("`{text}` was picked and cannot be read.", text=found.menu.text)
            elif way and not offered:
                yield Text("After `{pick}` nothing is offered.", pick=" ".join(way))
            yield from _drawn(found.preview)
            if not is_text(found.menu.prompt):
                yield Text("What is to be picked is not said in `Text`.")
            if not offered or (found.menu.complete and dice.roll(2)):
                break
            way = (*way, offered[dice.roll(len(offered))])


# --- words and pictures -----------------------------------------------------------------------------------


def says_everything_in_sentences(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    turns = moment.journey.turns[moment.ply : moment.ply + 1]
    told: list[Any] = [game.duty(position), game.remark({}), *(ask.prompt for ask in game.asks(position))]
    for turn in turns:
        told += [game.caution(position, turn, after) for after in (game.play(position, turn), None)]
        told += game.describe_luck(turn, position, None)
    if not all(map(_is_told, told)):
        yield Text("What is said here in words is not all in `Text`.")


def draws_for_every_viewer(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    for viewer in (None, *game.sides):
        drawn = game.draw(position, viewer)
        if drawn != game.draw(game.decode(game.encode(position)), viewer):
            yield Text("The position is drawn otherwise once it has been read from its text.")
        yield from _drawn(drawn)
        for turn in moment.journey.turns[moment.ply : moment.ply + 1]:
            yield from _drawn(game.draw_turn(position, turn, viewer))


def _drawn(diagram: Diagram) -> Iterator[Text]:
    places = set(diagram.board.outlines)
    used = {figure.site for figure in diagram.figures} | diagram.labels
    used |= {site for mark in diagram.marks for site in (*mark.sites, *mark.left)}
    used |= {site for link in diagram.links for site in (link.start, link.end)}
    if not used <= places:
        yield Text("There is something in the picture that is not on the board.")
    if not {figure.side for figure in diagram.figures} <= {"", *diagram.names}:
        yield Text("There is a figure of a side that the picture does not name.")
    if diagram.to_act is not None and diagram.to_act not in diagram.names:
        yield Text("A side is to act that the picture does not name.")
    names = [figure.name for figure in diagram.figures] + [name for tray in diagram.trays for _, name, _ in tray.pieces]
    if not all(figure.kind for figure in diagram.figures) or not all(name and name.isprintable() for name in names):
        yield Text("There is a piece without a kind or a name.")
    terms = [diagram.title, *diagram.names.values(), *names, *(tray.label for tray in diagram.trays)]
    if not diagram.title or not all(isinstance(term, Term) for term in terms):
        yield Text("The picture's title, sides, pieces and trays are not all named by a `Term`.")
    if not is_text(*diagram.notes, *diagram.hatching):
        yield Text("The picture's notes are not all in `Text`.")


def tells_of_every_place(moment: Moment) -> Iterator[Text]:
    game, position = moment.game, moment.position
    sites = list(game.board(position).outlines)
    site = sites[moment.dice().roll(len(sites))]
    for viewer in (None, *game.sides):
        said = game.look(position, site, viewer)
        if not is_text(*said) or not any(site in str(text) for text in said):
            yield Text("`look {site}` does not tell of it in `Text`.", site=site)
    nowhere = tried(game.look, position, "nowhere", None)
    if not isinstance(nowhere, NotationError) or "nowhere" not in str(nowhere.because):
        yield Text("`look nowhere` is not answered with the fact.")


def _is_told(said: object) -> bool:
    return said is None or isinstance(said, Text)
