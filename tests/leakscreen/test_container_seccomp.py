"""The sandbox works in a container: this refuses what Docker's default profile refuses without capabilities."""

import json
import os
import subprocess
import sys
from pathlib import Path

CONFINED = """
import errno, os, sys
import pyseccomp as seccomp

namespaces = 0x7E020000
refused = seccomp.SyscallFilter(defaction=seccomp.ALLOW)
for name in sys.argv[1].split():
    refused.add_rule(seccomp.ERRNO(errno.EPERM), name)
refused.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
for flag in (1 << bit for bit in range(32) if namespaces >> bit & 1):
    refused.add_rule(seccomp.ERRNO(errno.EPERM), "clone", seccomp.Arg(0, seccomp.MASKED_EQ, flag, flag))
refused.load()
os.execv(sys.executable, [sys.executable, "-m", "leakscreen", *sys.argv[2:]])
"""
REFUSED = """
    acct add_key bpf chroot clock_settime delete_module fanotify_init finit_module fsconfig fsmount fsopen fspick
    get_mempolicy init_module io_uring_enter io_uring_register io_uring_setup ioperm iopl kcmp kexec_file_load
    kexec_load keyctl mbind migrate_pages mount mount_setattr move_mount move_pages nfsservctl open_by_handle_at
    open_tree perf_event_open pidfd_getfd pivot_root process_madvise quotactl quotactl_fd reboot request_key
    set_mempolicy setdomainname sethostname setns settimeofday swapoff swapon syslog umount2 unshare userfaultfd vhangup
    vserver
"""


def confined(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    no_rights = [
        "setpriv",
        "--no-new-privs",
        *(["--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []),
    ]
    environment = {**os.environ, "HOME": str(home), "LEAKSCREEN_HMAC_KEY": "0123456789abcdef" * 4}
    command = [*no_rights, sys.executable, "-c", CONFINED, " ".join(REFUSED.split()), *words]
    return subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, timeout=200)


def test_hostile_files_can_be_parsed_safely_in_a_container(tmp_path: Path) -> None:
    ran = confined(tmp_path, "doctor", "--json")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    report = json.loads(ran.stdout)
    assert report["ok"] and report["parser"] == "works" and report["protection"]["seccomp"]
    assert all(deed["refused"] for deed in report["deeds"])


def test_a_scan_works_in_a_container(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.txt").write_text("just words")
    ran = confined(
        tmp_path, "scan", str(tmp_path / "files"), "--out", str(tmp_path / "out"), "--workers", "2", "--quiet", "--json"
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["status"]["complete"] == 1
