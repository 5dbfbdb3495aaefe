"""What counts as said to the bot on Matrix, whoever sends whatever JSON."""

import random
from typing import Any

import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from bot.adapters.matrix.events.addressing import Addressing, addressed
from bot.adapters.matrix.events.content import signs
from bot.adapters.matrix.events.reading import Message, Press, shown, understood
from bot.commands.parser import HELLO

BOT, ANNA, BEN = "@riposte:example.org", "@anna:example.org", "@ben:club.example"
ADDRESSING = Addressing(BOT, "!riposte", ("@_discord_*:example.org", "@otherbot:example.org"))


def event(body: Any = "hello", kind: str = "m.room.message", **content: Any) -> dict[str, Any]:
    said = {"msgtype": "m.text", "body": body} if kind == "m.room.message" else {}
    return {"type": kind, "event_id": "$1", "sender": ANNA, "content": said | content}


def told(body: str, **content: Any) -> Message:
    message = understood(event(body, **content))
    assert isinstance(message, Message)
    return message


def meant(body: str, *, alone: bool = False, match: bool = False, replied: bool = False, **content: Any) -> str | None:
    return ADDRESSING.meant(told(body, **content), alone=alone, match=match, replied=replied, name="Riposte Bot")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("!riposte help", "!help"),
        ("!RIPOSTE  matches all", "!matches all"),
        ("!riposte: 12: c7c5", "12: c7c5"),
        ("!riposte", "!hello"),
        ("!ripostehelp", None),
        ("!challenge @ben tokonoma", "!challenge @ben tokonoma"),
        ("!help", None),
        ("!weather", None),
        ("Riposte Bot: matches", "!matches"),
        ("riposte, hello there", "!hello"),
        ("riposte, well done", "!well done"),
        ("riposte matches", "!matches"),
        ("riposte is fun", None),
        (f"{BOT} games", "!games"),
        ("help", None),
        ("c7c5", None),
        ("look at !riposte help", None),
    ],
)
def test_in_a_room_with_others_one_calls_the_bot_first(body: str, text: str | None) -> None:
    assert meant(body) == text


def test_who_is_alone_with_the_bot_or_in_a_matchs_thread_just_speaks() -> None:
    assert meant("help", alone=True) == "help"
    assert meant("c7c5", match=True) == "c7c5"
    assert meant("!riposte c7c5", match=True) == "c7c5", "a sign in front would be part of the turn"
    assert meant("accept", replied=True) == "accept"
    assert meant("well played", replied=True) == "well played", "talk, for the service to leave alone"


def test_a_mention_anywhere_calls_the_bot() -> None:
    pill = {"formatted_body": f'<a href="https://matrix.to/#/{BOT}">Riposte Bot</a>: games', "format": "x"}
    assert meant("Riposte Bot: games", **pill) == "!games"
    assert meant("any games, Riposte Bot?", **{"m.mentions": {"user_ids": [BOT]}}) == "any games, Riposte Bot?"
    assert meant("hello Riposte Bot!", **{"m.mentions": {"user_ids": [BOT]}}) == f"!{HELLO}"
    assert meant(f"hello {BOT}!", **{"m.mentions": {"user_ids": [BOT]}}) == f"!{HELLO}"
    assert meant("[Riposte Bot](https://matrix.to/#/%40riposte%3Aexample.org) games") == "!games"


def test_a_room_may_have_a_prefix_of_its_own() -> None:
    assert ADDRESSING.meant(told("!r help"), alone=False, match=False, replied=False, prefix="!r") == "!help"
    assert ADDRESSING.meant(told("!riposte help"), alone=False, match=False, replied=False, prefix="!r") is None


@pytest.mark.parametrize(
    "content",
    [
        {"msgtype": "m.notice"},
        {"msgtype": "m.emote"},
        {"msgtype": "m.image"},
        {"msgtype": ["m.text"]},
        {"m.relates_to": {"rel_type": "m.replace", "event_id": "$0"}},
        {
            "m.relates_to": {"rel_type": "m.replace", "event_id": "$0"},
            "m.new_content": {"msgtype": "m.notice", "body": "x"},
        },
        {
            "m.relates_to": {"rel_type": "m.replace", "event_id": ["$0"]},
            "m.new_content": {"msgtype": "m.text", "body": "x"},
        },
        {"m.new_content": {"body": "!riposte help"}},
        {"external_url": "https://elsewhere.example"},
        {"com.beeper.per_message_profile": {"displayname": "Somebody"}},
        {"body": None},
        {"body": {"a": 1}},
    ],
)
def test_notices_pictures_halves_of_edits_and_what_bridges_relay_are_never_commands(content: dict[str, Any]) -> None:
    assert understood(event(**{"body": "!riposte help"} | content)) is None


def test_other_bots_ranges_of_bridges_and_the_bot_itself_are_never_heard() -> None:
    assert [ADDRESSING.hears(user) for user in (ANNA, BEN)] == [True, True]
    assert not any(ADDRESSING.hears(user) for user in (BOT, "@otherbot:example.org", "@_discord_12:example.org"))


def test_what_a_client_quotes_above_a_reply_is_not_said_again() -> None:
    reply = {"m.relates_to": {"m.in_reply_to": {"event_id": "$0"}}}
    message = told(f"> <{BEN}> !riposte resign 1 yes\n> sure\n\naccept", **reply)
    assert (message.text, message.answers) == ("accept", "$0")
    assert told("> not a reply").text == "> not a reply"


def test_an_edit_says_of_what_it_is_a_new_version() -> None:
    relation = {"rel_type": "m.replace", "event_id": "$0"}
    new = {"msgtype": "m.text", "body": "c7c5"}
    message = told("* c7c5", **{"m.relates_to": relation, "m.new_content": new})
    assert (message.text, message.edits, message.root, message.answers) == ("c7c5", "$0", "", "")


def test_a_thread_is_known_and_its_fallback_is_no_reply() -> None:
    thread = {"rel_type": "m.thread", "event_id": "$root", "m.in_reply_to": {"event_id": "$0"}}
    message = told("c7c5", **{"m.relates_to": thread | {"is_falling_back": True}})
    assert (message.root, message.answers) == ("$root", "")
    assert told("c7c5", **{"m.relates_to": thread}).answers == "$0"


@pytest.mark.parametrize(("key", "number"), [("1\ufe0f\u20e3", 1), ("1\u20e3", 1), ("9\ufe0f\u20e3", 9)])
def test_a_keycap_presses_the_button_of_that_number(key: str, number: int) -> None:
    relation = {"rel_type": "m.annotation", "event_id": "$0", "key": key}
    assert understood(event(kind="m.reaction", **{"m.relates_to": relation})) == Press(
        "$1", ANNA, "$0", f"{number}\u20e3"
    )


@pytest.mark.parametrize(
    ("key", "answer"), [("👍", "✅"), ("👍🏿", "✅"), ("✅", "✅"), ("✔️", "✅"), ("👎", "❌"), ("❌", "❌")]
)
def test_a_thumb_answers_an_offer(key: str, answer: str) -> None:
    relation = {"rel_type": "m.annotation", "event_id": "$0", "key": key}
    assert understood(event(kind="m.reaction", **{"m.relates_to": relation})) == Press("$1", ANNA, "$0", answer)


def test_an_offer_is_answered_by_signs_and_all_else_by_numbers() -> None:
    assert signs(["accept 1 @3 draw", "decline 1 @3 draw"]) == ["✅", "❌"]
    assert signs(["call 1 @3", "accept 1", "decline 1"]) == ["1\ufe0f\u20e3", "✅", "❌"]
    two = ["accept 1 draw", "decline 1 draw", "accept 1 takeback", "decline 1 takeback"]
    assert signs(two) == [f"{number}\ufe0f\u20e3" for number in (1, 2, 3, 4)], "one sign would mean either"


@pytest.mark.parametrize("key", ["0\ufe0f\u20e3", "🎉", "1", "", "\ufe0f", 1, None, ["1\u20e3"]])
def test_other_reactions_press_nothing(key: object) -> None:
    relation = {"rel_type": "m.annotation", "event_id": "$0", "key": key}
    assert understood(event(kind="m.reaction", **{"m.relates_to": relation})) is None


def test_people_are_named_as_a_challenge_understands_it() -> None:
    members = {"ben": BEN, "anna": "", ANNA: ANNA, "@anna:club.example": "@anna:club.example"}

    def written(text: str) -> str:
        return addressed(text, members, "example.org")

    assert written("challenge @ben tokonoma") == f"challenge @matrix:{BEN} tokonoma"
    assert written("challenge @Ben, tokonoma") == f"challenge @matrix:{BEN}, tokonoma"
    assert written(f"challenge {ANNA} tokonoma") == f"challenge @matrix:{ANNA} tokonoma"
    assert written("challenge @zoe:other.example") == "challenge @matrix:@zoe:other.example"
    assert written("challenge @anna tokonoma") == "challenge @anna tokonoma", "there are two"
    assert written("challenge @discord:1234 veney") == "challenge @discord:1234 veney", "somebody elsewhere"
    assert written(f"challenge @matrix:{BEN} veney") == f"challenge @matrix:{BEN} veney"
    assert written("accept 12 @3") == "accept 12 @3"
    assert written("mail anna@example.org") == "mail anna@example.org"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Anna", "Anna"),
        ("  An\u202ena\n\tB ", "Anna B"),
        ("\u200b", "anna"),
        (None, "anna"),
        (["Anna"], "anna"),
        ("x" * 100, "x" * 32),
    ],
)
def test_names_are_shown_without_tricks(name: object, said: str) -> None:
    assert shown(name, ANNA) == said


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=300)
@examples(st.data())
def test_any_json_in_any_field_is_borne(data: st.DataObject) -> None:
    whole = event("!riposte help", kind=data.draw(st.sampled_from(["m.room.message", "m.reaction"])))
    whole["content"]["m.relates_to"] = {"rel_type": "m.thread", "event_id": "$0", "key": "1\u20e3"}
    whole["content"]["m.relates_to"]["m.in_reply_to"] = {"event_id": "$0"}
    whole["content"]["m.mentions"] = {"user_ids": [BOT]}
    spots: list[tuple[Any, Any]] = [(whole, key) for key in whole]
    content = whole["content"]
    spots += [(content, key) for key in (*content, "formatted_body", "format")]
    spots += [(content["m.relates_to"], key) for key in (*content["m.relates_to"], "is_falling_back")]
    spots += [(content["m.relates_to"]["m.in_reply_to"], "event_id"), (content["m.mentions"], "user_ids")]
    place, key = data.draw(st.sampled_from(spots))
    place[key] = data.draw(JSON)
    found = understood(whole)
    if isinstance(found, Message):
        text = ADDRESSING.meant(found, alone=False, match=False, replied=False, name="R")
        assert text is None or isinstance(addressed(text, {}, "example.org"), str)


def test_no_markup_takes_long_to_read() -> None:
    luck = random.Random(7)
    pieces = [
        "<a ",
        'href="',
        "https://matrix.to/#/@a:b",
        '">',
        "</a>",
        "[",
        "](",
        ")",
        "@",
        "<",
        ">",
        "> ",
        "\n",
        "x" * 50,
    ]
    for _ in range(50):
        text = "".join(luck.choices(pieces, k=3000))
        message = told(text, formatted_body=text, **{"m.mentions": {"user_ids": [BOT]}})
        ADDRESSING.meant(message, alone=True, match=False, replied=False)
        addressed(message.text, {}, "example.org")
