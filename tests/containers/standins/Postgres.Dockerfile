# Debian's PostgreSQL with the variables, user and folders of the official image, which cannot be fetched where the tests run.
ARG BASE
FROM ${BASE}
RUN groupadd --gid 999 postgres && useradd --uid 999 --gid 999 --home-dir /var/lib/postgresql postgres \
 && apt-get update && apt-get install -y --no-install-recommends postgresql \
 && install -d -o postgres -g postgres -m 0700 /var/lib/postgresql/data \
 && ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/
RUN install -d -o postgres -g postgres -m 3777 /var/run/postgresql
COPY postgres.sh /usr/local/bin/entry
ENV PGDATA=/var/lib/postgresql/data
VOLUME ["/var/lib/postgresql/data"]
STOPSIGNAL SIGINT
ENTRYPOINT ["sh", "/usr/local/bin/entry"]
