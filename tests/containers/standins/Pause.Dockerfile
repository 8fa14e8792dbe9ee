# What holds a pod's namespaces open: a process that does nothing.
ARG BASE
FROM ${BASE}
ENTRYPOINT ["sleep", "infinity"]
