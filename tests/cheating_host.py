"""Plays a host who cheats on many matches, and counts the forgeries that are not found.

    python -m tests.cheating_host [MATCHES]

Every cheat of `test_bound_dice.py` on the record of matches of all games that draw anything, a third of them with a
player who has been erased; six of each of `test_forged_records.py`, which spell a record otherwise; and twice as many
matches of any terms, played, called, taken back and reset at random, whose records must be found true.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.test_bound_dice import (
    CHEATS,
    MATCHES,
    another_match,
    erased,
    finished,
    found,
    the_scheme_before,
)
from tests.test_forged_records import CHEATS as SPELLINGS
from tests.test_throws_again import throws_again
from tests.test_true_records import some_match, told

BY_CHANCE = (another_match, the_scheme_before)
"""What changes every number, but in a short match not always what they show."""


def main(matches: int) -> int:
    """Plays, forges and counts; returns how many failures there were."""
    true, forged, again, missed = 0, 0, 0, list[str]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(matches):
            key, seed = list(MATCHES)[number % len(MATCHES)], 100 + number
            (text, posted), (dealt, _) = finished(key, seed), finished(key, seed, "ben")
            if number % 3 == 2:
                (text, posted), (dealt, _) = erased(text, posted), erased(dealt, ())
            true += 1
            if found(text, posted, folder) != (False, False):
                missed.append(f"{key}, seed {seed}: a true record")
            lies = [(cheat.__name__, lie) for cheat in CHEATS if cheat not in BY_CHANCE for lie in cheat(text)]
            lies += [(cheat.__name__, lie) for cheat in SPELLINGS for lie in _six(cheat(text), seed)]
            if MATCHES[key][1] == 2:
                lies.append(("another challenger", dealt))
            for cheat, lie in lies:
                if lie != text:
                    forged += 1
                    if found(lie, posted, folder) != (True, True):
                        missed.append(f"{key}, seed {seed}: {cheat}")
        for seed in range(1_000, 1_000 + 2 * matches):
            table = some_match(seed)
            if table is not None:
                true += 1
                if found(*told(table), folder) != (False, False):
                    missed.append(f"any terms, seed {seed}: a true record")
        for number in range(4 * matches):
            same = throws_again(1_000 + number)
            again += same is not None
            if same is False:
                missed.append(f"seed {1_000 + number}: a throw made again")
    print(f"{true} records found true, {forged} forgeries found, {again} throws made again; failures: {len(missed)}")
    print("\n".join(missed))
    return len(missed)


def _six(lies: Iterator[str], seed: int) -> list[str]:
    """Six of the lies that a cheat knows of a record, or all where there are fewer."""
    known = [*lies]
    return Random(seed).sample(known, min(6, len(known)))


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)))
