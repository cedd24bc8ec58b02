# What people do with this tree, one target each. Every target that needs tools first runs tools/setup, which installs what
# is missing and is over in no time when nothing is. The work itself is in cmake/, CMakePresets.json and tools/.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:                       # `make -jN` keeps the order; the builds inside are parallel anyway
unexport MAKEFLAGS MFLAGS MAKELEVEL # nor do its flags reach builds inside tests

PREFIX ?= /usr/local
STUDY ?= all
PROGRAM := build/release/apps/tacet/tacet

.PHONY: help setup build check check-slow demo bench study reference format tidy install package clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

setup: ## Install what building and testing need (Debian 12; root or sudo)
	@tools/setup

build: setup ## Build the program; it is then at build/tacet
	@tools/build release tacet tacet-scan tacet-look
	@test -x $(PROGRAM) || { echo "make: the build made no $(PROGRAM); apps/tacet/CMakeLists.txt must declare the program tacet" >&2; exit 1; }
	@ln -sfn $(PROGRAM:build/%=%) build/tacet

check: setup ## Everything a change must pass: format, clang-tidy, sanitizers, tests
	@tools/check

check-slow: setup ## The tests that are too slow for every change (label slow); a minute of every fuzz target among them
	@tools/build release
	@tools/build fuzz
	@ctest --preset slow

demo: build ## A first look: budget, release and inference on made-up data
	@tools/build release make_patients
	@TACET=$(CURDIR)/build/tacet PATH="$(CURDIR)/build:$$PATH" examples/demo/run.sh

bench: setup ## Run every benchmark, one after the other (BENCH="name ..." for some)
	@tools/build release
	@tools/bench $(BENCH)

study: build ## Run the studies and keep what they find in build/studies (STUDY=rogers_table_3 for one, ARGS=--quick)
	@build/tacet study run $(STUDY) --out build/studies $(ARGS)

reference: setup ## Write docs/reference/verbs anew, and the pages of the C++ API to build/reference/api
	@tools/build release tacet_reference
	@mkdir -p docs/reference/verbs
	@build/release/apps/tacet-reference/tacet-reference docs/reference/verbs
	@rm -rf build/reference/api && mkdir -p build/reference
	@cat docs/reference/Doxyfile build/release/internal_headers | doxygen -
	@echo "the C++ API: build/reference/api/index.html"

format: setup ## Format every source
	@tools/format

tidy: setup ## clang-tidy on what changed since it last passed
	@tools/build --configure release
	@tools/tidy

install: setup ## Install program, libraries and headers into PREFIX (default /usr/local)
	@tools/build release tacet_installed
	@cmake --install build/release --prefix "$(PREFIX)"

package: setup ## Make a Debian package of program, libraries and headers; it is then in build/package
	@tools/build release tacet_installed
	@test -f build/release/CPackConfig.cmake || { echo "make: a licence that the package needs is missing; which one: cmake --preset release" >&2; exit 1; }
	@rm -rf build/package
	@cpack --config build/release/CPackConfig.cmake -B build/package
	@rm -rf build/package/_CPack_Packages

clean: ## Forget all builds (not the caches)
	rm -rf build
