"""A push service on this machine, and browsers that have subscribed to it: they unseal what they are sent."""

import json
import ssl
import subprocess
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import http_ece
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from bot.service.page.devices import Device


def encoded(raw: bytes) -> str:
    """As browsers spell keys."""
    return urlsafe_b64encode(raw).decode().rstrip("=")


@dataclass
class Told:
    """What a browser was sent, unsealed."""

    notice: dict[str, Any]
    headers: dict[str, str]
    claims: dict[str, Any]


@dataclass
class Subscribed:
    """A browser: its endpoint, and the keys that it alone has."""

    endpoint: str
    secret: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = b"sixteen bytes ok"
    told: list[Told] = field(default_factory=list)
    status: int = 201
    """What the service answers."""

    @property
    def device(self) -> Device:
        """As the page tells of it."""
        raw = self.secret.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return Device(self.endpoint, encoded(raw), encoded(self.auth))


class PushService:
    """Takes what is pushed as the real ones do: only with a key that fits its signature, and a time to live."""

    def __init__(self, port: int, certificate: Path):
        self.name = f"127.0.0.1:{port}"
        self.browsers: dict[str, Subscribed] = {}
        self.refused: list[str] = []
        self.trusted = ssl.create_default_context(cafile=str(certificate))

    def browser(self, name: str) -> Subscribed:
        """A browser that subscribes."""
        made = self.browsers[f"/push/{name}"] = Subscribed(f"https://{self.name}/push/{name}")
        return made

    async def push(self, request: web.Request) -> web.Response:
        """One notice."""
        body, headers = await request.read(), dict(request.headers)
        browser = self.browsers.get(request.path)
        if browser is None or browser.status != 201:
            return web.Response(status=browser.status if browser else 404)
        assert headers["Content-Encoding"] == "aes128gcm"
        assert 0 < int(headers["TTL"]) <= 86_400
        assert b"waits" not in body, "it is sealed"
        assert Vapid02.verify(headers["Authorization"])
        token = headers["Authorization"].split("t=")[1].split(",")[0]
        payload = token.split(".")[1]
        claims = json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        if claims["aud"] != f"https://{self.name}":
            self.refused.append("BadJwtToken")
            return web.Response(status=403)
        plain = http_ece.decrypt(body, private_key=browser.secret, auth_secret=browser.auth, version="aes128gcm")
        browser.told.append(Told(json.loads(plain), headers, claims))
        return web.Response(status=201)


@asynccontextmanager
async def push_service(folder: Path) -> AsyncIterator[PushService]:
    """One that runs over https."""
    key, certificate = folder / "push.key", folder / "push.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate, key)
    app = web.Application()
    runner = web.AppRunner(app, access_log=None)
    service: list[PushService] = []

    async def push(request: web.Request) -> web.Response:
        return await service[0].push(request)

    async def away(_request: web.Request) -> web.Response:
        return web.Response(status=307, headers={"Location": "/push/anna"})

    app.router.add_post("/push/{name}", push)
    app.router.add_post("/away/{name}", away)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=served)
    await site.start()
    assert runner.addresses
    service.append(PushService(runner.addresses[0][1], certificate))
    try:
        yield service[0]
    finally:
        await runner.cleanup()
