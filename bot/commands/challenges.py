"""Challenges: `challenge`, `counter`, `rematch`, and `link`, which brings a match to one more place."""

import re
from dataclasses import replace

from bot.commands.club import wished
from bot.commands.community import default_terms, wrong_channel
from bot.commands.context import Context, Effect, MatchContext, apply, example_command, refused, reply
from bot.commands.learning.under_way import begins_under_way
from bot.commands.parser import NAME, Proposal, closest, player_named, read_proposal
from bot.commands.people.blocks import blocked_by, not_wanted
from bot.commands.people.limits import not_allowed
from bot.commands.presets import take_preset
from bot.commands.spec import BY_NAME
from bot.messages.model import PARTNER, PARTNER_NAME, IncomingMessage, is_former
from bot.messages.narrator import Draft
from bot.messages.serialization import channel_address
from bot.messages.terms_text import FROM_A_START
from bot.repository import Repository
from engine.appraisal import STRONGEST, WEAKEST, Appraising
from engine.dice import Dice
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.match.challenge import not_understood
from engine.match.clock import read_duration
from engine.match.commands import Amend, Challenge, Join, LinkPlace, Player
from engine.match.decide import decide
from engine.match.events import Refusal
from engine.match.state import Match
from engine.match.terms import differing, read_terms, sheet
from engine.text import Text, plural

OPEN_CHALLENGES = 10
"""How many challenges of one person may wait for an answer at once."""


LEVEL = "level"
PLAYERS = "players"
"""The term that says how many play; naming several opponents settles it."""


def _counts_players(game: AnyGame) -> bool:
    """Whether a game has this term."""
    return any(option.key == PLAYERS for option in game.options)


async def challenge(repository: Repository, context: Context) -> Effect:
    """Proposes a match."""
    return await _challenge(repository, context, read_proposal(context.parsed.rest, tuple(GAMES)))


async def play(repository: Repository, context: Context) -> Effect:
    """Begins a match against Riposte; with names, or where it does not play, proposes one."""
    proposal = read_proposal(context.parsed.rest, tuple(GAMES))
    alone = repository.opponents and not proposal.names
    return await _challenge(repository, context, replace(proposal, names=(PARTNER_NAME,)) if alone else proposal)


async def _challenge(repository: Repository, context: Context, proposal: Proposal) -> Effect:
    """Returns what a challenge as it was typed leads to."""
    message = context.message
    share, given = take_share(repository, proposal.terms)
    lasts, given = _take_lasts(given)
    preset, given = await take_preset(repository, context, given)
    private, given = _take_private(given)
    proposal = replace(proposal, terms=given)
    for wrong in (share, lasts, preset, private):
        if isinstance(wrong, Refusal):
            return refused(context, wrong)
    assert isinstance(share, str)
    assert isinstance(lasts, int)
    assert isinstance(preset, dict)
    assert isinstance(private, bool)
    if (unclear := _unclear(context, proposal)) or (unclear := await wrong_channel(repository, message)):
        return unclear
    invited = tuple(player_named(name, message.who.platform) for name in proposal.names)
    invited = tuple(message.who.key if player in context.accounts else player for player in invited)
    terms = await default_terms(repository, message, GAMES[proposal.game]) | preset | given
    if len(invited) > 1 and _counts_players(GAMES[proposal.game]) and not terms.keys() & {PLAYERS, "start"}:
        terms |= {PLAYERS: str(len(invited) + 1)}
    wanted = Challenge("", "", proposal.game, terms, invited, "", "", share, lasts, private=private)
    return _told_unrated(context, given, await propose(repository, context, wanted))


async def rematch(repository: Repository, context: MatchContext) -> Effect:
    """Challenges the same players again, sides swapped, on the same terms but for those named; or accepts that."""
    match, message = context.match, context.message
    proposal = read_proposal(context.parsed.rest, ())
    example = example_command(BY_NAME["rematch"], match)
    if proposal.names or proposal.stray:
        return reply(message, Text("Write the terms to change like this: `{example}`.", example=example))
    share, given = take_share(repository, proposal.terms)
    if isinstance(share, Refusal):
        return refused(context, share)
    lasts, given = _take_lasts(given)
    if isinstance(lasts, Refusal):
        return refused(context, lasts)
    private, given = _take_private(given)
    if isinstance(private, Refusal):
        return refused(context, private)
    if context.who not in match.parties or (match.status == "declined" and context.who != match.challenger):
        return reply(
            message,
            Text("Only those who played match {match} can ask for it again.", match=match.id),
            Text("Make your own: `challenge {game}`.", game=match.game.key),
        )
    if match.status not in ("over", "declined"):
        return reply(
            message,
            Text("Match {match} is not over.", match=match.id),
            Text("A rematch can be asked for when it is."),
        )
    if (asked := await _asked_again(repository, match)) is not None:
        return await _answer_rematch(repository, replace(context, match=asked), share, given)
    # Whoever asks where nobody else reads asks where the match was played.
    place = "" if message.where.channel else match.places[0]
    if not place and (refusal := await wrong_channel(repository, message)):
        return refusal
    invited = tuple(player for player in match.parties if player != context.who)
    invited = match.invited if match.status == "declined" else invited
    terms = {**differing(match.game, match.terms), **_swapped(match, context.who), **given}
    private |= match.private
    wanted = Challenge("", context.who, match.game.key, terms, invited, place, "", share, lasts, match.id, private)
    return _told_unrated(context, given, await propose(repository, context, wanted))


def _told_unrated(context: Context, given: dict[str, str], effect: Effect) -> Effect:
    """Says why a match will not be rated although that was asked for; a private challenge says so itself."""
    if given.get("rated", "").lower() != "yes" or not effect.decision.events:
        return effect
    match = effect.decision.after
    if PARTNER in (*match.invited, *match.parties):
        why = Text("Matches against Riposte change nobody's rating.")
    elif match.terms.get("start"):
        why = FROM_A_START
    else:
        return effect
    return replace(effect, drafts=(*effect.drafts, *reply(context.message, why).drafts))


async def _asked_again(repository: Repository, match: Match) -> Match | None:
    """Returns the challenge by which a player has asked for a rematch already."""
    for summary in await repository.matches_of(match.parties, "open"):
        again = await repository.match(summary.match)
        if again is not None and again.rematch == match.id:
            return again
    return None


async def _answer_rematch(repository: Repository, context: MatchContext, share: str, given: dict[str, str]) -> Effect:
    """Returns the answer to a rematch that the other player has asked for already: agreement, or other terms."""
    asked = context.match
    if given:
        return apply(repository, context, Amend(context.who, given, share))
    if set(asked.joined) & set(context.accounts):
        return reply(
            context.message,
            Text("You have asked for that already: match {match} waits for the others.", match=asked.id),
            Text("`counter {match} time=5d` changes its terms, `decline {match}` withdraws it.", match=asked.id),
        )
    return apply(repository, context, Join(context.who, await repository.setting(context.accounts[0], "token"), share))


def _swapped(match: Match, by: Player) -> dict[str, str]:
    """Returns the side of whoever asks for a rematch between two: the one they did not have."""
    sides = tuple(match.seats)
    if len(sides) != 2:
        return {} if match.status == "declined" else {"side": "lot"}
    return {"side": match.game.names[next(side for side in sides if match.seats[side] != by)].lower()}


async def propose(repository: Repository, context: Context, wanted: Challenge) -> Effect:
    """Returns what a challenge leads to, its author, place and token filled in."""
    message = context.message
    waiting = await repository.matches_of(context.accounts, "open")
    if sum(match.players[0] in context.accounts for match in waiting) >= OPEN_CHALLENGES:
        return reply(
            message,
            plural(
                "{count} challenge of yours is waiting for an answer already.",
                "{count} challenges of yours are waiting for an answer already.",
                OPEN_CHALLENGES,
            ),
            Text("`matches` lists them; `decline` withdraws one."),
        )
    if denied := await not_allowed(repository, context, wanted.game):
        return denied
    if any(map(is_former, wanted.invited)):
        return reply(message, Text("Former players play no more."), Text("Challenge somebody else: `challenge @name`."))
    if (unwilling := await blocked_by(repository, context.accounts, wanted.invited)) is not None:
        return refused(context, await not_wanted(repository, unwilling))
    token = await repository.setting(context.accounts[0], "token")
    by = wanted.by or message.who.key
    wanted = replace(wanted, by=by, place=wanted.place or channel_address(message.where), token=token)
    dice = Dice(repository.seed())
    if isinstance(refusal := decide(None, wanted, message.at, dice), Refusal):
        return refused(context, refusal)
    if PARTNER in wanted.invited and (away := await _partner_away(repository, context, wanted)):
        return away
    number = await repository.store.next_match()  # only now, so that no number is spent on what is refused
    decided = decide(None, replace(wanted, match=number), message.at, dice)
    assert not isinstance(decided, Refusal), "the number changes nothing"
    if PARTNER in wanted.invited:
        joined = decide(decided.after, Join(PARTNER, share=repository.seed()[:16].hex()), message.at, dice)
        assert not isinstance(joined, Refusal), "Riposte takes its seat at once"
        decided += joined
    elif not wanted.invited and (wisher := await wished.wisher(repository, context, wanted.game, decided.after.terms)):
        joined = decide(decided.after, Join(wisher, share=repository.seed()[:16].hex()), message.at, dice)
        if not isinstance(joined, Refusal):
            told = Text("{player} has wished for such a match.", player=await repository.person(wisher))
            return Effect(decided + joined, (Draft(((told,),)), *_elsewhere(message, number)), match=number)
    return Effect(decided, _elsewhere(message, number), match=number)


def _elsewhere(message: IncomingMessage, number: str) -> tuple[Draft, ...]:
    """Tells whoever proposes a match in the thread of another one where to find the new one."""
    if not message.where.thread:
        return ()
    told = Text("That is a match of its own, number {match}: you find it in the channel.", match=number)
    return reply(message, told).drafts


async def _partner_away(repository: Repository, context: Context, wanted: Challenge) -> Effect | None:
    """Returns why Riposte does not play this match itself; None if it does."""
    game, message = GAMES[wanted.game], context.message
    if not repository.opponents:
        return reply(
            message,
            Text("Riposte does not play here itself."),
            Text("Challenge somebody: `challenge @name {game}`.", game=game.key),
        )
    if not isinstance(game, Appraising):
        return reply(message, Text("Riposte does not know how to play {game}.", game=game.name), KNOWN)
    if game.for_keeps(read_terms(game, wanted.terms)):
        remedy = Text("Leave `formality=formal` out.")
        return reply(message, Text("Riposte stakes no tokens, so it plays nothing for keeps."), remedy)
    running = await repository.store.matches(player=PARTNER, status="running", limit=repository.opponents)
    if len(running) >= repository.opponents:
        return reply(message, Text("Riposte plays as many matches as it can."), Text("Try again later."))
    mine = [match for match in running if not set(context.accounts).isdisjoint(match.players)]
    if len(mine) >= AGAINST_ONE:
        return reply(
            message,
            plural(
                "You are playing {count} match against Riposte already.",
                "You are playing {count} matches against Riposte already.",
                AGAINST_ONE,
            ),
            Text("`matches` lists them; finish one first."),
        )
    return await begins_under_way(repository, context, game, wanted.terms)


AGAINST_ONE = 5
"""Matches that one person may play against Riposte at a time."""
KNOWN = Text("Challenge somebody, or play another game against it: `play tokonoma`.")


async def counter(repository: Repository, context: MatchContext) -> Effect:
    """Proposes other terms for a challenge."""
    proposal = read_proposal(context.parsed.rest, ())
    example = example_command(BY_NAME["counter"], context.match)
    if proposal.names:
        return reply(
            context.message,
            Text("Only the terms can be changed, not who plays: `{example}`.", example=example),
            Text("To play with others, `decline` this challenge and make a new one."),
        )
    if not proposal.terms or proposal.stray:
        return reply(context.message, Text("Write terms like this: `{example}`.", example=example))
    share, terms = take_share(repository, proposal.terms)
    if isinstance(share, Refusal):
        return refused(context, share)
    amended = apply(repository, context, Amend(context.who, terms, share))
    if PARTNER not in context.match.parties or not amended.decision.events:
        return _told_unrated(context, terms, amended)
    after = amended.decision.after
    return await begins_under_way(repository, context, after.game, after.terms) or _told_unrated(
        context, terms, amended
    )


async def link(repository: Repository, context: MatchContext) -> Effect:
    """Brings a match to the place where this is written."""
    if refusal := await wrong_channel(repository, context.message):
        return refusal
    return apply(repository, context, LinkPlace(context.who, channel_address(context.message.where)))


def take_share(repository: Repository, given: dict[str, str]) -> tuple[str | Refusal, dict[str, str]]:
    """Returns somebody's share in the dice, typed as `share=…` or drawn for them, and the other terms."""
    terms = {key: value for key, value in given.items() if key != "share"}
    typed = given.get("share")
    if typed is None:
        return repository.seed()[:16].hex(), terms
    return (typed if SHARE.fullmatch(typed) else BAD_SHARE), terms


def _take_private(given: dict[str, str]) -> tuple[bool | Refusal, dict[str, str]]:
    """Returns whether a match is to be private, typed as `private=on`, and the other terms."""
    terms = {key: value for key, value in given.items() if key != "private"}
    word = given.get("private", "off").lower()
    return (word == "on" if word in ("on", "off") else BAD_PRIVATE), terms


def _take_lasts(given: dict[str, str]) -> tuple[int | Refusal, dict[str, str]]:
    """Returns for how long a challenge waits for an answer, typed as `expires=…`, and the other terms."""
    terms = {key: value for key, value in given.items() if key != "expires"}
    if "expires" not in given:
        return 0, terms
    try:
        return read_duration(given["expires"]), terms
    except NotationError as error:
        return not_understood(error), terms


BAD_PRIVATE = Refusal(
    Text("A match is private or it is not."), Text("Write `private=on`, or leave it out: everybody can read it then.")
)
SHARE = re.compile(r"[A-Za-z0-9._-]{1,64}")
BAD_SHARE = Refusal(
    Text("A share in the dice is made of letters and digits, at most 64 of them."), Text("For example: `share=h4Rt9k`.")
)


def _unclear(context: Context, proposal: Proposal) -> Effect | None:
    """Returns the answer to a challenge that cannot be understood."""
    message, example = context.message, BY_NAME["challenge"].example
    if proposal.stray and proposal.game and proposal.stray[0].lower() in GAMES:
        return reply(message, Text("One game at a time: `{example}`.", example=example))
    for name in proposal.names:
        if not NAME.fullmatch(name):
            return reply(
                message,
                Text("`@{name}` is not a name.", name=name[:40]),
                Text("Write it like this: `{example}`.", example=example),
            )
    if proposal.stray:
        word = proposal.stray[0]
        close = _term_meant(proposal) or closest(word, tuple(GAMES))
        return reply(
            message,
            Text("`{word}` is neither a game, a name nor a term.", word=word[:40]),
            Text("Did you mean `{word}`?", word=close) if close else Text("`games` lists the games."),
            Text("Names begin with `@`, terms contain `=`, as in `{example}`.", example=example),
        )
    if not proposal.game:
        example = context.parsed.command.example
        return reply(message, Text("Which game?"), Text("`games` lists them: `{example}`.", example=example))
    return None


def _term_meant(proposal: Proposal) -> str:
    """Returns the term that is meant by its name or its value alone: `level 3`, `tokonoma 3`; "" = none."""
    options = {option.key: option for option in sheet(GAMES[proposal.game])} if proposal.game else {}
    word, *others = (said.lower() for said in proposal.stray)
    if word == "private":
        return "private=on"
    if word in options:
        return f"{word}={others[0] if others else options[word].default}"
    return f"{LEVEL}={word}" if LEVEL in options and word in map(str, range(WEAKEST, STRONGEST + 1)) else ""
