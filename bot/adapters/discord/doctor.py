"""Checks the bot's settings with Discord itself, and makes the link with which a server invites the bot."""

import asyncio
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

import aiohttp
import discord
from discord.http import Route

from bot.adapters.discord.adapter import REFUSED
from bot.adapters.discord.rights import INVITED_WITH, lacking
from bot.console.checks import Finding, Findings, Reply, ask, clock, fault, ok, warn
from bot.messages.model import clean

SCOPES: Final = ("bot", "applications.commands")
MOST_GUILDS: Final = 25
"""Servers that are looked at; each takes three questions, and Discord counts those."""
FEW: Final = 20
"""Fewer new connections a day than that left are worth a warning."""
USER_INSTALL: Final = "1"
PORTAL: Final = "https://discord.com/developers/applications"
CUT_OFF: Final = "Check the network and https://discordstatus.com."


async def examine(token: str, *, now: Callable[[], float], shards: int = 0, commands: Collection[str] = ()) -> Findings:
    """One finding after the other. `commands` are those that ought to be registered, `shards` how many there are."""
    async with aiohttp.ClientSession() as session:

        async def get(path: str) -> Reply:
            reply = await ask(session, f"{Route.BASE}{path}", f"Bot {token}")
            if reply.status == 429:
                await asyncio.sleep(min(reply.wait, 5.0))
                reply = await ask(session, f"{Route.BASE}{path}", f"Bot {token}")
            return reply

        me = await get("/users/@me")
        if told := clock(me.date, "Discord", now):
            yield told
        if me.status == 401:
            fact, _, remedy = REFUSED.partition(". ")
            yield fault(fact, remedy)
            return
        if me.status != 200:
            yield fault(f"Discord answers with status {me.status}", CUT_OFF)
            return
        yield ok(f"Discord knows the bot as {me.body['username']}")
        application = (await get("/applications/@me")).body
        for finding in _application(application):
            yield finding
        for finding in _connections((await get("/gateway/bot")).body, shards):
            yield finding
        registered = (await get(f"/applications/{application['id']}/commands")).body
        yield _commands({command["name"] for command in registered}, set(commands))
        guilds = (await get("/users/@me/guilds")).body
        if not guilds:
            yield warn("the bot is on no server yet", f"Invite it: {invitation(int(application['id']))}")
        for guild in guilds[:MOST_GUILDS]:
            at = f"/guilds/{guild['id']}"
            whole, channels = (await get(at)).body, (await get(f"{at}/channels")).body
            member = (await get(f"{at}/members/{me.body['id']}")).body
            yield _guild(whole, member, channels, int(application["id"]))
        if len(guilds) > MOST_GUILDS:
            yield ok(f"{len(guilds) - MOST_GUILDS} more servers were not looked at")


async def invite(token: str) -> str:
    """The link that puts the bot on a server. Raises OSError with the fact and the remedy."""
    try:
        async with aiohttp.ClientSession() as session:
            reply = await ask(session, f"{Route.BASE}/applications/@me", f"Bot {token}")
    except (aiohttp.ClientError, TimeoutError) as trouble:
        raise OSError(f"Discord cannot be reached: {trouble}. {CUT_OFF}") from trouble
    if reply.status == 401:
        raise OSError(REFUSED)
    if reply.status != 200:
        raise OSError(f"Discord answers with status {reply.status}. {CUT_OFF}")
    return invitation(int(reply.body["id"]))


def invitation(application: int) -> str:
    """The link with the scopes and the permissions that we need, and no others."""
    return discord.utils.oauth_url(application, permissions=INVITED_WITH, scopes=SCOPES)


def allowed(guild: Any, member: Any, channel: Any) -> discord.Permissions:
    """What a member may do in a channel, by Discord's own order: everybody, roles, the member alone."""
    if guild["owner_id"] == member["user"]["id"]:
        return discord.Permissions.all()
    roles = {guild["id"], *member["roles"]}
    may = 0
    for role in guild["roles"]:
        if role["id"] in roles:
            may |= int(role["permissions"])
    if discord.Permissions(may).administrator:
        return discord.Permissions.all()
    overwrites = channel["permission_overwrites"]
    for group in ({guild["id"]}, roles - {guild["id"]}, {member["user"]["id"]}):
        meant = [one for one in overwrites if one["id"] in group]
        for one in meant:
            may &= ~int(one["deny"])
        for one in meant:
            may |= int(one["allow"])
    return discord.Permissions(may)


def _application(application: Any) -> Iterator[Finding]:
    portal = f"{PORTAL}/{application['id']}"
    if application.get("interactions_endpoint_url"):
        yield fault(
            "Discord sends what people do to a web address, not to the bot",
            f"Empty Interactions Endpoint URL at {portal}/information.",
        )
    if application.get("bot_require_code_grant"):
        yield fault("nobody can install the bot", f"Switch Requires OAuth2 Code Grant off at {portal}/bot.")
    if not application.get("bot_public", True):
        yield ok("only you can install the bot: Public Bot is off")
    if USER_INSTALL not in application.get("integration_types_config", {}):
        yield warn(
            "the bot cannot be added to an account, only to servers",
            f"Allow User Install at {portal}/installation, if you want that.",
        )
    yield ok("no privileged intent is needed")


def _connections(gateway: Any, shards: int) -> Iterator[Finding]:
    left = gateway["session_start_limit"]["remaining"]
    if left < FEW:
        yield warn(
            f"Discord lets the bot connect {left} more times today",
            "Look into the log for what makes it connect so often, before you start it again.",
        )
    if shards and shards < gateway["shards"]:
        advised = gateway["shards"]
        yield warn(
            f"Discord advises {advised} shards, and {shards} are set",
            f"Set RIPOSTE_DISCORD_SHARDS to 0-{advised - 1}/{advised}, or to a part of that in each process.",
        )


def _commands(registered: set[str], wanted: set[str]) -> Finding:
    if not registered:
        return warn("no slash command is registered yet", "Start Riposte: it registers them.")
    if missing := sorted(wanted - registered):
        return warn(f"slash commands are missing: {', '.join(missing)}", "Start Riposte: it registers them.")
    return ok(f"{len(registered)} slash commands are registered")


def _guild(guild: Any, member: Any, channels: Any, application: int) -> Finding:
    name = " ".join(clean(guild["name"]).split())
    good, short = 0, []
    for channel in channels:
        if channel["type"] != discord.ChannelType.text.value:
            continue
        may = allowed(guild, member, channel)
        missing = lacking(may)
        good += not missing
        if missing and may.view_channel:  # one that it does not see is not meant for it
            short.append(f"{', '.join(missing)} in #{' '.join(clean(channel['name']).split())}")
    if short:
        return warn(
            f"on {name} the bot lacks {'; '.join(short)}",
            f"Give it that under Edit Channel, Permissions, or invite it again: {invitation(application)}",
        )
    if not good:
        return warn(f"on {name} the bot sees no channel", "Give it View Channel where you want to play.")
    return ok(f"on {name} it can play in {good} channel{'s' if good > 1 else ''}")
