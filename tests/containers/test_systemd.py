"""deploy/systemd on a machine whose first process is systemd, installed by the runbook's commands: `make systemd-test`.

The machine is a container without network. Every unit is started, and does what it is there for.
"""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.containers.engine import KEY, ROOT, STANDINS, Engine
from tests.containers.runbook import blocks
from tests.containers.test_compose import until
from tests.containers.test_image import NOTE, readable_by_all
from tests.deploy.test_wheel import files_of_rooms

pytestmark = pytest.mark.containers
IMAGE = "localhost/leakscreen-systemd:test"
UNITS = ROOT / "deploy/systemd"
SETTINGS, SECRETS = "/etc/leakscreen/leakscreen.toml", "/etc/leakscreen/secrets.env"
PASSWORD, TOKEN = "correct horse battery", "a-token-for-metrics"
INSTALL, START, LOOK = blocks("### With systemd")
AS_THE_SERVICE = LOOK.partition(" doctor")[0]
METRICS = f"""
import urllib.request as u
asked = u.Request("http://127.0.0.1:8765/metrics", headers={{"Authorization": "Bearer {TOKEN}"}})
print(u.urlopen(asked, timeout=5).read().decode())
"""
MAIL = f"Subject: results\nFrom: ward@example.org\nTo: someone@example.com\n\n{NOTE}"
POSTFIX = """
smtpd_milters = inet:127.0.0.1:8891
non_smtpd_milters = $smtpd_milters
milter_default_action = tempfail
enable_long_queue_ids = yes
"""


class Machine:
    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine, self.name = engine, f"leakscreen-systemd-{os.getpid()}"
        (folder / "share").mkdir()
        (folder / "share" / "note.txt").write_text(NOTE)
        readable_by_all(folder / "share")
        mount = f"--volume={folder / 'share'}:/srv/share:ro"
        # Without that right systemd leaves out ProtectSystem and its kin.
        options = (f"--name={self.name}", "--systemd=always", "--cap-add=SYS_ADMIN", "--network=none", mount)
        engine("run", "--detach", *options, IMAGE, check=True)
        until(lambda: self.tried("systemctl is-system-running")[0] == 0, "systemd does not come up", 60)
        self._fill_in()

    def tried(self, commands: str, said: str = "") -> tuple[int, str]:
        """Exit code, and what was written."""
        ran = self.engine("exec", self.name, "bash", "-euc", commands.replace("SAID", f"'{said}'"))
        return ran.code, ran.out + ran.err

    def __call__(self, commands: str, said: str = "") -> str:
        code, written = self.tried(commands, said)
        assert code == 0, written + self.journal()
        return written

    def journal(self) -> str:
        return self.tried("journalctl --no-pager --lines=80")[1]

    def ends_well(self, unit: str) -> None:
        """A unit that runs once."""
        self(f"systemctl start {unit}")
        assert self(f"systemctl show --property=Result {unit}") == "Result=success\n"

    def waiting(self) -> float:
        code, text = self.tried(f"/opt/leakscreen/bin/python -c '{METRICS}'")
        found = re.findall(r'leakscreen_referrals\{queue="\w+",state="waiting"\} ([\d.]+)', text)
        return sum(map(float, found)) if code == 0 else 0.0

    def _fill_in(self) -> None:
        """As somebody does by an editor."""
        secrets = {
            "LEAKSCREEN_HMAC_KEY": KEY,
            "LEAKSCREEN_SECRET_KEY": KEY,
            "LEAKSCREEN_MANAGER": "mia",
            "LEAKSCREEN_MANAGER_PASSWORD": f'"{PASSWORD}"',
            "LEAKSCREEN_METRICS_TOKEN": TOKEN,
        }
        settings = {
            'url = ""': 'url = "https://review.example.org"',
            'proxy = ""': 'proxy = "127.0.0.1"',
            'host = ""': 'host = "127.0.0.1"',  # of the mail server
            "port = 587": "port = 25",
            'security = "starttls"': 'security = "none"',
            'sender = ""': 'sender = "leakscreen@example.org"',
            r"\[\[schedule\]\]": '[[schedule]]\\nname = "all"\\ncron = "* * * * *"\\nsources = ["/srv/share"]',
        }
        for name, value in secrets.items():
            self(f"grep -q '^{name}=$' {SECRETS} && sed -i 's/^{name}=$/{name}={value}/' {SECRETS}")
        for default, value in settings.items():
            self(f"grep -q '^# {default}$' {SETTINGS} && sed -i '0,/^# {default}$/s,,{value},' {SETTINGS}")


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    engine = Engine()
    if engine.is_docker:
        pytest.fail("systemd is started by podman: stop docker, and install podman, buildah, runc and mmdebstrap")
    context = tmp_path_factory.mktemp("checkout")
    deployed = [str(path.relative_to(ROOT)) for path in UNITS.iterdir()]
    pinned = [path.name for path in ROOT.glob("requirements-*.txt")]
    others = ["pyproject.toml", "README.md", "deploy/leakscreen.toml", "deploy/compose/secrets.env.example"]
    for name in (*files_of_rooms(), *deployed, *pinned, *others):
        (context / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, context / name)
    (context / "install.sh").write_text(INSTALL)
    shutil.copy(STANDINS / "Systemd.Dockerfile", context)
    engine.build(engine.base(), IMAGE, context, "Systemd.Dockerfile")
    machine = Machine(engine, tmp_path_factory.mktemp("machine"))
    try:
        yield machine
    finally:
        engine("rm", "--force", machine.name)


def test_pages_and_scans_are_there_after_the_commands_of_the_runbook(machine: Machine) -> None:
    machine(START)
    until(lambda: machine.waiting() == 1, "no scheduled scan was referred" + machine.journal())
    assert '"ok": true' in machine(LOOK.replace("doctor --service", "doctor --service --json"))
    owners = machine("find /var/lib/leakscreen -printf '%u:%g\\n' | sort -u")
    assert owners == "leakscreen:leakscreen\n"


def test_a_service_that_dies_comes_back_and_one_that_is_stopped_ends_well(machine: Machine) -> None:
    machine("systemctl kill --kill-whom=main --signal=SIGKILL leakscreen-serve.service")
    until(lambda: machine.waiting() == 1, "the service does not come back", 60)
    for unit in ("leakscreen-serve.service", "leakscreen-schedule.service"):
        machine(f"systemctl stop {unit}")
        assert machine(f"systemctl show --property=Result {unit}") == "Result=success\n"


@pytest.mark.parametrize("unit", ["leakscreen-schedule-once.service", "leakscreen-notify.service"])
def test_what_runs_once_ends_well(machine: Machine, unit: str) -> None:
    machine.ends_well(unit)


def test_a_folder_is_scanned_by_systemds_calendar(machine: Machine) -> None:
    machine.ends_well("leakscreen-scan@srv-share.service")
    assert len(machine("ls -d /var/lib/leakscreen/srv-share/scan=*/report.html").split()) == 1


def test_nothing_is_written_elsewhere_until_the_unit_allows_it(machine: Machine) -> None:
    machine("install -d -o leakscreen /var/lib/node_exporter")
    machine(f'sed -i \'s,^# file = ""$,file = "/var/lib/node_exporter/leakscreen.prom",\' {SETTINGS}')
    scan = "leakscreen-scan@srv-share.service"
    assert machine.tried(f"systemctl start {scan}")[0] == 1
    folder = f"/etc/systemd/system/{scan}.d"
    machine(f"mkdir {folder}; printf '[Service]\\nReadWritePaths=/var/lib/node_exporter\\n' > {folder}/metrics.conf")
    machine("systemctl daemon-reload")
    machine.ends_well(scan)
    assert "leakscreen_scan_succeeded 1.0" in machine("cat /var/lib/node_exporter/leakscreen.prom")


def test_the_gate_holds_a_mail_and_release_leaves_it_until_it_is_decided(machine: Machine) -> None:
    machine("systemctl start leakscreen-gate.service")
    machine("cat >> /etc/postfix/main.cf <<< SAID; systemctl restart postfix.service", POSTFIX)
    until(lambda: not machine.tried("(: < /dev/tcp/127.0.0.1/8891) 2> /dev/null")[0], "the gate does not listen", 90)
    machine("sendmail -t <<< SAID", MAIL)
    until(lambda: "!" in machine("postqueue -p"), "the mail is not held" + machine.journal(), 60)
    refer = f"{AS_THE_SERVICE} refer --config {SETTINGS} /var/lib/leakscreen/gate"
    until(lambda: not machine.tried(refer)[0], "it is not referred", 60)  # once the gate has written its summary
    machine.ends_well("leakscreen-gate-release.service")
    assert "1 undecided" in machine("journalctl --no-pager --unit=leakscreen-gate-release.service")
    assert "!" in machine("postqueue -p")
    machine("systemctl stop leakscreen-gate.service")
    assert machine("find /var/lib/leakscreen -printf '%u:%g\\n' | sort -u") == "leakscreen:leakscreen\n"


@pytest.mark.parametrize("unit", sorted(path.name.replace("@", "@srv-share") for path in UNITS.glob("*.timer")))
def test_each_timer_knows_when_it_comes_next(machine: Machine, unit: str) -> None:
    machine(f"systemctl start {unit}")
    assert machine(f"systemctl show --property=ActiveState {unit}") == "ActiveState=active\n"
    assert unit in machine("systemctl list-timers --no-pager --no-legend")
