"""What arbiters do in matches that are not their own: `arbiter`; and `ruling`, by which players ask for one."""

from collections.abc import Mapping
from typing import Final

from bot.commands.club.kibitz import onlookers, said
from bot.commands.community import wrong_channel
from bot.commands.context import Effect, MatchContext, apply, community_address, example_command, refused, whisper
from bot.commands.offers import offer
from bot.commands.parser import NAME, player_named
from bot.commands.people.roles import arbiters_of, communities_of, has_role, holders
from bot.commands.spec import BY_NAME
from bot.messages.model import PARTNER
from bot.messages.serialization import channel_address
from bot.repository import Repository
from engine.game import NotationError
from engine.match.arbiter.acts import LONGEST_PAUSE, OWN
from engine.match.clock import read_duration
from engine.match.commands import Act, Offer, Rule
from engine.match.events import Refusal
from engine.text import Code, Listing, Text

CLOSED: Final = "closed"
"""The setting of a match's place by which it is known to take nothing."""
NO_ARBITER = (
    Text("Only arbiters can do that: `role` tells who they are."),
    Text("`report` tells them that something is wrong."),
)
WORDS: Mapping[str, Act] = {
    "win": "result",
    "draw": "result",
    "void": "result",
    "lift": "lift",
    "pause": "pause",
    "adjourn": "pause",
    "resume": "resume",
    "move": "move",
    "seat": "seat",
    "undo": "undo",
}
"""What an arbiter says, and what they do by it."""


async def arbiter(repository: Repository, context: MatchContext) -> Effect:
    """Rules in a match: sets its result or lifts it, pauses, moves it, hands a seat on, or undoes such an act."""
    match, message, words = context.match, context.message, list(context.parsed.words)
    if (refusal := await _no_right(repository, context)) is not None:
        return refusal
    word = words.pop(0).lower() if words else ""
    if word not in WORDS:
        acts = Listing(tuple(Code(one) for one in WORDS), "or")
        example = example_command(BY_NAME["arbiter"], match)
        return whisper(
            message, Text("Say what to do: {acts}.", acts=acts), Text("For example: `{example}`.", example=example)
        )
    rule = _Rule(word, words)
    command = await rule.command(repository, context)
    return command if isinstance(command, Effect) else apply(repository, context, command)


async def ruling(repository: Repository, context: MatchContext) -> Effect:
    """Asks that an arbiter rule, which needs the others' consent."""
    if not await arbiters_of(repository, context.match):
        return whisper(
            context.message,
            Text("Nobody is an arbiter where match {match} is played.", match=context.match.id),
            Text("Its hosts can name one: `role @ben arbiter`."),
        )
    return await offer(repository, context, Offer(context.who, "ruling"))


async def _no_right(repository: Repository, context: MatchContext) -> Effect | None:
    """Why the author cannot rule in a match: they play in it, by whatever account, or are no arbiter of its places."""
    match, message = context.match, context.message
    playing = {account for player in match.parties for account in await repository.accounts(player)}
    if not playing.isdisjoint(context.accounts):
        return refused(context, OWN)
    communities = await communities_of(repository, match)
    if await has_role(repository, "arbiter", communities, context.accounts):
        return None
    here = community_address(message)
    if message.host and here in communities and not await holders(repository, "arbiter", here):
        return None  # where nobody is an arbiter, hosts do what an arbiter does
    return whisper(message, *NO_ARBITER)


class _Rule:
    """An act as it was typed: its word, and what follows."""

    def __init__(self, word: str, words: list[str]):
        self.word = word
        self.words = words

    async def command(self, repository: Repository, context: MatchContext) -> Rule | Effect:
        """The command, or the answer to one that cannot be understood."""
        match, what = context.match, WORDS[self.word]
        by, sides = context.who, {match.game.names[side].lower(): side for side in match.seats}
        named = tuple(sides.get(word.lower(), "") for word in self.words[:1])
        if self.word in ("win", "seat") and not any(named):
            names = Listing(tuple(Code(name) for name in sides), "or")
            line = f"arbiter {match.id} {EXAMPLES[self.word].format(side=next(iter(sides), 'white'))}"
            return whisper(context.message, Text("Say which side: {sides}.", sides=names), _for_example(line))
        if self.word == "win":
            return Rule(by, what, " ".join(self.words[1:]), winners=named)
        if self.word == "draw":
            return Rule(by, what, " ".join(self.words), winners=tuple(match.game.playing(match.position)))
        if self.word == "pause":
            try:
                return Rule(by, what, " ".join(self.words[1:]), span=read_duration("".join(self.words[:1])))
            except NotationError as error:
                return refused(context, Refusal(error.because, _for_example(f"arbiter {match.id} {EXAMPLES['pause']}")))
        if self.word == "adjourn":
            return Rule(by, what, " ".join(self.words), span=LONGEST_PAUSE)
        if self.word == "move":
            return await self._move(repository, context)
        if self.word == "seat":
            return await self._seat(repository, context, named[0])
        return Rule(by, what, " ".join(self.words))

    async def _move(self, repository: Repository, context: MatchContext) -> Rule | Effect:
        """Only to where the author is an arbiter too, and where Riposte can write as far as it knows."""
        message, match = context.message, context.match
        here, place = community_address(message), channel_address(message.where)
        at_home = here in await communities_of(repository, match)
        if not (at_home or message.host or await has_role(repository, "arbiter", (here,), context.accounts)):
            return whisper(
                message, Text("A match can be moved only to a place whose arbiter you are."), *NO_ARBITER[:1]
            )
        if refusal := await wrong_channel(repository, message):
            return refusal
        if not message.where.channel:
            return whisper(message, Text("A match cannot be moved to where only one person reads."), SAY_IT_THERE)
        if await self._cannot_write(repository, place):
            return whisper(message, Text("Riposte cannot write here, so the match stays where it is."), SAY_IT_THERE)
        return Rule(context.who, "move", " ".join(self.words), place=place)

    async def _cannot_write(self, repository: Repository, place: str) -> bool:
        """Whether a match's thread in a channel took nothing when it was tried last."""
        closed = await repository.store.owners(CLOSED)
        return any(owner.startswith(place.removesuffix("/") + "/") and noted for owner, noted in closed)

    async def _seat(self, repository: Repository, context: MatchContext, side: str) -> Rule | Effect:
        """To nobody who plays in the match by another account, nor to whoever has read what players may not."""
        message, match = context.message, context.match
        name = self.words[1].removeprefix("@") if len(self.words) > 1 and self.words[1].startswith("@") else ""
        if not NAME.fullmatch(name):
            example = f"arbiter {match.id} {EXAMPLES['seat'].format(side=match.game.names[side].lower())}"
            return whisper(message, Text("Say who is to play on."), _for_example(example))
        player = player_named(name, message.who.platform)
        accounts = await repository.accounts(player)
        playing = {account for one in match.parties for account in await repository.accounts(one)}
        if player == PARTNER or not await repository.setting(player, "name"):
            return whisper(
                message,
                Text("Nobody of that name has ever written to Riposte."),
                Text("Ask them to write `help` to it."),
            )
        if not playing.isdisjoint(accounts):
            fact = Text("That person already plays in this match.")
            return whisper(message, fact, Text("Name somebody else."))
        if not set(context.accounts).isdisjoint(accounts):
            return whisper(message, Text("You cannot take the seat yourself."), Text("Name somebody else."))
        remarks = [remark.by for remark in await said(repository, match.id)]
        if not set(accounts).isdisjoint((*await onlookers(repository, match), *remarks)):
            fact = Text("They are among those who look on, and read what is said there.")
            return whisper(message, fact, Text("Name somebody else."))
        return Rule(context.who, "seat", " ".join(self.words[2:]), side=side, to=player)


SAY_IT_THERE = Text("Say it in the channel or room where it is to go on.")
EXAMPLES: Mapping[str, str] = {
    "win": "win {side} the other has left",
    "pause": "pause 5d until we have seen it",
    "seat": "seat {side} @cleo ben is ill",
}


def _for_example(line: str) -> Text:
    return Text("For example: `{example}`.", example=line)
