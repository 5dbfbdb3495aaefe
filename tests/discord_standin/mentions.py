"""Whom a text pings, once `allowed_mentions` and the channel have had their say."""

import re
from typing import Any, Final

from tests.discord_standin.components import WORDS, walk
from tests.discord_standin.form import Form, among, many, snowflake, table, truth
from tests.discord_standin.refusal import JSON, Path
from tests.discord_standin.world import Channel, User

_SHAPE: Final = table(
    {
        "parse": many(among(("users", "roles", "everyone")), 3, unique=True),
        "users": many(snowflake, 100, unique=True),
        "roles": many(snowflake, 100, unique=True),
        "replied_user": truth,
    }
)
_CODE = re.compile(r"```.*?```|``.+?``|`[^`\n]+`", re.DOTALL)
_USER = re.compile(r"<@!?(\d+)>")
_EVERYONE = re.compile(r"@(everyone|here)\b")


def check_allowed(form: Form, path: Path, value: Any) -> None:
    """The field `allowed_mentions`: nobody may be named where everybody of that kind is let in."""
    _SHAPE(form, path, value)
    if not isinstance(value, dict) or not isinstance(value.get("parse"), list):
        return
    for kind in ("users", "roles"):
        if kind in value["parse"] and value.get(kind):
            words = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            form.complain(path, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", words)


def pinged(
    channel: Channel, content: str, components: list[JSON], allowed: JSON | None, replied: User | None
) -> tuple[list[User], bool]:
    """The users who are pinged, and whether all are; `replied` wrote the message that is replied to."""
    text = "\n".join([content, *(part["content"] for part in walk(components) if part["type"] == WORDS)])
    text = _CODE.sub("", text)
    parse = ("users", "roles", "everyone") if allowed is None else allowed.get("parse") or ()
    named = {int(one) for one in (allowed or {}).get("users") or () if one is not None}
    users: list[User] = []
    for id_ in map(int, _USER.findall(text)):
        user = channel.world.users.get(id_)
        if user and user not in users and ("users" in parse or id_ in named):
            users.append(user)
    if replied and replied not in users and (allowed is None or allowed.get("replied_user")):
        users.append(replied)
    everyone = "everyone" in parse and channel.can("mention_everyone") and bool(_EVERYONE.search(text))
    return users, everyone
