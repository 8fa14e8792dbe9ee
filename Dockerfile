# One image for the launcher, the workers and the web service.
FROM python:3.11-slim AS build
WORKDIR /build
COPY requirements.txt .
RUN python -m venv /opt/leakscreen \
 && /opt/leakscreen/bin/pip install --no-cache-dir --require-hashes -r requirements.txt
COPY pyproject.toml README.md ./
COPY core core
COPY extraction extraction
COPY screening screening
COPY classifiers classifiers
COPY evaluation evaluation
COPY pipelines pipelines
COPY review review
COPY leakscreen leakscreen
RUN /opt/leakscreen/bin/pip install --no-cache-dir --no-deps .

FROM python:3.11-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends libarchive13 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/leakscreen /opt/leakscreen
RUN useradd --system --uid 10001 --create-home leakscreen \
 && mkdir /results \
 && chown leakscreen /results
USER leakscreen
WORKDIR /home/leakscreen
ENV PATH=/opt/leakscreen/bin:$PATH PYTHONDONTWRITEBYTECODE=1
VOLUME ["/results"]
ENTRYPOINT ["leakscreen"]
CMD ["--help"]
