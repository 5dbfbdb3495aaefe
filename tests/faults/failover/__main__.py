"""See `tests.faults.failover`."""

import sys

from tests.faults.failover.play import main, shown

if __name__ == "__main__":
    rounds, seed, *_ = [*map(int, sys.argv[1:]), *(10, 1)[len(sys.argv) - 1 :]]
    told = main(rounds, seed)
    print(shown(told))
    sys.exit(bool(told.failures()) or told.late())
