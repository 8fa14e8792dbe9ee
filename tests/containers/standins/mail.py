"""Mails over STARTTLS -> files in /taken."""

import os
import ssl
import threading
from typing import Any

from aiosmtpd.controller import Controller


class Keep:
    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        number = len(os.listdir("/taken"))
        with open(f"/taken/{number}.eml", "wb") as file:
            file.write(envelope.content)
        return "250 OK"


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
certificate, key = (os.environ[f"POSTFIX_smtpd_tls_{name}_file"] for name in ("cert", "key"))
context.load_cert_chain(certificate, key)
Controller(Keep(), hostname="0.0.0.0", port=587, tls_context=context, require_starttls=True).start()
threading.Event().wait()
