# Every target does its own set-up in $(VENV), from Python 3.11+, make and a C++ compiler.
#   make test ARGS='-k ties'      pass arguments on (test, test-fast, bench)
#   make test PYTHON=python3.13   choose the interpreter of a new $(VENV)

VENV ?= .venv
PYTHON ?=
ARGS ?=

BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install -q --disable-pip-version-check
NATIVE := src/native/*.cpp src/native/*.hpp

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test test-fast check lint types format bench docs gold clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.gainful ## Show what gainful does, on a small bundled collection
	@$(BIN)/gainful demo

test: $(VENV)/.dev ## Run all tests
	$(BIN)/python -m pytest $(ARGS)

test-fast: $(VENV)/.dev ## Run the tests that are neither slow nor in need of Spark or a browser
	$(BIN)/python -m pytest -m "not slow and not spark and not browser" $(ARGS)

check: lint types ## Check style and types of Python and C++

lint: $(VENV)/.dev ## Check style: ruff and clang-format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(NATIVE)

types: $(VENV)/.dev ## Check types: mypy
	$(BIN)/mypy

format: $(VENV)/.dev ## Rewrite Python and C++ in the project's style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(NATIVE)

bench: $(VENV)/.bench ## Measure speed and memory
	$(BIN)/python -m bench $(ARGS)

docs: $(VENV)/.dev ## Write the generated documentation pages
	$(BIN)/python tools/generate_docs.py

gold: $(VENV)/.dev ## Rewrite the expected outputs in tests/gold, to be reviewed as a diff
	GAINFUL_GOLD=write $(BIN)/python -m pytest -q tests/test_gold.py

clean: ## Remove the environment, the build and all caches
	rm -rf $(VENV) build dist wheelhouse .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# Stamps: each names what $(VENV) holds.

$(VENV)/.python:
	@python=$$(PYTHON='$(PYTHON)' sh tools/bootstrap.sh) && "$$python" -m venv $(VENV)
	@touch $@

# The build tools stay installed: an isolated build would compile everything anew each time.
# An isolated build would also add cmake and ninja by itself.
$(VENV)/.tools: $(VENV)/.python pyproject.toml
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > $@.txt
	@echo 'Setting up $(VENV) and compiling the native core: about a minute, once.'
	$(INSTALL) -r $@.txt cmake ninja
	@touch $@

$(VENV)/.dev: extras := [dev]
$(VENV)/.bench: extras := [dev,bench]
$(VENV)/.gainful $(VENV)/.dev $(VENV)/.bench: $(VENV)/.tools pyproject.toml CMakeLists.txt $(wildcard src/native/*)
	$(INSTALL) --no-build-isolation -e '.$(extras)'
	@touch $(VENV)/.gainful $@
