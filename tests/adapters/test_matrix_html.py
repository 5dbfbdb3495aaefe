"""What the bot says on Matrix: nothing written by people leaves its place, and the plain words suffice."""

import json
from html.parser import HTMLParser

import nh3
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.matrix.events.content import Setting, content, opening
from bot.adapters.matrix.events.html import CUT, LARGEST, Wording, formatted, html, name_of, plain, weight, when
from bot.messages.catalogue import language
from bot.messages.model import OutgoingMessage, Page, Person, Place, Span, Strong
from engine.text import Code, Instant, Text

NOON = 1_763_762_400_000
"""21 November 2025, 22:00 UTC."""
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
ANNA = Person("matrix", "@anna:example.org", "Anna")
BEN = Person("discord", "1234", "Ben")

TAGS = """
    del h1 h2 h3 h4 h5 h6 blockquote p a ul ol sup sub li b i u strong em s code hr br div table thead tbody tr th td
    caption pre span img details summary
"""
"""The tags that the specification tells clients to show, and their attributes."""
ATTRIBUTES = {
    "a": {"target", "href"},
    "img": {"width", "height", "alt", "title", "src"},
    "ol": {"start"},
    "code": {"class"},
    "span": {"data-mx-bg-color", "data-mx-color", "data-mx-spoiler", "data-mx-maths"},
    "div": {"data-mx-maths"},
}

NASTY = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="<>&\"'`/\n\r\t \u00a0\u202e\u2066\u2069\u200b\u200d\u0301\0@:#!ab", max_size=40),
    st.sampled_from(
        [
            "</code></pre><script>alert(1)</script>",
            '"><img src=x onerror=alert(1)>',
            "javascript:alert(1)",
            "&lt;b&gt;&#x3c;",
            "<!--",
            "]]>",
            "</details><a href='javascript:x'>",
        ]
    ),
)
PEOPLE = st.builds(
    Person, st.sampled_from(["matrix", "discord"]), st.one_of(NASTY, NASTY.map(lambda x: f"@{x}:b")), NASTY
)
SPANS = st.lists(
    st.one_of(
        NASTY,
        PEOPLE,
        st.builds(Place, st.sampled_from(["matrix", "web"]), st.one_of(NASTY, NASTY.map(lambda x: f"!{x}")), NASTY),
        st.builds(Code, NASTY),
        st.builds(Strong, NASTY),
        st.builds(Page, st.just("https://x.example/enter#a_b")),
        st.builds(Instant, st.integers(0, 4_000_000_000_000)),
    ),
    max_size=6,
)


def clean(text: str) -> str:
    """The HTML that a careful client shows."""
    return nh3.clean(text, tags=set(TAGS.split()), attributes=ATTRIBUTES, url_schemes={"https"}, link_rel=None)


class Reader(HTMLParser):
    """The words of HTML, as a reader sees them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words, self.tags = "", []
        self.feed(text)
        self.close()

    def handle_data(self, data: str) -> None:
        self.words += data

    def handle_starttag(self, tag: str, attributes: object) -> None:
        self.tags.append(tag)
        self.words += "\n" if tag == "br" else ""


@given(SPANS, NASTY, st.lists(PEOPLE, max_size=3))
def test_clients_need_to_strip_nothing_and_no_word_becomes_a_tag(
    spans: list[Span], alt: str, rings: list[Person]
) -> None:
    made = formatted(spans, NOON, rings=rings, alt=alt)
    shown = made["formatted_body"]
    assert clean(shown) == shown
    tags = Reader(shown).tags
    assert tags.count("code") <= sum(isinstance(span, Code) for span in spans)
    assert tags.count("strong") <= sum(isinstance(span, Strong) for span in spans)
    assert tags.count("a") <= sum(isinstance(span, Person | Place | Page) for span in spans)
    assert tags.count("details") == bool(alt and "details" in tags)
    assert set(tags) <= {"a", "br", "code", "details", "pre", "strong", "summary"}
    for invisible in "\u202a\u202b\u202d\u202e\u2066\u2067\u200b\u200e\u200f\0":
        assert invisible not in shown
        assert invisible not in made["body"]
    for text in (shown, made["body"]):
        assert text.count("\u2068") == text.count("\u2069")
    json.dumps(made).encode()


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"]), max_size=60))
def test_words_are_read_as_they_were_written(text: str) -> None:
    text = text.strip()
    assert Reader(html((text,), NOON)).words == plain((text,), NOON) == text
    assert Reader(html((Strong(text),), NOON)).words == text
    if text:
        assert Reader(html((Code(text),), NOON)).words == text
        assert plain((Code(text),), NOON) == f"`{text}`"


def test_people_are_pills_where_they_live_and_names_elsewhere() -> None:
    spans = (ANNA, " challenges ", BEN, ".")
    anna = '<a href="https://matrix.to/#/@anna:example.org">\u2068Anna\u2069</a>'
    assert html(spans, NOON) == f"{anna} challenges \u2068Ben\u2069."
    assert plain(spans, NOON) == "\u2068Anna\u2069 challenges \u2068Ben\u2069."
    odd = Person("matrix", "@a/b?c=d#e%:example.org", "Odd")
    assert '"https://matrix.to/#/@a%2Fb%3Fc%3Dd%23e%25:example.org"' in html((odd,), NOON)


def test_only_who_is_rung_is_mentioned() -> None:
    assert formatted((ANNA, ": your turn"), NOON)["m.mentions"] == {}
    rung = formatted((ANNA, ": your turn"), NOON, rings=(ANNA, BEN, ANNA))
    assert rung["m.mentions"] == {"user_ids": ["@anna:example.org"]}
    assert formatted(("@room",), NOON)["m.mentions"] == {}


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("\u202eevil\u202c", "\u2068evil\u2069"),
        ("  two\n lines\t", "\u2068two lines\u2069"),
        ("x" * 100, "\u2068" + "x" * 32 + "…\u2069"),
        ("Z" + "\u0301" * 50, "\u2068Z" + "\u0301" * 3 + "…\u2069"),
        ("\u2067\u200b", "@id:b"),
        ("\u0634\u0637\u0631\u0646\u062c", "\u2068\u0634\u0637\u0631\u0646\u062c\u2069"),
    ],
)
def test_names_are_short_and_keep_to_themselves(name: str, shown: str) -> None:
    assert name_of(Person("matrix", "@id:b", name)) == shown


def test_notation_of_several_lines_is_a_block_without_empty_lines_around() -> None:
    spans = ("You may paste:\n", Code("a1-b2\nc3-d4"), "\nThen say ", Code("!riposte ok"), ".")
    block = "<pre><code>a1-b2\nc3-d4</code></pre>"
    assert html(spans, NOON) == f"You may paste:{block}Then say <code>!riposte ok</code>."
    assert plain(spans, NOON) == "You may paste:\na1-b2\nc3-d4\nThen say `!riposte ok`."
    assert html((Code(" \n"),), NOON) == ""


def test_rooms_are_linked_to() -> None:
    room = Place("matrix", "!abc:example.org")
    assert html((room,), NOON) == '<a href="https://matrix.to/#/!abc:example.org">that room</a>'
    assert plain((room,), NOON) == "https://matrix.to/#/!abc:example.org"
    assert html((Place("web", "lounge"),), NOON) == "#lounge"


@pytest.mark.parametrize(
    ("ahead", "shown"),
    [
        (3 * DAY, "in 3 days, 24 Nov 22:00 UTC"),
        (3 * DAY - 200, "in 3 days, 24 Nov 21:59 UTC"),
        (36 * HOUR, "in 36 hours, 23 Nov 10:00 UTC"),
        (90 * MINUTE, "in 90 minutes, 21 Nov 23:30 UTC"),
        (MINUTE, "in 1 minute, 21 Nov 22:01 UTC"),
        (10_000, "now, 21 Nov 22:00 UTC"),
        (-5 * MINUTE, "5 minutes ago, 21 Nov 21:55 UTC"),
        (60 * DAY, "in 60 days, 20 Jan 2026 22:00 UTC"),
    ],
)
def test_an_instant_is_told_for_all_time_zones(ahead: int, shown: str) -> None:
    assert when(NOON + ahead, NOON) == shown
    assert html((Instant(NOON + ahead),), NOON) == plain((Instant(NOON + ahead),), NOON) == shown


def test_a_position_in_words_is_folded_away_and_plain_in_the_body() -> None:
    made = formatted(("White to move.",), NOON, alt="White: an arm on b3 & c4.\nBlack: none.")
    assert made["body"] == "White to move.\n\nWhite: an arm on b3 & c4.\nBlack: none."
    assert made["formatted_body"] == (
        "White to move.<br><details><summary>The position in words</summary><br>"
        "White: an arm on b3 &amp; c4.<br>Black: none.</details>"
    )


@settings(max_examples=30)
@given(st.lists(st.one_of(st.text("ab<&\n\0€😀", max_size=50).map(lambda x: x * 300), PEOPLE), max_size=6), st.data())
def test_what_is_too_long_is_cut_and_says_so(long: list[Span], data: st.DataObject) -> None:
    kinds = [data.draw(st.sampled_from([str, Code, Strong])) if isinstance(span, str) else None for span in long]
    spans = [kind(span) if kind else span for kind, span in zip(kinds, long, strict=True)]
    made = formatted(spans, NOON, alt="x & y" * data.draw(st.integers(0, 8000)))
    assert weight(made) <= LARGEST
    assert clean(made["formatted_body"]) == made["formatted_body"]
    whole = formatted(spans, NOON, most=10**9)
    if weight(whole) > LARGEST:
        assert str(CUT) in made["body"]
        assert str(CUT) in made["formatted_body"]
        assert weight(made) > LARGEST // 3 or len(spans) > 1


def test_the_adapter_s_own_words_are_put_in_the_readers_language() -> None:
    def bracketed(text: Text) -> str:
        return f"[{text}]"

    wording = Wording(bracketed, instant=lambda at, now: f"<{at - now}>")
    match = Place("matrix", "!abc:example.org", "12")
    begun = opening(OutgoingMessage("k1", match, ("Yours.",)), NOON, wording)
    assert begun["body"] == "[Match 12 goes on here.]"
    private = OutgoingMessage("k2", match, ("Due ", Instant(NOON + 5), "."), only=ANNA)
    made = content(private, Setting("!riposte", free=True, wording=wording), picture=None, now=NOON)
    assert made["body"] == "[Match 12.] Due <5>."
    assert made["formatted_body"].startswith("<strong>[Match 12.]</strong> Due &lt;5&gt;.")
    long = formatted(("x" * 100, Place("matrix", "!abc:example.org")), NOON, alt="y" * LARGEST, wording=wording)
    assert long["body"].split("\n\n")[0].endswith(f"… [{CUT}]")
    folded = formatted(("x",), NOON, alt="White.", wording=wording)["formatted_body"]
    assert "<summary>[The position in words]</summary>" in folded
    assert ">[that room]</a>" in html((Place("matrix", "!abc:example.org"),), NOON, wording)


@pytest.mark.parametrize("span", [60_000, 5_400_000, 3 * 86_400_000, 400 * 86_400_000, -86_400_000, -3 * 86_400_000])
def test_an_instant_in_another_language_says_what_the_english_one_says(span: int) -> None:
    now = 1_800_000_000_000
    assert language("xx").instant(now + span, now) == when(now + span, now)
