"""leakscreen's image -> the one of Flink on top of it."""

from tests.containers.engine import IMAGE, IN_BUILD, Engine

FLINK = "localhost/leakscreen-flink:latest"


def build_flink(engine: Engine) -> None:
    authorities = [] if engine.is_docker else [f"MAVEN_OPTS=-Djavax.net.ssl.trustStore={IN_BUILD}"]
    engine.build(engine.base(), FLINK, file="deploy/flink/Dockerfile", arguments=[f"IMAGE={IMAGE}", *authorities])
    engine("tag", FLINK, engine.named("leakscreen-flink:latest"), check=True)
