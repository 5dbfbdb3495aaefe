"""`apikey`: a key with which a program acts as its author, and where that program is told of news."""

import re
from dataclasses import replace

from bot.commands.context import Context, Effect, whisper, whisper_lines
from bot.notices.programs import HOLDER, KEY, WEBHOOK, digest, forgotten, listeners, new_key
from bot.repository import Repository
from engine.text import Code, Text

ADDRESS = re.compile(r"https?://[^\s/?#@]+(?:[/?][^\s#]*)?")
LONGEST = 500
SECRET = Text("Give it to nobody: whoever has it plays as you.")
TOLD_IN = Text("What programs can do is told in `docs/api.md`.")
HOW = Text("`apikey new` makes one, `apikey revoke` ends it.")
NO_KEY = Text("You have no key for a program.")


async def apikey(repository: Repository, context: Context) -> Effect:
    """Shows whether there is a key, makes a new one, ends it, or says where news is sent."""
    words = context.parsed.words
    act = {"new": _new, "revoke": _revoke, "webhook": _webhook}.get(words[0].lower()) if words else None
    if act is not None:
        return await act(repository, context)
    owner = next(iter(await listeners(repository, context.message.who.key)), "")
    if not owner:
        return whisper(context.message, NO_KEY, HOW)
    sent = _sent(await repository.setting(owner, WEBHOOK))
    return whisper(context.message, Text("A program has a key of yours."), *sent, HOW)


async def _new(repository: Repository, context: Context) -> Effect:
    message = context.message
    key = new_key(repository.seed())
    hook = await repository.setting(message.who.key, WEBHOOK)
    told = whisper_lines(
        message,
        (
            (Text("The key for your program: {key}", key=Code(key)), SECRET),
            (Text("It is shown this once; a key that you had before no longer works."), TOLD_IN),
            *(((*_sent(hook), HOW_HOOK),) if hook else ()),  # whoever had the old key may have settled that
        ),
    )
    kept = {(owner, name): value for owner, name, value in await forgotten(repository, context.accounts)}
    kept |= {(message.who.key, KEY): digest(key), (digest(key), HOLDER): message.who.key}
    kept |= {(message.who.key, WEBHOOK): hook} if hook else {}
    return replace(told, settings=tuple((*name, value) for name, value in kept.items()))


async def _revoke(repository: Repository, context: Context) -> Effect:
    gone = await forgotten(repository, context.accounts)
    if not gone:
        return whisper(context.message, NO_KEY, HOW)
    return replace(whisper(context.message, Text("Your key no longer works."), HOW), settings=gone)


async def _webhook(repository: Repository, context: Context) -> Effect:
    message, words = context.message, context.parsed.words
    owner = next(iter(await listeners(repository, message.who.key)), "")
    if not owner:
        return whisper(message, NO_KEY, HOW)
    if len(words) < 2:
        sent = _sent(await repository.setting(owner, WEBHOOK))
        return whisper(message, *(sent or (NO_HOOK,)), HOW_HOOK)
    address = words[1]
    if address.lower() in ("off", "none"):
        return replace(whisper(message, NO_HOOK, HOW_HOOK), settings=((owner, WEBHOOK, ""),))
    if len(words) > 2 or len(address) > LONGEST or ADDRESS.fullmatch(address) is None:
        return whisper(message, Text("That is no address to which news can be sent."), HOW_HOOK)
    secret = repository.seed().hex()
    told = Text("From now on news of your matches is sent to {address}.", address=Code(address))
    signed = Text("Each is signed with this secret, which is shown this once: {secret}", secret=Code(secret))
    kept = ((owner, WEBHOOK, f"{address} {secret}"),)
    return replace(whisper_lines(message, ((told,), (signed, TOLD_IN))), settings=kept)


def _sent(hook: str) -> tuple[Text, ...]:
    """Where news is sent, if it is."""
    address = hook.partition(" ")[0]
    return (Text("News of your matches is sent to {address}.", address=Code(address)),) if address else ()


NO_HOOK = Text("News of your matches is sent nowhere.")
HOW_HOOK = Text("`apikey webhook https://example.org/riposte` has it sent there, `apikey webhook off` ends it.")
