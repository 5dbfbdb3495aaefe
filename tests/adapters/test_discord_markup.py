"""What is written for Discord stays what was meant, and within every limit of the platform."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.discord import limits
from bot.adapters.discord.interactions.buttons import Signer, view_of
from bot.adapters.discord.interactions.forms import form
from bot.adapters.discord.markup import render, split
from bot.messages.model import Choice, OutgoingMessage, Page, Person, Place, Span, Strong
from engine.text import Code, Instant
from tests.test_conversations import CONVERSATIONS, replayed

ANNA = Person("discord", "11", "Anna")
BEN = Person("discord", "22", "B*n_")
SIGNER = Signer(b"key")


# --- words --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("spans", "markup"),
    [
        (("a *b* _c_ ~~d~~ ||e|| `f`",), r"a \*b\* \_c\_ \~\~d\~\~ \|\|e\|\| \`f\`"),
        (
            ("# no heading\n> no quotation\n- no list\n12. no list",),
            "\\# no heading\n\\> no quotation\n\\- no list\n12\\. no list",
        ),
        (("[here](https://x.example)",), r"\[here](https\://x.example)"),
        (("<@11> <#5> <t:1:R> :smile:",), r"\<@11> \<#5> \<t\:1:R> \:smile:"),
        (("@everyone @here @anna",), "@\u200beveryone @\u200bhere @anna"),
        ((Strong("1*"), " x"), r"**1\*** x"),
        ((Code("a`b"),), "`` a`b ``"),
        ((Code("a``b"),), "`a\u02cb\u02cbb`"),
        ((Code("one\ntwo"), "after"), "```\none\ntwo\n```\nafter"),
        (("before ", Code("x```\ny")), "before \n```\nx\u02cb\u02cb\u02cb\ny\n```"),
        ((Instant(1_800_000_000_999),), "<t:1800000000:R>"),
        (("Here: ", Page("https://x.example/enter#a_b")), "Here: <https://x.example/enter#a_b>"),
        ((Place("discord", "5"), " and ", Place("matrix", "!x:y", "3")), "<#5> and match 3 on matrix"),
    ],
)
def test_a_text_is_read_as_it_was_meant(spans: tuple[Span, ...], markup: str) -> None:
    assert render(spans, links={Place("discord", "5"): "5"}) == markup


def test_who_is_rung_is_mentioned_once_and_everybody_else_is_named() -> None:
    spans = (ANNA, " beats ", BEN, "; ", BEN, " is to move")
    assert render(spans) == r"Anna beats B\*n\_; B\*n\_ is to move"
    assert render(spans, (BEN,)) == r"Anna beats B\*n\_; <@22> is to move"
    assert render(("Wake up.",), (BEN,)) == "Wake up. <@22>"
    assert render((Person("discord", "33", "33"),)) == "<@33>", "whom we have never met, Discord can name"
    assert render((Person("matrix", "@x:y", "Xaver"),), (Person("matrix", "@x:y", "Xaver"),)) == "Xaver"


NOT_MARKUP = re.compile(r"\\[^0-9A-Za-z\s]|```.*?```|(`+)(?!`).*?[^`]\1(?!`)", re.DOTALL)


def in_the_open(markup: str) -> str:
    """What stands outside of code and escapes, as Discord reads it: from left to right."""
    return NOT_MARKUP.sub("x", markup)


TRICKS = st.lists(
    st.sampled_from(
        ["*", "_", "`", "``", "```", "~~", "||", "<@11>", "@everyone", "@here", "[x](http://y)", "\\", "\n", "# ", "> ",
         "- ", "-# ", "1. ", "\u202e", "\u2028", " ", "a", "<t:1:R>", "http://x", ":x:"]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@given(TRICKS, TRICKS)
def test_nothing_that_people_write_leaves_its_place(plain: str, code: str) -> None:
    markup = render((plain, Code(code), Strong(plain), Person("discord", "1", plain), Code(code)))
    open_ = in_the_open(markup).replace("**", "x")
    assert not re.search(r"[*_`~|\[<]|@everyone|@here|https?://|(?m:^\s*(?:#{1,3} |>+ |-# |[-+] |\d+\. ))", open_)
    assert "\u202e" not in markup


# --- length -------------------------------------------------------------------------------------------------
@given(st.lists(st.tuples(TRICKS, st.integers(0, 300), st.booleans()), max_size=30))
def test_a_long_text_is_cut_into_parts_that_fit_and_close_what_they_open(pieces: list[tuple[str, int, bool]]) -> None:
    spans = [Code(text * n + "\n") if code else text * n + "\n" for text, n, code in pieces]
    markup = render(spans)
    parts = split(markup)
    for part in parts:
        assert limits.length(part) <= limits.CONTENT
        assert part.split("\n").count("```") % 2 == 0
    joined = "\n".join(parts).replace("```", "")
    assert "".join(joined.split()) == "".join(markup.replace("```", "").split())


def test_a_text_of_many_lines_is_cut_at_line_breaks() -> None:
    lines = [f"line {n} of a long answer" for n in range(200)]
    parts = split("\n".join(lines))
    assert len(parts) == 3
    assert "\n".join(parts).split("\n") == lines


def test_emoji_count_as_the_strictest_reader_counts_them() -> None:
    assert limits.length("\U0001f600") == 2
    assert limits.cut("\U0001f600" * 50, 11) == "\U0001f600" * 5 + "\u2026"


# --- every text of ours -------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", CONVERSATIONS, ids=[path.stem for path in CONVERSATIONS])
async def test_whatever_the_bot_says_fits(path: Path, tmp_path: Path) -> None:
    room = await replayed(path.read_text("utf-8"), tmp_path)
    assert room.posts
    for post in room.posts:
        post_fits(post)


def post_fits(post: OutgoingMessage) -> None:
    view = view_of(post.choices, SIGNER)
    limits.check("message", {"components": view.to_components() if view else [], "nonce": post.key + "Z"})
    for part in [*split(render(post.text, post.rings)), *split(render(post.opening))]:
        limits.check("message", {"content": part})
        assert in_the_open(part).count("**") % 2 == 0
    if post.picture is not None:
        limits.check_file(b"", limits.cut(post.picture.alt, limits.ALT))
    for choice in post.choices:
        if choice.blank:
            limits.check("modal", form(choice.command, choice.blank, SIGNER).to_dict())


# --- the door -----------------------------------------------------------------------------------------------
def button(**more: Any) -> dict[str, Any]:
    return {"type": 2, "custom_id": "a", "label": "A", **more}


def rows(*inside: dict[str, Any]) -> dict[str, Any]:
    return {"components": [{"type": 1, "components": list(inside)}]}


def menu(*values: str) -> dict[str, Any]:
    return {"type": 3, "custom_id": "m", "options": [{"label": value, "value": value} for value in values]}


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("message", {"content": "x" * 2001}),
        ("message", {"content": "\U0001f600" * 1001}),
        ("message", {"nonce": "x" * 26}),
        ("message", {"attachments": [{}] * 11}),
        ("message", {"attachments": [{"description": "x" * 1025}]}),
        ("message", {"allowed_mentions": {"users": list(range(101))}}),
        ("message", {"components": [rows(button())["components"][0]] * 6}),
        ("message", rows(*(button(custom_id=str(n)) for n in range(6)))),
        ("message", rows()),
        ("message", rows(button(), button())),
        ("message", rows(button(label="x" * 81))),
        ("message", rows(button(label=""))),
        ("message", rows(button(custom_id="x" * 101))),
        ("message", rows(menu(), button())),
        ("message", rows(menu(*map(str, range(26))))),
        ("message", rows(menu("a", "a"))),
        ("message", rows(menu("x" * 101))),
        ("modal", {"title": "x" * 46, "custom_id": "a", "components": rows(button())["components"]}),
        ("modal", {"title": "T", "custom_id": "a", "components": []}),
        ("modal", {"title": "T", "custom_id": "a",
                   "components": rows({"type": 4, "custom_id": "l", "label": "x" * 46})["components"]}),
        ("thread", {"name": "x" * 101}),
        ("thread", {"name": ""}),
        ("commands", [{"name": f"c{n}", "description": "d"} for n in range(101)]),
        ("commands", [{"name": "c", "description": "d"}] * 2),
        ("commands", [{"name": "c" * 33, "description": "d"}]),
        ("commands", [{"name": "c", "description": "d" * 101}]),
        ("commands", [{"name": "c", "description": "d",
                       "options": [{"name": f"o{n}", "description": "d"} for n in range(26)]}]),
        ("commands", [{"name": "c", "description": "d", "options": [
            {"name": "a", "description": "d"}, {"name": "b", "description": "d", "required": True}]}]),
        ("choices", [{"name": str(n), "value": str(n)} for n in range(26)]),
        ("choices", [{"name": "x" * 101, "value": "x"}]),
    ],
)  # fmt: skip
def test_what_discord_would_refuse_is_not_even_sent(kind: limits.Kind, payload: Any) -> None:
    with pytest.raises(limits.LimitExceeded):
        limits.check(kind, payload)


def test_a_file_that_is_too_large_is_not_sent() -> None:
    limits.check_file(bytes(limits.FILE_SIZE), "x" * 1024)
    with pytest.raises(limits.LimitExceeded):
        limits.check_file(bytes(limits.FILE_SIZE + 1), "")
    with pytest.raises(limits.LimitExceeded):
        limits.check_file(b"", "x" * 1025)


@pytest.mark.parametrize("count", [1, 5, 6, 25, 26, 125])
def test_any_number_of_choices_fits(count: int) -> None:
    choices = [Choice(f"{n} " + "x" * 200, f"move 123456789 @{n} somewhere", "?" * (n % 2)) for n in range(count)]
    view = view_of(choices, SIGNER)
    assert view is not None
    limits.check("message", {"components": view.to_components()})
