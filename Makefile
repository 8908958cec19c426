# Every target does its own set-up in $(VENV), from Python 3.11+, make and a C++ compiler.
#   make test ARGS='-k ties'      pass arguments on (test, test-deep, test-dialects, test-cluster, bench, walk)
#   make test PYTHON=python3.13   choose the interpreter of a new $(VENV)

VENV ?= .venv
PYTHON ?=
ARGS ?=
TIME ?= 60

BIN := $(VENV)/bin
# Modules are compiled when they are first imported: most never are, and would take a tenth of the room.
INSTALL := $(BIN)/python -m pip install -q --disable-pip-version-check --no-compile
NATIVE := src/native/*.cpp src/native/*.hpp fuzz/*.cpp fuzz/native/*.cpp fuzz/native/*.hpp
REQUIREMENTS := build check wheels

# The interpreter is not sanitized, so the sanitizer's library is loaded before it, and libstdc++ for
# the function that throws exceptions. What CPython never frees is no leak of ours. The thread
# sanitizer needs addresses that are not random. Output is not captured, or reports would be lost.
ASAN := .venv-asan
TSAN := .venv-tsan
FREE := .venv-free-threaded
SANITIZED_TESTS := bin/python -m pytest -n 0 -s -p no:cacheprovider
preloaded = env $(2) PYTHONMALLOC=malloc \
	LD_PRELOAD="$$($(CXX) -print-file-name=$(1)) $$($(CXX) -print-file-name=libstdc++.so)" \
	$$(setarch -R true 2>/dev/null && echo setarch -R)

# Tests start hundreds of processes, each of which would compile every module it imports.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test test-deep test-dialects test-cluster test-free-threaded check check-native fuzz lint types format bench exports docs gold screenshots walk wheel requirements vega licenses notebooks clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.gainful ## Show what gainful does, on a small bundled collection
	@$(BIN)/gainful demo

test: $(VENV)/.test $(VENV)/.browser $(VENV)/.java ## Test every feature: about five minutes
	$(BIN)/python -m pytest $(ARGS)

test-deep: $(VENV)/.deep $(VENV)/.browser $(VENV)/.java $(VENV)/.r ## Run tests/deep, and property tests on many more examples: about fifteen minutes
	$(BIN)/python -m pytest --deep $(ARGS)

# GAINFUL_GOLD=write make test-dialects ARGS='-k ranx' keeps what came of it for the documentation.
test-dialects: $(VENV)/.test ## Compare dialects with libraries that take long to install, in .venv-dialects
	$(BIN)/python -m pytest -n 0 tests/deep/dialects/heavy/compare.py $(ARGS)

test-cluster: $(VENV)/.deep $(VENV)/.java ## Run Spark on a cluster of processes, lose a worker, and use Connect from .venv-cluster
	$(BIN)/python -m pytest -n 0 -o python_files='check_*.py' tests/deep/cluster $(ARGS)

# Without polars, which has no wheel for such a Python; PYTHON=python3.14t names one.
test-free-threaded: $(FREE)/.free-threaded ## Run what needs no polars on a Python without the GIL, in .venv-free-threaded
	$(FREE)/bin/python -m pytest $(addprefix tests/,deep/threads deep/vectors base/native measures evaluation/test_functions.py evaluation/test_scores.py alignment/test_rules.py) $(ARGS)

check: lint types ## Check style and types of Python and C++

check-native: $(ASAN)/.sanitized $(TSAN)/.sanitized ## Test the native core under the address, undefined-behavior and thread sanitizers
	$(call preloaded,libasan.so,ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1) \
		$(ASAN)/$(SANITIZED_TESTS) tests/base/native $(ARGS)
	$(call preloaded,libtsan.so,TSAN_OPTIONS=halt_on_error=1) \
		$(TSAN)/$(SANITIZED_TESTS) $(addprefix tests/base/native/test_,workers.py exclusive.py align_heads.py parse.py index.py bindings_columns.py columns.py tables.py) $(ARGS)

fuzz: $(VENV)/.deep $(VENV)/.clang ## Fuzz every target for TIME seconds, or those that ARGS names; see fuzz/README.md
	$(BIN)/python fuzz/run.py --time $(TIME) $(ARGS)

lint: $(VENV)/.check ## Check style: ruff and clang-format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(NATIVE)

types: $(VENV)/.check $(VENV)/.test ## Check types: mypy
	$(BIN)/mypy

format: $(VENV)/.check ## Rewrite Python and C++ in the project's style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(NATIVE)

bench: $(VENV)/.bench ## Measure speed and memory
	$(BIN)/python -m bench $(ARGS)

exports: $(VENV)/.check $(VENV)/.test ## Write the index of measures and the stubs of packages, after adding a public name
	$(BIN)/python tools/generate_exports.py

docs: $(VENV)/.check $(VENV)/.deep ## Write the generated pages, and build the documentation site: build/site/index.html
	$(BIN)/python tools/generate_exports.py
	$(BIN)/python tools/generate_docs.py
	$(BIN)/python tools/draw_pictures.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	@echo 'The site is in build/site: open build/site/index.html.'

gold: $(VENV)/.test ## Rewrite the expected outputs in tests/gold, to be reviewed as a diff
	GAINFUL_GOLD=write $(BIN)/python -m pytest -q tests/end_to_end/test_gold.py tests/report/charts/test_every_chart.py tests/oracles/dialects/test_recorded_counts.py

screenshots: $(VENV)/.test $(VENV)/.browser ## Rewrite the pictures of a report in docs/images
	$(BIN)/python tools/screenshot.py

walk: $(VENV)/.test $(VENV)/.java ## Count modules, imports, and what four calls pass through; ARGS=--list names them
	$(BIN)/python tools/walk.py $(ARGS)

# make wheel PYTHON='python3.11 python3.12 python3.13' builds for all of them; from 3.12 on they share one.
wheel: ## Build the sdist and the wheel into dist/, look into them, and try them in clean environments
	python=$$(PYTHON= sh tools/bootstrap.sh) && "$$python" tools/wheel.py $(or $(PYTHON),"$$python")

requirements: ## Choose the newest tools that build and check, and write their hashes; needs uv
	for name in $(REQUIREMENTS); do uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --custom-compile-command 'make requirements' tools/requirements/$$name.in -o tools/requirements/$$name.txt; done

notebooks: $(VENV)/.deep ## Run the notebooks of docs/ and keep what they show
	$(BIN)/python tools/notebooks.py $(ARGS)

vega: $(VENV)/.test ## Write the Vega that reports hold, from the installed vl-convert
	$(BIN)/python tools/bundle_vega.py

licenses: $(VENV)/.check $(VENV)/.deep ## Write the licenses of all dependencies to docs/licenses.md
	$(BIN)/python tools/licenses.py

clean: ## Remove the environment, the build and all caches
	rm -rf $(VENV) $(ASAN) $(TSAN) $(FREE) .venv-dialects .venv-cluster build dist wheelhouse .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# Stamps: each names what $(VENV) holds.

$(VENV)/.python:
	@python=$$(PYTHON='$(PYTHON)' sh tools/bootstrap.sh) && "$$python" -m venv $(VENV)
	@touch $@

# The build tools stay installed: an isolated build would compile everything anew each time.
# An isolated build would also add cmake and ninja by itself, and setuptools to packages that come
# as source, such as PySpark.
$(VENV)/.tools: $(VENV)/.python tools/requirements/build.txt
	@echo 'Setting up $(VENV) and compiling the native core: about a minute, once.'
	$(INSTALL) --require-hashes -r tools/requirements/build.txt
	@touch $@

$(VENV)/.check: $(VENV)/.tools tools/requirements/check.txt
	$(INSTALL) --require-hashes -r tools/requirements/check.txt
	@touch $@

$(VENV)/.gainful: extras := [report]
$(VENV)/.test: extras := [test]
$(VENV)/.deep: extras := [deep]
$(VENV)/.bench: extras := [deep,bench]
$(VENV)/.gainful $(VENV)/.test $(VENV)/.deep $(VENV)/.bench: $(VENV)/.tools pyproject.toml CMakeLists.txt $(wildcard src/native/*)
	@$(INSTALL) --require-hashes -r tools/requirements/build.txt
	$(INSTALL) --no-build-isolation -e '.$(extras)'
	@$(BIN)/python -m pip uninstall -q -y cmake # 90 MB that only a build needs: the next installs it again
	@touch $(VENV)/.gainful $@

# Not finished where there is none: the tests that need one are skipped, and the next time says so again.
$(VENV)/.browser $(VENV)/.java $(VENV)/.r $(VENV)/.clang: $(VENV)/.python
	@! sh tools/$(patsubst .%,%,$(@F)).sh || touch $@

$(FREE)/.free-threaded: pyproject.toml CMakeLists.txt $(wildcard src/native/*)
	@$(MAKE) -s VENV=$(FREE) $(FREE)/.tools
	$(FREE)/bin/python -c 'import sys; sys.exit(sys._is_gil_enabled() and "this Python has the GIL: name another, PYTHON=python3.14t")'
	$(FREE)/bin/python -m pip install -q --disable-pip-version-check click hypothesis isal mpmath numpy pandas 'pyarrow>=19' pytest pytest-xdist rich scipy
	$(FREE)/bin/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

# Sanitized builds have environments of their own.

$(ASAN)/.sanitized: sanitizers := address,undefined
$(TSAN)/.sanitized: sanitizers := thread
$(ASAN)/.sanitized $(TSAN)/.sanitized: pyproject.toml CMakeLists.txt $(wildcard src/native/*)
	@$(MAKE) -s VENV=$(@D) $(@D)/.tools
	$(@D)/bin/python -m pip install -q --disable-pip-version-check hypothesis pytest pytest-xdist 'pyarrow>=19'
	$(@D)/bin/python -m pip install -q --disable-pip-version-check --no-build-isolation -e . \
		-C build-dir=build/$(@D) -C cmake.define.GAINFUL_SANITIZE=$(sanitizers)
	@touch $@
