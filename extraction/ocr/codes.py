"""A grey picture -> what the two-dimensional codes in it say: labels, wristbands and cards of patients carry them."""

from PIL import Image

from extraction.lazy_import import LazyModule

LOOKED_AT = 4_000_000  # pixels; the modules of a code are large
_ZXING = LazyModule("zxingcpp")
_FORMATS = "QRCode|MicroQRCode|RMQRCode|DataMatrix|PDF417|MicroPDF417|Aztec"


def codes_in(grey: Image.Image) -> tuple[str, ...]:
    """Each text once; codes along a line hold numbers of products and parcels, and cost twice as much."""
    zxing = _ZXING.load()
    if grey.width * grey.height > LOOKED_AT:
        grey = grey.reduce(int((grey.width * grey.height / LOOKED_AT) ** 0.5) + 1)
    found = zxing.read_barcodes(grey, formats=zxing.barcode_formats_from_str(_FORMATS))
    return tuple(dict.fromkeys(code.text.strip() for code in found if code.text.strip()))
