"""The page in a language made of brackets: whatever stands outside of them could not be translated."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Page, expect

from bot.adapters.web.templates import page_templates
from bot.settings import Settings
from engine.text import Text, parts
from tests.adapters.pseudo_match import label
from tests.browser.program import newest, open_match, riposte
from tests.test_pseudo_language import english_in, speak
from tests.whole_matches import TOKONOMA
from tools.languages import COMPLETE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import EchoBot, Enter

pytestmark = pytest.mark.browser

NAMES = ("Riposte", "Anna", "Ben", "Clara", "Tokonoma", "lounge", "tuesday-club", "board", "match", "whisper", "help")
"""Names, commands and what people type: they are the same in every language."""

OTHERS = "time, .message .words, .choices, .alt, code, .empty div, #completions, noscript"
"""A time is written by the browser; buttons and words of messages come from the bot or from people."""

WORDS = r"""
() => {
  const others = "OTHERS";
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const blocks = new Map();
  while (walk.nextNode()) {
    const here = walk.currentNode;
    const element = here.nodeType === Node.TEXT_NODE ? here.parentElement : here;
    if (element.closest(others)) continue;
    if (here.nodeType === Node.TEXT_NODE) {
      if (element.id === "words") continue;  // what somebody is typing
      const block = element.closest("p, h1, h2, li, button, label, summary, header, a, .message, .empty") ?? element;
      blocks.set(block, (blocks.get(block) ?? "") + here.data);
    } else {
      for (const name of ["aria-label", "placeholder", "title"]) {
        if (name === "title" && here.matches(".choices button, #table button")) continue;  // what it sends
        if (here.getAttribute(name)) found.push(here.getAttribute(name));
      }
    }
  }
  return [...found, ...blocks.values(), document.title];
}
"""


def bracketed(template: str) -> str:
    """`[{names} ot evom]` for `{names} to move`: the values stay, in reverse order."""
    fields = [field for _, field in parts(template) if field]
    turned = iter(fields[::-1])
    return f"[{re.sub(r'{[a-z]+}', lambda _found: '{' + next(turned) + '}', template)}]"


def page_texts(language: str) -> dict[str, str]:
    """Every template of the page in `xx`."""
    if language != "xx":
        return {}
    return {template: bracketed(template) for _, _, templates in page_templates() for template in templates}


def say(text: Text, language: str) -> str:
    return f"[{text}]" if language == "xx" else str(text)


async def outside(page: Page, left_out: str = "") -> list[str]:
    """The words on the page that stand outside of brackets and are no names; `left_out` is not looked at."""
    shown = await page.evaluate(WORDS.replace("OTHERS", left_out or OTHERS))
    bare = [re.sub(r"\[[^\[\]]*\]|‹[^‹›]*›", "", each) for each in shown]
    assert any("[" in each for each in shown)
    assert [each for each in shown if each.count("[") != each.count("]") or "[[" in each] == []
    return [word for each in bare for word in re.findall(r"[^\W\d][\w-]*", each) if word not in NAMES]


async def test_no_word_of_the_page_is_left_in_english(enter: Enter, bot: EchoBot, tmp_path: Path) -> None:
    async with bot.at_home(tmp_path, page_texts=page_texts, say=say) as room:
        address = f"{room}?language=xx"
        anna = await enter(address, "Anna", label="[Your name]")
        ben = await enter(address, "Ben", label="[Your name]")
        assert await anna.get_attribute("html", "lang") == "xx"
        assert await outside(anna) == []
        await expect(anna.locator(".empty h2")).to_have_text("[Welcome, Anna]")
        for text in ("board", "match", "whisper"):
            await write(anna, text)
        await expect(anna.locator(".whisper .only")).to_have_text("[only you see this]")
        await ben.get_by_role("button", name="Call it out").click()
        await expect(ben.locator(".pressed")).to_have_text("[You pressed Call it out]")
        await anna.locator(".opening").click()
        await expect(anna.locator("#subtitle")).to_have_text("[with Ben] · [Ben to move] · [match 12]")
        await write(anna, "x" * 8001)
        await expect(anna.locator("#refusal")).to_have_text(re.compile(r"^\[.*8,000.*8,001.*\]$"))
        assert await outside(anna) == []
        await ben.locator("#create-name").fill("???")
        await ben.locator("#create-name").press("Enter")
        await expect(ben.locator("#refusal")).to_have_text(re.compile(r"^\[A channel.*\] \[Try: tuesday-club\.\]$"))
        assert await outside(ben) == []
        await ben.get_by_role("button", name="[Change]").click()
        await ben.get_by_label("[Your name]").fill("Riposte")
        await ben.keyboard.press("Enter")
        await expect(ben.locator("#entry-refusal")).to_have_text(re.compile(r"^\[Riposte is .*\] \[Try: Anna\.\]$"))
        assert await outside(ben) == []


async def test_no_word_of_a_match_is_left_in_english_on_the_page(enter: Enter, tmp_path: Path) -> None:
    await speak(tmp_path, "xx", ("web/lounge/",), Settings(data=tmp_path).key)
    async with riposte(tmp_path) as room:
        anna, ben = [await enter(f"{room}?language=xx", name, label="[Your name]") for name in ("Anna", "Ben")]
        assert await outside(anna, VERBATIM) == []
        await write(anna, "challenge @ben tokonoma umpire=friendly side=white")
        await ben.get_by_role("button", name="[Accept]", exact=True).click()
        for page in (anna, ben):
            await open_match(page)
            await expect(page.locator("#title")).to_have_text("Tokonoma")
        for mover, other, turn in ((anna, ben, "e5d5"), (ben, anna, "c1a2")):
            await write(mover, turn)
            await expect(newest(other).locator("code").first).to_have_text(turn)
        await newest(anna).get_by_role("button", name="[Call it out]").click()
        await expect(newest(ben).locator(".picture img")).to_be_visible()
        await write(ben, "draw")
        await anna.get_by_role("log").get_by_role("button", name="[Decline]").click()
        await write(ben, "resign yes")
        for page in (anna, ben):
            await expect(page.locator("#subtitle")).to_contain_text("over")
            assert await outside(page, VERBATIM) == []


@pytest.mark.parametrize("code", COMPLETE)
async def test_a_whole_match_on_the_page_has_no_word_of_english(enter: Enter, tmp_path: Path, code: str) -> None:
    await speak(tmp_path, code, ("web/lounge/",), Settings(data=tmp_path).key)
    seen: set[str] = set()

    async def look(page: Page) -> None:
        shown = {line for each in await page.evaluate(WORDS.replace("OTHERS", VERBATIM)) for line in each.splitlines()}
        assert [(word, line) for line in shown for word in english_in(line, code, NAMES)] == []
        seen.update(shown)

    async with riposte(tmp_path) as room:
        address, own = f"{room}?language={code}", label(code, "Your name")
        anna, ben = players = [await enter(address, name, label=own) for name in ("Anna", "Ben")]
        await look(anna)
        await anna.get_by_text(label(code, "Settings"), exact=True).click()
        await anna.get_by_role("button", name=label(code, "New match")).click()
        await anna.locator("dialog[open]").wait_for()
        await look(anna)
        await anna.keyboard.press("Escape")
        await write(anna, f"challenge @ben {TOKONOMA.asked()} umpire=friendly")
        await ben.get_by_role("button", name=label(code, "Accept"), exact=True).click()
        for page in players:
            await open_match(page)
        for number, turn in enumerate(TOKONOMA.turns, 1):
            mover, other = players[::1] if number % 2 else players[::-1]
            if number == 2:
                await write(mover, "c1a2")
                await expect(newest(other).locator("code").first).to_have_text("c1a2")
                await newest(other).get_by_role("button", name=label(code, "Call it out")).click()
                await expect(newest(mover).locator(".picture img")).to_be_visible()
            if number == 3:
                await write(mover, "draw")
                await other.get_by_role("log").get_by_role("button", name=label(code, "Decline")).click()
            await write(mover, turn)
            for page in players:
                await expect(page.locator(".steps output")).to_have_text(re.compile(rf"^{number}\."))
                await look(page)
        await other.locator('#table button[title^="ok "]').click()
        for page in players:
            await expect(page.locator(".result")).to_be_visible()
            await look(page)
    assert len(seen) > 60


VERBATIM = (
    "time, code, .pressed strong, .empty div button, noscript, .message:not(.bot) .words, #completions, "
    ".board .names, .board .legends, .place-cell.open, .steps output, .steps input, .clock, "
    ".course .text, .callout strong"
)
"""What is not looked at: times and spans of time, notation, names of places, commands to press, buttons quoted by their
labels, and what people have typed."""


async def write(page: Page, text: str) -> None:
    await page.locator("#words").fill(text)
    await page.locator("#words").press("Enter")


def test_the_bracketed_language_turns_values_around() -> None:
    assert bracketed("{count} of {most}") == "[{most} of {count}]"
