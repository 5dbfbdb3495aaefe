"""What each adapter makes of a post: what goes to Discord, to a homeserver, to the page and to programs."""

from collections.abc import Callable
from typing import TypeAlias

from bot.adapters.api.streams import event, is_news
from bot.adapters.discord.interactions.buttons import Signer
from bot.adapters.discord.markup import render, split
from bot.adapters.discord.sending import Part, payload
from bot.adapters.matrix.events.content import Setting, alone, content, related
from bot.adapters.web.protocol import posted
from bot.messages.model import OutgoingMessage

Made: TypeAlias = Callable[[OutgoingMessage], object]

SIGNER = Signer(bytes(32))


def _on_discord(post: OutgoingMessage) -> object:
    *before, last = split(render(post.text, post.rings))
    alt = post.picture.alt if post.picture else ""
    parts = [*(Part(text) for text in before), Part(last, post.choices, alt=alt, rings=post.rings)]
    requests = [payload(part, SIGNER) for part in parts]
    views = [request.pop("view", None) for request in requests]
    return requests, [view and view.to_components() for view in views], last


def _on_matrix(post: OutgoingMessage) -> object:
    room = Setting("!riposte", free=False)
    words = related(content(post, room, picture=None, now=post.at), "root")
    caption = content(post, room, picture={"filename": "board.png"}, now=post.at)
    return words, caption, alone(post, {"filename": "board.png"})


def _on_the_page(post: OutgoingMessage) -> object:
    return posted(post, None, "token")


def _to_programs(post: OutgoingMessage) -> object:
    return is_news(post), event(post, ("web:anna",))


PLATFORMS: dict[str, Made] = {
    "discord": _on_discord,
    "matrix": _on_matrix,
    "web": _on_the_page,
    "api": _to_programs,
}
"""By the folder of the adapter."""
