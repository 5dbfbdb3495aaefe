"""In the pseudo-language `xx` nothing is told in English, and no sentence is glued from others.

Whole chats are held again in it. Every sentence then stands in one pair of square brackets, every noun in angle quotes.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from bot.messages.catalogue import language
from bot.messages.model import OutgoingMessage, Span, Strong
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.text import Code, Listing, Term, Text, Value
from render.alt_text import describe
from storage import open_store
from storage.store import Change
from tests.chat_room import open_room
from tests.parts_of_games import OURS, TRANSLATED
from tests.rulings import Told, rulings
from tests.test_conversations import CONVERSATIONS, replayed
from tools.extract import collected, forms
from tools.languages import COMPLETE, read

IN_CHANNEL = re.compile(r"^\w+(?: as host)?(?: on ([a-z]+))? in ([a-z]+):", re.MULTILINE)
"""A platform, unless it goes without saying, and a channel there."""
CODE = re.compile(r"`[^`]*`")
UNSAID = re.compile(r"`[^`]*`|\{\w*\}")
"""Code spans and the names of values."""
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


def values(message: OutgoingMessage) -> Iterator[Value]:
    """All values of a message's sentences."""
    for line in message.lines:
        for text in line:
            yield from text.values.values()


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
    await speak(tmp_path, "xx", ("web/lounge/", *places(script)))
    messages = [message for message in (await replayed(script, tmp_path)).posts if message.language == "xx"]
    assert messages
    assert [fault for message in messages for fault in faults(message)] == []


@pytest.mark.parametrize(
    "name", ["tokonoma_callout", "ones_own_things", "offers_and_time", "next_calls_and_followers", "veney_late"]
)
async def test_a_whole_chat_in_a_language_has_no_word_of_english(name: str, tmp_path: Path) -> None:
    (path,) = (path for path in CONVERSATIONS if path.stem == name)
    script = path.read_text("utf-8")
    for code in COMPLETE:
        (folder := tmp_path / code).mkdir()
        await speak(folder, code, ("web/lounge/", *places(script)))
        messages = [message for message in (await replayed(script, folder)).posts if message.language == code]
        assert messages
        for message in messages:
            names = [*plain_words(values(message))]
            assert [found for text in shown(message) if (found := english_in(text, code, names))] == []


def test_english_words_are_found() -> None:
    assert english_in("The piece moves: `call 1`.", "de") == ["piece", "moves"]
    assert english_in("Der Zug von Moves: `call 1`.", "de", ["Moves"]) == []


@pytest.mark.parametrize("game", TRANSLATED)
async def test_a_whole_match_in_the_pseudo_language_has_no_word_of_english(game: str, tmp_path: Path) -> None:
    await speak(tmp_path, "xx", ("web/lounge/",))
    room = await open_room(tmp_path)
    await room.say("anna", f"challenge @ben {game} umpire={GAMES[game].penalties[0]} judge=advisory")
    await room.say("ben", "accept")
    dice = Random(game)
    for number in range(TURNS):
        match = await room.service.repository.match("1")
        assert match is not None
        if match.status != "running" or match.ending is not None:
            break
        mover = match.seats[match.game.to_act(match.position)].removeprefix("web:")
        turns = [*islice(match.game.candidates(match.position), 60)]
        broken = [turn for turn in turns if not match.game.tenable(match.position, turn)]
        turns = broken if broken and number % 2 else turns
        await room.say(mover, match.game.write(dice.choice(turns), match.position), "1")
        await room.say(
            "ben" if mover == "anna" else "anna", "call" if number % 2 else dice.choice(("takeback", "board")), "1"
        )
    await room.say("anna", "rules 1", "1")
    await room.say("anna", "draw", "1")
    await room.say("ben", "decline draw", "1")
    await room.say("anna", "resign yes", "1")
    await room.store.close()
    assert {message.language for message in room.posts} == {"xx"}
    assert [fault for message in room.posts for fault in faults(message)] == []


TURNS = 12


@pytest.mark.parametrize("game", OURS)
def test_every_ruling_that_is_known_is_told_without_a_word_of_english(game: str) -> None:
    texts = [text for ruling in rulings(game) for text in told_of(GAMES[game], ruling)]
    assert texts
    assert [fault for text in texts for fault in faults_of([text], [language("xx").say(text)])] == []


def told_of(game: AnyGame, ruling: Told) -> Iterator[Text]:
    """What a game says of the turns of a ruling."""
    position = game.decode(ruling.given)
    for written in ruling.when.split(";"):
        try:
            turn = game.read(written.strip(), position)
        except NotationError as error:
            yield from (text for text in (error.because, error.remedy) if text is not None)
            return
        for broken in game.judge(position, turn):
            yield from (broken.because, broken.rule.gist)
        after = game.play(position, turn)
        yield from describe(game.draw_turn(position, turn, None, after))
        yield from game.describe_luck(turn, position, game.to_act(position), after)
        position = after


def faults(message: OutgoingMessage) -> list[str]:
    """What of a message is not told in the pseudo-language, or in more than one piece."""
    return faults_of([text for line in message.lines for text in line], shown(message))


def faults_of(sentences: list[Text], told: Iterable[str]) -> list[str]:
    """What of these sentences, and of what has become of them, is not right."""
    words = [*told]
    unknown = set(templates(sentences)) - known("sentence") - known("noun")
    plain = set(filter(str.istitle, plain_words(sentences))) & known("noun")
    return [
        *(f"{found} outside: {text}" for text in words if (found := outside(text))),
        *(f"{found} nested: {text}" for text in words if (found := nested(text))),
        *(f"not collected, run `make texts`: {template}" for template in unknown),
        *(f"a noun that is not translated: {word}" for word in plain),
    ]


def english_in(text: str, code: str, allowed: Iterable[str] = ()) -> list[str]:
    """The English words in what is told in a language: those of our templates that no translation has."""
    known = {"utc", *(word.lower() for phrase in allowed for word in WORD.findall(phrase))}
    foreign = english_words(code) - known
    return [word for word in WORD.findall(UNSAID.sub(" ", text)) if word.lower() in foreign]


@cache
def english_words(code: str) -> frozenset[str]:
    """The words of three letters and more that stand in English sentences alone."""
    english, told = set[str](), set[str]()
    for entry in read(code):
        if entry.id:
            english |= {word for form in forms(entry.id) for word in words_of(form)}
            told |= {word for form in forms(entry.string) for word in words_of(form)}
    return frozenset(word for word in english - told if len(word) > 2)


def words_of(template: str) -> list[str]:
    """The words of a template, without its code spans and values."""
    return [word.lower() for word in WORD.findall(UNSAID.sub(" ", template))]


@cache
def known(kind: str) -> frozenset[str]:
    """The templates of a kind that are in the catalogue."""
    found = (entry.id for entry in collected() if kind in entry.auto_comments)
    return frozenset(template for id_ in found for template in ([id_] if isinstance(id_, str) else id_))


def places(script: str) -> Iterable[str]:
    """The addresses of the channels in which a conversation is held."""
    return {f"{platform or 'web'}/{channel}/" for platform, channel in IN_CHANNEL.findall(script)}


async def speak(folder: Path, code: str, channels: Iterable[str], key: Path | None = None) -> None:
    """A database in which these channels, and the server that they belong to, have chosen a language."""
    store = await open_store(folder / "riposte.db", key)
    owners = ["web//room", *channels]
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
