.DEFAULT_GOAL := help
.PHONY: help run test check released types bench bench-web soak chaos crash-test attack fuzz audit sbom drill check-tools clean

FRONTEND_SOURCES := $(shell find frontend/src frontend/scripts -type f 2>/dev/null) $(wildcard frontend/*.json frontend/*.js) deploy/brands.toml

# What is built to run the family, and the editors' tool with it.
PARTS = -p family -p content

help: ## Lists these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: check-tools frontend/dist/index.html ## Builds everything, starts the whole family and prints a link per brand (PORT, DATABASE_URL, REDIS_URL, TEST_MSISDN, DATA_DIR)
	@cargo build $(PARTS) && exec $${CARGO_TARGET_DIR:-target}/debug/family

test: ## Everything CI runs: format, lints, tests on SQLite and on PostgreSQL + Redis, browser tests
	@.ci/test

check: ## The inner loop: format, lints, types, unit tests and the API tests on SQLite; needs no server and no root
	@.ci/check

bench: ## Measures side by side, beside nginx and the bare engines; writes target/bench/*.json and report.html
	@.ci/bench run

bench-web: frontend/dist/index.html ## Lighthouse on homes, join forms and a player of the production build; writes target/bench/web.json and report.html (ROUNDS, ONLY, FAMILY, WEB_PORT, CHROMIUM)
	@[ -n "$$FAMILY$$WEB_PORT" ] || cargo build --quiet --release -p family; npm --prefix frontend run --silent bench

soak: ## Mixed load with imports going on, for SOAK_MINUTES (20) on SOAK_ENGINE (postgres or sqlite)
	@.ci/bench soak

chaos: ## Breaks everything under visitors for CHAOS_MINUTES (30), then checks that all that was promised is so (CHAOS_SEED); writes target/chaos/report.html
	@.ci/check-tools && .ci/install-test-tools && cargo build --quiet --workspace --bins --tests && exec $${CARGO_TARGET_DIR:-target}/debug/chaos

crash-test: ## Kills the subscription service STORM_KILLS (1000) times at random, on each engine (STORM_SEED, STORM_LOGS), and compares ledger and network
	@.ci/check-tools && .ci/install-test-tools && STORM_KILLS=$${STORM_KILLS:-1000} \
	  cargo run --quiet -p testkit --bin with-servers -- cargo test --quiet -p subscription --test crash_test -- --nocapture

attack: ## Sends raw requests that break rules to the gateway and to nginx, and compares
	@.ci/attack

fuzz: ## Lets libFuzzer look for what breaks the parsers' promises, for FUZZ_SECONDS (600) on each of FUZZ_TARGETS (all), FUZZ_JOBS (2) at once
	@.ci/fuzz

audit: ## Known faults of what we build from, by RustSec and npm; needs a network that reaches their databases
	@.ci/audit

sbom: ## Writes what each image is made of, as CycloneDX, into target/sbom (VERSION: with the Debian packages of docker's spaza/NAME:VERSION)
	@.ci/sbom

drill: ## Backs up a family's database, destroys it, restores it and compares every table, the ledger and the catalogue
	@.ci/check-tools && .ci/install-test-tools && cargo build --quiet -p family -p testkit && \
	  cargo run --quiet -p testkit --bin with-servers -- deploy/drill $${CARGO_TARGET_DIR:-target}/debug/family

released: ## The last step of a release: writes down what its programs ask of their tables, for the next one to keep (migrations/README.md)
	@.ci/check-tools && .ci/install-test-tools && cargo run --quiet -p testkit --bin with-servers -- .ci/released

types: ## Renews what is written from the code: frontend/openapi.json, and the front end's types from it
	@cargo run --quiet -p family -- --openapi >frontend/openapi.new && mv frontend/openapi.new frontend/openapi.json && npm --prefix frontend run --silent types

clean: ## Removes what was built and installed; keeps DATA_DIR
	rm -rf target frontend/dist frontend/node_modules

check-tools:
	@.ci/check-tools

frontend/node_modules/.package-lock.json: frontend/package.json frontend/package-lock.json
	cd frontend && npm ci --no-audit --no-fund && touch node_modules/.package-lock.json

frontend/dist/index.html: frontend/node_modules/.package-lock.json $(FRONTEND_SOURCES)
	cd frontend && npm run --silent build
