"""The rules of a game: its subjects, a word of them with its picture, or what a call can cite."""

from collections.abc import Mapping

from bot.commands.context import Context, Effect, reply, reply_lines
from bot.commands.learning.games import named_game, page_of, which_game, written
from bot.commands.parser import closest
from bot.messages.model import IncomingMessage, Picture
from bot.messages.narrator import Draft
from bot.messages.showing.pictures import picture
from bot.repository import Repository
from engine.game import AnyGame, Option, Rule
from engine.match.terms import sheet
from engine.teaching.entries import Entry, Scene, Subject, found, mentioned, names, plain
from engine.teaching.reach import Reached, reached
from engine.teaching.scenes import shown_turn
from engine.text import Code, Listing, Text, plural

MOST_RULES = 40
"""Rules in one answer."""
MOST_ENTRIES = 3
"""Entries in one answer."""
MOST_PLACES = 30
"""Places in one sentence; where there are more, the picture tells them."""
WRITING = frozenset({"notation", "how to write", "writing", "how turn are written", "coordinate", "syntax"})
"""What asks how turns are written, where the rulebook has no such word."""
ALL = "all"
"""Stands before the beginning of a reference where rules are to be listed."""

SUBJECTS: Mapping[Subject, Text] = {
    "pieces": Text("Pieces: {words}."),
    "play": Text("How it is played: {words}."),
    "devices": Text("Devices: {words}."),
    "ends": Text("How it ends: {words}."),
    "around": Text("Around a game: {words}."),
}


async def rules(repository: Repository, context: Context) -> Effect:
    """Tells the subjects of a game's rules, or what a word of them means."""
    message, words = context.message, context.parsed.words
    game = named_game(words[0]) if words else None
    if game is None and context.match is not None:  # in a match's thread its game goes without saying
        game, words = context.match.game, (context.match.game.key, *words)
    if game is None:
        return which_game(message, words[0] if words else "")
    wanted = " ".join(words[1:]).lower()
    if not wanted and game.entries:
        return _subjects(message, game, page_of(repository, game))
    first, _, cited = wanted.partition(" ")
    if first == ALL:
        wanted = cited
    elif entries := found(game.entries, wanted):
        return explained(message, game, entries)
    if plain(wanted) in WRITING and game.writings:
        return reply_lines(message, written(game))
    if by_name := rules_named(wanted, game):
        return _listed(message, game, by_name)
    if option := option_named(wanted, game):
        term = Text("`{term}={value}`", term=option.key, value=option.default)
        return reply_lines(message, ((term, option.gist), (Text("All terms: `terms {game}`.", game=game.key),)))
    if entries := mentioned(game.entries, wanted):
        return explained(message, game, entries)
    close = closest(wanted, tuple(name for entry in game.entries for name in names(entry))) or ""
    return reply(
        message,
        Text("{game} has no rule `{rule}`.", game=game.name, rule=wanted[:40]),
        Text("Did you mean `{word}`?", word=close)
        if close[:1] == wanted[:1]
        else Text("`rules {game}` lists them.", game=game.key),
    )


def rules_named(wanted: str, game: AnyGame) -> tuple[Rule, ...]:
    """Returns the rules whose reference begins like this, or whose title holds it."""
    said = plain(wanted)
    return tuple(
        rule
        for rule in game.rules
        if not wanted or rule.ref.lower().startswith(wanted) or (said and said in plain(rule.title))
    )


def option_named(wanted: str, game: AnyGame) -> Option | None:
    """Returns the term of a match that a word names."""
    return next((option for option in sheet(game) if wanted in (option.key, *option.aliases)), None)


def _subjects(message: IncomingMessage, game: AnyGame, page: tuple[Text, ...]) -> Effect:
    """The words that can be asked for, subject by subject."""
    listed = []
    for subject, told in SUBJECTS.items():
        called = tuple(Code(_short(entry)) for entry in game.entries if entry.subject == subject)
        if called:
            listed.append((Text(told.template, words=Listing(called, "unit")),))
    first = _short(game.entries[0])
    return reply_lines(
        message,
        (
            (Text("**The rules of {game}**:", game=game.name), *game.goal, game.credit),
            *listed,
            (
                *page,
                Text("One of them, with a picture: `rules {game} {word}`.", game=game.key, word=first),
                Text("What a call can cite, a sentence each: `rules {game} all`.", game=game.key),
            ),
        ),
    )


def _short(entry: Entry) -> str:
    """An entry's name as it is typed."""
    return entry.name.lower().removeprefix("the ")


def explained(message: IncomingMessage, game: AnyGame, entries: tuple[Entry, ...]) -> Effect:
    """What one word means, or each of a few, with the picture of the first that has one."""
    if len(entries) > MOST_ENTRIES:
        words = Listing(tuple(Code(_short(entry)) for entry in entries), "or")
        return reply(message, Text("That may be {words}.", words=words))
    shown = None
    lines: list[tuple[Text, ...]] = []
    for entry in entries:
        lines.append((Text("**{word}**:", word=entry.name), *entry.says))
        if entry.scene is not None and shown is None:
            shown, told = _seen(game, entry.scene)
            lines.append(told)
    cited = Listing(
        tuple(dict.fromkeys(Code(f"rules {game.key} {ALL} {e.section}") for e in entries if e.section)), "unit"
    )
    if cited.items:
        lines.append((Text("What a call can cite: {rules}.", rules=cited),))
    return Effect(drafts=(Draft(tuple(lines), shown, only=message.who.key, harmless=True),))


def _seen(game: AnyGame, scene: Scene) -> tuple[Picture, tuple[Text, ...]]:
    """The picture of a scene, and what it shows in words."""
    labels = "all" if scene.labels else "none"
    if scene.reaches:
        drawn = reached(game, scene)
        return picture(game, drawn.position, None, marks=drawn.marks, labels=labels), reach_told(scene, drawn)
    position, turn, marks = shown_turn(game, scene)
    shown = picture(game, position, None, turn=turn, marks=marks, labels=labels)
    return shown, turn_told(game, scene)


def turn_told(game: AnyGame, scene: Scene) -> tuple[Text, ...]:
    """The turn that a scene shows, in words; what it breaks, if it is one that was called out."""
    if not scene.way:
        return ()
    position, turn, _ = shown_turn(game, scene)
    side = game.names[game.to_act(position)]
    if turn:
        return (Text("In the picture {side} has played `{turn}`.", side=side, turn=turn),)
    ruling = next(iter(game.judge(position, game.read(scene.way, position))))
    return (Text("In the picture {side} has tried `{turn}`.", side=side, turn=scene.way), ruling.because)


def reach_told(scene: Scene, drawn: Reached) -> tuple[Text, ...]:
    """The picture in words."""
    told = []
    if len(drawn.open) > MOST_PLACES:
        told.append(plural("One place is marked.", "{count} places are marked.", len(drawn.open)))
    elif drawn.open and scene.site:
        told.append(
            Text(
                "In the picture it goes from {origin} to {places}.", origin=scene.site, places=Listing(drawn.open, "or")
            )
        )
    elif drawn.open:
        told.append(Text("In the picture that is possible on {places}.", places=Listing(drawn.open, "or")))
    if drawn.taken:
        told.append(Text("An enemy within its reach: {places}.", places=Listing(drawn.taken, "unit")))
    if drawn.blockers:
        told.append(Text("In its way: {places}.", places=Listing(drawn.blockers, "unit")))
    return tuple(told)


def _listed(message: IncomingMessage, game: AnyGame, found: tuple[Rule, ...]) -> Effect:
    """Rules by reference, a sentence each."""
    lines: list[tuple[Text, ...]] = [
        (Text("`{ref}` {title}:", ref=rule.ref, title=rule.title), rule.gist) for rule in found[:MOST_RULES]
    ]
    if len(found) > MOST_RULES:
        next_rule = f"rules {game.key} {ALL} {found[MOST_RULES].ref.partition(':')[0]}"
        more = plural(
            "There is {count} more: `{command}`.",
            "There are {count} more: `{command}`.",
            len(found) - MOST_RULES,
            command=next_rule,
        )
        lines.append((more,))
    return reply_lines(message, ((Text("**The rules of {game}**", game=game.name),), *lines))
