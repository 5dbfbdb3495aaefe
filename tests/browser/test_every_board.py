"""What holds on the board of every game: arrows lead everywhere, a press may be long, an end can be shared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Browser, expect

from engine.games import GAMES
from tests.browser.conftest import PATIENCE, PHONE
from tests.browser.dragged import LOOSE, finger, held
from tests.browser.program import riposte, write
from tests.browser.test_the_board import begin, walk
from tests.browser.test_under_a_finger import middle

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser


REACHED = """async () => {
  const { nextPlace } = await import("/board/board.js");
  const places = [...document.querySelectorAll("svg.board .place-cell")];
  const cells = new Map(places.map((place) => {
    const { x, y, width, height } = place.getBoundingClientRect();
    const round = Boolean(place.querySelector("circle"));
    return [place.dataset.site, { site: place.dataset.site, x: x + width / 2, y: y + height / 2, round }];
  }));
  const lost = [];
  for (const from of cells.keys()) {
    const seen = new Set([from]);
    for (const site of seen)
      for (const way of ["Left", "Right", "Up", "Down"]) seen.add(nextPlace(cells, site, `Arrow${way}`));
    if (seen.size < cells.size) lost.push(`${from}: ${seen.size} of ${cells.size}`);
  }
  return lost;
}"""
"""From each place all others are walked to by the arrow keys, on the board as it is seen."""


async def test_arrows_lead_from_each_place_to_every_other_on_each_board(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        for number, game in enumerate(GAMES, 1):
            await write(anna, f"challenge @ben {game} umpire=friendly")
            await expect(ben.locator("#log .choices")).to_have_count(number)
            await write(ben, f"accept {number}")
            await expect(anna.locator(".opening")).to_have_count(number)
            await anna.evaluate("place => { location.hash = place }", f"lounge/{number}")
            await expect(anna.locator("#title")).to_have_text(GAMES[game].name)
            await anna.locator("svg.board").wait_for()
            for _ in GAMES[game].seats({}):
                assert await anna.evaluate(REACHED) == [], game
                await anna.get_by_role("button", name="Turn the board", include_hidden=True).evaluate(
                    "it => it.click()"
                )
            await anna.evaluate("location.hash = 'lounge'")
            await anna.locator(".opening").first.wait_for()


async def test_arrows_lead_along_what_is_offered(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben ironclad umpire=friendly side=white")
        for chip, offered in (("place", 63), ("robot", 6), ("place", 63)):
            await anna.locator(f'.picks [data-pick="{chip}"]').press("Enter")
            await expect(anna.locator(".place-cell.offered")).to_have_count(offered)
            await anna.locator('.place-cell[tabindex="0"]').focus()
            middle_of_them = anna.locator(".place-cell.offered").nth(offered // 2)
            site = str(await middle_of_them.get_attribute("data-site"))
            await walk(anna, site)  # from a point to a square, and from there to a point
            await anna.keyboard.press("Enter")
            await expect(anna.locator(f'[data-site="{site}"]')).to_have_attribute("aria-pressed", "true")
            while await anna.locator(".picks .back").count():
                await anna.locator(".picks .back").press("Enter")
                await anna.evaluate("() => new Promise((done) => setTimeout(done, 100))")


async def test_a_press_may_be_long(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        touch = await finger(anna)
        start, over = [(at["x"], at["y"]) for at in (await middle(anna, "e5"), await middle(anna, "d5"))]
        rest = (
            "() => new Promise((done) => setTimeout(done, 900))"  # longer than a browser takes a press for a long one
        )
        await touch("touchStart", start)
        await anna.evaluate(rest)
        await touch("touchMove", over)
        assert await anna.evaluate(LOOSE) == 1
        await anna.evaluate(rest)
        assert await anna.evaluate(LOOSE) == 1
        await touch("touchEnd")
        await expect(anna.locator(".play")).to_have_text("Play e5d5")
        await anna.locator(".picks .back").tap()
        await anna.locator(".picks .back").tap()
        await expect(anna.locator(".place-cell.held")).to_have_count(0)
        await touch("touchStart", start)
        await anna.evaluate(rest)
        await touch("touchEnd")
        await expect(anna.locator(".place-cell.held")).to_have_count(1)
        assert await held(anna) == ["e5"]
        assert await anna.evaluate("getSelection().toString()") == "", "no letter is marked under the finger"


async def test_a_finished_match_is_a_page_that_can_be_shared(enter: Enter, tmp_path: Path, browser: Browser) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await write(anna, "e5d5")
        await expect(ben.locator(".steps output")).to_have_text("1. e5d5")
        await write(ben, "c1a2")
        await expect(anna.locator(".steps output")).to_have_text("2. c1a2")
        await anna.locator("#table").get_by_role("button", name="Call it out").tap()
        await expect(anna.locator(".steps output")).to_have_text("1. e5d5")
        await write(anna, "note 1 my own secret")
        await write(ben, "say well played")
        await write(ben, "resign 1 yes")
        await expect(anna.locator(".result")).to_be_visible()
        await anna.get_by_label("More to do").tap()
        link = str(await anna.get_by_role("link", name="Open as a page of its own").get_attribute("href"))
        reader = await (await browser.new_context(viewport=PHONE, has_touch=True)).new_page()
        reader.set_default_timeout(PATIENCE)
        await reader.goto(link)
        await expect(reader.locator(".result")).to_have_text("Anna (White) wins by resignation.")
        await expect(reader.locator(".sides")).to_contain_text("Anna wins")
        told = [reader.locator(f'meta[property="og:{part}"]') for part in ("title", "description")]
        assert [await one.get_attribute("content") for one in told] == [
            "Tokonoma, match 1: Anna, Ben",
            "Anna (White) wins by resignation.",
        ]
        await reader.get_by_role("button", name="To the start").tap()
        await expect(reader.locator(".steps output")).to_have_text("Start")
        await reader.get_by_role("button", name="One step on").tap()
        await expect(reader.locator(".steps output")).to_have_text("1. e5d5")
        assert reader.url == f"{link}" or reader.url.endswith("/match/1")
        await reader.get_by_label("List of turns").tap()
        await reader.locator(".course .why").tap()
        await expect(reader.locator(".callout")).to_contain_text("c1a2 is untenable")
        said = await reader.content()
        assert "my own secret" not in said
        assert "well played" not in said
        assert await reader.locator(".place-cell.offered, .play, .picks button, #words").count() == 0


async def test_private_talk_looks_unlike_public_talk_and_the_first_link_leads_to_the_box(
    enter: Enter, tmp_path: Path
) -> None:
    async with riposte(tmp_path) as address:
        anna = await enter(address, "Anna")
        await anna.locator(".skip").focus()
        await expect(anna.locator(".skip")).to_be_in_viewport()
        await anna.keyboard.press("Enter")
        await expect(anna.locator("#words")).to_be_focused()
        await write(anna, "good evening to everybody here")
        await anna.get_by_role("button", name="Only to Riposte").press("Enter")
        await expect(anna.locator("#words")).to_have_attribute("data-hint", "Only Riposte will see this")
        await write(anna, "help")
        whisper, aloud = anna.locator(".message.whisper").first, anna.locator(".message:not(.whisper)").first
        await expect(whisper.locator(".only")).to_have_text("only you see this")
        await expect(aloud.locator(".only")).to_have_count(0)
        ground = "part => getComputedStyle(part).backgroundColor"
        assert await whisper.evaluate(ground) != await aloud.evaluate(ground)


NEARLY_JOINED = (
    "rW: A1=1 / rB: F6=1 / sW: a3 g5 / sB: a4 b4 c4 e4 f4 g4 / last: - / mode: full / owner: B / half: - / to: B"
)


async def test_the_stone_that_has_won_is_ringed_as_won_like_its_string(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, f'challenge @ben ironclad umpire=refuse side=black start="{NEARLY_JOINED}"')
        await write(anna, "d4")
        await expect(anna.locator(".board .mark.won")).not_to_have_count(0)
        topmost = await anna.evaluate(
            """() => {
              const top = new Map();
              for (const mark of document.querySelectorAll("svg.board .mark:not(.casing *)"))
                top.set(`${mark.getAttribute("cx")} ${mark.getAttribute("cy")}`, mark.getAttribute("class"));
              return [...top.values()];
            }"""
        )
        assert topmost == ["mark won"] * 7
