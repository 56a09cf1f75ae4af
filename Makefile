# The public habits of this repository; `make` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup setup-test build index test lint format hygiene check bench golden clean

# An undeclared import is an error: without the flag it compiles silently.
flags := -c release --explicit-target-dependency-import-check error
# Static linking changes how every file is compiled and knows no test library, so it has a folder of its own:
# in one folder, build and test would compile everything anew each time they take turns.
static_build := .build-static
# One after the other: tests that watch processes and memory must not disturb each other.
test_flags := $(flags) --disable-xctest --no-parallel

# As it was typed: neither make nor the shell interprets it, whatever is in the path.
override MUSIC := $(value MUSIC)
export MUSIC

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the Debian packages that are missing, and check Swift
	@scripts/setup.sh build

setup-test: ## the same, with the tools that tests compare against
	@scripts/setup.sh test

build: setup ## build the command, statically linked, as bin/deadwax
	swift build $(flags) --product deadwax --static-swift-stdlib --scratch-path $(static_build)
	@mkdir -p bin && ln -sfn ../$(static_build)/release/deadwax bin/deadwax

index: build ## index MUSIC=DIR (without it: the demonstration folder) and show the result
	@scripts/index.sh

test: setup-test ## run the tests; FILTER=Name runs some of them
	swift test $(test_flags) $(if $(FILTER),--filter "$(FILTER)")

lint: ## report what swift format would change
	swift format lint --strict --recursive --parallel Package.swift Sources Tests

format: ## let swift format change it
	swift format --in-place --recursive --parallel Package.swift Sources Tests

hygiene: ## look for files that must not be committed, and check the scripts
	@scripts/hygiene.sh

check: hygiene lint test ## everything that must pass before a change lands (the tests build the command, too)

bench: build ## compare a scan of MUSIC=DIR with decoding alone, as ratios of one run
	@scripts/setup.sh test
	@scripts/bench.sh

golden: ## make fixtures/ anew, with the expected values of the reference tools
	@scripts/setup.sh golden
	fixtures/make-fixtures.sh

clean: ## remove what was built, and the demonstration library
	rm -rf .build $(static_build) bin demo
