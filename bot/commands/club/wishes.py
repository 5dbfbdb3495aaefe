"""Wishes: `wish 3 chirality time=3d` plays up to three matches on these terms, with whoever comes."""

from dataclasses import replace

from bot.commands.challenges import propose
from bot.commands.club.wished import KEY, Wish, read_wish, wisher, write_wish
from bot.commands.community import default_terms, wrong_channel
from bot.commands.context import Context, Effect, community_address, whisper, whisper_lines
from bot.commands.parser import read_proposal
from bot.commands.people.limits import not_allowed
from bot.commands.spec import BY_NAME
from bot.repository import Repository
from engine.game import NotationError
from engine.games import GAMES
from engine.match.commands import Challenge
from engine.match.terms import differing, settled
from engine.text import Code, Listing, Text

MOST = 10
"""Matches that one can wish for at once."""


async def wish(repository: Repository, context: Context) -> Effect:
    """Lists the author's wishes, makes one, or takes one back with `off`."""
    message, owner = context.message, context.accounts[0]
    proposal = read_proposal(context.parsed.rest, tuple(GAMES))
    words = [word.lower() for word in proposal.stray]
    if not context.parsed.words:
        return await _listed(repository, context)
    if not proposal.game or proposal.names or any(word != "off" and not word.isdecimal() for word in words):
        if not message.addressed and not proposal.game:
            return Effect()  # "wish me luck"
        return whisper(message, Text("Say how many, which game and on which terms: `{example}`.", example=EXAMPLE))
    game = GAMES[proposal.game]
    if "off" in words:
        told = whisper(message, Text("You no longer wish for matches of {game}.", game=game.name))
        return replace(told, settings=((owner, KEY.format(game=game.key), ""),))
    most = int(words[0][:4]) if words else 1
    if not 1 <= most <= MOST:
        return whisper(
            message,
            Text("Wish for 1 to {most} matches.", most=MOST),
            Text("For example: `{example}`.", example=EXAMPLE),
        )
    if (refusal := await wrong_channel(repository, message)) or (
        refusal := await not_allowed(repository, context, game.key)
    ):
        return refusal
    try:
        terms, sides = settled(game, await default_terms(repository, message, game) | proposal.terms)
    except NotationError as error:
        return whisper(message, error.because, *((error.remedy,) if error.remedy else ()))
    if len(sides) > 2 or game.for_keeps(terms):
        return whisper(message, Text("Only matches of two that are not played for keeps can be wished for."))
    wanted = Wish(message.who.key, most, terms, community_address(message))
    settings = ((owner, KEY.format(game=game.key), write_wish(wanted)),)
    if await wisher(repository, context, game.key, terms):
        begun = await propose(
            repository,
            context,
            Challenge("", "", game.key, differing(game, terms), (), "", "", repository.seed()[:16].hex()),
        )
        return replace(begun, settings=(*begun.settings, *settings))
    told = whisper(
        message,
        Text(
            "The next open challenge to such a match here is accepted for you, until you have as many as you wish for."
        ),
        Text("`wish off {game}` takes it back.", game=game.key),
    )
    return replace(told, settings=settings)


EXAMPLE = BY_NAME["wish"].example


async def _listed(repository: Repository, context: Context) -> Effect:
    lines: list[tuple[Text, ...]] = []
    for key, game in GAMES.items():
        stored = await repository.setting(context.accounts[0], KEY.format(game=key))
        if stored:
            wanted = read_wish(stored)
            terms = tuple(Code(f"{name}={value}") for name, value in differing(game, wanted.terms).items())
            told = Text("**{game}**: up to {most}.", game=game.name, most=wanted.most)
            lines.append((told, Text("Terms: {terms}.", terms=Listing(terms, "unit"))) if terms else (told,))
    if not lines:
        return whisper(
            context.message, Text("You wish for nothing."), Text("For example: `{example}`.", example=EXAMPLE)
        )
    return whisper_lines(context.message, tuple(lines))
