"""Rows that are written once: changing and deleting them is refused here, and by triggers in the database."""

from typing import Any, NoReturn

from django.db import models


class FrozenError(Exception):
    """Something tried to change or delete a row that is on record."""


class FrozenRows(models.QuerySet):  # type: ignore[type-arg, unused-ignore]
    def update(self, **_: Any) -> NoReturn:
        raise FrozenError(f"{self.model.__name__}: rows are never changed")

    def delete(self) -> NoReturn:
        raise FrozenError(f"{self.model.__name__}: rows are never deleted")

    def bulk_update(self, *_: Any, **__: Any) -> NoReturn:
        raise FrozenError(f"{self.model.__name__}: rows are never changed")


class Frozen(models.Model):
    objects = FrozenRows.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise FrozenError(f"{type(self).__name__}: rows are never changed")
        kwargs["force_insert"] = True
        super().save(*args, **kwargs)

    def delete(self, *_: Any, **__: Any) -> NoReturn:
        raise FrozenError(f"{type(self).__name__}: rows are never deleted")
