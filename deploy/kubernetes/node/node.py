"""A single node of Kubernetes on this machine, inside namespaces of its own: pods really run, from images given to it.

Start it as root by `unshare --mount --net --pid --fork --kill-child --mount-proc`: network, mounts and processes go
with it. etcd, containerd, runc, the bridge of CNI, iptables, ipset and dnsmasq are Debian's packages. kube-router
enforces what a NetworkPolicy says. There is no kube-proxy, since pods are asked by their addresses.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deploy.kubernetes.node.control_plane import ADMINISTRATOR, ControlPlane
from deploy.kubernetes.node.programs import KUBE_ROUTER, NODE, POLICIES, SERVER, built
from deploy.processes import LOOPBACK, free_port

_NAME, _BRIDGE, _ADDRESS, _PODS = "leakscreen-node", "leakscreen0", "10.250.0.1", "10.250.0.0/24"
_CGROUP = "leakscreen-cluster"
_CONTAINERD = """
version = 2
root = "{folder}/root"
state = "{folder}/state"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper"]
[grpc]
address = "{folder}/sock"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "{pause}"
restrict_oom_score_adj = true
stream_server_address = "127.0.0.1"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = "{folder}/cni"
"""
_TUNED = ("vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops")  # by a kubelet


class Node(ControlPlane):
    programs = (*SERVER, *NODE)

    def __init__(self, images: Sequence[Sequence[str]], pause: str) -> None:
        """`images` are commands that write archives of images; `pause` is the one that holds a pod's namespaces."""
        if {name for _, name in socket.if_nameindex()} != {"lo"}:
            raise SystemExit("start it in namespaces of its own: unshare --mount --net --pid --fork --mount-proc ...")
        super().__init__({f"system:node:{_NAME}": "system:nodes"})
        self._images, self._pause = images, pause
        self._router = built(POLICIES, KUBE_ROUTER)
        self._ends = threading.Event()
        self._names = threading.Thread(target=self._publish_names, daemon=True)

    def bring_up(self) -> None:
        self._kernel = {name: Path("/proc/sys", name).read_text() for name in _TUNED}
        self._make_network()
        super().bring_up()
        self._start_containerd()
        self._start_controllers()
        self._start_kubelet()
        self.kubectl("wait", "--for=condition=Ready", f"node/{_NAME}", "--timeout=120s")
        self._start_policies()
        self._start_names()

    def _stop(self) -> None:
        self._ends.set()
        super()._stop()

    def clean_up(self) -> None:
        """Pods outlive their kubelet: what is left of them is ended, then their mounts and cgroups."""
        groups = list(Path("/sys/fs/cgroup").glob(f"*/{_CGROUP}"))
        for listed in (path for group in groups for path in group.rglob("cgroup.procs")):
            for pid in listed.read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
        time.sleep(1)
        mounts = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
        for mount in reversed([each for each in mounts if each.startswith(str(self.folder))]):
            subprocess.run(["umount", "--lazy", mount])
        for group in groups:
            subprocess.run(["find", group, "-depth", "-type", "d", "-exec", "rmdir", "{}", ";"], capture_output=True)
        for name, value in self._kernel.items():
            Path("/proc/sys", name).write_text(value)
        super().clean_up()

    def _make_network(self) -> None:
        for words in (
            ("link", "set", "lo", "up"),
            ("link", "add", _BRIDGE, "type", "bridge"),
            ("addr", "add", f"{_ADDRESS}/24", "dev", _BRIDGE),
            ("link", "set", _BRIDGE, "up"),
        ):
            subprocess.run(["ip", *words], check=True)

    def _start_containerd(self) -> None:
        folder = self.folder_of("containerd")
        (folder / "config.toml").write_text(_CONTAINERD.format(folder=folder, pause=self._pause))
        plugins: list[dict[str, Any]] = [
            {
                "type": "bridge",
                "bridge": _BRIDGE,
                "isGateway": True,
                "ipam": {"type": "host-local", "subnet": _PODS, "dataDir": str(folder / "addresses")},
            }
        ]
        (folder / "cni").mkdir()
        (folder / "cni/10-bridge.conflist").write_text(
            json.dumps({"cniVersion": "1.0.0", "name": "pods", "plugins": plugins})
        )
        process = self.start_program(folder, ["containerd", "--config", folder / "config.toml"])
        self.control = ["ctr", "--address", str(folder / "sock"), "--namespace", "k8s.io"]
        self.wait_for(process, *self.control, "version")
        for command in self._images:
            with subprocess.Popen(command, stdout=subprocess.PIPE) as archive:
                subprocess.run([*self.control, "images", "import", "-"], stdin=archive.stdout, check=True)

    def _start_controllers(self) -> None:
        configuration = f"--kubeconfig={self.log_in_as(ADMINISTRATOR)}"
        common = ("--leader-elect=false", f"--bind-address={LOOPBACK}")
        controllers = (
            f"--service-account-private-key-file={self.key}",
            f"--root-ca-file={self.folder / 'api-server' / 'apiserver.crt'}",
        )
        for name, words in (("kube-controller-manager", controllers), ("kube-scheduler", ())):
            port = f"--secure-port={free_port()}"
            folder = self.folder_of(name)
            self.start_program(
                folder, [self.binaries / name, configuration, *common, port, f"--cert-dir={folder}", *words]
            )

    def _start_kubelet(self) -> None:
        folder = self.folder_of("kubelet")
        for controller in Path("/sys/fs/cgroup").iterdir():
            if controller.is_dir() and not controller.is_symlink():
                (controller / _CGROUP).mkdir(exist_ok=True)
        (folder / "config.json").write_text(json.dumps(self._kubelet_settings(folder)))
        self.start_program(
            folder,
            [
                *(self.binaries / "kubelet", f"--config={folder / 'config.json'}", f"--root-dir={folder / 'root'}"),
                *(f"--kubeconfig={self.log_in_as(f'system:node:{_NAME}')}", f"--hostname-override={_NAME}"),
                *(f"--node-ip={_ADDRESS}", f"--cert-dir={folder}"),
            ],
        )
        self.wait_for(
            self.started[-1], self.binaries / "kubectl", f"--kubeconfig={self.configuration}", "get", f"node/{_NAME}"
        )

    def _kubelet_settings(self, folder: Path) -> Mapping[str, Any]:
        (folder / "resolv.conf").write_text(f"nameserver {_ADDRESS}\n")
        return {
            "apiVersion": "kubelet.config.k8s.io/v1beta1",
            "kind": "KubeletConfiguration",
            "address": _ADDRESS,
            "healthzPort": 0,
            "authentication": {"anonymous": {"enabled": True}, "webhook": {"enabled": False}},
            "authorization": {"mode": "AlwaysAllow"},
            "cgroupDriver": "cgroupfs",
            "cgroupRoot": f"/{_CGROUP}",
            "enforceNodeAllocatable": ["none"],
            "failCgroupV1": False,
            "failSwapOn": False,
            "oomScoreAdj": 0,
            "clusterDNS": [_ADDRESS],
            "clusterDomain": "cluster.local",
            "containerRuntimeEndpoint": f"unix://{self.folder / 'containerd' / 'sock'}",
            "resolvConf": str(folder / "resolv.conf"),
            "podLogsDir": str(folder / "logs"),
            "makeIPTablesUtilChains": False,
            "imageGCHighThresholdPercent": 100,
            "evictionHard": {"memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%"},
        }

    def _start_policies(self) -> None:
        """Pods share a bridge: only with this setting does what they send each other pass the rules of iptables."""
        Path("/proc/sys/net/bridge/bridge-nf-call-iptables").write_text("1\n")
        self.start_program(
            self.folder_of("policies"),
            [
                *(self._router / "kube-router", f"--kubeconfig={self.configuration}", f"--hostname-override={_NAME}"),
                *("--run-firewall", "--run-router=false", "--run-service-proxy=false", "--health-port=0"),
            ],
        )

    def _start_names(self) -> None:
        folder = self.folder_of("names")
        self._hosts = folder / "hosts"
        self._hosts.touch()
        words = [
            "dnsmasq",
            "--keep-in-foreground",
            "--no-resolv",
            "--no-hosts",
            f"--addn-hosts={self._hosts}",
            "--user=root",
        ]
        listen = [f"--listen-address={_ADDRESS}", "--bind-interfaces", "--pid-file=", "--local=/cluster.local/"]
        self._server_of_names = self.start_program(folder, [*words, *listen])
        self._names.start()

    def _publish_names(self) -> None:
        """Names of services -> addresses of their pods that are ready, as headless services have them."""
        known = ""
        while not self._ends.wait(1):
            answer = self.kubectl("get", "endpointslices", "--all-namespaces", "--output=json", check=False)
            if answer.returncode:
                continue
            lines = "".join(sorted(_lines(json.loads(answer.stdout)["items"])))
            if lines != known:
                known = lines
                self._hosts.write_text(lines)
                self._server_of_names.send_signal(signal.SIGHUP)


def _lines(slices: list[dict[str, Any]]) -> list[str]:
    return [
        f"{address} {about['labels']['kubernetes.io/service-name']}.{about['namespace']}.svc.cluster.local\n"
        for each in slices
        for about in [each["metadata"]]
        for endpoint in each.get("endpoints") or ()
        if endpoint["conditions"].get("ready")
        for address in endpoint["addresses"]
    ]
