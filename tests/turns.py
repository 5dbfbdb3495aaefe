"""What tests write into a store: turns, their summaries, whole databases."""

from pathlib import Path

from storage.sqlite.store import SqliteStore
from storage.store import Alarm, Change, OutboxMessage, Summary

NOON = 1_800_000_000_000


def turn(match: str, expected: int, *, heard: str = "", ordering_key: str = "web:hall") -> Change:
    """All that a played turn writes."""
    return Change(
        heard=heard or f"heard {match} {expected}",
        match=match,
        expected=expected,
        events=((NOON + expected, f'{{"turn": {expected}}}'),),
        messages=(OutboxMessage(f"letter {match} {expected}", ordering_key, '{"text": "…"}'),),
        alarms=(Alarm(match, "flag", NOON + 1000 + expected),),
        summary=summary(match, updated=NOON + expected),
        settings=(("web:anna", "theme", f"dark {expected}"),),
    )


def summary(match: str, *, players: tuple[str, ...] = ("web:anna", "web:bert"), **rest: object) -> Summary:
    fields = {"game": "tokonoma", "status": "playing", "to_act": ("web:anna",), "places": ("web:hall",)}
    return Summary(match, players=players, **{**fields, "due": 0, "updated": NOON, **rest})  # type: ignore[arg-type]


async def bodies(store: SqliteStore, match: str) -> list[str]:
    return [record.body for record in await store.load(match)]


async def filled(path: Path, matches: int = 3, turns: int = 8) -> dict[str, list[object]]:
    """A database with a few matches, closed; what loading it must give."""
    store = await SqliteStore.open(path)
    for n in range(turns):
        for match in range(1, matches + 1):
            await store.commit(turn(str(match), n))
    written: dict[str, list[object]] = {str(m): list(await store.load(str(m))) for m in range(1, matches + 1)}
    await store.close()
    return written
