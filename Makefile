# The project's commands. Each sets up what it needs; a second run starts at once.
.PHONY: demo docs serve test lint lock fuzz bench bench-checks bench-load clean
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install -qq

export PYTHONUTF8 := 1

# The environment, and in it the applications exactly as locked: the lock names every package, so pip has nothing to
# resolve (and an older pip does not stumble over a newer release of a package that is required with an extra).
$(VENV)/.app: requirements.lock pyproject.toml
	@echo "» Setting up $(VENV) (once)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Kontextwerk needs Python 3.11 or newer: make PYTHON=python3.12 …"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "The venv module is missing: install it (Debian: apt install python3-venv) and run make again."; exit 1; }
	@echo "» Installing the locked packages"
	@$(PIP) --no-deps --require-hashes --requirement requirements.lock
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.app requirements-dev.lock
	@echo "» Installing the tools for tests and checks"
	@$(PIP) --no-deps --require-hashes --requirement requirements-dev.lock
	@touch $@

demo: $(VENV)/.app
	@$(BIN)/python examples/demo.py

# The page, with the example library where no other data directory is named.
serve: $(VENV)/.app
	@if [ -z "$$KONTEXTWERK_DATA_DIR" ]; then $(BIN)/kontextwerk ingest --data-dir .demo/serve examples/library; fi
	@$(BIN)/kontextwerk serve --data-dir "$${KONTEXTWERK_DATA_DIR:-.demo/serve}" $(ARGS)

test: $(VENV)/.dev
	@$(BIN)/python -m pytest

# The core's promises over a million generated examples; takes half an hour on two cores.
EXAMPLES ?= 1000000
fuzz: $(VENV)/.dev
	@PYTHONPATH=tests $(BIN)/python tests/fuzz.py --examples $(EXAMPLES)

# The other libraries, in an environment of their own.
.venv-bench/.bench: requirements-bench.lock pyproject.toml
	@echo "» Setting up .venv-bench (once)"
	@$(PYTHON) -m venv .venv-bench
	@.venv-bench/bin/python -m pip --disable-pip-version-check install -qq --no-deps --require-hashes --requirement requirements-bench.lock
	@.venv-bench/bin/python -m pip --disable-pip-version-check install -qq --no-deps --no-build-isolation --editable .
	@touch $@

# Writes docs/benchmarks/report.md; DATA is a folder with sets of questions: see benchmarks/report.py.
bench: .venv-bench/.bench
	@test -n "$(DATA)" || { echo "Name the folder with the questions: make bench DATA=DIR"; exit 1; }
	@.venv-bench/bin/python benchmarks/report.py "$(DATA)" $(ARGS)

# Writes docs/benchmarks/checks.md; DATA is a folder with judged answers: see benchmarks/checks.py.
bench-checks: $(VENV)/.app
	@test -n "$(DATA)" || { echo "Name the folder with the answers: make bench-checks DATA=DIR"; exit 1; }
	@$(BIN)/python benchmarks/checks.py "$(DATA)"

# Writes docs/benchmarks/load.md: fifty conversations at once, with a scripted model.
bench-load: $(VENV)/.dev
	@PYTHONPATH=tests $(BIN)/python benchmarks/load.py

# What is made of the code: the reference, and the pictures (with Chromium).
docs: $(VENV)/.dev
	@$(BIN)/python docs/reference/write.py
	@$(BIN)/python docs/images/take.py

lint: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/interrogate --quiet src tests

# Needs the network: resolves anew and writes the lock files.
lock: $(VENV)/.dev
	@$(PIP) uv
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --no-annotate --python-version 3.11 \
		--extra app --group lock pyproject.toml --output-file requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --no-annotate --python-version 3.11 \
		--extra app --group lock --group dev --constraints requirements.lock pyproject.toml --output-file requirements-dev.lock
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --no-annotate --python-version 3.11 \
		--extra index --group lock --group bench --constraints requirements.lock pyproject.toml --output-file requirements-bench.lock

clean:
	rm -rf $(VENV) .venv-bench .demo .mypy_cache .pytest_cache .ruff_cache .hypothesis
