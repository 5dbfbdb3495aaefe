"""What the page and Discord ask for beside the talk: how a line goes on, and boards; an error there stops nothing."""

from collections.abc import Awaitable

import structlog

from bot.commands.suggestions.lines import complete
from bot.messages.model import Person, Place
from bot.repository import Repository
from bot.service.composing import Board, Glance, glanced
from bot.service.composing import public_board as shown_to_all

log = structlog.get_logger(__name__)


async def completions(repository: Repository, who: Person, where: Place, text: str) -> list[str]:
    """How a line could go on; nothing after an error, for whoever sends the line is told of it."""
    try:
        return await complete(repository, who, where, text)
    except Exception:
        log.exception("a line cannot be completed", match=where.thread)
        return []


async def board(repository: Repository, who: Person, where: Place, glance: Glance) -> Board | None:
    """What somebody sees of a match; nothing after an error, for the talk beside it goes on."""
    return await _seen(glanced(repository, who, where, glance), where.thread)


async def public_board(repository: Repository, match: str, glance: Glance) -> Board | None:
    """What everybody may see of a match in the web room."""
    return await _seen(shown_to_all(repository, match, glance, "web"), match)


async def _seen(board: Awaitable[Board | None], match: str) -> Board | None:
    try:
        return await board
    except OSError:
        raise  # it has a sentence
    except Exception:
        log.exception("a board cannot be shown", match=match)
        return None
