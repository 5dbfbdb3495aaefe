"""A turn of each game by keyboard alone, as a screen reader tells it: names of what has the focus, announcements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Page, expect

from engine.games import GAMES
from tests.browser.program import riposte
from tests.browser.test_under_a_finger import begin
from tests.render.test_golden import MIDGAMES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

SIDES = {"tokonoma": "white", "chirality": "red", "ironclad": "white", "tirachen": "red", "veney": "black"}

VIEWERS = {game: GAMES[game].to_act(GAMES[game].decode(start)) for game, start in MIDGAMES.items()}

PIECE = ".place-cell.offered:not(.open)"
EMPTY = ".place-cell.offered.open"

# What a screen reader would say of its own accord: what comes into a log, or the whole of another live region.
LISTEN = """() => {
  const LIVE = '[role=log], [role=status], [role=alert], output, [aria-live]';
  const off = (node) => node.closest('[aria-live]')?.ariaLive === 'off' || !node.checkVisibility()
    || node.closest('[aria-busy=true], [hidden], [aria-hidden=true]');
  window.heard = [];
  const seen = new Set();
  new MutationObserver((changes) => {
    const said = new Set();
    for (const { target, addedNodes, type } of changes) {
      const element = target.nodeType === 1 ? target : target.parentElement;
      const region = element?.closest(LIVE);
      if (!region || off(region)) continue;
      if (region.matches('[role=log]')) {
        for (const node of addedNodes) if (!off(node)) said.add(node.innerText.trim());
      }
      else if (type === 'characterData' || addedNodes.length) said.add(region.innerText.trim());
    }
    for (const text of said) if (text) window.heard.push(text.replace(/\\s+/g, ' '));
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


class Listener:
    """Reads what has the focus, and what was announced since."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.transcript: list[str] = []

    async def begin(self) -> None:
        self.devtools = await self.page.context.new_cdp_session(self.page)
        await self.page.evaluate(LISTEN)

    async def focus(self) -> tuple[str, str]:
        found = await self.devtools.send("Runtime.evaluate", {"expression": "document.activeElement"})
        node = {"objectId": found["result"]["objectId"], "fetchRelatives": False}
        tree = await self.devtools.send("Accessibility.getPartialAXTree", node)
        role, name = [tree["nodes"][0].get(part, {}).get("value", "") for part in ("role", "name")]
        self.transcript.append(f"  [{role}] {name}")
        return role, name

    async def heard(self, what: str) -> list[str]:
        said: list[str] = await self.page.evaluate("() => window.heard.splice(0)")
        self.transcript += [f"{what}:", *(f"  says: {each}" for each in said)]
        return said


@pytest.mark.parametrize("game", SIDES)
async def test_a_turn_by_keyboard_as_it_is_read_aloud(enter: Enter, tmp_path: Path, game: str) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        terms = f'umpire=friendly start="{MIDGAMES[game]}" side={SIDES[game]}'
        await begin(anna, ben, f"challenge @ben {game} {terms}")
        mine, theirs = Listener(anna), Listener(ben)
        for listener in (mine, theirs):
            await listener.begin()
        await anna.locator(".skip").focus()
        for _ in range(60):
            role, name = await mine.focus()
            assert name.strip(), mine.transcript
            assert role not in ("generic", "none"), mine.transcript
            await anna.keyboard.press("Tab")
            if await anna.evaluate("document.activeElement.matches('body, .skip')"):
                break
        else:
            raise AssertionError("the focus never comes round")
        assert {"[combobox] Message or command", "[button] List of turns"} <= {stop.strip() for stop in mine.transcript}
        for count in range(1, 9):
            if count > 1 and await anna.locator(".play").count():
                break
            if await anna.locator(".place-cell.offered").count():
                stop = anna.locator(PIECE if count == 1 else EMPTY).first
                await stop.focus()
                place = str(await stop.get_attribute("data-site"))
                await expect(anna.locator("#place")).to_have_text(re.compile(rf"^{re.escape(place)}\b"))
                (told,) = await mine.heard("looked at")
                if count == 1:  # later ones with what is picked so far
                    known = GAMES[game].look(GAMES[game].decode(MIDGAMES[game]), place, VIEWERS[game])
                    assert told == " ".join(map(str, known)).replace("`", "")
            else:
                stop = anna.locator(".picks [data-pick]").first
                await stop.focus()
            await mine.focus()
            await anna.keyboard.press("Enter")
            await expect(anna.locator("#table")).to_have_attribute("data-picked", str(count))
            said = await mine.heard("picked")
            assert said == [" ".join((await anna.locator(".prompt").inner_text()).split())]
        play = anna.locator(".play")
        await expect(play).to_be_enabled()
        turn = (await play.inner_text()).removeprefix("Play ")
        await play.focus()
        await mine.focus()
        await anna.keyboard.press("Enter")
        for page in (anna, ben):
            await expect(page.locator(".steps output")).to_have_text(re.compile("^1"))
            await expect(page.locator(".message.bot", has_text="Turn 1")).to_be_visible()
        await expect(ben.locator("#table").get_by_role("button", name="Call it out")).to_be_visible()
        said = await mine.heard("played")
        there = re.compile(rf"{re.escape(place)}\b")  # the focus has gone back to the board
        said = [*said[:2], *(each for each in said[2:] if not there.match(each))]
        assert said[0] == f"You pressed {turn}"
        assert "Turn 1" in said[1]
        assert len(said) == 2, said
        assert await anna.evaluate("document.activeElement !== document.body")
        said = await theirs.heard("Ben hears of it")
        assert len([each for each in said if "Turn 1" in each]) == 1
        assert not [each for each in said if re.match(r"1\. ", each)], "the turn is told once"
        await ben.get_by_role("button", name="One step back").focus()
        await ben.keyboard.press("Enter")
        await expect(ben.locator(".steps output")).to_have_text("Start")
        assert await theirs.heard("one step back") == ["Start"]
        print(*mine.transcript, "-- Ben", *theirs.transcript, sep="\n")
        assert "tenable" not in " ".join(mine.transcript + theirs.transcript)
