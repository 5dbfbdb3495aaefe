"""`python -m tests.faults.platforms discord|matrix|encrypted KILLS [SEED [MINUTES]]`."""

import json
import sys

from tests.faults.platforms.kills import main

if __name__ == "__main__":
    found = main(sys.argv[1], *map(int, sys.argv[2:]))
    json.dump({name: getattr(found, name) for name in type(found).__slots__}, sys.stdout)
