# From a bare clone: `make book` builds everything, `make test` proves it.

SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
HTML := _build/html/index.html
PIP := $(BIN)/python -m pip install --quiet
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDEXPANSION:
.PHONY: help book draft drafted notebooks figures check test test-long engines mutate bench sync lab lock audit clean ready executed always

unexport PYTHONDONTWRITEBYTECODE PYTHONPATH
export SOURCE_DATE_EPOCH := 1767225600
export PATH := $(CURDIR)/$(BIN):$(PATH)

# What is stale is made by one make at a time, side by side, as many as there are cores.
CORES = $(shell getconf _NPROCESSORS_ONLN)
ALONE = $(PYTHON) book/alone.py $(MAKE) --no-print-directory -ks \
  $(if $(filter -j%,$(MAKEFLAGS)),,-j$(CORES))

help: ## show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

book: ready ## run the notebooks, draw the figures, render the book, print its path
	+@$(ALONE) $(HTML)
	@echo $(HTML)

draft: ready ## render the pages whose text has changed, in seconds, and print the path
	+@$(ALONE) drafted
	@echo _build/draft/_build/html/index.html

notebooks: ready ## run the notebooks that are stale
	+@$(ALONE) executed

figures: ready ## run every notebook again, and with it draw every figure
	+@$(ALONE) --always-make executed

SCRIPTS := $(wildcard book/_assets/*.js book/moving/*.js book/explorer/*.js book/explorer/maths/*.js tests/js/*.js)

check: ready ## check the style, the imports and the mathematics: for every commit
	@ruff check .
	@ruff format --check .
	@oxlint --quiet $(SCRIPTS)
	@oxfmt --check $(SCRIPTS)
	@lint-imports --no-logo
	@mypy
	@python -m pytest -n $(CORES) --dist worksteal tests/core tests/your_data dpchoose README.md

test: check ## check everything, then run the notebooks and open the pages
	@python -m pytest -n $(CORES) --dist worksteal tests/book book/dpbook book/moving book/_ext

test-long: ready ## the property tests again, with thousands of examples
	@python -m pytest -m hypothesis --hypothesis-profile=long

engines: book ## walk through the book in Firefox and WebKit: before a version
	@python -m pytest tests/engines

mutate: ready ## break the mathematics in many places, one at a time, and name what no test notices
	@python tests/mutate.py $(PART)

bench: ready ## measure the costs anew, for the page of the functions
	@python benchmarks/sensitivity.py --output benchmarks/sensitivity.csv
	@python benchmarks/risk.py
	@python benchmarks/questions.py --output benchmarks/questions.csv
	@python benchmarks/tables.py

sync: ready ## make both halves of each notebook agree, the newer one winning
	@python -m dpbook.build --sync

lab: ready ## read and change the chapters in JupyterLab, which the first time is installed
	@$(BIN)/jupyter lab --version >/dev/null 2>&1 || { echo "JupyterLab is installed into $(VENV), once"; $(PIP) 'jupyterlab>=4.2,<5'; }
	@jupyter lab

lock: ready ## resolve the dependencies again
	@uv pip compile pyproject.toml book/pyproject.toml --universal --python-version 3.11 --fork-strategy fewest \
	  --generate-hashes --all-extras --no-emit-package dpchoose --no-emit-index-url --no-emit-find-links \
	  --upgrade --quiet -o requirements.lock
	@$(MAKE) --no-print-directory $(READY)
	@uv tool run pip-licenses --python $(BIN)/python --from=mixed --with-system --ignore-packages dpbook dpchoose pip uv \
	  --format=csv --output-file licences.csv

audit: ready ## look for known weaknesses in what the lock names; asks the index
	@uv tool run pip-audit --strict --disable-pip --require-hashes -r requirements.lock

clean: ## remove what was built; the environment stays
	@rm -rf _build book/chapters

# A chapter is made from both halves of its notebook and from the code, together with its figures.
# What pages alone read is no part of the code: a page is rendered again, and no chapter is run.
CODE := $(shell find dpchoose -name __pycache__ -prune -o -type f ! -name '.*' ! -name '*~' -print) \
  $(addprefix book/dpbook/,build.py places.py run.py) requirements.lock
EXECUTED := $(patsubst notebooks/%,book/chapters/%.ipynb,$(filter-out %/README,$(sort $(basename $(wildcard notebooks/*.md notebooks/*.ipynb)))))
figures_of = $(foreach name,$(shell sed -nE 's#.*figures_folder\}/($1[a-z0-9-]*)\.svg.*#\1#p' notebooks/$1.md),figures/$(name).svg)

executed: $(EXECUTED)

drafted: executed
	@python -m dpbook.build --draft

$(EXECUTED): book/chapters/%.ipynb: notebooks/%.md notebooks/%.ipynb $$(call figures_of,$$*) $(CODE) _build/names
	@python -m dpbook.build $*

book/chapters/published.ipynb: $(wildcard book/dpbook/*.*)  # which no other chapter reads

# One that is missing makes its chapter stale.
figures/%: ;

# The names of the code change when a file is gone, whatever the times say.
ifneq ($(shell cat _build/names 2>&1),$(sort $(CODE)))
_build/names: always
endif
_build/names:
	@mkdir -p $(@D)
	@echo $(sort $(CODE)) > $@

$(HTML): $(EXECUTED) Makefile pyproject.toml _config.yml _toc.yml CHANGELOG.md \
  $(wildcard book/*.* book/_ext/*.py $(shell find book/explorer -type f ! -path "*/__pycache__/*") book/_assets/* book/_assets/*/* book/vendor/*/* book/moving/*.* book/_templates/*/* figures/*.svg)
	@python -m dpbook.build

# The environment: exactly the lock, by uv where it works and by pip where not, such as in a home
# that cannot be written.
# A .venv that is there already is kept, and what the lock names is installed into it.
ready:
	+@$(ALONE) $(READY)

$(READY): requirements.lock pyproject.toml book/pyproject.toml
	@[ -e $@ ] || echo "making the environment in $(VENV): 260 MB to download, 1.2 GB on the disk, a few minutes, once"
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "dpchoose needs Python 3.11 or newer: remove $(VENV), then make book PYTHON=python3.12" >&2; exit 1; }
	@$(PIP) uv==0.13.9 || true
	@for what in "--require-hashes -r requirements.lock" "--no-deps --no-build-isolation -e . -e ./book"; do \
	  $(UV) $$what || { echo "so pip does it:"; $(PIP) $$what; } || exit 1; \
	done
	@touch $@
