"""The sections of the settings that say whom to tell, and when to scan: [mail], [webhook], [syslog] and each [[schedule]]."""

from dataclasses import dataclass

from core.settings.field import setting

PERIODS = ("hour", "day", "week")


@dataclass(frozen=True, slots=True)
class MailSettings:
    host: str = setting("", "SMTP server that takes the digests; empty means that no mail is sent")
    port: int = setting(587, "its port: 587 for STARTTLS, 465 for TLS from the start", low=1, high=65_535)
    security: str = setting(
        "starttls",
        "`starttls`, `tls`, or `none`, which is refused unless the server is on this machine",
        choices=("starttls", "tls", "none"),
    )
    ca_file: str = setting(
        "", "PEM file of the authority that signed the server's certificate; empty means those of the system"
    )
    user: str = setting("", "name to log in with; empty means no log-in")
    password_file: str = setting("", "file (mode 0600) with the password; LEAKSCREEN_MAIL_PASSWORD beats it")
    sender: str = setting("", "address that the digests come from")
    site: str = setting("leakscreen", "name of this installation, shown in the subject")
    period: str = setting(
        "day", "how often one person gets a digest at most: each `hour`, `day` or `week`", choices=PERIODS
    )
    hour: int = setting(7, "hour of the day at which a day or week begins", low=0, high=23)
    timezone: str = setting("UTC", "time zone of that hour, such as `Europe/Berlin`")
    timeout: float = setting(30.0, "seconds to wait for each answer of the server", low=0.1, high=600)


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    url: str = setting("", "address that takes the counts as signed JSON; empty means none")
    ca_file: str = setting("", "PEM file of the authority that signed its certificate; empty means those of the system")
    secret_file: str = setting(
        "", "file (mode 0600) with the secret of the signature; LEAKSCREEN_WEBHOOK_SECRET beats it"
    )
    period: str = setting(
        "hour", "how often the counts are told at most: each `hour`, `day` or `week`", choices=PERIODS
    )
    timeout: float = setting(15.0, "seconds to wait for the answer", low=0.1, high=600)


@dataclass(frozen=True, slots=True)
class SyslogSettings:
    url: str = setting(
        "", "where `leakscreen export --send` goes: `udp://host:514`, `tcp://host:601` or `tls://host:6514`"
    )
    ca_file: str = setting("", "PEM file of the authority that signed its certificate; empty means those of the system")
    timeout: float = setting(15.0, "seconds to wait for the connection", low=0.1, high=600)


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """One table [[schedule]]; every setting but name, cron and sources has a default."""

    name: str = setting("", "name of the schedule: lower-case letters, digits and dashes")
    cron: str = setting("", "when it is due: minute, hour, day of month, month, day of week")
    sources: tuple[str, ...] = setting((), "folders and files to scan")
    timezone: str = setting("UTC", "time zone of the expression and of the quiet hours, such as `Europe/Berlin`")
    rules: tuple[str, ...] = setting((), "further rule files, in place of `rules.files`")
    out: str = setting("", "folder for its results; empty means `scan.out`")
    settings: tuple[str, ...] = setting((), "any other setting for its scans, such as `scan.workers=1`")
    quiet: tuple[str, ...] = setting(
        (), "hours in which no run starts, such as `08:00-18:00`; a run that falls into them starts at their end"
    )
    overlap: str = setting(
        "skip",
        "what becomes of a run that is due while the one before still goes on: `skip` it, or `queue` it, once",
        choices=("skip", "queue"),
    )
    missed: str = setting(
        "run-once",
        "what becomes of runs that nobody started in time, or that were cut off: `run-once` makes up for all by one, `skip` leaves them",
        choices=("run-once", "skip"),
    )
    grace_minutes: int = setting(
        15, "minutes after which a run that was not started counts as missed", low=1, high=1_440
    )
    refer: str = setting("yes", "hand the positives to the review service afterwards", choices=("yes", "no"))
    notify: str = setting(
        "yes", "send what is due afterwards, where [mail] or [webhook] is set up", choices=("yes", "no")
    )
