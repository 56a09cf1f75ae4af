# The commands for work on this repository; `make` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help wasm setup setup-test setup-slow build static index index-folder test-slow test test-cluster scale-model lint format hygiene check bench bench-rescan bench-effects bench-page bench-scale bench-cluster bench-check \
	bench-update bench-build faults fuzz fuzz-scan golden pictures man install deb tarball apt oci release test-packages setup-packages clean

# The second makes an undeclared import an error; without it that compiles silently. The third leaves out the lines of backtraces,
# which have the names of functions all the same: a tenth of the processor time of a build.
flags := -c release --explicit-target-dependency-import-check error -debug-info-format none
# What is installed and measured is linked statically. That changes how every file is compiled and has no test library, so it has
# its own build folder: in a common one, everything would be compiled again after each `test`.
static_build := .build-static
# The build ID is how a debugger finds the symbols that a package has apart.
static_swift = DEADWAX_STATIC=1 DEADWAX_COMMIT=$(commit) swift build $(flags) $(same_bytes) --static-swift-stdlib \
  --scratch-path $(static_build) -Xlinker --build-id=sha1
# Keep the path of the build folder out of the command: C code has it in file names, Swift in a hash for incremental builds.
same_bytes := -Xcc '-ffile-prefix-map=$(CURDIR)=.' -Xcxx '-ffile-prefix-map=$(CURDIR)=.' \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
# What `deadwax --version --verbose` shows: the commit, with a + if files differ from it.
commit = $(shell git rev-parse HEAD 2> /dev/null)$(shell git diff --quiet HEAD 2> /dev/null || { [ ! -e .git ] || echo +; })
# What tests may see of modules is said in the manifest, so that they are compiled once for the command and the tests.
test_flags := $(flags) --disable-xctest --disable-testable-imports

# The program of all tests and what it starts, without deadwax-faults and deadwax-fuzz.
build_tests := swift build $(flags) --disable-xctest --product deadwaxPackageTests

# Instructions of the innermost loops; outside the tests, because they depend on the compiler.
thresholds := Sources/deadwax-bench/thresholds.json

# Passed on as typed: neither make nor the shell interprets it, whatever the path contains.
override MUSIC := $(value MUSIC)
export MUSIC

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install missing Debian packages, and check Swift
	@scripts/setup.sh build

setup-test: ## the same, with the tools that the tests compare against
	@scripts/setup.sh test

setup-slow: ## the same, with the programs that `make test-slow` drives
	@scripts/setup.sh slow

build: setup ## build the command as bin/deadwax
	swift build $(flags) --product deadwax
	@mkdir -p bin && ln -sfn ../.build/release/deadwax bin/deadwax

static: setup ## build the command without a dependency on the Swift runtime, as bin/deadwax
	$(static_swift) --product deadwax
	@mkdir -p bin && ln -sfn ../$(static_build)/release/deadwax bin/deadwax

man: static ## write the manual page build/deadwax.1, and completions for bash, zsh and fish next to it
	@mkdir -p build && bin/deadwax manual > build/deadwax.1
	@for shell in bash zsh fish; do bin/deadwax completions $$shell > build/deadwax.$$shell; done

PREFIX ?= /usr/local

# Only copies what `make man` has built, so that root needs no compiler.
build/deadwax.1: $(shell find Package.swift Sources web -type f)
	@$(MAKE) --no-print-directory man

install: build/deadwax.1 ## install the command, its manual page, completions, user services, desktop entry and icon below PREFIX (/usr/local); `make man` builds them
	@scripts/package.py stage '$(DESTDIR)/' --prefix '$(PREFIX)'

# Where packages and the repository are made.
PACKAGES ?= build/packages

deb: man ## build Debian packages in PACKAGES (build/packages): the command, and its debug symbols
	@scripts/package.py deb -o '$(PACKAGES)'

tarball: man ## build an archive for other systems in PACKAGES
	@scripts/package.py tarball -o '$(PACKAGES)'

apt: ## build an apt repository of the packages in PACKAGES, signed with the gpg key KEY=ID
	@scripts/apt-repository.sh '$(PACKAGES)' '$(PACKAGES)/apt' '$(KEY)'

oci: setup-packages deb ## build a container image in PACKAGES, with compose.yaml beside it (needs root)
	@scripts/container.py '$(PACKAGES)'

# RELEASE_TRIAL=1 runs everything despite placeholders in packaging/project.toml; DRY_RUN=1 lists the steps.
release: setup-packages ## build and test everything to be published for this commit, in build/release; continues where it stopped (needs root)
	@scripts/release.py $(if $(DRY_RUN),--dry-run)

test-packages: setup-packages man ## install, use, upgrade and purge the packages in clean roots, and boot one (needs root)
	@scripts/test-packages.py

setup-packages:
	@scripts/setup.sh packages

# Without TLS until something else has built it: that takes a minute, and the first day needs none (docs/decisions/0090).
index: export DEADWAX_TLS := $(if $(wildcard .build/release/ServerTLS.build),yes,no)
index: index-folder build ## index MUSIC=DIR (default: the sample music) and show the result
	@scripts/index.sh

index-folder:
	@scripts/index.sh --check

# TESTS: test targets such as MediaModelTests. Only these and what they need is compiled.
TESTS ?=
FILTER ?=
JOBS ?=
jobs = $(if $(JOBS),--jobs $(JOBS))

ifeq ($(TESTS)$(FILTER),)
test: setup-test ## run the tests; TESTS="MediaModelTests …" builds and runs some targets, FILTER=Name some suites or tests
	$(build_tests)
	@scripts/run-tests.py $(jobs)
else
test:
	@DEADWAX_TESTS="$(TESTS)" scripts/test.sh $(test_flags) --no-parallel --filter "$(or $(FILTER),.)"
endif

test-slow: setup-slow ## run the same tests with full counts and a new seed, and third-party clients, for about an hour
	$(build_tests)
	@scripts/run-tests.py $(jobs) --slow
	@scripts/test-cluster.sh .build/release/deadwax

test-cluster: setup-test ## run the tests of deadwax-cluster with two Ray nodes in a network namespace (needs root or user namespaces)
	@[ -x .build/release/deadwax ] || swift build $(flags) --product deadwax
	@scripts/test-cluster.sh .build/release/deadwax

scale-model: ## estimate how long a cluster needs for a million and a hundred million tracks, and what it costs
	@PYTHONPATH=integrations/python/src python3 -m deadwax.cluster.model

lint: ## report what swift format would change
	swift format lint --strict --recursive --parallel Package.swift Sources Tests

format: ## apply swift format
	swift format --in-place --recursive --parallel Package.swift Sources Tests

hygiene: setup-test ## find files that must not be committed, and check the scripts
	@scripts/hygiene.sh

check: hygiene lint test ## run everything that must pass before a change is committed, and build what no test needs
	swift build $(flags) --disable-xctest --build-tests

bench: bench-build ## measure MUSIC=DIR (default: fixtures/audio) stage by stage, and compare scans with decoders
	@scripts/bench.sh stages
	@scripts/bench.sh scan

bench-rescan: bench-build ## compare a scan of 100,000 unchanged files with find
	bin/deadwax-bench rescan

bench-effects: bench-build ## measure the speed of each effect of a preset, in multiples of real time
	bin/deadwax-bench effects

bench-page: bench-build ## measure the page of `serve` in a browser: from click to sound, frames, tiles, memory; SECONDS=600 for listeners
	@DEADWAX_BENCH_SECONDS=$(SECONDS) scripts/bench-page.sh bin/deadwax "$${MUSIC:-fixtures/audio}" bin/deadwax-bench

bench-scale: bench-build ## measure merges and Parquet with a million synthetic tracks in WORK=DIR (default: build/scale)
	@bash -c '. scripts/test-venv.sh && exec "$$venv/bin/python" scripts/measure-scale.py --work "$${WORK:-build/scale}"'

bench-cluster: static ## compare two Ray nodes with one, and with a plain scan of MUSIC=DIR
	@DEADWAX_MUSIC="$$(realpath "$$MUSIC")" scripts/test-cluster.sh bin/deadwax tests_ray/figures.py

bench-check: bench-build ## compare the instruction counts of the innermost loops with the stored ones; fails beyond 5 %
	bin/deadwax-bench kernels --check $(thresholds)

bench-update: bench-build ## store new instruction counts; the commit says why they changed
	bin/deadwax-bench kernels --update $(thresholds)

bench-build: static
	@scripts/setup.sh bench
	$(static_swift) --product deadwax-bench
	@ln -sfn ../$(static_build)/release/deadwax-bench bin/deadwax-bench

# MUSIC=DIR: music for the cases, which should take long to read.
SCALE ?= 1

faults: static ## inject faults into disks, calls and processes, for hours (less with SCALE=0.1); CASES=74,82 runs some
	@scripts/setup.sh faults
	$(static_swift) --product deadwax-faults
	@ln -sfn ../$(static_build)/release/deadwax-faults bin/deadwax-faults
	@bin/deadwax-faults --scale $(SCALE) $(if $(CASES),--cases "$(CASES)") $(if $(MUSIC),--music "$$MUSIC")

# Seconds for each target. The build has its own folder, because everything is compiled for libFuzzer and AddressSanitizer.
SECONDS ?= 60
override TARGET := $(value TARGET)
export TARGET

fuzz: ## fuzz the parsers, all targets or TARGET=name, SECONDS=60 each; ends with a table
	@scripts/setup.sh fuzz
	swift build $(flags) --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address -Xswiftc -DLIBFUZZER \
	  --product deadwax-fuzz --scratch-path .build-fuzz
	@SECONDS_EACH=$(SECONDS) scripts/fuzz.sh

fuzz-scan: setup-test ## scan randomly changed files repeatedly, for SECONDS=60
	DEADWAX_FUZZ_SECONDS=$(SECONDS) swift test $(test_flags) --no-parallel --filter MutatedMusicTests

golden: ## regenerate fixtures/audio, damaged and golden, with the expected values of the reference tools
	@scripts/setup.sh golden
	fixtures/make-fixtures.sh

wasm: ## recompile the page's effects to WebAssembly (needs wasi-libc and libclang-rt-14-dev-wasm32)
	@scripts/wasm.sh

pictures: build ## redraw the pictures of the README and the manual; screenshots of the page use the music in MUSIC=DIR
	@scripts/pictures.sh

clean: ## remove build results and the demonstration library
	rm -rf .build $(static_build) .build-fuzz bin build demo
