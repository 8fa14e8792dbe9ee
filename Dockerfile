# One image for the launcher, the workers and the web service. It runs as an ordinary user on a read-only root; what it writes goes to
# /var/lib/leakscreen and /tmp.
# For real use pin the base by its digest: `docker buildx imagetools inspect python:3.11-slim-bookworm` prints it, then
# `docker build --build-arg BASE=python:3.11-slim-bookworm@sha256:... .`
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS build
WORKDIR /build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements-clouds.txt .
RUN python -m venv /opt/leakscreen \
 && /opt/leakscreen/bin/pip install --require-hashes -r requirements-clouds.txt
COPY pyproject.toml README.md ./
COPY core core
COPY extraction extraction
COPY screening screening
COPY classifiers classifiers
COPY evaluation evaluation
COPY pipelines pipelines
COPY remediation remediation
COPY review review
COPY deidentification deidentification
COPY leakscreen leakscreen
# Bytecode is made here: nothing can be written beside the sources later, and parser processes would compile it at each start.
RUN /opt/leakscreen/bin/pip install --no-deps . \
 && /opt/leakscreen/bin/python -m compileall -q /opt/leakscreen/lib

FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends libarchive13 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --user-group --home-dir /var/lib/leakscreen leakscreen \
 && install -d -o leakscreen -g leakscreen -m 0700 /var/lib/leakscreen
COPY --from=build /opt/leakscreen /opt/leakscreen
ENV PATH=/opt/leakscreen/bin:$PATH HOME=/var/lib/leakscreen PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 10001:10001
WORKDIR /var/lib/leakscreen
VOLUME ["/var/lib/leakscreen"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["leakscreen"]
CMD ["--help"]
