# A mail server that keeps what it is sent, with STARTTLS by the certificate of the relay that it stands for.
ARG BASE
FROM ${BASE}
RUN apt-get update && apt-get install -y --no-install-recommends python3-aiosmtpd && install -d /taken
COPY mail.py /mail.py
ENTRYPOINT ["/usr/bin/python3", "-u", "/mail.py"]
