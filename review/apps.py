"""The one Django application of the service."""

from django.apps import AppConfig


class ReviewApp(AppConfig):
    name = "review"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from review.accounts import sign_in_records

        sign_in_records.connect()
