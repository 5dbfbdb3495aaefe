"""What there is: `help`, `record`, `terms`."""

import asyncio

from bot.commands.context import Context, Effect, refused, reply, reply_lines, whisper
from bot.commands.learning.games import games, named_game, which_game
from bot.commands.learning.under_way import untold_verdicts
from bot.commands.parser import LONGEST, closest
from bot.commands.spec import BY_NAME, COMMANDS
from bot.commands.spec.club import COMMANDS as OF_CLUBS
from bot.commands.spec.parts import Command
from bot.commands.spec.people import COMMANDS as OF_PEOPLE
from bot.commands.spec.time import COMMANDS as OF_TIME
from bot.messages.model import IncomingMessage, Lines
from bot.messages.narrator import Draft
from bot.messages.showing.pictures import picture
from bot.messages.terms_text import terms_line
from bot.repository import Repository
from engine.dice import Dice
from engine.game import NotationError
from engine.games import GAMES
from engine.match.events import Refusal
from engine.match.record.follow import Followed, follow_plies
from engine.match.record.pairs import first_mover, read_pairs
from engine.match.terms import sheet
from engine.text import Code, Listing, Text, plural, sentences


async def help_(repository: Repository, context: Context) -> Effect:
    """Lists the commands, or explains one."""
    message, words = context.message, context.parsed.words
    if not words:
        subjects = [(Text(subject.template, commands=_listed(names)),) for subject, names in SUBJECTS]
        named = {"help", *(name for _, names in SUBJECTS for name in names), *(one.name for one in FURTHER)}
        if others := tuple(command.name for command in COMMANDS if command.name not in named):
            subjects.append((Text("And: {commands}.", commands=_listed(others)),))
        subjects.append((ABOUT_TIME,))
        return reply_lines(message, ((how_to_move(message), PRESS), *subjects, (MORE,)))
    if words[0].lower() == "all":
        return reply_lines(message, tuple((_usage(command), command.gist) for command in COMMANDS))
    if (further := ABOUT.get(words[0].lower())) is not None:
        return reply_lines(message, tuple((_usage(one), one.gist) for one in further))
    command = BY_NAME.get(words[0].lower())
    if command is None and words[0].lower() in GAMES:
        return await games(repository, context)
    if command is None:
        close = closest(words[0], tuple(BY_NAME))
        return reply(
            message,
            Text("There is no command `{word}`.", word=words[0][:40]),
            *((Text("Did you mean `{word}`?", word=close),) if close else ()),
            Text("`help all` lists all."),
        )
    aliases = Listing(tuple(Code(alias) for alias in command.aliases), "unit")
    return reply(
        message,
        _usage(command),
        command.gist,
        Text("For example: `{example}`.", example=command.example),
        *((Text("Also: {aliases}.", aliases=aliases),) if command.aliases else ()),
    )


WRITE = Text("In a match's thread, just write your turn.")
PRESS = Text("Buttons below a message do what they say.")
HOW = {
    "discord": Text(
        "In a match's thread, press the button, reply to one of my messages with your turn, or mention me with it."
    ),
}
"""By platform, how to make a turn there, where not all that is written is heard."""
SUBJECTS: tuple[tuple[Text, tuple[str, ...]], ...] = (
    (
        Text("To begin: {commands}."),
        ("challenge", "play", "accept", "decline", "counter", "rematch", "preset"),
    ),
    (
        Text("To learn: {commands}."),
        ("learn", "spot", "solve", "review", "analyse", "games", "rules", "terms"),
    ),
    (Text("To play: {commands}."), ("move", "add", "secret", "call", "late", "ok")),
    (
        Text("To look: {commands}."),
        ("matches", "board", "replay", "look", "hint", "turns", "export", "rating"),
    ),
    (
        Text("To agree or to end: {commands}."),
        ("draw", "takeback", "anew", "resign", "abort", "claim"),
    ),
    (Text("To settle: {commands}."), ("link", "account", "theme", "language", "settings")),
)
"""The commands by what they are for; `help` itself goes without saying."""
TIME = "time"
"""The word behind `help` that lists what whoever begins does not need."""
ABOUT_TIME = Text("About time, clubs and more: `help time`.")
FURTHER = (
    *OF_TIME,
    *OF_CLUBS,
    *OF_PEOPLE,
    *map(
        BY_NAME.__getitem__,
        ["open", "if", "note", "calls", "follow", "nocontest", "contest", "token", "record", "daily", "ladder"],
    ),
    BY_NAME["apikey"],
)
"""The commands that it lists."""
HOSTS = (BY_NAME["settings"], *OF_PEOPLE)
ABOUT = {
    TIME: FURTHER,
    **dict.fromkeys(("club", "clubs", "tournaments"), OF_CLUBS),
    **dict.fromkeys(("host", "hosts", "people", "moderation"), HOSTS),
}
"""The commands that `help` lists behind a word that is none."""
MORE = Text("One of them: `help challenge`; all: `help all`.")


def how_to_move(message: IncomingMessage) -> Text:
    """Returns how a turn is made where a message was written."""
    return WRITE if message.bare else HOW.get(message.where.platform, WRITE)


def _listed(names: tuple[str, ...]) -> Listing:
    return Listing(tuple(Code(name) for name in names), "unit")


def hello() -> Effect:
    """Says who this is, and two things to try."""
    return Effect(drafts=(Draft(HELLO),))


HELLO: Lines = (
    (
        Text("I am Riposte: I keep long games going, a turn whenever you have a minute."),
        Text("Anybody at the board may call out a turn that breaks the rules."),
    ),
    (Text("To learn a game by playing it: `learn tokonoma`."),),
    (Text("Try this: `challenge @ben tokonoma` invites Ben to a match."),),
    (Text("Or this: `games` tells what can be played."),),
    (Text("`help` lists everything else."),),
)


WELCOME: Lines = (
    (Text("Play long games with friends, a turn whenever you have a minute."),),
    (Text("To learn a game by playing it: `{command}`", command="learn tokonoma"),),
    (Text("To play against Riposte at once: `{command}`", command="play tokonoma level=1"),),
    (
        Text(
            "Open a second tab and sit down there under another name; then challenge them here: `{command}`",
            command="challenge @ben tokonoma",
        ),
    ),
    (
        Text(
            "To let untenable turns stand until somebody calls them out: `{command}`",
            command="challenge @ben tokonoma umpire=turn",
        ),
    ),
    (Text("To see all commands: `{command}`", command="help"),),
)
"""What the web room shows at first."""


async def terms(repository: Repository, context: Context) -> Effect:
    """Shows the terms of a match, or lists what can be agreed on for a game."""
    message, words = context.message, context.parsed.words
    if context.match is not None and not words:
        return reply(message, Text("**Match {match}**", match=context.match.id), *terms_line(context.match))
    game = named_game(words[0]) if words else None
    if game is None:
        return which_game(message, words[0] if words else "")
    lines = []
    for option in sheet(game):
        values = Listing(tuple(Code(value) for value in option.values), "or")
        allowed = Text("It can be {values}.", values=values) if option.values else None
        term = Text("`{term}={value}`", term=option.key, value=option.default)
        lines.append(tuple(sentences((term, option.gist, allowed))))
    head = Text("**What can be agreed on for {game}**", game=game.name)
    return reply_lines(message, ((head,), *lines, (Text("A challenge can also say:"),), *BESIDES))


BESIDES: Lines = (
    (Text("`{term}={value}`", term="private", value="on"), Text("It is read and listed only where it is played.")),
    (Text("`{term}={value}`", term="expires", value="2d"), Text("For how long it waits for an answer.")),
    (Text("`{term}={value}`", term="preset", value="slow"), Text("Terms that are kept under a name: `preset`.")),
    (Text("`{term}={value}`", term="share", value="h4Rt9k"), Text("A share in the dice of your own.")),
)
"""What stands in a challenge and is no term of the match."""


def _usage(command: Command) -> Text:
    return Text("`{usage}`", usage=f"{command.name} {command.usage}".strip())


async def record(repository: Repository, context: Context) -> Effect:
    """Reads turns that somebody has pasted: which hold, and the board they lead to; always in private."""
    message = context.message
    try:
        plies = read_pairs(context.parsed.rest)
    except NotationError as error:
        return refused(context, Refusal(error.because, error.remedy))
    if not plies:
        return whisper(
            message, Text("There are no turns in that."), Text("For example: `{example}`.", example=RECORD.example)
        )
    game = GAMES["veney"]
    start = game.setup({"first": first_mover(plies)}, Dice(bytes(32)))
    judged = not await untold_verdicts(repository, context.accounts, message.where.thread, game)
    # Turns take a while to judge, and others are waiting.
    turns = await asyncio.to_thread(lambda: [*follow_plies(game, start, plies[:MOST_FOLLOWED], priced=judged)])
    lines: list[tuple[Text, ...]] = [_told(turn, judged) for turn in turns]
    if len(plies) > len(turns):
        left = len(plies) - len(turns)
        lines.append((plural("{count} turn more was not read.", "{count} turns more were not read.", left),))
    if len(message.text) >= LONGEST:
        lines.append((Text("Only the first {count} characters were read.", count=LONGEST),))
    if not judged:
        lines.append(
            (Text("Which turns of Veney hold is told neither in a running match nor to anybody who plays one."),)
        )
    return Effect(drafts=(Draft(tuple(lines), picture(game, turns[-1].after, None), only=message.who.key),))


RECORD = BY_NAME["record"]
MOST_FOLLOWED = 100
"""Turns in one answer."""


def _told(turn: Followed, judged: bool) -> tuple[Text, ...]:
    told = {"number": str(turn.number), "side": turn.name, "turn": turn.text}
    if turn.verdict == "unreadable":
        return (Text("{number}. {side} `{turn}` cannot be read.", **told), *turn.because)
    if not judged:
        return (Text("{number}. {side} `{turn}`", **told),)
    if turn.verdict == "untenable":
        return (Text("{number}. {side} `{turn}` is untenable.", **told), *turn.because)
    return (Text("{number}. {side} `{turn}` holds.", **told),)
