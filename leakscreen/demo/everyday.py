"""A random source -> documents without people or health: minutes, code, recipes, product texts, logs, measurements."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from random import Random

from leakscreen.demo.draft import Draft, Heading, Paragraph, Part, Table

_AGENDA = {
    "Roof repair": "Two quotes were received; the cheaper one leaves out the gutters. The board asks for a third by "
    "May.",
    "New website": "The menu is too deep. A first draft with four sections will be shown next time; the photographs "
    "stay.",
    "Budget": "Heating cost eleven percent more than planned. Travel cost less. The remainder goes into the reserve.",
    "Recycling": "Paper and glass are collected on alternate weeks from now on. Signs will be put up near the lifts.",
    "Meeting rooms": "Room 2.14 gets a larger screen. Bookings longer than three hours need an approval.",
    "Summer event": "The courtyard is free on the second Saturday. Music until ten, then quiet.",
    "Server move": "The move is planned for a weekend. Read-only from Friday evening, back by Sunday noon.",
}
_INGREDIENTS = (
    "flour",
    "butter",
    "sugar",
    "red lentils",
    "rice",
    "tomatoes",
    "leeks",
    "potatoes",
    "cream",
    "basil",
    "lemon zest",
    "olive oil",
    "chickpeas",
    "spinach",
    "mushrooms",
    "almonds",
    "dark chocolate",
)
_DISHES = ("soup", "gratin", "tart", "stew", "salad", "risotto", "crumble", "loaf")
_VERBS = ("parse", "merge", "count", "render", "sort", "filter", "load", "split")
_NOUNS = ("rows", "tokens", "frames", "tiles", "edges", "chunks", "pages", "events")
_PRODUCTS = (
    "folding table",
    "rain jacket",
    "desk lamp",
    "trail backpack",
    "cordless drill",
    "bookshelf",
    "steel kettle",
    "garden hose",
)
_PRAISE = (
    "built to last",
    "light enough to carry all day",
    "easy to clean",
    "made from recycled material",
    "quiet in use",
    "folds flat in seconds",
)
_SERVICES = ("gateway", "scheduler", "indexer", "billing", "cache")
_EVENTS = (
    "request served",
    "cache miss",
    "retrying connection",
    "configuration reloaded",
    "queue drained",
    "checkpoint written",
    "slow query",
)


def minutes(dice: Random) -> Draft:
    day = date(2016, 1, 4) + timedelta(days=dice.randrange(3_000))
    topics = dice.sample(tuple(_AGENDA), 4)
    parts: list[Part] = [
        Paragraph(f"Present: chair, treasurer, {dice.randint(3, 14)} members. Start {dice.randint(9, 18)}:00.")
    ]
    for number, topic in enumerate(topics, 1):
        parts += [
            Heading(f"{number}. {topic}"),
            Paragraph(_AGENDA[topic]),
            Paragraph(f"Vote: {dice.randint(4, 12)} for, {dice.randint(0, 3)} against."),
        ]
    return Draft(
        "plain",
        "minutes",
        f"minutes {day:%Y-%m-%d}",
        f"Minutes of {day:%d %B %Y}",
        tuple(parts),
        ("docx", "pdf", "txt", "html"),
    )


def recipe(dice: Random) -> Draft:
    things = dice.sample(_INGREDIENTS, 5)
    dish = f"{things[0]} and {things[1]} {dice.choice(_DISHES)}"
    parts: tuple[Part, ...] = (
        Heading("Ingredients"),
        *(Paragraph(f"{dice.randint(1, 9) * 50} g {thing}") for thing in things),
        Heading("Method"),
        Paragraph(
            f"Chop the {things[2]} finely. Warm the {things[3]} in a pan for {dice.randint(3, 15)} minutes, then "
            f"stir in the {things[0]}."
        ),
        Paragraph(
            f"Bake at {dice.randint(16, 22) * 10} degrees for {dice.randint(20, 55)} minutes. Serves "
            f"{dice.randint(2, 8)}."
        ),
    )
    return Draft("plain", "recipe", dish, dish.capitalize(), parts, ("docx", "txt", "html", "pdf"))


def source_code(dice: Random) -> Draft:
    functions = []
    for verb, noun in zip(dice.sample(_VERBS, 4), dice.sample(_NOUNS, 4), strict=True):
        size = dice.randint(8, 512)
        functions.append(
            f"def {verb}_{noun}({noun}, limit={size}):\n    result = []\n    for index, item in enumerate({noun}):\n"
            f"        if index >= limit:\n            break\n        result.append(item * {dice.randint(2, 9)})\n    "
            "return result\n\n"
        )
    module = f"{dice.choice(_VERBS)}_{dice.choice(_NOUNS)}"
    return Draft("plain", "source-code", module, "", tuple(Paragraph(function) for function in functions), ("py",))


def product_text(dice: Random) -> Draft:
    product = dice.choice(_PRODUCTS)
    rows = (
        ("Property", "Value"),
        ("Weight", f"{dice.uniform(0.2, 19):.1f} kg"),
        ("Width", f"{dice.randint(9, 190)} cm"),
        ("Guarantee", f"{dice.randint(1, 10)} years"),
    )
    colour = dice.choice(("green", "slate", "sand", "navy"))
    text = f"Our {product} is {', '.join(dice.sample(_PRAISE, 3))}. Now in {colour}, {dice.randint(12, 340)}.99."
    return Draft(
        "plain",
        "product-text",
        f"{product} {dice.randint(100, 999)}",
        product.capitalize(),
        (Paragraph(text), Table(rows)),
        ("html", "docx", "pdf", "pptx"),
    )


def server_log(dice: Random) -> Draft:
    moment = datetime(2019, 3, 1, 6) + timedelta(minutes=dice.randrange(2_000_000))
    lines = []
    for _ in range(dice.randint(20, 90)):
        moment += timedelta(seconds=dice.randint(1, 400))
        level = dice.choices(("INFO", "DEBUG", "WARN", "ERROR"), (70, 20, 8, 2))[0]
        lines.append(
            f"{moment:%Y-%m-%dT%H:%M:%S} {level} {dice.choice(_SERVICES)}: {dice.choice(_EVENTS)} in "
            f"{dice.randint(1, 900)} ms"
        )
    return Draft(
        "plain", "server-log", f"{dice.choice(_SERVICES)}-{moment:%Y%m%d}", "", (Paragraph("\n".join(lines)),), ("log",)
    )


def measurements(dice: Random) -> Draft:
    start = date(2017, 5, 1) + timedelta(days=dice.randrange(2_000))
    rows = [("day", "rainfall_mm", "mean_degrees", "wind_m_s")]
    rows += [
        (
            f"{start + timedelta(days=offset)}",
            f"{dice.expovariate(0.4):.1f}",
            f"{dice.gauss(11, 6):.1f}",
            f"{dice.uniform(0, 14):.1f}",
        )
        for offset in range(dice.randint(14, 60))
    ]
    return Draft(
        "plain", "measurements", f"weather station {start:%Y-%m}", "Weather", (Table(tuple(rows)),), ("csv", "xlsx")
    )


def settings_file(dice: Random) -> Draft:
    lines = [
        f"[{dice.choice(_SERVICES)}]",
        f"workers = {dice.randint(1, 64)}",
        f"timeout_s = {dice.randint(5, 600)}",
        f"level = {dice.choice(('info', 'debug'))}",
    ]
    lines += [
        f"{verb}_{noun} = {dice.choice(('on', 'off'))}"
        for verb, noun in zip(_VERBS, dice.sample(_NOUNS, 8), strict=True)
    ]
    return Draft("plain", "settings-file", f"{dice.choice(_SERVICES)}", "", (Paragraph("\n".join(lines)),), ("ini",))


def roadmap_slides(dice: Random) -> Draft:
    parts: list[Part] = []
    for topic in dice.sample(tuple(_AGENDA), 3):
        parts += [
            Heading(topic),
            Paragraph(_AGENDA[topic]),
            Paragraph(f"Due in quarter {dice.randint(1, 4)}, effort {dice.randint(2, 40)} days"),
        ]
    return Draft(
        "plain", "roadmap-slides", f"roadmap {dice.randint(2016, 2025)}", "Roadmap", tuple(parts), ("pptx", "pdf")
    )


TEMPLATES: tuple[Callable[[Random], Draft], ...] = (
    minutes,
    recipe,
    source_code,
    product_text,
    server_log,
    measurements,
    settings_file,
    roadmap_slides,
)
