# Two commands for everybody: `make town` and `make test`. Needs only python3 (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
endif

.PHONY: town test lint bench pictures clean

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[studies]"
	@touch $@

$(VENV)/.developing: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test,dev]"
	@touch $@

town: $(VENV)/.installed
	$(BIN)/town run valentine --show

test: $(VENV)/.developing
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/.developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

pictures: $(VENV)/.installed
	$(BIN)/python docs/make_pages.py
	$(BIN)/python docs/executed.py --write

bench: $(VENV)/.installed
	$(BIN)/python -m benchmarks.run

clean:
	rm -rf $(VENV) runs dist build
