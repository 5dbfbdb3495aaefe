# Riposte: everything a player, a host or a developer types. Needs python3 (3.11 or newer) with venv.
PY := .venv/bin/python
SETUP := .venv/.ready
DEV := .venv/.ready-dev

.DEFAULT_GOAL := help
.PHONY: help setup dev run test test-all test-clients fix texts rules bench strength mutants lock

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
	.venv/bin/pytest -n auto

test-all:  ## the same, with everything optional installed; nothing is skipped
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

bench: $(DEV)  ## measure, beside what others reach
	$(PY) -m benchmarks

strength: $(DEV)  ## let Riposte's levels play each other and fixed opponents; hours; goes on where it was; PAIRS=10 is quick
	nice $(PY) -m tests.strength --pairs $(or $(PAIRS),100)

mutants: $(DEV)  ## break the code on purpose, and list what no test notices; an hour or two; MUTANTS="engine.match.*"
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-mutants.lock
	.venv/bin/mutmut run --max-children 1 $(foreach names,$(MUTANTS),"$(names)")
	.venv/bin/mutmut results

lock:  ## pin the newest versions of everything; needs uv
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header -q pyproject.toml --extra push --group build -o requirements.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header -q pyproject.toml --extra push --group build --group dev --group bench -o requirements-dev.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header -q pyproject.toml --extra push --group build --group dev --group bench --group mutants -o requirements-mutants.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header -q tests/synapse/requirements.in -o tests/synapse/requirements.lock
