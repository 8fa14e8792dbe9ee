"""Settings of leakscreen -> a configured Django."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django
from django.conf import settings as django_settings

from core.errors import SettingsError
from core.settings import Settings
from review.accounts.oidc.provider import provider_of
from review.service.database import database
from review.service.key import derived, load_service_key

_YEAR_SECONDS = 31_536_000
_LEAST_PASSWORD = 12
_LINK_SECONDS = 3_600  # for which a link that `leakscreen review` prints can be used
_MIDDLEWARE = (
    "review.middleware.SecurityHeaders",
    "review.api.problems.ApiAnswers",
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "review.middleware.ReadersLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "review.middleware.LoginEverywhere",
    "django.contrib.messages.middleware.MessageMiddleware",
)
# Of a language that is spoken in several countries, those whose dates and numbers differ.
_LANGUAGES = (
    ("en", "English"),
    ("en-ca", "English (Canada)"),
    ("en-gb", "English (United Kingdom)"),
    ("fr", "français"),
    ("fr-ca", "français (Canada)"),
)
_LOCALE = Path(__file__).parent.parent / "locale"
_APPS = (
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "review",
)


def configure(settings: Settings, environ: Mapping[str, str] = os.environ) -> None:
    """Once in each process, before anything uses the database."""
    if not django_settings.configured:
        django_settings.configure(**configuration(settings, environ))
        django.setup()


def configuration(settings: Settings, environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    review = settings.review
    key = load_service_key(review.key_file, environ)
    return {
        "LEAKSCREEN": settings,
        "OIDC_PROVIDER": provider_of(settings.oidc, environ),
        "AUDIT_KEY": derived(key, "audit"),
        "SECRET_KEY": derived(key, "sessions").hex(),
        "DEBUG": False,
        "DATABASES": {"default": database(review.database, environ)},
        "INSTALLED_APPS": _APPS,
        "MIDDLEWARE": _MIDDLEWARE,
        "ROOT_URLCONF": "review.urls",
        "TEMPLATES": [_templates()],
        "USE_TZ": True,
        "TIME_ZONE": "UTC",
        "USE_I18N": True,
        "LANGUAGE_CODE": "en",
        "LANGUAGES": _LANGUAGES,
        "FORMAT_MODULE_PATH": "review.formats",
        "LOCALE_PATHS": [_LOCALE],  # before Django's own words, such as its `last name`
        "STATIC_URL": "/static/",
        "LOGIN_URL": "login",
        "LOGIN_REDIRECT_URL": "home",
        "LOGOUT_REDIRECT_URL": "login",
        "PASSWORD_RESET_TIMEOUT": _LINK_SECONDS,
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.Argon2PasswordHasher"],
        "AUTH_PASSWORD_VALIDATORS": _password_rules(),
        "LOGGING": _logging(
            "core.log.JsonLines" if settings.log.format == "json" else "review.service.log_lines.LogLines"
        ),
        "DATA_UPLOAD_MAX_MEMORY_SIZE": 1_000_000,
        **_sessions(review.session_minutes),
        **_address(review.url, review.host, bool(review.proxy)),
    }


def _templates() -> dict[str, Any]:
    processors = [
        "django.template.context_processors.request",
        "django.contrib.auth.context_processors.auth",
        "django.contrib.messages.context_processors.messages",
        "review.accounts.roles.of_request",
    ]
    return {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": processors},
    }


def _logging(lines: str) -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"plain": {"()": lines}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
        "loggers": {"django": {"handlers": ["stderr"], "level": "WARNING", "propagate": False}},
    }


def _password_rules() -> list[dict[str, Any]]:
    prefix = "django.contrib.auth.password_validation."
    return [
        {"NAME": prefix + "MinimumLengthValidator", "OPTIONS": {"min_length": _LEAST_PASSWORD}},
        {"NAME": prefix + "CommonPasswordValidator"},
        {"NAME": prefix + "UserAttributeSimilarityValidator"},
    ]


def _sessions(minutes: int) -> dict[str, Any]:
    return {
        "SESSION_COOKIE_AGE": minutes * 60,
        "SESSION_SAVE_EVERY_REQUEST": True,  # the age counts from the last request
        "SESSION_EXPIRE_AT_BROWSER_CLOSE": True,
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",  # so that a link in a mail opens within the session
        "CSRF_COOKIE_HTTPONLY": True,
        "CSRF_COOKIE_SAMESITE": "Strict",
        "SECURE_REFERRER_POLICY": "same-origin",  # with none, browsers omit the Origin that the CSRF check needs
        "SECURE_CROSS_ORIGIN_OPENER_POLICY": "same-origin",
        "X_FRAME_OPTIONS": "DENY",
    }


def _address(url: str, host: str, proxied: bool) -> dict[str, Any]:
    """With an https address every cookie is Secure, and browsers are told to use TLS alone."""
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/")):
        raise SettingsError(f"review.url: {url!r} is not of the form https://review.example.org")
    secure = parts.scheme == "https"
    hosts = [parts.hostname] if parts.hostname else ["localhost", "127.0.0.1", "[::1]", host]
    return {
        "ALLOWED_HOSTS": hosts,
        "CSRF_TRUSTED_ORIGINS": [f"{parts.scheme}://{parts.netloc}"] if secure else [],
        "SESSION_COOKIE_SECURE": secure,
        "CSRF_COOKIE_SECURE": secure,
        "SECURE_HSTS_SECONDS": _YEAR_SECONDS if secure else 0,
        "SECURE_HSTS_INCLUDE_SUBDOMAINS": False,
        "SECURE_SSL_REDIRECT": secure,
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https") if secure and proxied else None,
    }
