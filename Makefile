# Every target does its own set-up in $(VENV), from Python 3.11+, make and a C++ compiler.
#   make test ARGS='-k ties'      pass arguments on (test, test-fast, test-dialects, test-cluster, bench)
#   make test PYTHON=python3.13   choose the interpreter of a new $(VENV)

VENV ?= .venv
PYTHON ?=
ARGS ?=

BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install -q --disable-pip-version-check
NATIVE := src/native/*.cpp src/native/*.hpp

# The interpreter is not sanitized, so the sanitizer's library is loaded before it, and libstdc++ for
# the function that throws exceptions. What CPython never frees is no leak of ours. The thread
# sanitizer needs addresses that are not random. Output is not captured, or reports would be lost.
ASAN := .venv-asan
TSAN := .venv-tsan
SANITIZED_TESTS := bin/python -m pytest -n 0 -s -p no:cacheprovider
preloaded = env $(2) PYTHONMALLOC=malloc \
	LD_PRELOAD="$$($(CXX) -print-file-name=$(1)) $$($(CXX) -print-file-name=libstdc++.so)" \
	$$(setarch -R true 2>/dev/null && echo setarch -R)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test test-fast test-dialects test-cluster check check-native lint types format bench docs gold screenshots clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.gainful ## Show what gainful does, on a small bundled collection
	@$(BIN)/gainful demo

test: $(VENV)/.dev $(VENV)/.browser $(VENV)/.java ## Run all tests
	$(BIN)/python -m pytest $(ARGS)

test-fast: $(VENV)/.dev ## Run the tests that are neither slow nor in need of Spark or a browser
	$(BIN)/python -m pytest -m "not slow and not spark and not browser" $(ARGS)

# GAINFUL_GOLD=write make test-dialects ARGS='-k ranx' keeps what came of it for the documentation.
test-dialects: $(VENV)/.dev ## Compare dialects with libraries that take long to install, in .venv-dialects
	$(BIN)/python -m pytest -n 0 tests/dialects/heavy/compare.py $(ARGS)

test-cluster: $(VENV)/.dev $(VENV)/.java ## Run Spark on a cluster of processes, lose a worker, and use Connect from .venv-cluster
	$(BIN)/python -m pytest -n 0 -o python_files='check_*.py' tests/cluster $(ARGS)

check: lint types ## Check style and types of Python and C++

check-native: $(ASAN)/.sanitized $(TSAN)/.sanitized ## Test the native core under the address, undefined-behaviour and thread sanitizers
	$(call preloaded,libasan.so,ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1) \
		$(ASAN)/$(SANITIZED_TESTS) tests/native $(ARGS)
	$(call preloaded,libtsan.so,TSAN_OPTIONS=halt_on_error=1) \
		$(TSAN)/$(SANITIZED_TESTS) $(addprefix tests/native/test_,threads.py heads.py parse.py index.py columns.py tables.py) $(ARGS)

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
	GAINFUL_GOLD=write $(BIN)/python -m pytest -q tests/test_gold.py tests/charts/test_specs.py tests/dialects/test_counts.py

screenshots: $(VENV)/.dev $(VENV)/.browser ## Rewrite the pictures of a report in docs/images
	$(BIN)/python tools/screenshot.py

clean: ## Remove the environment, the build and all caches
	rm -rf $(VENV) $(ASAN) $(TSAN) .venv-dialects .venv-cluster build dist wheelhouse .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# Stamps: each names what $(VENV) holds.

$(VENV)/.python:
	@python=$$(PYTHON='$(PYTHON)' sh tools/bootstrap.sh) && "$$python" -m venv $(VENV)
	@touch $@

# The build tools stay installed: an isolated build would compile everything anew each time.
# An isolated build would also add cmake and ninja by itself, and setuptools to packages that come
# as source, such as PySpark.
$(VENV)/.tools: $(VENV)/.python pyproject.toml
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > $@.txt
	@echo 'Setting up $(VENV) and compiling the native core: about a minute, once.'
	$(INSTALL) -r $@.txt cmake ninja 'setuptools>=70.1'
	@touch $@

$(VENV)/.gainful: extras := [report]
$(VENV)/.dev: extras := [dev]
$(VENV)/.bench: extras := [dev,bench]
$(VENV)/.gainful $(VENV)/.dev $(VENV)/.bench: $(VENV)/.tools pyproject.toml CMakeLists.txt $(wildcard src/native/*)
	$(INSTALL) --no-build-isolation -e '.$(extras)'
	@touch $(VENV)/.gainful $@

# Not finished where there is none: the tests that need one are skipped, and the next time says so again.
$(VENV)/.browser $(VENV)/.java: $(VENV)/.python
	@! sh tools/$(patsubst .%,%,$(@F)).sh || touch $@

# Sanitized builds have environments of their own.

$(ASAN)/.sanitized: sanitizers := address,undefined
$(TSAN)/.sanitized: sanitizers := thread
$(ASAN)/.sanitized $(TSAN)/.sanitized: pyproject.toml CMakeLists.txt $(wildcard src/native/*)
	@$(MAKE) -s VENV=$(@D) $(@D)/.tools
	$(@D)/bin/python -m pip install -q --disable-pip-version-check hypothesis pytest pytest-xdist 'pyarrow>=19'
	$(@D)/bin/python -m pip install -q --disable-pip-version-check --no-build-isolation -e . \
		-C build-dir=build/$(@D) -C cmake.define.GAINFUL_SANITIZE=$(sanitizers)
	@touch $@
