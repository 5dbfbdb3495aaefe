"""`python -m tests.platform_kills discord 600`: the sweeps of `tests.faults.platforms`, by their shorter name."""

import runpy

if __name__ == "__main__":
    runpy.run_module("tests.faults.platforms", run_name="__main__", alter_sys=True)
