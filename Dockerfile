# One image for the launcher, the workers and the web service. It runs as an ordinary user on a read-only root; what it writes goes to
# /var/lib/leakscreen and /tmp. `make image-test` builds and runs it, on a Debian of its own unless IMAGE_BASE names another base.
# For real use pin the base by its digest: `docker buildx imagetools inspect python:3.11-slim-bookworm` prints it, then
# `docker build --build-arg BASE=python:3.11-slim-bookworm@sha256:... .`
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS build
WORKDIR /build
RUN apt-get update && apt-get install -y --no-install-recommends binutils
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 UV_NO_CACHE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never UV_SYSTEM_CERTS=1
# The tools that build and install are pinned too, and stay outside the image.
COPY requirements-setup.txt requirements-clouds.txt ./
RUN python -m venv tools \
 && tools/bin/pip install --require-hashes -r requirements-setup.txt \
 && python -m venv --without-pip /opt/leakscreen \
 && tools/bin/uv pip install --python /opt/leakscreen/bin/python --require-hashes -r requirements-clouds.txt
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
COPY deploy/image/slim.py deploy/image/
# Bytecode is made here: nothing can be written beside the sources later, and parser processes would compile it at each start.
RUN tools/bin/pip wheel --no-deps --no-build-isolation --wheel-dir wheel . \
 && tools/bin/uv pip install --python /opt/leakscreen/bin/python --no-deps wheel/*.whl \
 && /opt/leakscreen/bin/python deploy/image/slim.py /opt/leakscreen/lib/python3.*/site-packages
# So are the patterns: a first start finds them, unless it is on another kind of processor, where it compiles them itself.
RUN echo | HOME=/build XDG_CACHE_HOME=/build/cache /opt/leakscreen/bin/leakscreen spans - \
 && cd /opt/leakscreen/lib/python3.*/site-packages/screening/patterns \
 && install -D -m 0644 -t compiled /build/cache/leakscreen/*.hsdb

FROM ${BASE}
# The official Python images have no bytecode of the standard library, and each start would compile it again.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libarchive13 tesseract-ocr-deu tesseract-ocr-fra tesseract-ocr-spa \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt /usr/share/doc /usr/share/man \
 && python -m compileall -q -x '/(test|tests|lib2to3|idlelib|ensurepip|turtledemo|site-packages|dist-packages)/' \
      "$(python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')" \
 && groupadd --system --gid 10001 leakscreen \
 && useradd --system --uid 10001 --gid 10001 --home-dir /var/lib/leakscreen leakscreen \
 && install -d -o leakscreen -g leakscreen -m 0700 /var/lib/leakscreen
COPY --from=build /opt/leakscreen /opt/leakscreen
ENV PATH=/opt/leakscreen/bin:$PATH HOME=/var/lib/leakscreen PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 10001:10001
WORKDIR /var/lib/leakscreen
VOLUME ["/var/lib/leakscreen"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["leakscreen"]
CMD ["--help"]
