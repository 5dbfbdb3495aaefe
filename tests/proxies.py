"""Tries what docs/hosting.md prints for Caddy and nginx: `python -m tests.proxies CADDY NGINX`, paths of both.

Each is started with its page as printed, but for ports and certificates, before a running Riposte. A real Chromium
plays through it; then requests that no browser sends are told what they are to be told.
"""

import asyncio
import json
import re
import shutil
import socket
import ssl
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
from playwright.async_api import async_playwright, expect

from tests.browser.program import write

NAME = "riposte.example.org"
PUBLIC = f"https://{NAME}"
PAGE = Path(__file__).parents[1] / "docs" / "hosting.md"


def printed(first: str) -> str:
    """The block of the page that begins with a line."""
    return re.findall(rf"```\n({re.escape(first)}.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[0]


def caddy(program: str, folder: Path, port: int, inner: int) -> list[str]:
    """The command that starts Caddy with what is printed."""
    settings = f"{{\n admin off\n local_certs\n skip_install_trust\n http_port {free()}\n https_port {port}\n}}\n"
    text = settings + printed(f"{NAME} {{").replace("127.0.0.1:8080", f"127.0.0.1:{inner}")
    (folder / "Caddyfile").write_text(text)
    return [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def nginx(program: str, folder: Path, port: int, inner: int) -> list[str]:
    """The command that starts nginx with what is printed."""
    text = printed("server {").replace("127.0.0.1:8080", f"127.0.0.1:{inner}").replace("listen 443", f"listen {port}")
    text = re.sub(r"(ssl_certificate(?:_key)?) \S+/(\w+)\.pem", rf"\1 {folder}/\2.pem", text)
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    head = f"daemon off; pid {folder}/pid; error_log {folder}/log;\nevents {{}}\n"
    text = f"{head}http {{ access_log off;\n{places}{text}}}\n"
    (folder / "nginx.conf").write_text(text)
    return [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "log")]


def free() -> int:
    """A free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def running(*command: str, **environment: str) -> AsyncIterator[Process]:
    """A program, ended afterwards."""
    out = PIPE if environment else DEVNULL
    process = await asyncio.create_subprocess_exec(*command, env=environment or None, stdout=out, stderr=DEVNULL)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def certificate(folder: Path) -> None:
    """What a host has from a certificate authority."""
    made = await asyncio.create_subprocess_exec(
        *(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
        ),
        *("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
        *("-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")),
        stderr=DEVNULL,
    )
    await made.wait()


async def tried(name: str, start: Callable[[str, Path, int, int], list[str]], program: str) -> list[str]:
    """What went wrong behind a proxy; nothing where all is well."""
    with tempfile.TemporaryDirectory() as made:
        folder, port, inner = Path(made), free(), free()
        await certificate(folder)
        environment = {
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(PAGE.parents[1]),
            "RIPOSTE_DATA": str(folder / "data"),
            "RIPOSTE_PORT": str(inner),
            "RIPOSTE_PUBLIC_URL": PUBLIC,
        }
        async with running(sys.executable, "-m", "bot", "run", **environment) as riposte:
            assert riposte.stdout is not None
            await riposte.stdout.readline()
            async with running(*start(program, folder, port, inner), HOME=str(folder), PATH="/usr/bin:/bin") as proxy:
                if not await listens(proxy, port):
                    log = folder / "log"
                    return [f"{name} does not start", log.read_text("utf-8") if log.exists() else ""]
                return [*await requests(port), *await browsers(port)]


async def listens(proxy: Process, port: int) -> bool:
    """Whether a proxy answers within ten seconds."""
    for _ in range(100):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            if proxy.returncode is not None:
                return False
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return True
    return False


class Here(aiohttp.abc.AbstractResolver):
    """Every name is this machine."""

    async def resolve(self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET) -> list:  # type: ignore[type-arg]
        return [{"hostname": host, "host": "127.0.0.1", "port": port, "family": family, "proto": 0, "flags": 0}]

    async def close(self) -> None:
        return


async def requests(port: int) -> list[str]:
    """What is answered to requests that no page sends."""
    lax = ssl.create_default_context()
    lax.check_hostname, lax.verify_mode = False, ssl.CERT_NONE
    wrong: list[str] = []

    def hold(fact: str, held: bool) -> None:
        if not held:
            wrong.append(fact)

    own = {"Host": NAME, "Origin": PUBLIC}
    connector = aiohttp.TCPConnector(resolver=Here(), ssl=lax, limit=0)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:
        at = f"https://{NAME}:{port}"
        async with session.get(f"{at}/", headers=own) as answer:
            hold("the page opens", answer.status == 200 and "default-src" in answer.headers["Content-Security-Policy"])
        async with session.post(f"{at}/seat", json={"name": "Anna"}, headers=own) as answer:
            (cookie,) = answer.cookies.values()
            hold("a seat's cookie is for https alone", cookie.key.startswith("__Host-") and bool(cookie["secure"]))
            kept = {"Cookie": f"{cookie.key}={cookie.value}"}
        for origin in ("https://evil.example", "null", f"http://{NAME}"):
            async with session.post(f"{at}/seat", json={"name": "Ben"}, headers=own | {"Origin": origin}) as answer:
                hold(f"no seat for a page from {origin}", answer.status == 403)
        with suppress(aiohttp.ServerDisconnectedError):
            async with session.get(f"{at}/", headers={"Host": "evil.example"}) as answer:
                hold("another name is not served as ours", "Riposte</title>" not in await answer.text())
        async with session.post(f"{at}/seat", data=b"x" * 200_000, headers=own) as answer:
            hold("a large body is refused", answer.status in (200, 413) and "Set-Cookie" not in answer.headers)
        async with session.ws_connect(f"{at}/socket", headers=own | kept) as tab:
            await tab.send_json({"do": "enter", "name": "Anna"})
            hold("the talk goes through", (await tab.receive_json(timeout=5))["is"] == "entered")
            said = {"do": "say", "id": "00000000-0000-4000-8000-000000000001", "channel": "lounge", "thread": ""}
            await tab.send_json(said | {"text": "settings theme dark"})
            news: list[str] = []
            while not any("machine" in one or "may change" in one or "hosts" in one for one in news) and len(news) < 20:
                news.append(json.dumps(await tab.receive_json(timeout=10)))
            hold("nobody from outside is a host", any("hosts of this place" in one for one in news))
        # One address cannot pretend to be many.
        read: list[int] = []
        while 429 not in read and len(read) < 900:  # five more come free each second
            pretended = own | {"X-Forwarded-For": f"198.51.100.{len(read) % 250}"}
            async with session.get(f"{at}/match/9/board", headers=pretended) as answer:
                read.append(answer.status)
        hold("one address reads 300 boards a minute", 300 < len(read) < 900)
        tabs = []
        try:
            for number in range(70):
                pretended = own | {"X-Forwarded-For": f"198.51.100.{number}"}
                tabs.append(await session.ws_connect(f"{at}/socket", headers=pretended))
        except aiohttp.WSServerHandshakeError as refused:
            hold("too many tabs are told so", refused.status == 429)
        hold("one address opens 64 tabs", len(tabs) == 64)
        for one in tabs:
            await one.close()
    return wrong


async def browsers(port: int) -> list[str]:
    """Two seats begin a match and make a turn through the proxy."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    arguments = ["--no-sandbox", "--disable-gpu", f"--host-resolver-rules=MAP {NAME}:443 127.0.0.1:{port}"]
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=path, args=arguments)
        pages = []
        for name in ("Clara", "Ben"):
            context = await chromium.new_context(ignore_https_errors=True)
            page = await context.new_page()
            await page.goto(PUBLIC)
            await page.get_by_label("Your name").fill(name)
            await page.keyboard.press("Enter")
            await page.locator("#words").wait_for()
            pages.append(page)
        clara, ben = pages
        await write(clara, "challenge @ben tokonoma side=white")
        await ben.get_by_role("button", name="Accept", exact=True).click()
        for page in pages:
            await page.locator(".opening").click()
            await expect(page.locator("svg.board")).to_be_visible()
        await write(clara, "c7c5")
        await expect(ben.locator(".steps output")).to_have_text("1. c7c5")
        await clara.locator("#device-open").click()
        await expect(clara.locator("#device-link")).to_have_value(re.compile(f"^{re.escape(PUBLIC)}/enter#"))
        await chromium.close()
    return []


async def main(programs: list[str]) -> int:
    """Try both. Returns the exit code."""
    failed = 0
    for (name, start), program in zip((("Caddy", caddy), ("nginx", nginx)), programs, strict=True):
        wrong = await tried(name, start, program)
        failed += bool(wrong)
        print(f"{name}: {'as printed' if not wrong else '; '.join(wrong)}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
