# Two commands are all one needs: `make play` and `make test`. Both set up what they use, in .venv.
PYTHON ?= python3
BIN := .venv/bin

CLIENT := client/package-lock.json $(shell find client/src client/public client/*.html client/*.ts -type f)

.PHONY: play test bench clean chromium proxies
.DELETE_ON_ERROR:

play: .venv/ready plenilune/web/index.html
	@$(BIN)/plenilune

# The browser's tests run apart: Playwright keeps an event loop running in the thread of whatever tests come after it.
test: .venv/ready-dev plenilune/web/index.html chromium proxies
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python client/build.py check test
	$(BIN)/pytest --ignore=tests/browser
	$(BIN)/pytest tests/browser

bench: .venv/ready-bench
	$(BIN)/python -m benchmarks.speed

clean:
	rm -rf .venv client/node_modules plenilune/web

# The pages. Node is the machine's own if it is new enough, otherwise one from PyPI.
plenilune/web/index.html: $(CLIENT) client/build.py | .venv/node
	@echo "Building the pages"
	@$(BIN)/python client/build.py
	@touch $@

.venv/node: client/build.py | .venv/bin/python
	@(cd client && ../$(BIN)/python -c 'import build, sys; sys.exit(not build.node_of_the_machine())') || \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(cd client && ../$(BIN)/python -c 'import build; print(build.WHEEL)')"
	@touch $@

# A browser for the tests.
chromium:
	@command -v chromium chromium-browser google-chrome >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  echo "Installing chromium" && apt-get -qq update && apt-get -qq install -y chromium >/dev/null; } || \
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

.venv/ready: pyproject.toml | .venv/bin/python
	@echo "Setting up Plenilune in .venv (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/ready-%: pyproject.toml | .venv/bin/python
	@echo "Setting up Plenilune in .venv, with what '$*' needs (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@
