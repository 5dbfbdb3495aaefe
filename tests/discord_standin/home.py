"""Routes of the bot itself: who it is, where it is, and which commands it has registered."""

from typing import Any

from tests.discord_standin.call import Call
from tests.discord_standin.refusal import JSON, Refusal


def me(call: Call) -> JSON:
    """The bot's own account."""
    return call.world.bot.json() | {"mfa_enabled": False, "locale": "en-US", "verified": True, "email": None}


def user(call: Call) -> JSON:
    """Somebody's account."""
    return call.world.user(call.id("user")).json()


def application(call: Call) -> JSON:
    """The application that the bot belongs to."""
    world = call.world
    owner = next((guild.owner for guild in world.guilds.values()), world.bot)
    nothing = dict.fromkeys(("icon", "type", "team", "interactions_endpoint_url", "role_connections_verification_url"))
    return {
        **nothing,
        "id": str(world.application),
        "name": world.bot.name,
        "description": "",
        "summary": "",
        "bot": world.bot.json(),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": (1 << 19) if world.content_intent else 0,
        "flags_new": "0",
        "redirect_uris": [],
        "owner": owner.json(),
        "approximate_guild_count": len(world.guilds),
        "approximate_user_install_count": sum(one.installed for one in world.users.values()),
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "integration_types_config": {"0": {}, "1": {}},
    }


def gateway(call: Call) -> JSON:
    """Where the gateway is, in how many shards, and how many identifies are left."""
    return call.sessions


def my_guilds(call: Call) -> list[JSON]:
    """The guilds that the bot is in."""
    here = [guild for guild in call.world.guilds.values() if guild.bot]
    return [{"id": str(one.id), "name": one.name, "icon": None, "owner": False, "features": []} for one in here]


def guild(call: Call) -> JSON:
    """One guild."""
    whole = call.world.guild(call.id("guild"))
    return whole.brief() | {"roles": whole.json()["roles"]}


def guild_channels(call: Call) -> list[JSON]:
    """The channels of a guild."""
    return [channel.json() for channel in call.world.guild(call.id("guild")).channels]


def member(call: Call) -> JSON:
    """Somebody as a member of a guild."""
    where, who = call.world.guild(call.id("guild")), call.world.user(call.id("user"))
    if who not in where.members and who is not call.world.bot:
        raise Refusal("unknown member")
    return where.member(who)


def leave_guild(call: Call) -> None:
    """The bot goes."""
    call.world.expel(call.world.guild(call.id("guild")))


def commands(call: Call) -> list[JSON]:
    """What is registered."""
    return call.world.registry.of(_scope(call))


def put_commands(call: Call) -> list[JSON]:
    """Register all commands at once."""
    registered = call.world.registry.put(_scope(call), call.payload)
    call.world.changed()
    return registered


def command(call: Call) -> JSON:
    """One registered command."""
    for one in commands(call):
        if one["id"] == call.ids["command"]:
            return one
    raise Refusal("unknown command")


def post_command(call: Call) -> Any:
    """Register one command beside the others; one of the same name is replaced."""
    new = call.body()
    others = [one for one in commands(call) if (one["type"], one["name"]) != (new.get("type") or 1, new.get("name"))]
    return call.world.registry.put(_scope(call), [*others, new])[-1]


def delete_command(call: Call) -> None:
    """Take one command away."""
    call.world.registry.by_guild[_scope(call)].remove(command(call))


def _scope(call: Call) -> int:
    if call.id("application") != call.world.application:
        raise Refusal("unknown application")
    return call.world.guild(call.id("guild")).id if "guild" in call.ids else 0
