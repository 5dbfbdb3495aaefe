"""What a painter remembers stays within its budget."""

from render.lru import LruCache
from render.painter import Painter
from tests.render.handmade import hex_diagram


def test_what_was_used_longest_ago_is_forgotten_first():
    cache: LruCache[str, bytes] = LruCache(10, len)
    cache.put("a", b"1234")
    cache.put("b", b"1234")
    cache.get("a")
    cache.put("c", b"1234")
    assert cache.get("b") is None
    assert cache.get("a") == b"1234"
    assert cache.weight == 8


def test_a_value_put_twice_weighs_once_and_one_too_large_is_kept_alone():
    cache: LruCache[str, bytes] = LruCache(10, len)
    cache.put("a", b"1234")
    cache.put("a", b"123456")
    assert cache.weight == 6
    cache.put("b", bytes(50))
    assert list(cache.values()) == [bytes(50)]


def test_a_painter_holds_no_more_than_64_mib_and_forgets_on_demand():
    painter = Painter()
    first = painter.paint(hex_diagram())
    figures = hex_diagram().figures
    for site in hex_diagram().board.outlines:
        painter.paint(hex_diagram(figures=(figures[0]._replace(site=site), *figures[1:])))
    assert 0 < painter.weight < painter.budget <= 64 << 20
    before = painter.weight
    painter.forget()
    assert painter.weight < before, "only the board and the pieces stay"
    assert painter.paint(hex_diagram()) == first
