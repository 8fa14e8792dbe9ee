"""This checkout -> the images that a cluster runs, named as its manifests do: `python -m tests.containers.images`."""

from tests.containers.engine import IMAGE, STANDINS, Engine
from tests.containers.flink_image import FLINK, build_flink

POSTGRES, PAUSE = "localhost/postgres:17.6-bookworm", "localhost/pause:test"
# As the manifests name them -> as they were built here.
NAMED = {
    "docker.io/library/leakscreen:0.1.0": IMAGE,
    "docker.io/library/leakscreen-flink:0.1.0": FLINK,
    "docker.io/library/postgres:17.6-bookworm": POSTGRES,
    PAUSE: PAUSE,
}


def build_all(engine: Engine) -> None:
    base = engine.base()
    engine.build(base)
    build_flink(engine)
    engine.build(base, POSTGRES, STANDINS, "Postgres.Dockerfile")
    engine.build(base, PAUSE, STANDINS, "Pause.Dockerfile")
    for name, image in NAMED.items():
        engine("tag", image, name, check=True)


if __name__ == "__main__":
    build_all(Engine())
