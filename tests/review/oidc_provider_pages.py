"""The provider's addresses, and what it tells about people."""

import json
from typing import Any

from django.conf import settings
from django.contrib.auth.views import LoginView
from django.urls import include, path
from oauth2_provider.oauth2_validators import OAuth2Validator

urlpatterns = [
    path("enter/", LoginView.as_view()),
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
]


class Validator(OAuth2Validator):  # type: ignore[misc]
    """Claims under `userinfo` are told on request alone, the others stand in the signed token as well."""

    oidc_claim_scope = None

    def get_additional_claims(self, request: Any) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(settings.PEOPLE.read_text(encoding="utf-8"))[request.user.username]
        return {name: value for name, value in told.items() if name != "userinfo"}

    def get_userinfo_claims(self, request: Any) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(settings.PEOPLE.read_text(encoding="utf-8"))[request.user.username]
        return {**super().get_userinfo_claims(request), **told.get("userinfo", {})}
