"""The page's screens, every game in the middle of a match, and what is kept of them since somebody found them good.

Of each a picture and the places of its main parts are kept. What differs from machine to machine is taken out before:
the font is ours, times are hidden. What is compared is the layout and what can be seen from afar, not every pixel.
"""

from __future__ import annotations

import base64
import json
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PIL import Image, ImageChops
from playwright.async_api import Browser, Page, expect

from engine.games import GAMES
from tests.browser.conftest import DESKTOP, PATIENCE, PHONE
from tests.browser.program import write
from tests.render.test_golden import MIDGAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

GOLDEN = Path(__file__).parent.parent / "golden" / "screens"
BOXES = GOLDEN / "boxes.json"
Box: TypeAlias = list[int]
"""Left, top, width and height."""

TURNS: Mapping[str, str] = {
    "chirality": "D2-D3",
    "ironclad": "D3-D4",
    "tirachen": "Ai4-i5",
    "tokonoma": "e5e3",
    "veney": "DW10",
}
"""A turn in each of `MIDGAMES`, so that its marks stand on the board; that of Tokonoma is untenable, and called out."""

FINE, AFAR, STRONG, MOST = 8, 8, 40, 0.006
"""Places may be off by so many pixels; pictures are compared as averages of squares of so many pixels, of which at
most such a share may differ strongly. A symbol that our font lacks comes from the machine's; it is smaller."""

PARTS = (
    "#title, #subtitle, #next, #challenge-open, #table, .stage, svg.board, .sides .side, .callout, .notes, .prompt, "
    ".picks button, .steps button, .course, #composer, #send, dialog[open], dialog[open] fieldset, #side.open li, "
    "#side.open footer, #entry-form, #entry-form button, h1, table"
)
PLACES = """parts => [...document.querySelectorAll(parts)].filter(part => part.checkVisibility())
  .map(part => [part, part.getBoundingClientRect()])
  .filter(([, box]) => box.width && box.top < innerHeight && box.bottom > 0)
  .map(([part, { x, y, width, height }]) => {
    const name = part.id || part.classList[0] || part.ariaLabel || part.textContent.trim().slice(0, 24);
    return [`${part.tagName.toLowerCase()} ${name}`, [x, y, width, height].map(Math.round)];
  })"""

PAINTED = """() => Promise.all([...document.images].filter(image => image.checkVisibility()
  && image.getBoundingClientRect().top <= innerHeight && image.getBoundingClientRect().bottom >= 0)
  .map(image => image.decode().then(() => true, () => false))).then(shown => shown.every(Boolean))"""
"""Whether each picture in the window can be seen: one that has arrived is not decoded yet."""

FAULTS = """() => {
  const cut = [...document.querySelectorAll("body *")].filter(part => part.checkVisibility()
    && getComputedStyle(part).textOverflow === "ellipsis" && part.scrollWidth > part.clientWidth + 1);
  const clip = (part, x, y) => {
    for (let around = part; around; around = around.parentElement) {
      const { left, right, top, bottom } = around.getBoundingClientRect();
      const out = x < left || x > right || y < top || y > bottom;
      if (out && getComputedStyle(around).overflow !== "visible") return true;
    }
    return x < 0 || x > innerWidth || y < 0 || y > innerHeight;
  };
  const top = document.querySelector("dialog[open], #side.open, .course.open") ?? document;
  const hidden = [...top.querySelectorAll("button, a, select, input, .prompt, .callout, .notes, .side")]
    .filter(part => part.checkVisibility({ visibilityProperty: true }) && !part.disabled).filter(part => {
      const { left, top, width, height } = part.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      if (!width || clip(part, x, y)) return false;
      const there = document.elementFromPoint(x, y);
      return !(part.contains(there) || there?.contains(part) || there?.closest(".play"));
    });
  return [
    ...(document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the window"] : []),
    ...cut.map(part => `cut: ${part.textContent}`),
    ...hidden.map(part => `covered: ${part.textContent || part.ariaLabel}`),
  ];
}"""
"""Words that are cut off, and what lies under something else: no screen may have any."""


def style() -> str:
    """Our font, still pictures, and no times."""
    faces = "".join(
        f"@font-face {{ font-family: Ours; font-weight: {weight}; src: url(data:font/otf;base64,{_font(name)}) }}"
        for name, weight in (("inter-medium", "100 500"), ("inter-semibold", "501 900"))
    )
    return f"""{faces}
    :root {{ --sans: Ours !important; --mono: Ours !important; }}
    * {{ caret-color: transparent !important; transition: none !important; animation: none !important; }}
    time, .clock {{ visibility: hidden; }}
    .clock {{ width: 4rem; }}"""


def _font(name: str) -> str:
    file = Path(__file__).parents[2] / "render" / f"{name}.otf"
    return base64.b64encode(file.read_bytes()).decode()


class Screens:
    """Goes from screen to screen and says what is wrong with each."""

    def __init__(self, browser: Browser, address: str, *, renew: bool):
        self.browser = browser
        self.address = address
        self.renew = renew
        self.wrong: list[str] = []
        self.seen: dict[str, list[tuple[str, Box]]] = {}
        self.kept = {} if renew or not BOXES.exists() else json.loads(BOXES.read_text("utf-8"))

    async def page(self, path: str = "", *, phone: bool = False) -> Page:
        """A window of its own."""
        context = await self.browser.new_context(
            viewport=PHONE if phone else DESKTOP, has_touch=phone, bypass_csp=True, locale="en-GB"
        )
        context.set_default_timeout(PATIENCE)
        page = await context.new_page()
        await page.goto(self.address + path)
        await page.add_style_tag(content=style())
        return page

    async def seat(self, name: str, *, phone: bool = False) -> Page:
        """Somebody has sat down."""
        page = await self.page(phone=phone)
        await page.get_by_label("Your name").fill(name)
        await page.keyboard.press("Enter")
        await page.locator("#words").wait_for()
        return page

    async def look(self, page: Page, name: str) -> None:
        """The screen as it is now must be as it was found good."""
        await page.evaluate("document.fonts.ready")
        await page.wait_for_function(PAINTED)
        self.wrong += [f"{name}: {fault}" for fault in await page.evaluate(FAULTS)]
        self.seen[name] = [(part, box) for part, box in await page.evaluate(PLACES, PARTS)]
        now = Image.open(BytesIO(await page.screenshot(type="png"))).convert("RGB")
        file = GOLDEN / f"{name}.webp"
        if self.renew:
            now.save(file, quality=50, method=6)
            return
        if (moved := shifted(self.seen[name], self.kept.get(name, []))) is not None:
            self.wrong.append(f"{name}: {moved}")
        with Image.open(file) as then:
            if (share := unlike(now, then.convert("RGB"))) > MOST:
                self.wrong.append(f"{name}: {share:.1%} of it looks otherwise")
        if any(fault.startswith(f"{name}:") for fault in self.wrong):
            out = Path("out/screens")
            out.mkdir(parents=True, exist_ok=True)
            now.save(out / f"{name}.png")

    def close(self) -> None:
        """Keep what was seen, where it is to be kept."""
        if self.renew:
            lines = (f"{json.dumps(name)}: {json.dumps(parts)}" for name, parts in sorted(self.seen.items()))
            BOXES.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def shifted(now: list[tuple[str, Box]], then: list[tuple[str, Box]]) -> str | None:
    """What stands elsewhere than it did, or is not there, or is new."""
    if [part for part, _ in now] != [part for part, _ in then]:
        ours, theirs = ({part for part, _ in parts} for parts in (now, then))
        return f"other parts: {sorted(ours ^ theirs) or 'more or fewer of the same'}"
    for (part, box), (_, before) in zip(now, then, strict=True):
        if any(abs(a - b) > FINE for a, b in zip(box, before, strict=True)):
            return f"{part} is at {box}, was at {before}"
    return None


def unlike(now: Image.Image, then: Image.Image) -> float:
    """The share of two pictures that looks different from afar."""
    if now.size != then.size:
        return 1.0
    small = now.width // AFAR, now.height // AFAR
    differ = ImageChops.difference(
        now.resize(small, Image.Resampling.BOX), then.resize(small, Image.Resampling.BOX)
    ).split()
    worst = ImageChops.lighter(ImageChops.lighter(differ[0], differ[1]), differ[2]).histogram()
    return sum(worst[STRONG:]) / (small[0] * small[1])


async def colours(page: Page, board: str, scheme: str = "light") -> None:
    """Another theme."""
    await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    await page.evaluate(
        """board => { const choice = document.getElementById("theme");
        if (choice) { choice.value = board; choice.dispatchEvent(new Event("change")); } }""",
        board,
    )


async def go(page: Page, place: str, first: str = "svg.board") -> None:
    """To a place in the room."""
    await page.evaluate("place => { location.hash = place }", place)
    await page.locator(first).first.wait_for()


async def matches(anna: Page, ben: Page) -> None:
    """One of each game, begun in its middle; Anna has the first side. In Tokonoma a turn is called out."""
    for number, (key, start) in enumerate(MIDGAMES.items(), 1):
        game = GAMES[key]
        first = game.names[game.sides[0]].lower()
        await write(anna, f'challenge @ben {key} start="{start}" side={first} umpire=friendly')
        await expect(ben.locator("#log .choices")).to_have_count(number)
        await write(ben, f"accept {number}")
        await expect(anna.locator(".opening")).to_have_count(number)
        mover = anna if game.to_act(game.decode(start)) == game.sides[0] else ben
        await go(mover, f"lounge/{number}")
        await write(mover, TURNS[key])
        await expect(mover.locator(".steps output")).to_contain_text(TURNS[key])
        if key == "tokonoma":
            await go(ben, f"lounge/{number}")
            await ben.locator("#table").get_by_role("button", name="Call it out").click()
            await expect(mover.locator(".prompt")).to_be_visible()
            await go(ben, "lounge", ".opening")
        await go(mover, "lounge", ".opening")
