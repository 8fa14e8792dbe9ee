"""A real API server of Kubernetes with its etcd, as processes on loopback, stopped by their ids.

It keeps objects and admits or refuses them as any cluster does; nothing is scheduled. `node.py` adds what runs them.
"""

import json
import secrets
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from deploy.kubernetes.node.programs import SERVER, built
from deploy.processes import LOOPBACK, Processes, free_port

ADMINISTRATOR = "administrator"
_CLAIMS = {  # user -> groups: as the programs of a cluster log in
    ADMINISTRATOR: "system:masters",
    "system:kube-controller-manager": "",
    "system:kube-scheduler": "",
}


class ControlPlane(Processes):
    programs: tuple[str, ...] = SERVER

    def __init__(self, claims: Mapping[str, str] | None = None) -> None:
        self.binaries = built(self.programs)
        super().__init__("cluster")
        self.port = free_port()
        self._claims = {**_CLAIMS, **(claims or {})}
        self._tokens = {user: secrets.token_hex(16) for user in self._claims}

    def bring_up(self) -> None:
        self._start_etcd()
        self._start_server()
        self.configuration = self.log_in_as(ADMINISTRATOR)

    def kubectl(self, *words: str | Path, said: str = "", check: bool = True) -> subprocess.CompletedProcess[str]:
        command = [str(self.binaries / "kubectl"), f"--kubeconfig={self.configuration}", *map(str, words)]
        done = subprocess.run(command, input=said, capture_output=True, text=True, timeout=180)
        if check and done.returncode:
            raise SystemExit(
                f"kubectl {' '.join(map(str, words))} ended with {done.returncode}:\n{done.stderr[-3000:]}"
            )
        return done

    def log_in_as(self, user: str) -> Path:
        """A kubeconfig."""
        path = self.folder / f"{user.replace(':', '-')}.json"
        server = {
            "server": f"https://{LOOPBACK}:{self.port}",
            "certificate-authority": str(self.folder / "api-server" / "apiserver.crt"),
        }
        document = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "here", "cluster": server}],
            "users": [{"name": user, "user": {"token": self._tokens[user]}}],
            "contexts": [{"name": "here", "context": {"cluster": "here", "user": user}}],
            "current-context": "here",
        }
        path.touch(mode=0o600)
        path.write_text(json.dumps(document))
        return path

    def wait_for(self, process: subprocess.Popen[bytes], *question: str | Path, seconds: float = 180) -> None:
        """Until the command succeeds."""
        until = time.monotonic() + seconds
        while subprocess.run(question, capture_output=True).returncode:
            if process.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"a process of the cluster did not come up; see {self.logs()}")
            time.sleep(0.5)

    def _start_etcd(self) -> None:
        folder, clients, peers = self.folder_of("etcd"), free_port(), free_port()
        self._etcd = f"http://{LOOPBACK}:{clients}"
        peer = f"http://{LOOPBACK}:{peers}"
        self.start_program(
            folder,
            [
                *("etcd", "--name=here", f"--data-dir={folder / 'data'}", "--unsafe-no-fsync"),
                *(f"--listen-client-urls={self._etcd}", f"--advertise-client-urls={self._etcd}"),
                *(
                    f"--listen-peer-urls={peer}",
                    f"--initial-advertise-peer-urls={peer}",
                    f"--initial-cluster=here={peer}",
                ),
            ],
        )

    def _start_server(self) -> None:
        folder = self.folder_of("api-server")
        self.key = folder / "service-accounts.key"
        subprocess.run(["openssl", "genrsa", "-out", self.key, "2048"], check=True, capture_output=True)
        tokens = folder / "tokens.csv"
        tokens.touch(mode=0o600)
        tokens.write_text(
            "".join(f'{self._tokens[user]},{user},{user},"{groups}"\n' for user, groups in self._claims.items())
        )
        process = self.start_program(
            folder,
            [
                *(self.binaries / "kube-apiserver", f"--etcd-servers={self._etcd}", "--authorization-mode=Node,RBAC"),
                *(f"--bind-address={LOOPBACK}", f"--secure-port={self.port}", f"--cert-dir={folder}"),
                *(
                    f"--advertise-address={LOOPBACK}",
                    "--endpoint-reconciler-type=none",
                    "--service-cluster-ip-range=10.254.0.0/24",
                    "--kubelet-preferred-address-types=InternalIP",  # nobody resolves the name of a node here
                ),
                *(f"--token-auth-file={tokens}", "--service-account-issuer=https://leakscreen.invalid"),
                *(f"--service-account-key-file={self.key}", f"--service-account-signing-key-file={self.key}"),
            ],
        )
        address = f"https://{LOOPBACK}:{self.port}/readyz"
        self.wait_for(process, "curl", "--fail", "--silent", "--cacert", folder / "apiserver.crt", address)
