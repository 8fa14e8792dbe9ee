"""The command that an engine starts for each worker (Beam's PROCESS environment) -> one of Beam's SDK workers.

Beam's Python package has no such command: it is part of the container images. The engine names its provision service on
the command line; that is asked for the addresses and the job's options, and the rest is Beam's own worker.
"""

import argparse
import os
from threading import Thread
from time import sleep
from typing import Any

import grpc
from apache_beam.portability.api import beam_provision_api_pb2, beam_provision_api_pb2_grpc
from apache_beam.runners.worker import sdk_worker_main
from apache_beam.runners.worker.worker_id_interceptor import WorkerIdInterceptor
from google.protobuf import json_format, text_format

from core.no_dumps import forbid_dumps

_SECONDS_BETWEEN_LOOKS = 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description="A worker, started by the engine that a scan runs on; not for people.")
    for name in ("id", "provision_endpoint"):
        parser.add_argument(f"--{name}", required=True)
    arguments, _ = parser.parse_known_args()
    forbid_dumps()
    Thread(target=_end_with, args=(os.getppid(),), name="engine guard", daemon=True).start()
    job = _job(arguments.provision_endpoint, arguments.id)
    os.environ.update(
        WORKER_ID=arguments.id,
        CONTROL_API_SERVICE_DESCRIPTOR=str(text_format.MessageToString(job.control_endpoint)),
        LOGGING_API_SERVICE_DESCRIPTOR=str(text_format.MessageToString(job.logging_endpoint)),
        PIPELINE_OPTIONS=str(json_format.MessageToJson(job.pipeline_options, indent=None)),
    )
    sdk_worker_main.main([])


def _end_with(engine: int) -> None:
    """A worker whose task manager was killed must not go on with work that is being given to another."""
    while os.getppid() == engine:
        sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)


def _job(address: str, worker: str) -> Any:
    """The job's options, and where its engine takes part in control and logging."""
    with grpc.insecure_channel(address) as channel:
        service = beam_provision_api_pb2_grpc.ProvisionServiceStub(
            grpc.intercept_channel(channel, WorkerIdInterceptor(worker))
        )
        return service.GetProvisionInfo(beam_provision_api_pb2.GetProvisionInfoRequest(), timeout=60).info
