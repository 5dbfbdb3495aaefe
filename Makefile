# Riposte: everything a player, a host or a developer types. Needs python3 (3.11 or newer) with venv.
PY := .venv/bin/python
SETUP := .venv/.ready
DEV := .venv/.ready-dev

.DEFAULT_GOAL := help
.PHONY: help setup dev run test test-all test-clients fix texts rules bench strength sweep fuzz soak mutants compiled release-check lock

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/ -/'

$(SETUP): pyproject.toml requirements.lock
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Riposte needs Python 3.11 or newer; python3 is $$(python3 -V)."; exit 1; }
	@test -x $(PY) || python3 -m venv .venv
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --config-settings editable_mode=compat -e .
	$(PY) -m compileall -q bot engine render storage
	@touch $@

$(DEV): $(SETUP) requirements-dev.lock
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

setup: $(SETUP)  ## install into .venv

dev: $(DEV)  ## the same, with all that tests and benchmarks need

run: $(SETUP)  ## start Riposte; without tokens it opens the web room
	@.venv/bin/riposte run

test: $(DEV)  ## format, lint, types, layers and all tests
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/pytest -n auto --dist worksteal

test-all: $(DEV)  ## the same, with everything optional installed; nothing is skipped
	./.ci/provide
	RIPOSTE_TEST_ALL=1 $(MAKE) test

test-clients: $(DEV)  ## play in a real client (apt-get install nheko xvfb xdotool imagemagick dbus); screenshots are in .cache/clients
	.venv/bin/pytest -q tests/clients/match_in_nheko.py

fix: $(DEV)  ## format and repair what can be repaired
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .

texts: $(DEV)  ## collect all sentences, make the pseudo-language anew, bring the other languages up to date
	$(PY) -m tools.extract
	$(PY) -m tools.pseudo
	$(PY) -m tools.languages
	$(PY) -m tools.glossary

rules: $(DEV)  ## draw the pictures of the rules anew, and make their pages whole
	$(PY) -m tools.rules_pages

.PHONY: icons
icons: $(DEV)  ## draw the icons that phones show of the page anew
	$(PY) -m tools.icons

bench: $(DEV)  ## measure, beside what others reach
	$(PY) -m benchmarks

strength: $(DEV)  ## let Riposte's levels play each other and fixed opponents; hours; goes on where it was, on all cores; PAIRS=10 is quick
	nice $(PY) -m tests.strength --pairs $(or $(PAIRS),100)

sweep: $(DEV)  ## kill the bot 100,000 times and let all else go wrong, in an hour or two; KILLS=5000 RUNS=20 is quick
	nice $(PY) -m tests.faults kills $(or $(KILLS),100000)
	nice $(PY) -m tests.faults all $(or $(RUNS),200)

fuzz: $(DEV)  ## read inputs that lead to new code, for MINUTES=5; a night (MINUTES=480) reads ten million
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r tests/fuzz/requirements.lock
	nice $(PY) -m tests.fuzz $(or $(MINUTES),5)

soak: $(DEV)  ## many matches for a long time, and what grows; TURNS=144000 MATCHES=10000 take hours, TURNS=2000 MATCHES=50 minutes
	nice $(PY) -m tests.soak $(or $(TURNS),20000) $(or $(MATCHES),300) 1 .cache/soak/alone
	nice $(PY) -m tests.soak.live $(or $(TURNS),20000) $(or $(MATCHES),300) 1 .cache/soak/live $(or $(RATE),20)

mutants: $(DEV)  ## break the code on purpose, and list what no test notices; days of one core; MUTANTS="engine.match.calls*" is quick
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-mutants.lock
	.venv/bin/mutmut run --max-children 1 $(foreach names,$(MUTANTS),"$(names)")
	.venv/bin/mutmut results

compiled: $(DEV)  ## the optional wheel with the hottest rules as machine code, by mypyc (needs gcc): tested, and measured beside the pure one
	$(PY) -m tools.release.compiled
	.venv/bin/pytest -q -p no:cacheprovider -o pythonpath="out/compiled/site ." tests/games/tokonoma tests/test_every_game.py
	$(PY) -m benchmarks.beside.compiled

release-check: $(DEV)  ## known weaknesses, licences, the wheel (the same bytes each time), and what runs from it alone; out/release
	@test -x .cache/release/bin/python || python3 -m venv .cache/release
	.cache/release/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-release.lock
	$(PY) -m tools.release

COMPILE := uv pip compile --universal --python-version 3.11 --generate-hashes --no-header -q $(if $(NEWEST),--upgrade)

lock:  ## pin what pyproject.toml asks for, and with NEWEST=yes the newest of everything; needs uv
	$(COMPILE) pyproject.toml --all-extras --group build -o requirements.lock
	$(COMPILE) pyproject.toml --all-extras --group build --group dev --group bench -o requirements-dev.lock
	$(COMPILE) --group mutants -o requirements-mutants.lock -c requirements-dev.lock
	$(COMPILE) --group release -o requirements-release.lock
	$(COMPILE) tests/synapse/requirements.in -o tests/synapse/requirements.lock
	$(COMPILE) tests/fuzz/requirements.in -o tests/fuzz/requirements.lock
