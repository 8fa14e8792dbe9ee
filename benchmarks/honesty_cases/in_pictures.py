"""The letter in pictures that are turned, skewed, photographed, faint or small, and in all picture formats."""

from collections.abc import Iterator, Sequence

import numpy
from PIL import ExifTags, Image, ImageChops, ImageDraw, ImageFilter, ImageOps

from benchmarks.honesty_cases.case import HARMLESS_LINES, LINES, Case
from benchmarks.honesty_cases.letter_picture import harmless_picture, noise, packed, picture

_QUARTERS = (90, 180, 270)
_SKEWS = (-15, -12, -9, -6, -3, 2, 5, 8, 11, 14)


def turned() -> Iterator[Case]:
    for degrees in _QUARTERS:
        yield Case(f"by {degrees}.png", packed(picture().rotate(degrees, expand=True)))
        yield Case(f"by {degrees}.tif", packed(picture().rotate(degrees, expand=True).convert("1"), "TIFF"))
        yield Case(f"by {degrees}, few lines.png", packed(picture(size=44).rotate(degrees, expand=True)))
    for orientation, degrees in ((3, 180), (6, 90), (8, 270)):
        exif = Image.Exif()
        exif[ExifTags.Base.Orientation] = orientation
        shot = picture().rotate(degrees, expand=True).convert("RGB")
        yield Case(f"noted as {orientation}.jpg", packed(shot, "JPEG", exif=exif))
    yield Case("harmless by 90.png", packed(harmless_picture().rotate(90, expand=True)), leaks=False)
    yield Case("harmless by 180.png", packed(harmless_picture().rotate(180, expand=True)), leaks=False)


def skewed() -> Iterator[Case]:
    for degrees in _SKEWS:
        yield Case(f"by {degrees}.png", packed(_skewed(picture(), degrees)))
    yield Case("by 95.png", packed(_skewed(picture(), 95)))
    yield Case("by 187.png", packed(_skewed(picture(), 187)))
    yield Case("by 10, black around.png", packed(picture().rotate(10, Image.Resampling.BICUBIC, expand=True)))
    yield Case("harmless by 7.png", packed(_skewed(harmless_picture(), 7)), leaks=False)


def photographed() -> Iterator[Case]:
    """On a table, in uneven light, from the side, with noise, as cameras store it."""
    for name, shot in _shots(picture()).items():
        yield Case(f"{name}.jpg", packed(shot.convert("RGB"), "JPEG", quality=70))
    for name, lines in (("label in a scene", LINES), ("harmless label in a scene", HARMLESS_LINES)):
        shot = _label(lines).convert("RGB")
        yield Case(f"{name}.jpg", packed(shot, "JPEG", quality=85), leaks=lines is LINES)
    for name, shot in _shots(harmless_picture()).items():
        if name in ("in shadow", "noisy"):
            yield Case(f"harmless {name}.jpg", packed(shot.convert("RGB"), "JPEG", quality=70), leaks=False)


def _label(lines: Sequence[str]) -> Image.Image:
    """Small in a large picture full of things that are no letters."""
    scene = noise(1600, 1200, 120).filter(ImageFilter.GaussianBlur(4))
    scene = ImageOps.autocontrast(scene)
    label = picture(lines, size=20)
    scene.paste(label.crop((40, 40, 640, label.height - 40)), (700, 300))
    return scene


def faint() -> Iterator[Case]:
    for name, ink, paper in (
        ("grey on white", 170, 255),
        ("light grey on white", 215, 255),
        ("grey on grey", 110, 150),
        ("dark on dark", 10, 50),
        ("white on black", 255, 0),
        ("grey on black", 60, 0),
        ("nearly white", 240, 255),
    ):
        yield Case(f"{name}.png", packed(picture(ink=ink, paper=paper)))
    for size in (9, 11, 14, 60):
        yield Case(f"letters of {size} pixels.png", packed(picture(size=size)))
    for sigma in (2, 4, 6):
        yield Case(f"blurred by {sigma}.png", packed(picture().filter(ImageFilter.GaussianBlur(sigma))))
    yield Case("coarse.jpg", packed(picture().resize((330, 200)).convert("RGB"), "JPEG", quality=25))
    yield Case("colours.png", packed(ImageOps.colorize(picture(), "#b00020", "#80c0ff")))
    yield Case("transparent.png", packed(_transparent(picture())))


def picture_formats() -> Iterator[Case]:
    letter = picture()
    blank = Image.new("L", letter.size, 255)
    for kind, extension in (
        *(("BMP", "bmp"), ("GIF", "gif"), ("TIFF", "tif"), ("WEBP", "webp"), ("JPEG2000", "jp2"), ("AVIF", "avif")),
        *(("PPM", "pgm"), ("TGA", "tga"), ("PCX", "pcx"), ("SGI", "sgi"), ("ICNS", "icns"), ("ICO", "ico")),
    ):
        shown = letter.resize((512, 512)) if kind in ("ICNS", "ICO") else letter
        yield Case(f"letter.{extension}", packed(shown.convert("RGB"), kind))
    for kind, extension in (("GIF", "gif"), ("WEBP", "webp"), ("PNG", "png"), ("TIFF", "tif")):
        frames = {"save_all": True, "append_images": [blank, letter]}
        yield Case(f"third frame.{extension}", packed(blank, kind, **frames))
    deep = Image.fromarray(numpy.asarray(letter).astype(numpy.uint16) * 200)
    yield Case("16 bits.png", packed(deep))
    yield Case("16 bits.tif", packed(deep, "TIFF"))
    yield Case("inks.tif", packed(letter.convert("CMYK"), "TIFF", compression="tiff_lzw"))
    yield Case("fax.tif", packed(letter.convert("1"), "TIFF", compression="group4"))
    yield Case("palette.png", packed(letter.convert("P")))
    yield Case("cut.png", packed(letter)[:-9000])
    yield Case("unknown.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(5_000))
    yield Case("unknown.jxl", b"\xff\x0a" + bytes(5_000))


def without_letters() -> Iterator[Case]:
    """Pictures that hide nothing and must not be called unread."""
    drawn = Image.new("RGB", (700, 500), "white")
    pen = ImageDraw.Draw(drawn)
    for number in range(12):
        pen.ellipse((50 * number, 40 + 20 * number, 50 * number + 90, 130 + 20 * number), fill=(20 * number, 90, 180))
    sky = Image.linear_gradient("L").resize((1600, 1200))
    for name, shown in {
        "shapes": drawn,
        "sky": sky,
        "black": Image.new("L", (2000, 1500), 0),
        "white": Image.new("L", (1700, 2200), 255),
        "noise": noise(900, 700, 70),
        "clouds": _clouds(),
        "icon": drawn.resize((16, 16)),
        "dot": Image.new("L", (1, 1), 0),
    }.items():
        yield Case(f"{name}.png", packed(shown), leaks=False)


def _skewed(drawn: Image.Image, degrees: float) -> Image.Image:
    return drawn.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=255)


def _shots(drawn: Image.Image) -> dict[str, Image.Image]:
    noise = numpy.random.default_rng(7).normal(0, 9, (drawn.height, drawn.width))
    noisy = Image.fromarray((numpy.asarray(drawn) * 0.8 + 20 + noise).clip(0, 255).astype(numpy.uint8))
    return {
        "in shadow": _in_light(drawn, Image.linear_gradient("L")),
        "in lamplight": _in_light(drawn, ImageOps.invert(Image.radial_gradient("L"))),
        "from the side": _from_the_side(drawn),
        "noisy": noisy,
        "on a table": _on_a_table(drawn),
        "skewed in shadow": _in_light(_skewed(drawn, -8), Image.linear_gradient("L").rotate(90)),
        "turned and noisy": noisy.rotate(180),
        "large": noisy.resize((drawn.width * 3, drawn.height * 3), Image.Resampling.BICUBIC),
        "unsharp": noisy.filter(ImageFilter.GaussianBlur(1.5)),
    }


def _in_light(drawn: Image.Image, light: Image.Image) -> Image.Image:
    lit = light.resize(drawn.size).point([60 + level * 3 // 5 for level in range(256)])
    return ImageChops.multiply(drawn, lit)


def _from_the_side(drawn: Image.Image) -> Image.Image:
    width, height = drawn.size
    corners = (-60, -30, -20, height + 10, width + 10, height + 60, width + 90, -50)
    return drawn.transform(drawn.size, Image.Transform.QUAD, corners, Image.Resampling.BICUBIC, fillcolor=200)


def _on_a_table(drawn: Image.Image) -> Image.Image:
    table = noise(drawn.width + 600, drawn.height + 500, 30).point([level // 2 for level in range(256)])
    table.paste(_skewed(drawn, 0).rotate(4, Image.Resampling.BICUBIC, fillcolor=230), (300, 250))
    return table


def _transparent(drawn: Image.Image) -> Image.Image:
    shown = Image.new("LA", drawn.size, 0)
    shown.putalpha(ImageOps.invert(drawn))
    return shown


def _clouds() -> Image.Image:
    coarse = noise(60, 45, 120)
    return coarse.resize((1200, 900), Image.Resampling.BICUBIC)
