# nginx, with settings that are mounted.
ARG BASE
FROM ${BASE}
RUN apt-get update && apt-get install -y --no-install-recommends nginx-light
ENTRYPOINT ["nginx", "-c", "/proxy/nginx.conf", "-g", "daemon off;"]
