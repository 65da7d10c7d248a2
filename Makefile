# `make play` and `make test` are all you need. Each command sets up what it uses, in .venv.
PYTHON ?= python3
BIN := .venv/bin
# In .venv itself: a place of its own would need all that a release is built with.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

RULES := $(shell find plenilune/core plenilune/bots plenilune/games plenilune/wasm plenilune/*.py \
  -name '*.py' -o -name '*.npy' -o -name '*.table')
CLIENT := client/package-lock.json $(shell find client/src client/public client/*.html client/*.ts -type f)

.PHONY: play test check check-client quick coverage site docs release bench clean chromium proxies
.DELETE_ON_ERROR:

play: .venv/ready plenilune/web/modules/index.json
	@$(BIN)/plenilune

# The browser's tests run apart: Playwright keeps an event loop running in the thread of whatever tests come after it.
test: .venv/ready-dev plenilune/web/modules/index.json chromium proxies
	@$(MAKE) --no-print-directory --jobs=2 check check-client
	$(BIN)/python -m tests.compiled
	$(BIN)/pytest --ignore=tests/browser
	$(BIN)/pytest tests/browser

check: .venv/ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

check-client: .venv/ready-dev .venv/node
	$(BIN)/python client/build.py check test

# Under a minute once `make test` has compiled the rules: nothing that starts a server, a database or a browser, and
# nothing marked slow.
quick: check
	$(BIN)/pytest -q -m "not slow" --ignore=tests/browser

# Compiled code cannot be measured, so the rules run as plain Python. What is slow or needs compiled code is left out.
# It fails if less than 98% of what decides at tables is covered, which needs no server.
coverage: .venv/ready-dev
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -q -m "not slow" --ignore=tests/browser --cov --cov-report=term:skip-covered \
	  --cov-report=html:build/coverage
	$(BIN)/coverage report --include='plenilune/server/tables/decide/*' --fail-under=98 --format=total

# The pages with the rules and the bots in them, in build/site: for any web host, at any path. With PLENILUNE_COMPONENTS or
# PLENILUNE_GAMES the rules are compiled again, for what these name.
site: .venv/ready plenilune/web/modules/index.json
	@rm -rf build/site && mkdir -p build && cp -R plenilune/web build/site
	@[ -z "$$PLENILUNE_COMPONENTS$$PLENILUNE_GAMES" ] || { echo "Compiling the rules with your own components and games" && \
	  $(BIN)/python -m plenilune.wasm build/site-modules >/dev/null && rm build/site/modules/* && \
	  cp build/site-modules/*.wasm build/site-modules/*.json build/site/modules && \
	  PLENILUNE_WEB="$(CURDIR)/build/site" $(BIN)/python client/build.py list; }
	@echo "build/site/index.html"

# The documents as pages, in build/docs.
docs: .venv/ready-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "build/docs/index.html"

# The wheel and the sdist, in dist, each installed alone and played from.
release: .venv/ready-dev .venv/node
	$(BIN)/python tools/release.py

bench: .venv/ready-bench
	$(BIN)/python -m benchmarks.speed

clean:
	rm -rf .venv build dist client/node_modules plenilune/web

# The pages. Node is the machine's own if it is new enough, otherwise one from PyPI.
plenilune/web/index.html: $(CLIENT) client/build.py | .venv/node
	@echo "Building the pages"
	@$(BIN)/python client/build.py
	@touch $@

# The rules and the search as WebAssembly, beside the pages. Building the pages empties their folder.
plenilune/web/modules/index.json: build/modules/index.json plenilune/web/index.html
	@rm -rf $(@D) && mkdir -p $(@D) && cp build/modules/*.wasm build/modules/*.json $(@D)
	@$(BIN)/python client/build.py list

build/modules/index.json: $(RULES) pyproject.toml | .venv/ready
	@echo "Compiling the rules for the pages"
	@PLENILUNE_GAMES= PLENILUNE_COMPONENTS= $(BIN)/python -m plenilune.wasm build/modules >/dev/null

.venv/node: client/build.py | .venv/bin/python
	@(cd client && ../$(BIN)/python -c 'import build, sys; sys.exit(not build.node_of_the_machine())') || \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(cd client && ../$(BIN)/python -c 'import build; print(build.WHEEL)')"
	@touch $@

# A browser for the tests. The headless shell is the same engine without Chromium's own windows: a third of the work.
chromium:
	@command -v chromium chromium-browser google-chrome >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  echo "Installing chromium" && apt-get -qq update && \
	  apt-get -qq install -y --no-install-recommends chromium chromium-headless-shell fonts-liberation >/dev/null; } || \
	  { echo "The tests need Chromium: install the package chromium, then try again."; exit 1; }

# Proxies, to test the configurations in docs/operating. Debian would start them as services.
proxies:
	@PATH="$$PATH:/usr/sbin"; { command -v nginx && command -v caddy; } >/dev/null || { [ "$$(id -u)" = 0 ] && \
	  command -v apt-get >/dev/null && echo "Installing nginx and caddy" && apt-get -qq update && \
	  apt-get -qq install -y --no-install-recommends nginx caddy >/dev/null && \
	  { systemctl disable --now nginx caddy 2>/dev/null || true; }; } || \
	  { echo "The tests need nginx and Caddy: install the packages nginx and caddy, then try again."; exit 1; }

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Plenilune needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12 ..."; exit 1; }
	@# Debian keeps a part of venv in a package of its own.
	@$(PYTHON) -m venv .venv >/dev/null || { rm -rf .venv; \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing python3-venv" && \
	  apt-get -qq update && apt-get -qq install -y python3-venv >/dev/null && $(PYTHON) -m venv .venv; } || \
	  { rm -rf .venv; echo "Python's venv module is missing: install the package python3-venv, then try again."; exit 1; }

.venv/ready: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up Plenilune in .venv (once)"
	@$(INSTALL) hatchling editables
	@$(INSTALL) --no-build-isolation --editable .
	@touch $@

.venv/ready-%: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up Plenilune in .venv, with what '$*' needs (once)"
	@$(INSTALL) hatchling editables
	@$(INSTALL) --no-build-isolation --editable '.[$*]'
	@touch $@
