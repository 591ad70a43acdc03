.DEFAULT_GOAL := help
.PHONY: help run test check simulate release released types bench bench-web soak chaos attack fraud fuzz audit sbom alerts drill failover check-tools clean

FRONTEND_SOURCES := $(shell find frontend/src frontend/scripts -type f 2>/dev/null) $(wildcard frontend/*.json frontend/*.js frontend/.browserslistrc) deploy/brands.toml

# Packages for `make run`: the family and the editors' tool.
PARTS = -p family -p content

help: ## Lists these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: check-tools frontend/dist/index.html ## Builds everything, starts the whole family and prints a link per brand (PORT, DATABASE_URL, REDIS_URL, TEST_MSISDN, DATA_DIR)
	@cargo build $(PARTS) && exec $${CARGO_TARGET_DIR:-target}/debug/family

test: ## Everything CI runs: format, lints, tests on SQLite and on PostgreSQL + Redis, browser tests; ALL=1: also what runs each night
	@.ci/test

check: ## Quick checks: format, lints, types, unit tests and the API tests on SQLite; needs no server and no root
	@.ci/check

simulate: ## The subscription service in a simulated world, by SEED (default: a new one) for DAYS (100), or SIMULATIONS of them (1): a failure prints its seed
	@.ci/simulate

bench: ## Benchmarks, compared with nginx and the bare engines; writes target/bench/*.json and report.html
	@.ci/bench run

bench-web: frontend/dist/index.html ## Lighthouse on homes, join forms and a player of the production build; writes target/bench/web.json and report.html (ROUNDS, ONLY, FAMILY, WEB_PORT, CHROMIUM)
	@[ -n "$$FAMILY$$WEB_PORT" ] || cargo build --quiet --release --features service/allocator -p family; npm --prefix frontend run --silent bench

chaos: ## Injects faults under load for CHAOS_MINUTES (30), and checks that nothing acknowledged is lost (CHAOS_SEED); ONLY=billing: kills the subscription service CHAOS_KILLS (1000) times on each engine
	@.ci/chaos "$$ONLY"

soak: ## The same without faults, on release builds for CHAOS_MINUTES (20): nothing is refused, and no process grows
	@.ci/chaos soak

attack: ## Sends malformed raw requests to the gateway and to nginx, and compares
	@.ci/attack

fraud: ## Joins by scripts, which must be held, and by persons, who must not, over HTTP and in Chromium (FRAUD_ROUNDS, FRAUD_ONLY, FRAUD_PAGES)
	@.ci/check-tools && .ci/install-test-tools && .ci/fraud

fuzz: ## Fuzzes the parsers with libFuzzer, for FUZZ_SECONDS (600) on each of FUZZ_TARGETS (all), FUZZ_JOBS (2) at once
	@.ci/fuzz

audit: ## Known vulnerabilities of dependencies, by RustSec and npm; needs access to their databases
	@.ci/audit

sbom: ## Writes what each image is made of, as CycloneDX, into target/sbom (VERSION: with the Debian packages of docker's spaza/NAME:VERSION)
	@.ci/sbom

alerts: ## Makes a family, its stores and the exporters show each alert, which must reach its receiver in Alertmanager (5 minutes)
	@.ci/check-tools && .ci/install-test-tools prometheus-postgres-exporter prometheus-redis-exporter prometheus-node-exporter prometheus-blackbox-exporter && cargo build --quiet --workspace --bins --tests && .ci/alerts-test

drill: ## Backs up a family's database, destroys it, restores it and compares every table, the ledger and the catalogue; then recovers to a point in time (pgBackRest) and promotes a replica
	@.ci/check-tools && .ci/install-test-tools pgbackrest && cargo build --quiet -p family -p testkit && \
	  for drill in drill drill-recovery; do $${CARGO_TARGET_DIR:-target}/debug/with-servers deploy/$$drill $${CARGO_TARGET_DIR:-target}/debug/family || exit 1; done

failover: ## Kills the primary of a PostgreSQL pair (Patroni, etcd) in the middle of a billing pass: writes are back within 30 s, nothing is charged twice, nothing is lost (SUBSCRIBERS)
	@.ci/check-tools && .ci/install-test-tools patroni etcd && cargo build --quiet -p subscription -p operator-sandbox && \
	  deploy/failover $${CARGO_TARGET_DIR:-target}/debug

release: ## A release (VERSION, REGISTRY): the version everywhere, a tag with the commits, programs and images by digest, what each is made of
	@.ci/check-tools && .ci/install-test-tools && .ci/release "$$VERSION"

released: ## A step of a release: records the columns and statements that its programs use (migrations/README.md)
	@.ci/check-tools && .ci/install-test-tools && cargo run --quiet -p testkit --bin with-servers -- .ci/released

types: ## Generates frontend/openapi.json, openapi-backoffice.json and crates/operator/wire from the code, the front end's types from them and from its texts, and deploy/manifest.schema.json
	@cargo build --quiet $(PARTS) && programs=$${CARGO_TARGET_DIR:-target}/debug && \
	  $$programs/family --openapi >frontend/openapi.new && mv frontend/openapi.new frontend/openapi.json && \
	  $$programs/family --openapi backoffice >frontend/openapi.new && mv frontend/openapi.new frontend/openapi-backoffice.json && \
	  for wire in rest.openapi.json notifications.openapi.json parlay-x.wsdl camara.json; do \
	    $$programs/family --wire $${wire%%.*} >crates/operator/wire/new && mv crates/operator/wire/new crates/operator/wire/$$wire || exit 1; done && \
	  $$programs/content schema >deploy/manifest.new && mv deploy/manifest.new deploy/manifest.schema.json && npm --prefix frontend run --silent types && npm --prefix frontend run --silent messages

clean: ## Removes build results and installed packages; keeps DATA_DIR
	rm -rf target frontend/dist frontend/node_modules

check-tools:
	@.ci/check-tools

frontend/node_modules/.package-lock.json: frontend/package.json frontend/package-lock.json
	cd frontend && npm ci --no-audit --no-fund && touch node_modules/.package-lock.json

frontend/dist/index.html: frontend/node_modules/.package-lock.json $(FRONTEND_SOURCES)
	cd frontend && npm run --silent build && touch dist/index.html # webpack leaves a file alone that would not change
