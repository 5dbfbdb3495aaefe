"""In the pseudo-language `xx` nothing is told in English, and no sentence is glued from others.

Whole chats are held again in it. Every sentence then stands in one pair of square brackets, every noun in angle quotes.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from bot.messages.model import OutgoingMessage, Span, Strong
from engine.text import Code, Listing, Term, Text, Value
from storage import open_store
from storage.store import Change
from tests.test_conversations import CONVERSATIONS, replayed
from tools.extract import collected

IN_CHANNEL = re.compile(r"^\w+(?: as host)? in ([a-z]+):", re.MULTILINE)
CODE = re.compile(r"`[^`]*`")
WORD = re.compile(r"[^\W\d_]{2,}")
GLUE = re.compile(r"[\]›][^\[\]‹›\n]*\S[^\[\]‹›\n]*[\[‹]|[\]›][\[‹]")
"""Between two brackets of one line: anything but a blank."""


# --- what is looked for -----------------------------------------------------------------------------------
def outside(text: str, allowed: Iterable[str] = ()) -> list[str]:
    """The words that stand in no bracket, but for code, numbers, single letters and those allowed: names, notation."""
    known = {word for phrase in allowed for word in WORD.findall(phrase)}
    return [word for word in WORD.findall(_flat(CODE.sub(" ", text))) if word not in known]


def nested(text: str) -> list[str]:
    """The places where two brackets share a sentence: one in the other, or two with more than a blank between them."""
    text = CODE.sub("`…`", text)
    found, depth = [], 0
    for at, sign in enumerate(text):
        depth += (sign == "[") - (sign == "]")
        if (sign == "[" and depth > 1) or depth < 0:
            found.append(text[max(0, at - 30) : at + 30])
            depth = min(max(depth, 0), 1)
    top = re.sub(r"‹[^‹›]*›", "", _without_nouns(text))
    return found + [match[0] for match in GLUE.finditer(_emptied(top))]


def _flat(text: str) -> str:
    """What stands in no bracket and in no quotes."""
    kept, depth = [], 0
    for sign in text:
        depth += sign in "[‹"
        if not depth:
            kept.append(sign)
        depth -= sign in "]›" and depth > 0
    return "".join(kept)


def _without_nouns(text: str) -> str:
    while (shorter := re.sub(r"‹[^‹›]*›", "", text)) != text:
        text = shorter
    return text


def _emptied(text: str) -> str:
    """The brackets of a text without what is in them."""
    return re.sub(r"\[[^\[\]]*\]", "[]", text)


def shown(message: OutgoingMessage) -> Iterator[str]:
    """All that people see of a message: its words, its buttons, its picture's words."""
    yield _plain(message.text)
    yield _plain(message.opening)
    for button in message.choices:
        yield button.label
        yield button.blank
    if message.picture is not None:
        yield message.picture.alt


def _plain(spans: tuple[Span, ...]) -> str:
    """Words and code; people, places and instants are the platform's to show."""
    return "".join(
        span if isinstance(span, str)
        else f"`{span.text}`" if isinstance(span, Code)
        else span.text if isinstance(span, Strong)
        else "•"
        for span in spans
    )  # fmt: skip


def templates(values: Iterable[Value]) -> Iterator[str]:
    """The templates of all sentences and phrases in these values, theirs included."""
    for value in values:
        match value:
            case Text():
                yield value.template
                yield from templates(value.values.values())
            case Listing(items=items):
                yield from templates(items)


def plain_words(values: Iterable[Value]) -> Iterator[str]:
    """The values that are told in every language as they are."""
    for value in values:
        match value:
            case Text():
                yield from plain_words(value.values.values())
            case Listing(items=items):
                yield from plain_words(items)
            case str() if not isinstance(value, Term):
                yield value


# --- the chats --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", CONVERSATIONS, ids=[path.stem for path in CONVERSATIONS])
async def test_a_whole_chat_in_the_pseudo_language_has_no_word_of_english(path: Path, tmp_path: Path) -> None:
    script = path.read_text("utf-8")
    await speak(tmp_path, "xx", {"lounge", *IN_CHANNEL.findall(script)})
    messages = [message for message in (await replayed(script, tmp_path)).posts if message.language == "xx"]
    assert messages
    for message in messages:
        for text in shown(message):
            assert outside(text) == [], text
            assert nested(text) == [], text
        for text in (text for line in message.lines for text in line):
            assert set(templates([text])) <= KNOWN["sentence"] | KNOWN["noun"], "run `make texts`"
            assert not set(filter(str.istitle, plain_words([text]))) & KNOWN["noun"], (
                f"a noun that is not translated: {text!r}"
            )


KNOWN = {
    kind: {
        template
        for entry in collected() if kind in entry.auto_comments
        for template in ([entry.id] if isinstance(entry.id, str) else entry.id)
    }
    for kind in ("sentence", "noun")
}  # fmt: skip
"""What is in the catalogue."""


async def speak(folder: Path, code: str, channels: Iterable[str]) -> None:
    """A database in which these channels, and the server that they belong to, have chosen a language."""
    store = await open_store(folder / "riposte.db")
    owners = ["web//room", *(f"web/{channel}/" for channel in channels)]
    await store.commit(Change("language", settings=tuple((owner, "language", code) for owner in owners)))
    await store.close()


# --- the looking itself -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[.‹Arm› reaches c5]", []),
        ("[One.] [Two.]\n[Three.]", []),
        ("[One.] and [Two.]", ["and"]),
        ("[It is `done` here]", []),
        ("`help` 12 3d • c7c5", []),
        ("‹White›", []),
        ("White: [One.]", ["White"]),
        ("[a ‹b› c] tail", ["tail"]),
    ],
)
def test_words_outside_brackets_are_found(text: str, expected: list[str]) -> None:
    assert outside(text) == expected


def test_names_and_notation_may_stand_outside() -> None:
    assert outside("anna takes moon shell", ("anna", "moon shell")) == ["takes"]


@pytest.mark.parametrize(
    "text", ["[One.] [Two.]\n[Three.]", "[‹Arm› on ‹c7 and ‹d5››]", "`[[x]]` [One.]", "", "[a, b, c]"]
)
def test_sentences_beside_each_other_are_no_fault(text: str) -> None:
    assert nested(text) == []


@pytest.mark.parametrize(
    "text", ["[One [two].]", "[One.][Two.]", "[One.]: [Two.]", "[One.] · [Two.]", "[One.]] [Two.]"]
)
def test_two_brackets_in_one_sentence_are_found(text: str) -> None:
    assert nested(text) != []
