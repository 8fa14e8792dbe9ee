# Three commands: `make scan DIR=path`, `make review DIR=path` and `make test`. They set up everything they need.

PYTHON ?= python3
BIN := .venv/bin
OUT ?= leakscreen-results
DIR ?= sample-share

.PHONY: setup scan review test image-test compose-test systemd-test flink-test cluster-test spark-test check format docs messages demo bench fuzz attack bombs corpus lock sbom clean

# Steps of set-up: what a scan needs, on top of it what object stores and servers or the generated share need, and all that tests and checks need.
setup: .venv/.ready

INSTALL := $(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes

.venv/.uv: requirements-setup.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "leakscreen needs Python 3.11 or newer; name one with PYTHON=...")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-setup.txt
	touch $@

# Parser processes write no bytecode and would compile their libraries at each start, so what a scan loads is compiled now. The rest is
# left out, which saves time and 100 MB.
NOT_IN_A_SCAN := /(pip|setuptools|sklearn|django|pygments|pymongo|joblib|tests)/|/scipy/(?!sparse|_lib)
NOT_IN_A_SCAN := $(NOT_IN_A_SCAN)|/apache_beam/(examples|yaml|ml|dataframe|testing|io/gcp)/
.venv/.scan: .venv/.uv requirements.txt pyproject.toml
	$(INSTALL) -r requirements.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -qq -x '$(NOT_IN_A_SCAN)' .venv/lib || true # packages may hold templates that are no Python
	$(BIN)/python -m compileall -q core extraction
	touch $@

.venv/.clouds: .venv/.scan requirements-clouds.txt
	$(INSTALL) -r requirements-clouds.txt
	touch $@

.venv/.demo: .venv/.scan requirements-demo.txt
	$(INSTALL) -r requirements-demo.txt
	touch $@

.venv/.ready: .venv/.scan requirements-dev.txt
	$(INSTALL) --compile-bytecode -r requirements-dev.txt
	touch $@

# Exit code 3 says that some files could not be examined; the scan is done all the same, and its report names them.
scan: .venv/.scan $(if $(findstring ://,$(DIR)),.venv/.clouds) $(if $(filter sample-share,$(DIR)),sample-share)
	$(BIN)/leakscreen scan "$(DIR)" --out "$(OUT)" || test $$? -eq 3

# Scans, and opens what was found for review: prints a link that logs in once.
review: .venv/.scan $(if $(findstring ://,$(DIR)),.venv/.clouds) $(if $(filter sample-share,$(DIR)),sample-share)
	$(BIN)/leakscreen review "$(DIR)" --out "$(OUT)"

sample-share: | .venv/.demo
	$(BIN)/python -m leakscreen.demo sample-share --prevalence 0.085

test: setup
	tests/system_packages.sh
	$(MAKE) check
	$(BIN)/pytest -n auto

# Builds the image (IMAGE_BASE=python:3.11-slim-bookworm, or without it a Debian made by mmdebstrap) and runs it as it is deployed, by docker
# or by podman, buildah and runc. Some 6 minutes; the base is kept.
image-test: setup
	tests/system_packages.sh image
	$(BIN)/pytest -m containers tests/containers/test_image.py

# Brings deploy/compose up, upgrades it, restarts each service, backs it up and restores it; by docker compose, or by podman-compose with netavark
# and aardvark-dns. Some 15 minutes the first time.
compose-test: setup
	tests/system_packages.sh compose
	$(BIN)/pytest -n 0 -m containers tests/containers/test_compose.py

# Installs leakscreen by the runbook's commands on a Debian whose first process is systemd (a container of podman), and starts every unit.
systemd-test: setup
	tests/system_packages.sh systemd
	$(BIN)/pytest -n 0 -m containers tests/containers/test_systemd.py

# Builds deploy/flink's image on top of leakscreen's, starts a job manager and two task managers by its compose file, and scans on them.
flink-test: setup
	tests/system_packages.sh compose
	$(BIN)/pytest -n 0 -m containers tests/containers/test_flink_image.py

# Builds Kubernetes and kube-router by Go (once, some 30 minutes, kept outside the checkout), asks its API server about every manifest, and then, as
# root and in namespaces of its own, runs deploy/kubernetes and deploy/flink/kubernetes on a single node; images as by image-test and flink-test.
# Tests have a cache folder of their own, so the one of the programs is named.
cluster-test: export CLUSTER_CACHE := $(or $(CLUSTER_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/leakscreen-cluster)
cluster-test: setup
	@test "$$(id -u)" -eq 0 || { echo "make cluster-test starts a node of Kubernetes and has to be run by root"; exit 2; }
	tests/system_packages.sh cluster
	$(BIN)/python -m deploy.kubernetes.node.programs
	$(BIN)/pytest -n 0 -m cluster tests/containers/test_manifests.py
	$(BIN)/python -m tests.containers.images
	unshare --mount --net --pid --fork --kill-child --mount-proc $(BIN)/pytest -n 0 -m cluster tests/containers/test_cluster.py

# A scan on a real Spark: fetches 263 jars by Maven into .spark-jars, once.
spark-test: setup
	tests/system_packages.sh java
	$(BIN)/pytest -n 0 -m spark tests/end_to_end/test_spark.py

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m deploy.dependencies

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: setup
	$(BIN)/python -m leakscreen.reference > docs/reference.md
	$(BIN)/python -m leakscreen.reference --sample-settings > deploy/leakscreen.toml
	$(BIN)/python -m leakscreen.results_reference docs/results.md docs/people.md

# The words of the review service: those that are new get an empty text in review/locale/fr, to be filled in; then again, which compiles them.
messages: setup
	cd review && ../$(BIN)/django-admin makemessages --locale fr --no-location --no-obsolete --no-wrap --ignore 'migrations/*' -v 0
	cd review && ../$(BIN)/django-admin compilemessages --locale fr -v 0

demo: .venv/.demo
	$(BIN)/leakscreen demo

bench: setup
	$(BIN)/python -m benchmarks.run

# Broken files of every format: 20,000 by default, others by FUZZ="--mutants 1000 --data path".
fuzz: setup
	$(BIN)/python -m benchmarks.fuzz $(FUZZ)

# Attacks on sandbox, parsers, screening, results and service, tried for real; others by ATTACK="sandbox service".
attack: setup
	$(BIN)/python -m benchmarks.attack $(ATTACK)

bombs: setup
	$(BIN)/python -m benchmarks.bombs

# DATA is a folder of real files; further options by CORPUS, such as CORPUS="--tika tika-app.jar".
corpus: setup
	@test -n "$(DATA)" || { echo "name a folder of files: make corpus DATA=path"; exit 2; }
	$(BIN)/python -m benchmarks.corpus "$(DATA)" $(CORPUS)

COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11
CLOUDS := --extra s3 --extra gcs --extra azure --extra sources

# The other files take the versions of the largest one.
lock: setup
	$(COMPILE) pyproject.toml $(CLOUDS) --extra demo --extra dicom --extra faces --extra disks --group dev --output-file requirements-dev.txt
	$(COMPILE) pyproject.toml --constraint requirements-dev.txt --output-file requirements.txt
	$(COMPILE) pyproject.toml $(CLOUDS) --constraint requirements-dev.txt --output-file requirements-clouds.txt
	$(COMPILE) pyproject.toml --extra demo --constraint requirements-dev.txt --output-file requirements-demo.txt
	$(COMPILE) --group setup --constraint requirements-dev.txt --output-file requirements-setup.txt

# Every package of the image with its version and hashes, as CycloneDX, checked against its schema.
sbom: setup
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --sv 1.6 --output-reproducible --validate requirements-clouds.txt -o sbom.json

clean:
	rm -rf .venv .flink-jars .spark-jars sample-share build *.egg-info
