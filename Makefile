# Everything a person needs. `make demo` shows it, `make test` proves it.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
DEV := .venv/.installed-dev

.PHONY: demo run setup test check faults soak bench quality speed clean

demo: $(STAMP)
	$(BIN)/memory-console demo

run: $(STAMP)
	$(BIN)/memory-console run

setup: $(STAMP)

test: $(DEV)
	$(BIN)/python -m pytest -n auto --dist loadfile

check: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy

faults: $(DEV)
	$(BIN)/python -m pytest -m faults --fault-rounds 200

soak: $(DEV)
	$(BIN)/python -m pytest -m soak

bench: $(DEV)
	$(BIN)/python -m bench

quality: $(DEV)
	$(BIN)/python -m bench quality

speed: $(DEV)
	$(BIN)/python -m bench speed --cells 1000000

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(DEV): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache
