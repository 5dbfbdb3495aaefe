"""What Riposte tells about itself: what can be said, which games there are, their rules, what can be agreed on."""

from bot.commands.context import Context, Effect, whisper
from bot.commands.spec import BY_NAME, COMMANDS, near
from bot.messages.model import IncomingMessage, Span, Strong
from bot.messages.narrator import Draft
from bot.messages.pictures import picture
from bot.messages.sentences import spelled, terms_line
from bot.repository import Repository
from engine.dice import Dice
from engine.game import AnyGame
from engine.games import GAMES
from engine.match.terms import sheet
from engine.text import Code

MOST = 40
"""Rules in one answer."""


async def help_(desk: Repository, context: Context) -> Effect:
    heard, words = context.heard, context.said.words
    if not words:
        lines: list[Span] = ["In a match's thread, write your turn and nothing else. Everywhere:"]
        for command in COMMANDS:
            lines += ["\n", Code(f"{command.name} {command.usage}".strip()), " ", *spelled(command.gist)]
        return whisper(heard, *lines)
    meant = BY_NAME.get(words[0].lower())
    if meant is None and words[0].lower() in GAMES:
        return await games(desk, context)
    if meant is None:
        close = near(words[0], tuple(BY_NAME))
        hint: tuple[Span, ...] = (" Did you mean ", Code(close), "?") if close else ()
        return whisper(heard, "There is no command ", Code(words[0][:40]), ".", *hint, " ", Code("help"), " lists all.")
    also = f" Also: {', '.join(meant.aliases)}." if meant.aliases else ""
    usage = Code(f"{meant.name} {meant.usage}".strip())
    return whisper(heard, usage, " ", *spelled(meant.gist), " For example: ", Code(meant.example), f".{also}")


async def games(desk: Repository, context: Context) -> Effect:
    heard, words = context.heard, context.said.words
    if not words:
        lines: list[Span] = ["The games:"]
        for key in GAMES:
            lines += ["\n", Strong(GAMES[key].name), f": {GAMES[key].gist}"]
        lines += ["\nMore about one: ", Code(f"games {next(iter(GAMES))}"), "."]
        return whisper(heard, *lines)
    game = _game(words[0])
    if game is None:
        return _no_game(heard, words[0])
    position = game.setup({option.key: option.default for option in game.options}, Dice(bytes(32)))
    say = Draft(
        (
            Strong(game.name), f": {game.gist} {game.credit}\nA turn looks like this: ", Code(game.example),
            ". The rules in a sentence each: ", Code(f"rules {game.key}"),
            ". What can be agreed on: ", Code(f"terms {game.key}"),
            ". A match: ", Code(f"challenge @name {game.key}"), ".",
        ),
        picture(game, position, None),
        only=heard.who.key,
    )  # fmt: skip
    return Effect(says=(say,))


async def rules(desk: Repository, context: Context) -> Effect:
    heard, words = context.heard, context.said.words
    game = _game(words[0]) if words else None
    if game is None and context.match is not None:  # in a match's thread its game goes without saying
        game, words = context.match.game, (context.match.game.key, *words)
    if game is None:
        return _no_game(heard, words[0] if words else "")
    wanted = " ".join(words[1:]).lower()
    found = [r for r in game.rules if not wanted or r.ref.lower().startswith(wanted) or wanted in r.title.lower()]
    if not found:
        return whisper(heard, f"{game.name} has no rule {wanted[:40]}. ", Code(f"rules {game.key}"), " lists them.")
    lines: list[Span] = [Strong(f"The rules of {game.name}")]
    for rule in found[:MOST]:
        lines += ["\n", Code(rule.ref), f" {rule.title}: ", *spelled(rule.gist)]
    if len(found) > MOST:
        more = f"rules {game.key} {found[MOST].ref.partition(':')[0]}"
        lines += [f"\n… and {len(found) - MOST} more: ", Code(more), "."]
    return whisper(heard, *lines)


async def terms(desk: Repository, context: Context) -> Effect:
    heard, words = context.heard, context.said.words
    if context.match is not None and not words:
        return whisper(heard, f"Match {context.match.id}: {terms_line(context.match)}.")
    game = _game(words[0]) if words else None
    if game is None:
        return _no_game(heard, words[0] if words else "")
    lines: list[Span] = [Strong(f"What can be agreed on for {game.name}")]
    for option in sheet(game):
        allowed = f" ({', '.join(option.values)})" if option.values else ""
        lines += ["\n", Code(f"{option.key}={option.default}"), " ", *spelled(f"{option.gist}{allowed}")]
    return whisper(heard, *lines)


def _no_game(heard: IncomingMessage, word: str) -> Effect:
    close = near(word, tuple(GAMES)) if word else ""
    fact = f"There is no game {word[:40]}. " if word else "Which game? "
    hint: tuple[Span, ...] = ("Did you mean ", Code(close), "?") if close else (Code("games"), " lists them.")
    return whisper(heard, fact, *hint)


def _game(word: str) -> AnyGame | None:
    return GAMES.get(word.lower())
