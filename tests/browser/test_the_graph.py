"""How the sides of a finished match stood, as a graph on the page that one walks along by keys and taps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import Browser, Page, expect

from engine.games import GAMES
from engine.search.course import standings
from tests.browser.conftest import DESKTOP, PATIENCE
from tests.browser.dragged import finger
from tests.browser.program import riposte, write
from tests.browser.screens import FAULTS
from tests.browser.test_accessible import sound
from tests.browser.test_under_a_finger import begin

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

TURNS = ("c7c5", "c1c3", "c5b4", "a1a2", "e5d5", "e1e2")


async def played(pages: tuple[Page, Page]) -> None:
    """Some turns, each seen by both before the next."""
    for number, turn in enumerate(TURNS, 1):
        await write(pages[(number - 1) % 2], turn)
        for page in pages:
            await expect(page.locator(".steps output")).to_have_text(f"{number}. {turn}")


async def test_a_match_has_its_graph_once_nothing_can_be_called(enter: Enter, browser: Browser, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben", phone=True)
        await ben.emulate_media(color_scheme="dark")
        await write(anna, "challenge @ben tokonoma umpire=friendly side=white")
        await ben.get_by_role("button", name="Accept", exact=True).tap()
        for page in (anna, ben):
            await page.locator(".opening").click()
            await expect(page.locator("svg.board")).to_be_visible()
        await played((anna, ben))
        for page in (anna, ben):
            await expect(page.locator(".graph")).to_have_count(0)
        await write(ben, "resign yes")
        reader = await (await browser.new_context(viewport=DESKTOP)).new_page()
        reader.set_default_timeout(PATIENCE)
        await reader.goto(f"{address}match/1")
        for page in (anna, ben, reader):
            graph = page.get_by_role("slider", name="How the sides stood, from turn to turn")
            await expect(graph).to_be_visible()
            await expect(graph).to_have_attribute("aria-valuenow", str(len(TURNS)))
            await sound(page)
            await by_keys(page, TURNS)
            await by_taps(page)


async def by_keys(page: Page, turns: tuple[str, ...]) -> None:
    graph, said = page.locator(".graph"), page.locator(".steps output")
    await graph.focus()
    for key, turn in (("Home", "Start"), ("ArrowRight", f"1. {turns[0]}"), ("ArrowUp", f"2. {turns[1]}")):
        await page.keyboard.press(key)
        await expect(said).to_have_text(turn)
        await expect(graph).to_be_focused()
    assert (await graph.get_attribute("aria-valuetext") or "").startswith(f"2. {turns[1]} · ")
    await page.keyboard.press("End")
    await expect(graph).to_have_attribute("aria-valuenow", await graph.get_attribute("aria-valuemax") or "")


async def by_taps(page: Page) -> None:
    graph, said = page.locator(".graph"), page.locator(".steps output")
    box = await graph.bounding_box()
    assert box is not None
    assert box["height"] >= 44, "a finger hits it"
    for step in (3, 1):
        await graph.click(position={"x": box["width"] * step / len(TURNS), "y": 10})
        await expect(said).to_have_text(f"{step}. {TURNS[step - 1]}")


PLACES = """() => ["svg.board", ".graph", ".steps"].flatMap((part) => {
  const { x, y, width, height } = document.querySelector(part)?.getBoundingClientRect() ?? {};
  return [x, y, width, height];
})"""


async def test_a_finger_goes_along_and_nothing_moves_under_it(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben")
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await played((anna, ben))
        said, places = anna.locator(".steps output"), await anna.evaluate(PLACES)
        for step in (5, 4):
            await anna.get_by_role("button", name="One step back").tap()
            await expect(said).to_have_text(f"{step}. {TURNS[step - 1]}")
            assert await anna.evaluate(PLACES) == places, "of a match that goes on"
        await anna.get_by_role("button", name="To the position now").tap()
        await expect(said).to_have_text(f"6. {TURNS[5]}")
        assert await anna.evaluate(PLACES) == places
        await write(ben, "resign yes")
        graph = anna.locator(".graph")
        await expect(graph).to_be_visible()
        await expect(anna.get_by_role("button", name="Rematch, sides swapped")).to_be_visible()
        box, places = await graph.bounding_box(), await anna.evaluate(PLACES)
        assert box
        steps = [(box["x"] + box["width"] * step / len(TURNS), box["y"] + 20) for step in range(len(TURNS) + 1)]
        touch = await finger(anna)
        for step in (3, 1):
            await anna.touchscreen.tap(*steps[step])
            await expect(said).to_have_text(f"{step}. {TURNS[step - 1]}")
            assert await anna.evaluate(PLACES) == places
        await touch("touchStart", steps[1])
        for step in (2, 3, 5):
            await touch("touchMove", steps[step])
            await expect(said).to_have_text(f"{step}. {TURNS[step - 1]}")
            await expect(graph).to_have_attribute("aria-valuenow", str(step))
        await touch("touchMove", (steps[4][0], steps[4][1] - 200))
        await expect(said).to_have_text(f"4. {TURNS[3]}")
        await touch("touchEnd")
        assert await anna.evaluate(PLACES) == places
        await expect(said).to_have_text(f"4. {TURNS[3]}")
        graph = ben.locator(".graph")
        box = await graph.bounding_box()
        assert box
        await graph.click(position={"x": box["width"] / 2, "y": 10})
        await expect(ben.locator(".steps output")).to_have_text(f"3. {TURNS[2]}")
        await graph.click(position={"x": 1, "y": 10}, button="right")  # asks for the browser's menu
        await graph.press("ArrowRight")
        await expect(ben.locator(".steps output")).to_have_text(f"4. {TURNS[3]}")


NAMES = ("Anna", "Ben", "Carl", "Dora", "Emil")
SMALL: tuple[tuple[int, int], ...] = ((390, 844), (320, 568), (667, 375), (390, 470))
"""Phones: upright, small, on their side, and with little height."""


def middle(count: int) -> tuple[str, tuple[str, ...]]:
    """A start for so many, and a turn for each of them."""
    arms = "ABCDE"[:count]
    men = [f"P{n}: {'A3 A44' if arm == 'A' else f'{arm}44 {arm}50'}" for n, arm in enumerate(arms, 1)]
    start = " / ".join((*men, f"res:{' 2' * count}", "to: P1", "quiet: 0"))
    return start, ("A3-A8", *(f"{arm}50-{arm}46" for arm in arms[1:]))


@pytest.mark.parametrize("count", [3, 4, 5])
async def test_of_several_each_has_a_line_that_is_seen_and_walked_along_on_any_screen(
    enter: Enter, tmp_path: Path, count: int
) -> None:
    async with riposte(tmp_path) as address:
        players = {name: await enter(address, name, phone=name == "Anna") for name in NAMES[:count]}
        anna, *others = players.values()
        start, turns = middle(count)
        guests = " ".join(f"@{name.lower()}" for name in list(players)[1:])
        await write(anna, f'challenge {guests} chirality players={count} umpire=turn side=red start="{start}"')
        for page in others:
            await page.get_by_role("button", name="Accept", exact=True).first.click()
        for page in players.values():
            await page.locator(".opening").click()
            await expect(page.locator("svg.board")).to_be_visible()
        for number, turn in enumerate(turns, 1):
            acting = await anna.locator("#table .side.acts").inner_text()
            await write(next(page for name, page in players.items() if name in acting), turn)
            await expect(anna.locator(".steps output")).to_have_text(f"{number}. {turn}")
        for number, page in enumerate(others, 1):
            await expect(anna.locator(".graph")).to_have_count(0)
            await write(page, "resign yes")
            await expect(anna.locator(".won")).to_have_count(int(number == len(others)))
        await expect(anna.locator(".result")).to_be_visible()
        await expect(anna.locator(".graph .stood")).to_have_count(count)
        # What has been decided, and lies far off, does not press the others into the middle.
        heights = await anna.locator(".graph .stood").evaluate_all(HEIGHTS)
        assert [line[: count + 1] for line in heights] == expected(start, turns)
        dashes = "lines => new Set(lines.map((line) => getComputedStyle(line).strokeDasharray)).size"
        assert await anna.locator(".graph .stood").evaluate_all(dashes) == count, "each is seen where they are one"
        for scheme in ("light", "dark"):
            await anna.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            await expect(anna.locator("#table")).to_have_attribute("data-theme", scheme)
            assert min(await anna.locator(".graph .casing").evaluate_all(CONTRASTS)) >= 3
        await sound(anna)
        await by_keys(anna, turns)
        touch, said = await finger(anna), anna.locator(".steps output")
        for width, height in SMALL:
            await anna.set_viewport_size({"width": width, "height": height})
            await anna.locator("#title").focus()
            await anna.locator(".graph").scroll_into_view_if_needed()
            assert await anna.evaluate(FAULTS) == []
            box = await anna.locator(".graph").bounding_box()
            assert box
            assert box["height"] >= 44
            at = [(box["x"] + box["width"] * step / count, box["y"] + 20) for step in range(count + 1)]
            await anna.touchscreen.tap(*at[1])
            await expect(said).to_have_text(f"1. {turns[0]}")
            await touch("touchStart", at[1])
            for step in range(2, count + 1):
                await touch("touchMove", (at[step][0] - 2, at[step][1]))
                await expect(said).to_have_text(f"{step}. {turns[step - 1]}")
            await touch("touchEnd")
            await expect(anna.locator(".graph")).to_have_attribute("aria-valuenow", str(count))


HEIGHTS = """lines => lines.map((line) => [...line.points].map(({ y }) => Math.round(y * 10) / 10))"""


def expected(start: str, turns: tuple[str, ...]) -> list[list[float]]:
    """How high each line lies before one is decided: 400 points fill the graph."""
    game: Any = GAMES["chirality"]
    positions = [game.decode(start)]
    for turn in turns:
        positions.append(game.play(positions[-1], game.read(turn, positions[-1])))
    stood = standings(game, positions, game.playing(positions[0]))
    return [[pytest.approx(-value / 4, abs=0.1) for value in values] for values in stood.values()]


CONTRASTS = """lines => {
  const light = (colour) => [0.2126, 0.7152, 0.0722].reduce((sum, share, n) => {
    const part = Number(colour.match(/[\\d.]+/g)[n]) / 255;
    return sum + share * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  }, 0.05);
  const ground = light(getComputedStyle(lines[0].closest(".graph")).backgroundColor);
  const inks = lines.map((line) => light(getComputedStyle(line).stroke));
  return inks.map((ink) => Math.max(ink, ground) / Math.min(ink, ground));
}"""


async def test_a_match_of_no_turn_or_one_can_be_opened_and_walked_along(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        for number, turns in enumerate(((), ("e5d5",)), 1):
            await write(anna, "challenge @ben tokonoma umpire=turn side=white")
            await expect(ben.locator("#log .choices")).to_have_count(number)
            await write(ben, f"accept {number}")
            await expect(anna.locator(".opening")).to_have_count(number)
            await anna.goto(f"{address}#lounge/{number}")
            await expect(anna.locator("svg.board")).to_be_visible()
            for turn in turns:
                await write(anna, turn)
                await expect(anna.locator(".steps output")).to_have_text(f"1. {turn}")
            await write(anna, "resign yes")
            await expect(anna.locator(".result")).to_be_visible()
            graph = anna.locator(".graph")
            await expect(graph).to_have_count(len(turns))
            if turns:
                await by_keys_of_one(anna, turns[0])
            await anna.goto(f"{address}#lounge")
            await expect(anna.locator(".opening")).to_have_count(number)


async def by_keys_of_one(page: Page, turn: str) -> None:
    await page.locator(".graph").focus()
    for key, step in (("Home", "Start"), ("PageUp", f"1. {turn}"), ("ArrowLeft", "Start"), ("End", f"1. {turn}")):
        await page.keyboard.press(key)
        await expect(page.locator(".steps output")).to_have_text(step)
        await expect(page.locator(".steps output")).to_have_attribute("aria-live", "off")  # the slider says it
