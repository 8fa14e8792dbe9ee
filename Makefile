# Two commands: `make scan DIR=path` and `make test`. Both set up everything they need.

PYTHON ?= python3
BIN := .venv/bin
OUT ?= leakscreen-results
DIR ?= sample-share

.PHONY: setup scan test check format docs demo bench fuzz bombs corpus lock sbom clean

setup: .venv/.ready

.venv/.ready: requirements.txt requirements-dev.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "leakscreen needs Python 3.11 or newer; name one with PYTHON=...")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q core extraction # parser processes write no bytecode, and would compile it at each start
	touch $@

# Exit code 3 says that some files could not be examined; the scan is done all the same, and its report names them.
scan: setup $(if $(filter sample-share,$(DIR)),sample-share)
	$(BIN)/leakscreen scan "$(DIR)" --out "$(OUT)" || test $$? -eq 3

sample-share: | setup
	$(BIN)/python -m leakscreen.demo sample-share

test: setup check
	$(BIN)/pytest -n auto

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: setup
	$(BIN)/python -m leakscreen.reference > docs/reference.md
	$(BIN)/python -m leakscreen.reference --sample-settings > deploy/leakscreen.toml

demo: setup
	$(BIN)/leakscreen demo

bench: setup
	$(BIN)/python -m benchmarks.run

# Broken files of every format: 20,000 by default, others by FUZZ="--mutants 1000 --data path".
fuzz: setup
	$(BIN)/python -m benchmarks.fuzz $(FUZZ)

bombs: setup
	$(BIN)/python -m benchmarks.bombs

# DATA is a folder of real files; further options by CORPUS, such as CORPUS="--tika tika-app.jar".
corpus: setup
	@test -n "$(DATA)" || { echo "name a folder of files: make corpus DATA=path"; exit 2; }
	$(BIN)/python -m benchmarks.corpus "$(DATA)" $(CORPUS)

lock: setup
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 pyproject.toml --extra s3 --extra gcs --extra azure --output-file requirements.txt
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 pyproject.toml --extra s3 --extra gcs --extra azure --group dev --output-file requirements-dev.txt

# Every package of the image with its version and hashes, as CycloneDX, checked against its schema.
sbom: setup
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --sv 1.6 --output-reproducible --validate requirements.txt -o sbom.json

clean:
	rm -rf .venv .flink-jars sample-share build *.egg-info
