"""The bot's identity on Matrix, above its devices: made once, and every device of the bot's is signed with it.

Clients let devices that nobody has signed neither read nor speak in encrypted rooms, and nio does not sign. Three
keys make an identity: the master key, by which others know the bot; one that signs its devices; one that signs
other people. What the folder has and what the homeserver has are compared first, so that a start that was cut off
anywhere is continued.
"""

import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote

import msgspec
import structlog
from Crypto.PublicKey import ECC
from Crypto.Signature import eddsa
from nio import Api, KeysUploadError

from bot.adapters.matrix.client import Client
from bot.adapters.matrix.encryption.recovery import base64, describe, read_key, seal, unbase64, unseal, write_key
from bot.adapters.matrix.errors import granted, refuse
from bot.adapters.matrix.files import IDENTITY, RENEW, write_private
from bot.adapters.matrix.session import QUERY

log = structlog.get_logger(__name__)

ROLES = ("master", "self_signing", "user_signing")
UPLOAD = "/_matrix/client/v3/keys/device_signing/upload"
SIGN = "/_matrix/client/v3/keys/signatures/upload"


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """The seeds of the three keys, in base64; the recovery key only until it has been shown."""

    master: str
    self_signing: str
    user_signing: str
    recovery: str = ""

    def __repr__(self) -> str:
        return "Identity()"

    def key(self, role: str) -> ECC.EccKey:
        """One of the three keys."""
        return ECC.construct(curve="Ed25519", seed=unbase64(getattr(self, role)))

    def public(self, role: str) -> str:
        """Its public half, by which others know it."""
        return base64(self.key(role).public_key().export_key(format="raw"))

    def publication(self, role: str, user: str) -> dict[str, Any]:
        """The JSON that publishes it."""
        public = self.public(role)
        return {"user_id": user, "usage": [role], "keys": {f"ed25519:{public}": public}}

    def sign(self, role: str, what: Mapping[str, Any]) -> str:
        """Its signature under JSON."""
        signed = Api.to_canonical_json({name: what[name] for name in what if name not in ("signatures", "unsigned")})
        return base64(eddsa.new(self.key(role), "rfc8032").sign(signed.encode()))


async def identify(client: Client, *, password: str = "", recovery: str = "", show: Callable[[str], None]) -> None:
    """Make sure that the bot has an identity and its device is signed; `show` gets the recovery key, once.

    With the `recovery` key, an identity that the folder has not is taken from where the homeserver keeps it sealed.

    Raises an OSError that tells a person what to do, or Retry while the homeserver cannot answer.
    """
    if client.should_upload_keys and isinstance(answer := await client.keys_upload(), KeysUploadError):
        refuse(f"The homeserver refuses the keys of the bot's device: {answer.message}", "Mend that and start again.")
    folder = client.folder
    known = await _known(client)
    identity = _kept(folder)
    if identity is None and recovery and _published(known, "master_keys", client.user):
        identity = await _recovered(client, recovery)
        write_private(folder / IDENTITY, msgspec.json.encode(identity))
        log.info("the bot's identity is restored", user=client.user, master=identity.public("master"))
    renew = (folder / RENEW).exists()
    if identity is None or (renew and _differs(known, client.user, identity)):
        if _published(known, "master_keys", client.user) and not renew:
            _refuse_other(folder, f"and {folder / IDENTITY} is missing")
        seeds = {role: base64(secrets.token_bytes(32)) for role in (*ROLES, "recovery")}
        identity = Identity(**seeds)
        write_private(folder / IDENTITY, msgspec.json.encode(identity))
    if _differs(known, client.user, identity):
        if _published(known, "master_keys", client.user) and not renew:
            _refuse_other(folder, f"and it is not the one in {folder / IDENTITY}")
        await _publish(client, identity, password)
        log.info("the bot has an identity on Matrix", user=client.user, master=identity.public("master"))
    await _sign(client, identity, known)
    if identity.recovery:
        await _deposit(client, identity)
        show(write_key(unbase64(identity.recovery)))
        write_private(folder / IDENTITY, msgspec.json.encode(msgspec.structs.replace(identity, recovery="")))
    (folder / RENEW).unlink(missing_ok=True)


async def _recovered(client: Client, recovery: str) -> Identity:
    """The identity as it was deposited with the homeserver."""

    async def kept(kind: str) -> Any:
        url = f"/_matrix/client/v3/user/{quote(client.user, safe='')}/account_data/{quote(kind, safe='')}"
        return granted(await client.ask("GET", url), client.folder, "the bot's sealed keys")

    try:
        key = read_key(recovery)
        name = (await kept("m.secret_storage.default_key"))["key"]
        sealed = {role: (await kept(f"m.cross_signing.{role}"))["encrypted"][name] for role in ROLES}
        return Identity(**{role: unseal(key, f"m.cross_signing.{role}", sealed[role]) for role in ROLES})
    except (ValueError, KeyError, TypeError):
        refuse(
            "RIPOSTE_MATRIX_RECOVERY_KEY does not open what the homeserver keeps of the bot's identity",
            f"Copy the key that was shown at the first start. {_renewal(client.folder)}",
        )


async def _known(client: Client) -> Mapping[str, Any]:
    """What the homeserver knows of the bot's keys."""
    answer = await client.ask("POST", QUERY, {"device_keys": {client.user: []}})
    return granted(answer, client.folder, "to tell the bot's keys")


def check_kept(folder: Path) -> None:
    """Raises OSError with a sentence if the folder has an identity that cannot be read."""
    _kept(folder)


def _kept(folder: Path) -> Identity | None:
    path = folder / IDENTITY
    if not path.exists():
        return None
    path.chmod(0o600)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Identity)
    except (msgspec.DecodeError, UnicodeDecodeError):
        remedy = "Restore it from a backup, or move it away and set RIPOSTE_MATRIX_RECOVERY_KEY."
        refuse(f"{path} is damaged", f"{remedy} {_renewal(folder)}")


def _published(known: Mapping[str, Any], kind: str, user: str) -> str:
    """The public key that the homeserver has for a role, "" if none."""
    keys = known.get(kind, {}).get(user, {}).get("keys", {})
    return next((str(key) for key in keys.values()), "")


def _differs(known: Mapping[str, Any], user: str, identity: Identity) -> bool:
    return any(_published(known, f"{role}_keys", user) != identity.public(role) for role in ROLES)


def _refuse_other(folder: Path, how: str) -> NoReturn:
    refuse(
        f"The bot's Matrix account has an identity already, {how}",
        f"Restore the file from a backup, or set RIPOSTE_MATRIX_RECOVERY_KEY. {_renewal(folder)}",
    )


def _renewal(folder: Path) -> str:
    return (
        f"To give the bot a new identity, which people must verify anew, make an empty file {folder / RENEW}, "
        "set RIPOSTE_MATRIX_PASSWORD and start again."
    )


async def _publish(client: Client, identity: Identity, password: str) -> None:
    """Publish the three public keys; if the homeserver asks for the password, send it."""
    user = client.user
    keys: dict[str, Any] = {}
    for role in ROLES:
        key = identity.publication(role, user)
        # Others see only those signatures of the bot's own under its master key that are published with it.
        signer, signature = (
            (client.device_id, _by_device(client, key))
            if role == "master"
            else (identity.public("master"), identity.sign("master", key))
        )
        keys[f"{role}_key"] = _signed(key, user, f"ed25519:{signer}", signature)
    answer = await client.ask("POST", UPLOAD, keys)
    if answer.status == 401 and "flows" in answer.body:
        if not any(flow.get("stages") == ["m.login.password"] for flow in answer.body["flows"]):
            refuse(
                "The homeserver wants the account's owner to allow a new identity in person",
                "Do so on its page for accounts (in Element: Settings, Encryption, Reset), then start again.",
            )
        if not password:
            refuse(
                "The homeserver wants the bot's password before it takes a new identity",
                "Set RIPOSTE_MATRIX_PASSWORD and start again.",
            )
        proof = {
            "type": "m.login.password",
            "identifier": {"type": "m.id.user", "user": user},
            "password": password,
            "session": answer.body.get("session"),
        }
        answer = await client.ask("POST", UPLOAD, {**keys, "auth": proof})
    granted(answer, client.folder, "the bot's identity")


async def _sign(client: Client, identity: Identity, known: Mapping[str, Any]) -> None:
    """Sign the device with the identity and the identity with the device, where that is missing."""
    user, device = client.user, client.device_id
    assert device, "logged in"
    published = known.get("device_keys", {}).get(user, {}).get(device)
    if published is None or published["keys"].get(f"ed25519:{device}") != client.fingerprint:
        refuse(f"The homeserver does not tell the keys of the bot's device {device}", "Start again in a minute.")
    wanted: dict[str, Any] = {}
    signer = f"ed25519:{identity.public('self_signing')}"
    if _signature(published, user, signer) != (signature := identity.sign("self_signing", published)):
        wanted[device] = _signed(published, user, signer, signature)
    master = identity.publication("master", user)
    there = known.get("master_keys", {}).get(user, {})
    signature = _by_device(client, master)
    if there.get("keys") != master["keys"] or _signature(there, user, f"ed25519:{device}") != signature:
        wanted[identity.public("master")] = _signed(master, user, f"ed25519:{device}", signature)
    if not wanted:
        return
    done = granted(await client.ask("POST", SIGN, {user: wanted}), client.folder, "the bot's signatures")
    if failures := done.get("failures"):
        refuse(f"The homeserver refuses signatures of the bot's: {failures}", "Mend that and start again.")
    log.info("the bot's device is signed", user=user, device=device)


def _by_device(client: Client, what: dict[str, Any]) -> str:
    assert client.olm is not None, "logged in"
    return client.olm.sign_json(what)


def _signature(what: Mapping[str, Any], user: str, signer: str) -> str:
    return str(what.get("signatures", {}).get(user, {}).get(signer, ""))


def _signed(what: Mapping[str, Any], user: str, signer: str, signature: str) -> dict[str, Any]:
    bare = {name: what[name] for name in what if name not in ("signatures", "unsigned")}
    return {**bare, "signatures": {user: {signer: signature}}}


async def _deposit(client: Client, identity: Identity) -> None:
    """Leave the seeds with the homeserver, sealed with the recovery key, where other clients find them."""
    key = unbase64(identity.recovery)
    # Named after the identity, so that a deposit that was cut off is continued.
    name = unbase64(identity.public("master")).hex()[:32]
    deposits: dict[str, Any] = {f"m.secret_storage.key.{name}": {"name": "Riposte", **describe(key)}}
    for role in ROLES:
        secret = f"m.cross_signing.{role}"
        deposits[secret] = {"encrypted": {name: seal(key, secret, getattr(identity, role))}}
    deposits["m.secret_storage.default_key"] = {"key": name}
    for kind, content in deposits.items():
        path = f"/_matrix/client/v3/user/{quote(client.user, safe='')}/account_data/{quote(kind, safe='')}"
        granted(await client.ask("PUT", path, content), client.folder, "to keep the bot's sealed keys")
