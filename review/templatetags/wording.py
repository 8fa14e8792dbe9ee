"""Names as programs write them -> words as people read them."""

from django import template

register = template.Library()


@register.filter
def words(name: str) -> str:
    """phone_number, not_phi -> phone number, not PHI."""
    return " ".join("PHI" if word == "phi" else word for word in str(name).split("_"))


@register.filter
def file_name(uri: str) -> str:
    """The last part of a uri; of a member, its name within its container."""
    return str(uri).rstrip("/").replace("!", "/").rpartition("/")[2] or str(uri)


@register.filter
def folder(uri: str) -> str:
    """What stands before the name, with the stroke or mark that ends it."""
    text = str(uri)
    return text.removesuffix(file_name(text)) if text.endswith(file_name(text)) else ""
