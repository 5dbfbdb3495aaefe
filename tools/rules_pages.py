"""Makes the pages of the rules whole: their pictures, what stands between their marks, and the web room's copy of them.

`python -m tools.rules_pages` after a scene, a page or the look of pictures has changed. In a page,
`<!-- pictures: a b -->` is followed by those pictures and `<!-- match -->` by the game's match with notes, each up to
`<!-- end -->`.
"""

import io
import re
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from PIL import Image

from bot.commands.learning.rules import reach_told, turn_told
from engine.dice import Dice
from engine.game import AnyGame
from engine.games import GAMES
from engine.teaching.entries import Scene
from engine.teaching.reach import reached
from engine.teaching.scenes import file_name, scenes
from render.scene import painted

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "rules"
SERVED = ROOT / "bot" / "adapters" / "web" / "rules"
LARGE = 500
"""Pixels beyond which a picture takes the whole column."""
BLOCK = re.compile(r"<!-- (pictures: [^>]*?|match) -->\n.*?<!-- end -->", re.DOTALL)


def main() -> None:
    """Write everything anew."""
    for key, game in taught().items():
        folder = PAGES / key
        folder.mkdir(exist_ok=True)
        for old in {path.stem for path in folder.glob("*.png")} - set(scenes(game)):
            (folder / f"{old}.png").unlink()
        for name in scenes(game):
            (folder / f"{name}.png").write_bytes(small(painted(game, name)))
        page = PAGES / f"{key}.md"
        page.write_text(whole(game, page.read_text("utf-8")), "utf-8")
        (SERVED / f"{key}.html").write_text(served(game, page.read_text("utf-8")), "utf-8")


def taught() -> Mapping[str, AnyGame]:
    """The games that have a page."""
    return {page.stem: GAMES[page.stem] for page in sorted(PAGES.glob("*.md"))}


def small(image: bytes) -> bytes:
    """The same picture in fewer bytes."""
    out = io.BytesIO()
    Image.open(io.BytesIO(image)).save(out, "PNG", optimize=True)
    return out.getvalue()


# --- what stands between the marks ------------------------------------------------------------------------
def whole(game: AnyGame, text: str) -> str:
    """A page with everything between its marks made anew."""

    def filled(found: re.Match[str]) -> str:
        what, _, names = found[1].partition(": ")
        blocks = match(game) if what == "match" else (shown(game, name) for name in names.split())
        return f"<!-- {found[1]} -->\n\n" + "\n\n".join(blocks) + "\n\n<!-- end -->"

    return BLOCK.sub(filled, text)


def shown(game: AnyGame, name: str) -> str:
    """A picture with what it shows."""
    scene = scenes(game)[name]
    title = next((str(entry.name) for entry in game.entries if file_name(entry.name) == name), scene.title)
    told = told_of(game, scene)
    alt = f"{title}. {told}".strip().replace("`", "").replace("*", "\\*")
    under = f"**{title}**" + (f" {told}" if told and not scene.reaches else "")
    return f"![{alt}]({game.key}/{name}.png)\\\n{under}"


def told_of(game: AnyGame, scene: Scene) -> str:
    """What a scene shows, in words."""
    if scene.reaches:
        return " ".join(map(str, reach_told(scene, reached(game, scene))))
    return " ".join(map(str, turn_told(game, scene)))


def match(game: AnyGame) -> Iterator[str]:
    """The match with notes: turns in a row up to a note, and boards where they are drawn."""
    run: list[str] = []
    position = game.setup(dict(game.sample_terms), Dice(bytes(32)))
    for number, noted in enumerate(game.sample, 1):
        side = game.names[game.to_act(position)]
        turn = game.read(noted.turn, position)
        run.append(f"{number}\\. {side} `{noted.turn}`")
        position = game.play(position, turn)
        if noted.says:
            yield ", ".join(run) + f". *{noted.says}*"
            run = []
        if noted.drawn:
            if run:
                yield ", ".join(run) + "."
                run = []
            yield f"![The board after turn {number}]({game.key}/match-{number}.png)\\\nAfter turn {number}"
    if run:
        yield ", ".join(run) + "."


# --- the web room's copy ----------------------------------------------------------------------------------
def served(game: AnyGame, text: str) -> str:
    """A page as HTML that the web room serves; its pictures are painted when they are asked for."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(re.sub(r"<!--.*?-->\n?", "", text))
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and after is not None:
            token.attrSet("id", anchor(after.content))
        for child in token.children or ():
            _picture(child)
    body = markdown.renderer.render(tokens, markdown.options, {})
    body = body.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    # A corner that says nothing heads nothing, and whoever has no mouse must be able to scroll.
    body = body.replace("<th></th>", "<td></td>").replace("<pre>", '<pre tabindex="0">')
    links = " ".join(f'<a href="/rules/{key}">{escape(str(other.name))}</a>' for key, other in taught().items())
    return FRAME.format(name=escape(str(game.name)), links=links, body=body)


def _picture(token: Token) -> None:
    """Where a picture comes from, in light and dark."""
    if token.type != "image":
        return
    source = f"/rules/{token.attrs['src']}"
    with Image.open(PAGES / str(token.attrs["src"])) as drawn:
        width, height = drawn.size
    large = ' class="large"' if width > LARGE else ""
    image = (
        f'<img{large} src="{source}" alt="{escape(token.content)}" width="{width}" height="{height}" loading="lazy">'
    )
    token.type, token.tag, token.children = "html_inline", "", None
    token.content = (
        f'<picture><source srcset="{source}?theme=dark" media="(prefers-color-scheme: dark)">{image}</picture>'
    )


def anchor(heading: str) -> str:
    """What a heading is linked by, as the code host has it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The rules of {name}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/rules.css">
</head>
<body>
<header><a href="/">Riposte</a><nav aria-label="Rules">{links}</nav></header>
<main>
{body}</main>
</body>
</html>
"""


if __name__ == "__main__":
    main()
