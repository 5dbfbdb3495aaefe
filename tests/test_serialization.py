"""Events and messages survive being written down and read back, and what the last version wrote is read still."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.messages.model import Button, IncomingMessage, OutgoingMessage, Page, Person, Picture, Place, Strong
from bot.messages.serialization import (
    EVENTS,
    address,
    channel_address,
    message_key,
    read_address,
    read_event,
    read_incoming,
    read_lines,
    read_message,
    write_event,
    write_incoming,
    write_lines,
    write_message,
)
from engine.diagram import Mark
from engine.match.events import PlaceLinked
from engine.text import Code, Duration, Instant, Listing, Phrase, Term, Text, plural

people = st.builds(Person, st.just("web"), st.text(min_size=1), st.text(min_size=1))
places = st.builds(Place, st.just("web"), st.just("lounge"), st.sampled_from(["", "12"]))
whens = st.builds(Instant, st.integers(0, 2**45))
spans = st.one_of(
    st.text(),
    people,
    places,
    st.builds(Code, st.text()),
    st.builds(Strong, st.text()),
    whens,
    st.builds(Page, st.text()),
)
marks = st.builds(Mark, st.just("culprit"), st.tuples(st.text()))
pictures = st.builds(
    Picture,
    st.just("tokonoma"),
    st.text(),
    st.sampled_from(["W", None]),
    marks=st.tuples(marks),
    alt=st.text(),
    language=st.sampled_from(["", "xx"]),
)
buttons = st.builds(Button, st.text(), st.text(), st.text())
plain = st.one_of(
    st.text(),
    st.integers(-(2**40), 2**40),
    people,
    places,
    whens,
    st.builds(Code, st.text()),
    st.builds(Term, st.text()),
    st.builds(Duration, st.integers(0, 2**45)),
)
values = st.recursive(
    plain,
    lambda inner: st.one_of(
        st.builds(Listing, st.lists(inner, max_size=3).map(tuple), st.sampled_from(["and", "or", "unit"])),
        inner.map(lambda value: Phrase("{what} of theirs", what=value)),
    ),
    max_leaves=6,
)
texts = st.one_of(
    values.map(lambda value: Text("Here is {what}.", what=value)),
    st.just(Text("Nothing is here.")),
    st.builds(lambda n, what: plural("{count} {what} is left.", "{count} {what} are left.", n, what=what),
              st.integers(0, 9), values),
)  # fmt: skip
lines = st.lists(st.lists(texts, max_size=3).map(tuple), max_size=3).map(tuple)
messages = st.builds(
    OutgoingMessage,
    st.text(min_size=1),
    places,
    st.lists(spans).map(tuple),
    st.none() | people,
    st.none() | pictures,
    st.tuples(buttons),
    opening=st.lists(spans).map(tuple),
    lines=lines,
    language=st.sampled_from(["", "xx"]),
)


@settings(max_examples=50)
@given(messages)
def test_a_message_that_was_written_reads_back_the_same(message: OutgoingMessage) -> None:
    again = read_message(write_message(message))
    assert again == message
    assert [kinds(line) for line in again.lines] == [kinds(line) for line in message.lines]


@settings(max_examples=50)
@given(lines)
def test_sentences_read_back_with_template_and_values(said: tuple[tuple[Text, ...], ...]) -> None:
    again = read_lines(write_lines(said))
    assert again == said
    assert [kinds(line) for line in again] == [kinds(line) for line in said]


def kinds(line: tuple[Text, ...]) -> list[Any]:
    """What equality does not tell apart: a noun from the same plain word, a phrase from a sentence."""
    return [[kind(value) for value in text.values.values()] for text in line]


def kind(value: object) -> Any:
    match value:
        case Listing(items=items):
            return [kind(item) for item in items]
        case Phrase():
            return Phrase, [kind(inner) for inner in value.values.values()]
        case _:
            return type(value)


def test_a_sentence_is_stored_so_that_a_person_can_read_it() -> None:
    said = Text("{players}, take the {piece}; due {due}.", players=Listing((Person("web", "anna", "Anna"), "zoe")),
                piece=Term("Arm"), due=Instant(5))  # fmt: skip
    assert write_lines(((said,),)) == (
        '[[{"text":"{players}, take the {piece}; due {due}.","values":{'
        '"players":{"listing":{"items":[{"person":{"platform":"web","id":"anna","name":"Anna"}},"zoe"],"style":"and"}},'
        '"piece":{"term":"Arm"},"due":{"instant":5}}}]]'
    )


def test_a_sentence_is_no_value_of_another() -> None:
    with pytest.raises(KeyError):
        write_lines(((Text("They say: {what}.", what=Text("It is so.")),),))


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
@settings(max_examples=5)
@given(data=st.data())
def test_every_event_reads_back_the_same(kind: Any, data: st.DataObject) -> None:
    event = data.draw(st.from_type(kind))
    assert read_event(write_event(event)) == event


@pytest.mark.parametrize("channel", ["lounge", "!abc:example.org", "a/b", "50%/%2F", "ü#é"])
def test_an_address_names_its_place(channel: str) -> None:
    place = Place("web", channel, "12")
    assert read_address(address(place)) == place
    assert read_address(channel_address(place)) == Place("web", channel)
    assert address(Place("web", "lounge", "")) == "web/lounge/"


def test_messages_of_one_cause_have_their_own_keys_which_stay_the_same() -> None:
    keys = [message_key("web:1", number) for number in range(50)]
    assert len(set(keys)) == 50
    assert keys[7] == message_key("web:1", 7)
    assert max(map(len, keys)) <= 25  # Discord's nonce holds no more


# --- what version 0.1 wrote -------------------------------------------------------------------------------
OLD_MESSAGE = (
    '{"key":"abcdefghijklmnopqrstuvwx","where":{"platform":"web","channel":"lounge","thread":"1"},'
    '"text":[{"strong":{"text":"Turn 1"}}," · ",{"person":{"platform":"web","id":"anna","name":"Anna"}},'
    '" (White) played ",'
    '{"code":{"text":"c7c5"}},".\\n",{"place":{"platform":"web","channel":"attic","thread":""}}," (",'
    '{"when":{"at":1800259320000}},")."],'
    '"only":{"platform":"web","id":"ben","name":"Ben"},'
    '"picture":{"game":"tokonoma","position":"f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w","viewer":null,"turn":"c7c5",'
    '"marks":[{"kind":"moved","sites":["c7","c5"],"side":"","piece":"","name":""}],"tokens":[["W","moon shell"]],'
    '"theme":"dark","alt":"Tokonoma. Black to move.","over":false,"size":0,"labels":"none"},'
    '"choices":[{"label":"Make the turn","command":"move 1 @2","blank":"For example c7c5"},'
    '{"label":"Call it out","command":"call 1 @1","blank":""}],'
    '"rings":[{"platform":"web","id":"ben","name":"Ben"}],'
    '"opening":[{"strong":{"text":"Match 1 · Tokonoma"}}," has begun."],'
    '"answers":"web:7","receipt":"r7","at":1800000120000}'
)


def test_what_a_message_does_not_say_is_not_stored() -> None:
    shown = Picture("tokonoma", "position", None, theme="dark")
    stored = write_message(OutgoingMessage("k", Place("web", "hall"), ("Hello.",), picture=shown))
    assert stored == (
        '{"key":"k","where":{"platform":"web","channel":"hall","thread":""},"text":["Hello."],'
        '"picture":{"game":"tokonoma","position":"position","viewer":null,"theme":"dark"}}'
    )


def test_a_message_of_the_last_version_is_read() -> None:
    anna, ben = Person("web", "anna", "Anna"), Person("web", "ben", "Ben")
    assert read_message(OLD_MESSAGE) == OutgoingMessage(
        "abcdefghijklmnopqrstuvwx",
        Place("web", "lounge", "1"),
        (Strong("Turn 1"), " · ", anna, " (White) played ", Code("c7c5"), ".\n", Place("web", "attic"), " (",
         Instant(1800259320000), ")."),
        only=ben,
        picture=Picture(
            "tokonoma", "f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w", None, "c7c5", (Mark("moved", ("c7", "c5")),),
            (("W", "moon shell"),), "dark", "Tokonoma. Black to move.",
        ),
        choices=(Button("Make the turn", "move 1 @2", "For example c7c5"), Button("Call it out", "call 1 @1")),
        rings=(ben,),
        opening=(Strong("Match 1 · Tokonoma"), " has begun."),
        answers="web:7",
        receipt="r7",
        at=1800000120000,
    )  # fmt: skip


def test_an_arrival_of_the_last_version_is_read() -> None:
    old = (
        '{"id":"web:1","who":{"platform":"web","id":"anna","name":"Anna"},'
        '"where":{"platform":"web","channel":"lounge","thread":""},"text":"help","at":5,"sent":0,"server":"room",'
        '"host":true,"receipt":""}'
    )
    message = IncomingMessage("web:1", Person("web", "anna", "Anna"), Place("web", "lounge"), "help", 5, server="room",
                              host=True)  # fmt: skip
    assert read_incoming(old) == message
    assert (
        write_incoming(message)
        == old[:-1]
        + ',"edits":"","editable":false,"addressed":false,"locale":"","server_locale":"","replies":null'
        + ',"bare":false,"form":"","hearsay":false}'
    )


def test_a_linked_place_keeps_the_name_under_which_it_is_stored() -> None:
    old = '{"event":"Housed","at":5,"by":"web:anna","place":"web/attic/"}'
    assert read_event(old) == PlaceLinked(5, "web:anna", "web/attic/")
    assert write_event(PlaceLinked(5, "web:anna", "web/attic/")) == old
