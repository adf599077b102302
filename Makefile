# `make demo` and `make test` need Python 3.11, a C++ compiler and make; the rest they set up themselves.
# PYTHON=python3.12 chooses the interpreter.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo check test test-full test-bounds cpp-test sanitize sanitize-bindings torture lint lint-python lint-types lint-cpp lint-workflows lint-pages coverage wheel docs bench ledger clean

# An editable install knows its checkout by path, so the stamps do too: a copied tree is set up anew.
HERE := $(shell pwd -P | cksum | cut -d ' ' -f 1)
COMPILED := pyproject.toml CMakeLists.txt scripts/setup.sh $(shell find cpp -type f ! -path 'cpp/tests/*')
PY := .venv/bin/python
STUB := src/sidestep/_core.pyi

# Tests start a hundred interpreters: without bytecode each of them would compile all packages anew.
export PYTHONDONTWRITEBYTECODE :=

# Three workers for two cores, since tests of pages mostly wait; each has a browser of its own, so no more than
# eight. JOBS=1 runs the tests one by one. Workers begin with equal parts of the tests in their order, so that what a
# module shares is mostly made once; a worker that is done takes over half of what another one has left.
CORES := $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
JOBS := $(shell n=$$(($(CORES) * 3 / 2)); [ $$n -lt 8 ] && echo $$n || echo 8)
PYTEST := $(PY) -m pytest -n $(JOBS) --dist worksteal
CONFIGURE := .venv/bin/cmake -S . -G Ninja -DSIDESTEP_TESTS=ON -DCMAKE_MAKE_PROGRAM=$(CURDIR)/.venv/bin/ninja \
  --log-level=WARNING

help:
	@echo 'make demo       watch 120 agents pass through narrow doors, and 1,000 robots through a warehouse'
	@echo 'make check      linters and tests for what was touched since main (a minute)'
	@echo 'make test       C++ and Python tests (a few minutes)'
	@echo 'make test-full  all of them, the slow sweeps too'
	@echo 'make test-bounds  some of them, with the lowest and the newest versions of all dependencies'
	@echo 'make sanitize   the C++ tests under the address and undefined behaviour sanitizers'
	@echo 'make torture    attack everything for MINUTES=5, and print a table'
	@echo 'make coverage   which lines of Python and C++ the tests run, by folder (long)'
	@echo 'make lint       ruff, pydoclint, mypy and clang-format; where there is npm, eslint and prettier'
	@echo 'make wheel      the wheels and the source distribution, built, checked and installed (minutes)'
	@echo 'make docs       build the documentation as a site in build/docs; a warning or a broken link is an error'
	@echo 'make bench      measure against other libraries (half an hour; the first time compiles w9-pathfinding)'
	@echo 'make ledger     what all solvers come to, kept in LEDGER=FILE.db for `sidestep compare` (minutes)'
	@echo 'make clean      remove what was built, but keep the environment of the benchmarks'

demo: .venv/.built-$(HERE)
	$(PY) -m sidestep demo

check: .venv/.built-$(HERE) .venv/.group-test .venv/.group-lint
	$(PY) scripts/check.py $(JOBS)

# pytest comes last: its closing line closes the log.
test: cpp-test
	$(PYTEST) -m 'not slow'

test-full: cpp-test
	$(PYTEST)

# Environments of their own in build/bounds; each compiles the package.
test-bounds: .venv/.built-$(HERE)
	$(PY) scripts/check_bounds.py

# Linked with the core of the Python module, as it was built last; where that is gone, the core is compiled, too.
cpp-test: .venv/.built-$(HERE) .venv/.group-test
	$(CONFIGURE) -B build/cpp-tests -DSIDESTEP_SANITIZE=OFF \
	  -DSIDESTEP_BUILT_CORE="$$(ls -t $(CURDIR)/build/cp[0-9]*/libsidestep_core.a 2>/dev/null | head -n 1)"
	.venv/bin/cmake --build build/cpp-tests
	.venv/bin/ctest --test-dir build/cpp-tests --output-on-failure

# A build of its own: under sanitizers the same tests compile and run several times as long.
sanitize: .venv/.built-$(HERE) .venv/.group-test
	$(CONFIGURE) -B build/cpp-sanitized -DSIDESTEP_SANITIZE=ON
	.venv/bin/cmake --build build/cpp-sanitized --target core_tests
	.venv/bin/ctest --test-dir build/cpp-sanitized --output-on-failure

# MINUTES=90 is a full run. ROWS=judge,worlds chooses rows, SEED=1 other cases.
MINUTES := 5
SEED := 0
torture: cpp-test sanitize-bindings
	$(PY) -m tests.torture --minutes $(MINUTES) --jobs $(CORES) --seed $(SEED) $(if $(ROWS),--rows $(ROWS))

# The core as Python calls it, under the same sanitizers, for the row of the programme that calls it at random.
sanitize-bindings: .venv/.built-$(HERE) .venv/.group-test
	$(PY) -m tests.torture.sanitized

# Each part is a hook of .pre-commit-config.yaml, too.
lint: lint-python lint-types lint-cpp lint-workflows

lint-python: .venv/.built-$(HERE) .venv/.group-lint
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) scripts/lint_docstrings.py

lint-types: .venv/.built-$(HERE) .venv/.group-lint
	$(PY) -m mypy

lint-cpp: .venv/.built-$(HERE) .venv/.group-lint
	find cpp -name '*.hpp' -o -name '*.cpp' | xargs .venv/bin/clang-format --dry-run -Werror

# What the repository's host reads, against its schemas; without the network.
lint-workflows: .venv/.built-$(HERE) .venv/.group-lint
	.venv/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	.venv/bin/check-jsonschema --builtin-schema custom.github-workflows-require-timeout .github/workflows/*.yml
	.venv/bin/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	.venv/bin/check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	.venv/bin/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/bug.yml \
	  .github/ISSUE_TEMPLATE/wish.yml
	.venv/bin/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	.venv/bin/zizmor --offline --quiet .

ifneq ($(shell command -v npm 2>/dev/null),)
lint: lint-pages
endif

lint-pages: node_modules/.package-lock.json
	node_modules/.bin/eslint .
	node_modules/.bin/prettier --check .

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --no-audit --no-fund
	touch $@

# Which lines the tests run, of Python and of the core, in an environment of its own; it takes several times as long as
# `make test`. TESTS=tests/io measures what these run.
coverage:
	$(or $(PYTHON),python3) scripts/measure_coverage.py $(TESTS)

# From a source distribution, in environments of their own; dist/ has what is released then.
wheel:
	$(or $(PYTHON),python3) scripts/check_wheel.py

# The pages of docs/, and the reference from the docstrings; then a crawl over all links. LOOK=1 also opens ten pages with
# replays in a browser, with axe (minutes).
docs: .venv/.built-$(HERE) .venv/.group-docs
	$(PY) -m sphinx -q -W --keep-going -b html docs build/docs
	$(PY) scripts/crawl_site.py build/docs $(if $(LOOK),--look)
	@echo 'open build/docs/index.html'

# A row per solver and instance of benchmarks/release.toml, one after another. What is there already is not run again.
LEDGER = build/ledgers/$(shell git describe --tags --always --dirty).db
ledger: .venv/.built-$(HERE)
	mkdir -p $(dir $(LEDGER))
	$(PY) -m sidestep sweep benchmarks/release.toml --ledger $(LEDGER) --jobs 1

bench: .bench-venv/.built-$(HERE) .bench-venv/.group-bench
	.bench-venv/bin/python -m benchmarks

# Python sources take effect at once; only what is compiled or declared needs a new build.
%/.built-$(HERE): $(COMPILED)
	scripts/setup.sh build $*
	touch $@

.bench-venv/.group-bench: pyproject.toml | .bench-venv/.built-$(HERE)
	@echo 'compiling w9-pathfinding for about 95 seconds; .bench-venv is kept, so this happens once'
	scripts/setup.sh group .bench-venv bench
	touch $@

.venv/.group-%: pyproject.toml | .venv/.built-$(HERE)
	scripts/setup.sh group .venv $*
	touch $@

clean:
	rm -rf .venv node_modules build dist out $(STUB) .pytest_cache .hypothesis .mypy_cache .ruff_cache
	find . -path ./.bench-venv -prune -o -name __pycache__ -prune -exec rm -rf {} +
