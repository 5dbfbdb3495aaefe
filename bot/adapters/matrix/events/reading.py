"""Reads an event of a room as a message or a pressed button; its fields can be any JSON, so none is taken on trust."""

import re
from dataclasses import dataclass
from html import unescape
from typing import Any
from urllib.parse import unquote

from bot.messages.model import clean
from bot.messages.prompts import ANSWERS, meant

LONGEST_NAME = 32
"""Characters of a person's name that are shown."""
LONGEST_TEXT = 4_000
"""Characters of a message that are looked at."""

KEYS = tuple(f"{number}\u20e3" for number in range(1, 10))
"""The reactions that press a button: 1️⃣ to 9️⃣, written with or without a variation selector."""

RELAYED = ("external_url", "com.beeper.per_message_profile", "m.per_message_profile")
"""What bridges put into a message that somebody else wrote: many people speak there with one account."""

PILL = re.compile(r"""<a\s[^<>]{0,200}?href=["']([^"'<>]{1,600})["'][^<>]{0,200}>([^<>]{1,300})</a>""", re.IGNORECASE)
LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\(<?(https://matrix\.to/#/[^)>\s]{1,600})>?\)")


@dataclass(frozen=True, slots=True)
class Message:
    """Something that somebody wrote."""

    id: str
    sender: str
    text: str
    """As written, without what a client quotes above it; whoever is mentioned stands there by their id."""
    root: str = ""
    """The event that its thread hangs from."""
    answers: str = ""
    """The event that it replies to."""
    mentioned: tuple[str, ...] = ()
    edits: str = ""
    """The event of which it is a new version: that one's thread and reply are its own."""


@dataclass(frozen=True, slots=True)
class Press:
    """A reaction that stands for a button."""

    id: str
    sender: str
    target: str
    sign: str
    """Without a variation selector."""


def understood(event: object) -> Message | Press | None:
    """The message that somebody typed or the button they pressed; None for any other event."""
    content, sender, number = (given(event, name) for name in ("content", "sender", "event_id"))
    if not (isinstance(content, dict) and isinstance(sender, str) and isinstance(number, str)):
        return None
    match given(event, "type"):
        case "m.room.message":
            return _message(number, sender, content)
        case "m.reaction":
            return _press(number, sender, content)
    return None


def given(value: object, *path: str) -> Any:
    """What stands under these keys; None where there is nothing of that kind."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def shown(name: object, user: str) -> str:
    """A person's name, cleaned and short; without one, the first part of their id."""
    plain = " ".join(clean(name).split())[:LONGEST_NAME].strip() if isinstance(name, str) else ""
    return plain or user[1:].partition(":")[0][:LONGEST_NAME] or user[:LONGEST_NAME]


def _message(number: str, sender: str, content: dict[str, Any]) -> Message | None:
    relation = content.get("m.relates_to")
    edits = given(relation, "event_id") if given(relation, "rel_type") == "m.replace" else ""
    if edits:
        new = content.get("m.new_content")
        content = new if isinstance(new, dict) and isinstance(edits, str) else {}
        relation = {}
    body = content.get("body")
    if content.get("msgtype") != "m.text" or not isinstance(body, str) or any(mark in content for mark in RELAYED):
        return None
    if "m.new_content" in content:
        return None
    root = given(relation, "event_id") if given(relation, "rel_type") == "m.thread" else ""
    answers = given(relation, "m.in_reply_to", "event_id")
    if root and given(relation, "is_falling_back") is True:
        answers = ""  # for clients without threads; nobody replied to anything
    listed = given(content, "m.mentions", "user_ids")
    mentioned = tuple(user for user in listed if isinstance(user, str)) if isinstance(listed, list) else ()
    text = body[:LONGEST_TEXT]
    if isinstance(answers, str) and answers:
        text = _unquoted(text)
    html = content.get("formatted_body")
    text, pills = _with_ids(text, html[:LONGEST_TEXT] if isinstance(html, str) else "")
    return Message(
        number,
        sender,
        text,
        root if isinstance(root, str) else "",
        answers if isinstance(answers, str) else "",
        (*mentioned, *pills),
        edits or "",
    )


def _press(number: str, sender: str, content: dict[str, Any]) -> Press | None:
    relation = content.get("m.relates_to")
    target, key = given(relation, "event_id"), given(relation, "key")
    if given(relation, "rel_type") != "m.annotation" or not isinstance(target, str) or not isinstance(key, str):
        return None
    key = meant(key) or key.replace("\ufe0f", "")
    return Press(number, sender, target, key) if key in (*KEYS, *ANSWERS.values()) else None


def _unquoted(text: str) -> str:
    """A reply without the lines that old clients repeat above it."""
    lines = text.split("\n")
    if not lines[0].startswith("> "):
        return text
    quoted = next((index for index, line in enumerate(lines) if not line.startswith(">")), len(lines))
    return "\n".join(lines[quoted:]).lstrip("\n")


def _with_ids(text: str, html: str) -> tuple[str, list[str]]:
    """The text with the id of whoever is mentioned by a link in place of their name, and those ids."""
    users: list[str] = []
    for name, link in [*LINK.findall(text)]:
        if user := _linked(link):
            users.append(user)
            text = re.sub(rf"\[{re.escape(name)}\]\(<?{re.escape(link)}>?\)", user, text, count=1)
    for link, label in PILL.findall(html):
        user, name = _linked(unescape(link)), unescape(label)
        if user and user not in users:
            users.append(user)
            if user not in text:
                text = re.sub(rf"@?{re.escape(name)}", user, text, count=1)
    return text, users


def _linked(link: str) -> str:
    """The person whom a link is about, "" if it is about something else."""
    for head, sign in (("https://matrix.to/#/", ""), ("matrix:u/", "@")):
        if link.startswith(head):
            user = sign + unquote(link.removeprefix(head).partition("?")[0])
            return user if re.fullmatch(r"@[^\s:@\\]{1,255}:[^\s@\\]{1,255}", user) else ""
    return ""
