# First start: a cluster with one user, one database and a password; each start: the server.
set -e
if ! test -s "$PGDATA/PG_VERSION"; then
    printf '%s\n' "$POSTGRES_PASSWORD" >/tmp/password
    initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 >/dev/null
    rm /tmp/password
    echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
    echo 'local all all trust' >"$PGDATA/local" && cat "$PGDATA/pg_hba.conf" >>"$PGDATA/local" && mv "$PGDATA/local" "$PGDATA/pg_hba.conf"
    pg_ctl --silent --wait --options="-c listen_addresses=''" start
    createdb --username="$POSTGRES_USER" --maintenance-db=postgres "$POSTGRES_DB"
    pg_ctl --silent --wait stop
fi
exec postgres -c listen_addresses='*'
