# From a bare clone: `make book` builds everything, `make test` proves it.

SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
GRID := notebooks/sweep.yaml
OUTPUT := _build/sweep

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help book notebooks figures sweep test test-long bench sync lock clean

unexport PYTHONDONTWRITEBYTECODE PYTHONPATH
export SOURCE_DATE_EPOCH := 1767225600
export PATH := $(CURDIR)/$(BIN):$(PATH)

help: ## show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

book: $(READY) ## run the notebooks, draw the figures, render the book, print its path
	@python -m dpbook.build book

notebooks: $(READY) ## run the notebooks that are stale
	@python -m dpbook.build notebooks

figures: $(READY) ## run every notebook again, and with it draw every figure
	@python -m dpbook.build figures

sweep: $(READY) ## run a chapter over the parameters in GRID=..., into the folder OUTPUT=...
	@python -m dpbook.sweep "$(GRID)" --output "$(OUTPUT)"

test: $(READY) ## check the style, then run all tests, notebooks and the book among them
	@ruff check .
	@ruff format --check .
	@python -m pytest

test-long: $(READY) ## the property tests again, with thousands of examples
	@python -m pytest -m hypothesis --hypothesis-profile=long

bench: $(READY) ## measure the costs anew, for the chapter on scale
	@python benchmarks/sensitivity.py --output benchmarks/sensitivity.csv
	@python benchmarks/risk.py --csv benchmarks/risk.csv

sync: $(READY) ## make both halves of each notebook agree, the newer one winning
	@jupytext --sync notebooks/*.md
	@nbstripout notebooks/*.ipynb

lock: $(READY) ## resolve the dependencies again
	@uv pip compile pyproject.toml --universal --python-version 3.11 --fork-strategy fewest --generate-hashes --all-extras \
	  --no-emit-index-url --no-emit-find-links --upgrade --quiet -o requirements.lock

clean: ## remove what was built; the environment stays
	@rm -rf _build book/chapters

# The environment: exactly the lock, from uv where it can be had and from pip where not.
$(READY): requirements.lock pyproject.toml book/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "dpchoose needs Python 3.11 or newer: make book PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)
	@if $(BIN)/python -m pip install --quiet uv; then \
	  $(BIN)/uv pip install --quiet --require-hashes --python $(BIN)/python -r requirements.lock && \
	  $(BIN)/uv pip install --quiet --no-deps --no-build-isolation --python $(BIN)/python -e . -e ./book; \
	else \
	  $(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock && \
	  $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e . -e ./book; \
	fi
	@touch $@
