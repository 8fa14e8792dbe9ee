# A Debian whose first process is systemd, with a mail server, and with leakscreen installed by the commands of docs/operations.md.
ARG BASE
FROM ${BASE}
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends dbus postfix systemd systemd-sysv
COPY . /checkout
RUN cd /checkout && bash -eux install.sh
STOPSIGNAL SIGRTMIN+3
ENTRYPOINT ["/sbin/init"]
