"""A scan on a real Spark, with one worker killed on the way, has the local runner's records: `make spark-test`."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deploy.spark.cluster import Cluster
from leakscreen.demo import Planted
from tests.end_to_end.conftest import KEY, rows_of, stable
from tests.end_to_end.test_flink import planned_units, units_of

pytestmark = pytest.mark.spark
JARS = Path(__file__).parents[2] / ".spark-jars"


def test_a_killed_worker_costs_no_record(share: tuple[Path, list[Planted]], scanned: Path, tmp_path: Path) -> None:
    environ = {**os.environ, "LEAKSCREEN_HMAC_KEY": KEY, "HOME": str(tmp_path)}
    out = tmp_path / "out"
    with Cluster(JARS, workers=2, environ=environ) as cluster:
        command = [sys.executable, "-m", "leakscreen", "scan", str(share[0]), "--out", str(out), "--quiet"]
        command += ["--set", "scan.unit_files=1", *cluster.options]
        scan = subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True)
        try:
            until = time.monotonic() + 240
            while len(units_of(out)) < 5 and scan.poll() is None and time.monotonic() < until:
                time.sleep(0.05)
            done = len(units_of(out))
            assert scan.poll() is None and 5 <= done < planned_units(out), cluster.logs()
            cluster.workers[0].kill()
            cluster.wait_for(1)
            said = scan.communicate(timeout=400)[1]
        finally:
            if scan.poll() is None:
                scan.kill()
                scan.communicate()
        assert scan.returncode == 3, said + cluster.logs()
    assert stable(rows_of(out)) == stable(rows_of(scanned))
