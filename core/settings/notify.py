"""The settings of what is sent to people and other systems: [mail], [webhook] and [syslog]."""

from dataclasses import dataclass

from core.settings.field import setting

PERIODS = ("hour", "day", "week")
_CA_FILE = "PEM file of the authority that signed the server's certificate; empty means the system's authorities"


@dataclass(frozen=True, slots=True)
class MailSettings:
    host: str = setting("", "SMTP server for the digests; empty means that no mail is sent")
    port: int = setting(587, "port of the server: 587 for STARTTLS, 465 for TLS", low=1, high=65_535)
    security: str = setting(
        "starttls",
        "`starttls`, `tls`, or `none`, which is accepted only for a server on this machine",
        choices=("starttls", "tls", "none"),
    )
    ca_file: str = setting("", _CA_FILE)
    user: str = setting("", "user name at the server; empty means no log-in")
    password_file: str = setting("", "file (mode 0600) with the password; LEAKSCREEN_MAIL_PASSWORD takes precedence")
    sender: str = setting("", "sender address of the digests")
    language: str = setting("en", "language of the digests: `en` or `fr`", choices=("en", "fr"))
    site: str = setting("leakscreen", "name of this installation, shown in the subject")
    period: str = setting(
        "day", "one person gets at most one digest per period: `hour`, `day` or `week`", choices=PERIODS
    )
    hour: int = setting(7, "hour of the day at which a new day or week begins", low=0, high=23)
    timezone: str = setting("UTC", "time zone of that hour, such as `Europe/Berlin`")
    timeout: float = setting(30.0, "seconds to wait for each response of the server", low=0.1, high=600)


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    url: str = setting("", "URL that receives the counts as signed JSON; empty means none")
    ca_file: str = setting("", _CA_FILE)
    secret_file: str = setting(
        "", "file (mode 0600) with the signing secret; LEAKSCREEN_WEBHOOK_SECRET takes precedence"
    )
    period: str = setting("hour", "counts are sent at most once per period: `hour`, `day` or `week`", choices=PERIODS)
    timeout: float = setting(15.0, "seconds to wait for the response", low=0.1, high=600)


@dataclass(frozen=True, slots=True)
class SyslogSettings:
    url: str = setting(
        "", "destination of `leakscreen export --send`: `udp://host:514`, `tcp://host:601` or `tls://host:6514`"
    )
    ca_file: str = setting("", _CA_FILE)
    timeout: float = setting(15.0, "seconds to wait for the connection", low=0.1, high=600)
