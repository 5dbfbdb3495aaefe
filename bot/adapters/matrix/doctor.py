"""Checks of a Matrix homeserver and of the bot's own folder, for `riposte doctor`."""

from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

import aiohttp

from bot.adapters.matrix.encryption.identity import check_kept
from bot.adapters.matrix.errors import logged_out
from bot.adapters.matrix.files import IDENTITY
from bot.adapters.matrix.session import LOGIN, QUERY, WHOAMI, Login, login_in, require_keys
from bot.console.checks import Finding, Findings, Reply, ask, clock, fault, ok, sentence, unreachable, warn

VERSIONS: Final = "/_matrix/client/versions"
LIFTED: Final = '{"messages_per_second": 0, "burst_count": 0}'
HERE: Final = ("127.0.0.1", "localhost", "::1")
START: Final = "Start Riposte: it sees to that."


async def examine(
    folder: Path, homeserver: str, user: str, *, password: bool, token: str, now: Callable[[], float]
) -> Findings:
    """One finding after the other; `password` says whether there is one, and is not needed here."""
    async with aiohttp.ClientSession() as session:
        try:
            versions = await ask(session, homeserver + VERSIONS)
        except (aiohttp.ClientError, TimeoutError) as trouble:
            yield unreachable(homeserver, trouble, await _elsewhere(session, homeserver, user))
            return
        if versions.status != 200 or not isinstance(versions.body, dict) or "versions" not in versions.body:
            fact = f"{homeserver} is no homeserver: it answers with status {versions.status}"
            yield fault(fact, await _elsewhere(session, homeserver, user))
            return
        yield ok(f"the homeserver {homeserver} answers")
        if told := clock(versions.date, "the homeserver", now):
            yield told
        if homeserver.startswith("http://") and urlsplit(homeserver).hostname not in HERE:
            yield warn(
                "the way to the homeserver is not encrypted, and passwords go along it",
                f"Set RIPOSTE_MATRIX_HOMESERVER={homeserver.replace('http:', 'https:', 1)}.",
            )
        try:
            login = login_in(folder, homeserver, user)
            if login is not None and login.token:
                require_keys(folder, login)
                check_kept(folder)
        except OSError as trouble:
            yield sentence(trouble)
            return
        if login is None or not login.token:
            yield await _first(session, homeserver, user, password=password, token=token)
            return
        async with aclosing(_device(session, folder, login)) as findings:
            async for finding in findings:
                yield finding
    yield Finding(
        "ok",
        "homeservers limit messages (Synapse: one in five seconds after a burst)",
        "If boards come late, have an administrator of it lift that for the bot: curl -X POST -H 'Authorization: "
        f"Bearer <administrator's token>' -d '{LIFTED}' "
        f"{homeserver}/_synapse/admin/v1/users/{quote(user, safe='@:')}/override_ratelimit",
    )


async def _first(session: aiohttp.ClientSession, homeserver: str, user: str, *, password: bool, token: str) -> Finding:
    """Whether the first login can be made."""
    if token:
        whoami = await ask(session, homeserver + WHOAMI, f"Bearer {token}")
        if whoami.status != 200:
            return fault(
                "the homeserver does not take RIPOSTE_MATRIX_TOKEN",
                "Make a new one, or set RIPOSTE_MATRIX_PASSWORD in its place.",
            )
        if whoami.body.get("user_id") != user:
            owner = whoami.body.get("user_id")
            return fault(f"RIPOSTE_MATRIX_TOKEN belongs to {owner}", f"Set RIPOSTE_MATRIX_USER={owner}.")
    elif not password:
        return fault("Riposte has not logged in to Matrix yet", "Set RIPOSTE_MATRIX_PASSWORD for the first start.")
    else:
        flows = (await ask(session, homeserver + LOGIN)).body
        if not any(flow.get("type") == "m.login.password" for flow in flows.get("flows", ())):
            return fault(
                "the homeserver takes no passwords",
                "Log in as the bot another way, and set RIPOSTE_MATRIX_TOKEN to the token of that login.",
            )
    return ok(f"{user} logs in at the first start")


async def _device(session: aiohttp.ClientSession, folder: Path, login: Login) -> Findings:
    """Whether the login is still valid, and others can trust the device."""
    bearer = f"Bearer {login.token}"
    whoami = await ask(session, login.homeserver + WHOAMI, bearer)
    if whoami.status == 401:
        yield sentence(logged_out(folder))
        return
    if whoami.status != 200 or whoami.body.get("device_id") != login.device:
        yield fault(
            f"the homeserver answers {_told(whoami)} when asked whose login {login.device} of {login.user} is",
            "Ask its administrator whether the account is in order.",
        )
        return
    yield ok(f"{login.user} is logged in as device {login.device}, whose keys are in {folder}")
    known = (await ask(session, login.homeserver + QUERY, bearer, {"device_keys": {login.user: []}})).body
    device = known.get("device_keys", {}).get(login.user, {}).get(login.device)
    master, signers = (known.get(kind, {}).get(login.user) for kind in ("master_keys", "self_signing_keys"))
    if device is None:
        yield warn("nobody can encrypt for the bot yet: the homeserver does not know its keys", START)
    elif master is None:
        yield warn("the bot has no identity on Matrix yet, so newer clients shut it out of encrypted rooms", START)
    elif not (folder / IDENTITY).exists():
        yield fault(
            f"the bot has an identity on Matrix, and {folder / IDENTITY} is gone",
            "Restore it from a backup, or set RIPOSTE_MATRIX_RECOVERY_KEY: without it no new device could be trusted.",
        )
    elif not _signed(device, login.user, signers):
        yield warn("the bot's device is not signed, so newer clients shut it out of encrypted rooms", START)
    else:
        yield ok("the device is signed by the bot's identity: encrypted rooms are open to it")


def _signed(device: Any, user: str, signers: Any) -> bool:
    signatures = device.get("signatures", {}).get(user, {})
    return any(key in signatures for key in (signers or {}).get("keys", {}))


def _told(reply: Reply) -> str:
    said = reply.body if isinstance(reply.body, dict) else {}
    return str(said.get("error") or said.get("device_id") or reply.status)


async def _elsewhere(session: aiohttp.ClientSession, homeserver: str, user: str) -> str:
    """The remedy for an address without a homeserver: where its domain says that it is."""
    for place in (homeserver, f"https://{user.partition(':')[2]}"):
        try:
            reply = await ask(session, f"{place}/.well-known/matrix/client")
            found = reply.body["m.homeserver"]["base_url"].rstrip("/")
        except (aiohttp.ClientError, TimeoutError, TypeError, KeyError, AttributeError):
            continue
        if found != homeserver:
            return f"{place} says that its homeserver is elsewhere: set RIPOSTE_MATRIX_HOMESERVER={found}."
    return "Check the address in RIPOSTE_MATRIX_HOMESERVER, and the network."
