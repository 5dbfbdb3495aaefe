"""The page of the web room in a real browser: what people see, press and type."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Page, expect

from storage.sqlite.checksums import known_to

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import EchoBot, Enter

pytestmark = pytest.mark.browser


async def say(page: Page, text: str) -> None:
    await page.locator("#words").fill(text)
    await page.locator("#words").press("Enter")


async def test_two_seats_in_two_windows_see_what_the_other_says(address: str, enter: Enter) -> None:
    anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
    await say(anna, "hello @ben\nhow are you")
    line = ben.locator(".message").first
    await expect(line.locator(".author")).to_have_text("Anna")
    await expect(line.locator(".words")).to_have_text("hello Benhow are you")
    await expect(line.locator(".person.mine")).to_have_text("Ben")
    await expect(line).to_have_class(re.compile(r"\bmention\b"))
    await expect(anna.locator(".pending")).to_have_count(0)
    await expect(anna.locator("#users .here")).to_have_text(["Annayou", "Benhere"])


async def test_a_match_that_the_list_is_too_long_for_opens_by_its_address(
    bot: EchoBot, tmp_path: Path, enter: Enter
) -> None:
    async with bot.at_home(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / "room.db")) as file, file:
        known_to(file)
        rows = [(str(number), number) for number in range(1, 400)]
        file.executemany("INSERT INTO place (channel, thread, first) VALUES ('lounge', ?, ?)", rows)
    async with bot.at_home(tmp_path) as address:
        anna = await enter(f"{address}#lounge/7", "Anna")
        here = anna.locator('a[aria-current="page"]')
        await expect(here).to_have_attribute("href", "#lounge/7")
        await anna.evaluate("location.hash = 'lounge/8'")
        await expect(here).to_have_attribute("href", "#lounge/8")
        await anna.evaluate("location.hash = 'nowhere/at all'")
        await expect(here).to_have_attribute("href", "#lounge")


async def test_markup_is_shown_as_it_was_typed(address: str, enter: Enter) -> None:
    anna = await enter(address, "Anna")
    bad = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    await say(anna, bad)
    await expect(anna.locator(".words")).to_have_text([bad, f"Anna said: {bad}"])
    assert await anna.locator("#log img, #log script").count() == 0


async def test_a_picture_is_described_enlarged_and_closed_again(address: str, enter: Enter) -> None:
    anna = await enter(address, "Anna")
    await say(anna, "board")
    image = anna.locator(".picture img")
    await expect(image).to_have_attribute("alt", "White: an arm on b3.")
    assert await image.evaluate("image => image.decode().then(() => image.naturalWidth)") == 600
    words = anna.get_by_role("button", name="In words")
    await expect(anna.locator("figcaption .alt")).to_be_hidden()
    await words.click()
    await expect(words).to_have_attribute("aria-expanded", "true")
    await expect(anna.locator("figcaption .alt")).to_have_text("White: an arm on b3.")
    await anna.locator(".enlarge").press("Enter")
    await expect(anna.locator("#enlarged img")).to_be_visible()
    await anna.keyboard.press("Escape")
    await expect(anna.locator("#enlarged img")).to_be_hidden()
    await expect(anna.locator(".enlarge")).to_be_focused()
    await anna.locator(".enlarge").click()
    await expect(anna.locator("#enlarged img")).to_be_visible()
    await anna.go_back()
    await expect(anna.locator("#enlarged img")).to_be_hidden()
    await expect(image).to_be_visible()


async def test_what_is_half_typed_stays_in_its_place_and_as_private_as_it_was(
    address: str, enter: Enter, bot: EchoBot
) -> None:
    anna = await enter(address, "Anna")
    await say(anna, "match")
    words, quiet = anna.locator("#words"), anna.get_by_role("button", name="Only to Riposte")
    await words.fill("good ev")
    await anna.locator(".opening").click()
    await expect(anna.locator("#title")).to_have_text("Tokonoma")
    await expect(words).to_be_empty()
    await quiet.click()
    await words.press_sequentially("secret 12 C")
    await anna.reload()
    await expect(words).to_have_text("secret 12 C")
    await expect(quiet).to_have_attribute("aria-pressed", "true")
    await anna.go_back()
    await expect(words).to_have_text("good ev")
    await expect(quiet).to_have_attribute("aria-pressed", "false")
    await words.press("Enter")
    await expect(words).to_be_empty()
    await anna.reload()
    await expect(anna.locator("#title")).to_contain_text("lounge")
    await expect(words).to_be_empty()


async def test_a_picture_that_is_no_longer_kept_leaves_its_words(address: str, enter: Enter) -> None:
    anna = await enter(address, "Anna")
    await say(anna, "board")
    await expect(anna.locator(".picture img")).to_be_visible()
    # The console would complain of a 404, and a complaint fails the test.
    await anna.route("**/picture/*", lambda route: route.fulfill(content_type="image/png", body=b""))
    await anna.reload()
    await expect(anna.locator(".picture .alt")).to_have_text("White: an arm on b3.")
    await expect(anna.locator(".picture img")).to_have_count(0)


async def test_a_button_says_its_command_for_the_one_who_presses_it(address: str, enter: Enter, bot: EchoBot) -> None:
    anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
    await say(anna, "board")
    await ben.get_by_role("button", name="Call it out").click()
    await expect(ben.locator(".pressed")).to_have_text("You pressed Call it out")
    await expect(anna.locator(".words").last).to_have_text("Ben said: call 12")
    assert [heard.text for heard in bot.heard] == ["board", "call 12"]
    assert await anna.locator(".pressed").count() == 0


async def test_a_whisper_never_enters_another_window_not_even_after_a_reload(address: str, enter: Enter) -> None:
    anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
    await anna.get_by_role("button", name="Only to Riposte").click()
    await say(anna, "whisper")
    await expect(anna.locator(".whisper .words")).to_have_text(["whisper", "for your eyes only"])
    await expect(anna.locator(".whisper .only").first).to_have_text("only you see this")
    await say(anna, "said aloud")
    await expect(ben.locator(".words").first).to_have_text("said aloud")
    assert "eyes only" not in await ben.content()
    await ben.reload()
    await expect(ben.locator(".words").first).to_have_text("said aloud")
    assert "eyes only" not in await ben.content()


async def test_a_reload_keeps_the_seat_the_place_and_the_talk(address: str, enter: Enter) -> None:
    anna, _ben = await enter(address, "Anna"), await enter(address, "Ben")
    await say(anna, "match")
    await anna.locator(".opening").click()
    await expect(anna.locator("#title")).to_have_text("Tokonoma")
    await anna.reload()
    await expect(anna.locator("#title")).to_have_text("Tokonoma")
    await expect(anna.locator("#subtitle")).to_have_text("with Ben · Ben to move · match 12")
    await expect(anna.locator("#me strong")).to_have_text("Anna")
    await expect(anna.locator(".words")).to_have_text("The match begins.")
    await anna.go_back()
    await expect(anna.locator("#title")).to_have_text("# lounge")
    await expect(anna.locator(".words")).to_have_text("match")


async def test_a_match_that_waits_for_me_is_seen_from_everywhere(address: str, enter: Enter) -> None:
    anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
    await say(anna, "match")
    entry = ben.locator("#mine .place")
    await expect(entry).to_have_text("Tokonoma 12with Anna · your turn, new messages")
    await expect(ben).to_have_title("(1) # lounge · Riposte")
    await expect(ben.locator(".opening .go")).to_have_text("your turn →")
    await entry.click()
    await expect(ben.locator(".words")).to_have_text("The match begins.")
    await expect(entry).to_have_text("Tokonoma 12with Anna · your turn")


async def test_after_an_interruption_nothing_is_lost_and_nothing_said_twice(
    enter: Enter, bot: EchoBot, tmp_path: Path
) -> None:
    async with bot.at_home(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await say(ben, "before")
        await expect(anna.locator(".words")).to_have_text(["before", "Ben said: before"])
    await expect(anna.locator("#connection")).to_have_text("Reconnecting…")
    await say(anna, "in between")
    await expect(anna.locator(".pending .only")).to_have_text("sending…")
    port = int(address.rstrip("/").rpartition(":")[2])
    async with bot.at_home(tmp_path, port) as again:
        assert again == address
        for page in (anna, ben):
            await expect(page.locator("#connection")).to_have_text("")
            said = ["before", "Ben said: before", "in between", "Anna said: in between"]
            await expect(page.locator(".words")).to_have_text(said)
        assert [heard.text for heard in bot.heard] == ["before", "in between"]


async def test_commands_are_completed_by_keyboard(address: str, enter: Enter) -> None:
    anna = await enter(address, "Anna")
    words, offers = anna.locator("#words"), anna.get_by_role("listbox", name="Suggestions").get_by_role("option")
    await words.press_sequentially("ch")
    await expect(offers).to_have_text(["challenge @Ben tokonoma", "challenge @Ben veney"])
    box = anna.get_by_role("combobox", name="Message or command", expanded=True)
    await expect(box).to_be_focused()
    await expect(anna.locator("#offers")).to_have_text("2 suggestions")
    await words.press("ArrowDown")
    await words.press("ArrowDown")
    await expect(offers.nth(1)).to_have_attribute("aria-selected", "true")
    assert await words.get_attribute("aria-activedescendant") == await offers.nth(1).get_attribute("id")
    await words.press("Enter")
    await expect(words).to_have_text("challenge @Ben veney")
    await expect(offers).to_have_count(0)
    await expect(box).to_have_count(0)
    await expect(anna.locator("#offers")).to_have_text("")
    await words.fill("chal")
    await expect(offers).to_have_count(2)
    await words.press("Escape")
    await expect(offers).to_have_count(0)
    await words.fill("he")
    await expect(offers).to_have_text(["help"])
    await words.press("Tab")
    await expect(words).to_have_text("help")
    await words.press("Enter")
    await expect(anna.locator(".words").first).to_have_text("help")
    await words.press("ArrowUp")
    await expect(words).to_have_text("help")


async def test_a_message_may_have_several_lines(address: str, enter: Enter, bot: EchoBot) -> None:
    anna = await enter(address, "Anna")
    words = anna.locator("#words")
    one_line = (await words.bounding_box() or {})["height"]
    await words.press_sequentially("one")
    await words.press("Shift+Enter")
    await anna.keyboard.insert_text("two\n\n<b>three</b>")
    assert (await words.bounding_box() or {})["height"] > one_line * 2
    await words.press("Enter")
    await expect(anna.locator(".words")).to_contain_text(["<b>three</b>", "Anna said:"])
    assert [heard.text for heard in bot.heard] == ["one\ntwo\n\n<b>three</b>"]
    assert (await words.bounding_box() or {})["height"] == one_line
    await words.press_sequentially("four")
    for _ in "four":
        await words.press("Backspace")
    assert await words.evaluate("box => getComputedStyle(box, '::before').content") == '"Message or command"'


async def test_a_newcomer_is_told_what_to_type_and_can_press_it(address: str, enter: Enter) -> None:
    anna = await enter(address, "Anna")
    await expect(anna.locator(".empty")).to_have_text("Welcome, AnnaType help to begin.")
    await anna.get_by_role("button", name="help").click()
    await expect(anna.locator("#words")).to_have_text("help")
    await expect(anna.locator("#side footer")).to_contain_text("Another device")


async def test_a_refused_name_says_why_and_a_refused_text_comes_back(address: str, enter: Enter) -> None:
    anna = await enter(address, "Anna")
    await anna.get_by_role("button", name="Change").click()
    name = anna.get_by_label("Your name")
    await name.fill("Riposte")
    await name.press("Enter")
    await expect(anna.get_by_role("alert").first).to_contain_text("referee's own name")
    await anna.get_by_role("button", name="Anna").click()
    await anna.locator("#words").fill("x" * 8001)
    await anna.locator("#words").press("Enter")
    await expect(anna.locator("#refusal")).to_contain_text("8,001 characters")
    await expect(anna.locator("#words")).to_have_text("x" * 8001)


async def test_everything_is_reached_by_keyboard_in_reading_order(address: str, enter: Enter) -> None:
    anna = await enter(address, "Anna")
    await say(anna, "board")
    await anna.get_by_role("button", name="Call it out").wait_for()
    await anna.locator(".skip").focus()
    reached = []
    while reached[-1:] != ["Send"]:
        await anna.keyboard.press("Tab")
        focused = "(e => e.getAttribute('aria-label') || e.title || e.textContent)(document.activeElement)"
        reached.append(await anna.evaluate(focused))
    assert reached == [
        *("#lounge", "Name of a new channel", "Make the channel", "Change", "Settings"),
        *("Another device", "Another seat"),
        *("New match", "Talk", "Enlarge", "In words", "call 12", "ok 12"),
        *("Only to Riposte", "Message or command", "Send"),
    ]
    await anna.keyboard.press("Alt+ArrowDown")
    await expect(anna.locator("#title")).to_have_text("# lounge")


async def test_on_a_phone_everything_fits_and_the_list_opens_over_the_talk(address: str, enter: Enter) -> None:
    anna = await enter(address, "Anna", phone=True)
    await say(anna, "board")
    button = anna.get_by_role("button", name="Call it out")
    box = await button.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert await anna.evaluate("document.documentElement.scrollWidth") == 390
    side = anna.get_by_role("navigation")
    await expect(side).to_be_hidden()
    await anna.get_by_role("button", name="Channels and matches").click()
    await expect(side).to_be_visible()
    await anna.keyboard.press("Escape")
    await expect(side).to_be_hidden()
    await expect(anna.get_by_role("button", name="Channels and matches")).to_be_focused()


async def test_a_long_talk_unfolds_upwards(address: str, enter: Enter) -> None:
    anna = await enter(address, "Anna")
    for n in range(25):
        await say(anna, f"line {n}")
    await expect(anna.locator(".words").last).to_have_text("Anna said: line 24")
    await anna.reload()
    await expect(anna.locator(".words")).to_have_count(40)
    await anna.get_by_role("button", name="Earlier messages").click()
    await expect(anna.locator(".words")).to_have_count(50)
    await expect(anna.locator(".words").first).to_have_text("line 0")
    await expect(anna.get_by_role("button", name="Earlier messages")).to_have_count(0)
