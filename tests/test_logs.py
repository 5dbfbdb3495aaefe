"""No secret is in the log: not a host's, not one that a server has just given, and whoever wrote the line."""

import json
import logging
import sys

import pytest
import structlog

from bot.logs import REDACTED, conceal, redacted, write_log

CANARY = 'canary "ä/8ad2"'
SPELLED = ("canary", "8ad2")


@pytest.mark.parametrize("level", ["debug", "info"])
def test_no_secret_reaches_the_log_by_any_way(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    conceal(CANARY)
    write_log(level)
    ours, theirs = structlog.get_logger("bot"), logging.getLogger("discord.gateway")
    try:
        raise ValueError(f"no such token: {CANARY}")
    except ValueError as error:
        ours.exception("one", token=CANARY)
        theirs.exception("two %s", CANARY)
        sys.excepthook(type(error), error, error.__traceback__)
    ours.error(CANARY, url="https://x/?key=canary%20%22%C3%A4%2F8ad2%22")
    theirs.warning(json.dumps({"password": CANARY}))
    written = capsys.readouterr().err
    assert written.count(REDACTED) >= 8
    assert not any(part in written for part in SPELLED)


@pytest.mark.parametrize(
    "line",
    [
        "GET https://m.example/_matrix/media/v3/download/x?allow_remote=true&access_token=syt_abc-DEF_1&a=b",
        "{'Authorization': 'Bearer syt_abc-DEF_1'}",
        "{'Authorization': 'Bot syt_abc-DEF_1'}",
        "Authorization: Bearer syt_abc-DEF_1",
    ],
)
def test_a_token_that_a_server_has_just_given_is_known_by_where_it_stands(line: str) -> None:
    assert "syt_abc" not in redacted(line)
    assert redacted(line).startswith(line[:10])


@pytest.mark.parametrize("library", ["discord.http", "nio.crypto.log", "aiohttp.client", "peewee", "asyncio"])
def test_libraries_write_no_requests_and_statements_down(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger(library)
    write_log("debug")
    logger.debug("a whole request")
    assert capsys.readouterr().err == ""
    logger.info("connected")
    assert "connected" in capsys.readouterr().err
    write_log("info")
    logger.info("connected")
    assert capsys.readouterr().err == ""
    logger.warning("cut off")
    assert "cut off" in capsys.readouterr().err
