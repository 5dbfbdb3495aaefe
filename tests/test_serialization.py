"""Events and posts survive being written down and read back."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.messages.model import Choice, OutgoingMessage, Person, Picture, Place, Strong
from bot.messages.serialization import (
    EVENTS,
    lane,
    message_key,
    read_address,
    read_event,
    read_message,
    write_event,
    write_message,
)
from engine.diagram import Mark
from engine.text import Code, Instant

people = st.builds(Person, st.just("web"), st.text(min_size=1), st.text(min_size=1))
places = st.builds(Place, st.just("web"), st.just("lounge"), st.sampled_from(["", "12"]))
whens = st.builds(Instant, st.integers(0, 2**45))
spans = st.one_of(st.text(), people, places, st.builds(Code, st.text()), st.builds(Strong, st.text()), whens)
marks = st.builds(Mark, st.just("culprit"), st.tuples(st.text()))
pictures = st.builds(Picture, st.just("tokonoma"), st.text(), st.sampled_from(["W", None]), marks=st.tuples(marks))
choices = st.builds(Choice, st.text(), st.text())
posts = st.builds(
    OutgoingMessage,
    st.text(min_size=1),
    places,
    st.lists(spans).map(tuple),
    st.none() | people,
    st.none() | pictures,
    st.tuples(choices),
)


@settings(max_examples=50)
@given(posts)
def test_a_post_that_was_written_reads_back_the_same(post: OutgoingMessage) -> None:
    assert read_message(write_message(post)) == post


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
@settings(max_examples=5)
@given(data=st.data())
def test_every_event_reads_back_the_same(kind: Any, data: st.DataObject) -> None:
    event = data.draw(st.from_type(kind))
    assert read_event(write_event(event)) == event


@pytest.mark.parametrize("channel", ["lounge", "!abc:example.org", "a/b", "50%/%2F", "ü#é"])
def test_a_lane_names_its_place(channel: str) -> None:
    place = Place("web", channel, "12")
    assert read_address(lane(place)) == place
    assert lane(Place("web", "lounge", "")) == "web/lounge/"


def test_letters_of_one_cause_have_their_own_keys_which_stay_the_same() -> None:
    keys = [message_key("web:1", number) for number in range(50)]
    assert len(set(keys)) == 50
    assert keys[7] == message_key("web:1", 7)
    assert max(map(len, keys)) <= 25  # Discord's nonce holds no more
