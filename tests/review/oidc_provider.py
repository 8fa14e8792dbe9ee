"""A real OpenID Connect provider (django-oauth-toolkit) in a process of its own; its claims are in a file."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CLIENT, SECRET, PASSWORD = "leakscreen", "a secret of the tests, long enough", "a password at the provider"
_SECONDS = 60


@dataclass(frozen=True, slots=True)
class RunningProvider:
    issuer: str
    people: Path

    def tell(self, **claims: dict[str, Any]) -> None:
        """What it says about each person from now on."""
        self.people.write_text(json.dumps(claims), encoding="utf-8")


@contextlib.contextmanager
def running_provider(folder: Path, *names: str) -> Iterator[RunningProvider]:
    """On a port of its own; the names can log in there with PASSWORD."""
    people = folder / "people.json"
    people.write_text(json.dumps({name: {} for name in names}), encoding="utf-8")
    command = [sys.executable, "-m", "tests.review.oidc_provider", str(folder), *names]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as process:
        try:
            assert process.stdout
            issuer = process.stdout.readline().strip()
            assert issuer.startswith("http://127.0.0.1:"), issuer
            yield RunningProvider(issuer, people)
        finally:
            process.terminate()
            process.wait(_SECONDS)


def main(folder: Path, *names: str) -> None:
    from wsgiref.simple_server import make_server

    from django.core.wsgi import get_wsgi_application

    with make_server("127.0.0.1", 0, None, handler_class=_quiet()) as server:  # type: ignore[call-overload]
        address = f"http://127.0.0.1:{server.server_port}"
        _configure(folder, address)
        server.set_app(get_wsgi_application())
        _fill(names)
        print(f"{address}/o", flush=True)
        server.serve_forever()


def _quiet() -> Any:
    from wsgiref.simple_server import WSGIRequestHandler

    return type("Quiet", (WSGIRequestHandler,), {"log_message": lambda *_: None})


def _configure(folder: Path, address: str) -> None:
    import django
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa
    from django.conf import settings

    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048).private_bytes(*form).decode()
    page = {"registration/login.html": "<form method=post>{% csrf_token %}{{ form }}<button>in</button></form>"}
    loaders = {"loaders": [("django.template.loaders.locmem.Loader", page)]}
    settings.configure(
        SECRET_KEY="of the provider",
        ALLOWED_HOSTS=["127.0.0.1"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "provider.sqlite3"}},
        INSTALLED_APPS=[
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "oauth2_provider",
        ],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
        ],
        ROOT_URLCONF="tests.review.oidc_provider_pages",
        LOGIN_URL="/enter/",
        SESSION_COOKIE_NAME="provider",
        CSRF_COOKIE_NAME="provider_csrf",
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "OPTIONS": loaders}],
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        USE_TZ=True,
        PEOPLE=folder / "people.json",
        OAUTH2_PROVIDER={
            "OIDC_ENABLED": True,
            "OIDC_RSA_PRIVATE_KEY": key,
            "OIDC_ISS_ENDPOINT": f"{address}/o",
            "PKCE_REQUIRED": True,
            "SCOPES": {"openid": "who you are", "profile": "your name", "email": "your address"},
            "OAUTH2_VALIDATOR_CLASS": "tests.review.oidc_provider_pages.Validator",
        },
    )
    django.setup()


def _fill(names: tuple[str, ...]) -> None:
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from oauth2_provider.models import Application

    call_command("migrate", verbosity=0)
    for name in names:
        User.objects.create_user(name, password=PASSWORD)
    Application.objects.create(
        client_id=CLIENT,
        client_secret=SECRET,
        client_type="confidential",
        authorization_grant_type="authorization-code",
        redirect_uris="http://localhost/login/provider/back/ http://127.0.0.1/login/provider/back/",
        algorithm="RS256",
        skip_authorization=True,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
