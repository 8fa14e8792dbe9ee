"""People and an office -> everyday documents full of names and addresses, but without anyone's health."""

from collections.abc import Callable
from datetime import date, timedelta
from random import Random

from leakscreen.demo.conditions import CONDITIONS, HOSPITALS
from leakscreen.demo.draft import Draft, Heading, Paragraph, Part, Table
from leakscreen.demo.people import Person

_GOODS = (
    "oak desk",
    "office chair",
    "LED ceiling lamp",
    "laser printer",
    "toner cartridge",
    "whiteboard",
    "network switch",
    "coffee machine",
    "garden bench",
    "running shoes",
    "winter tyre",
    "camping stove",
    "bicycle helmet",
    "kitchen mixer",
    "guitar strings",
)
_COMPANIES = (
    "Harrow & Lane Ltd",
    "Bluewater Logistics Inc.",
    "Pinecrest Furniture Co.",
    "Northern Freight Corp.",
    "Oakfield Printing LLC",
    "Sterling Property Group",
    "Cedar Street Bakery Inc.",
    "Halden Software Ltd",
)
_JOBS = (
    "accountant",
    "receptionist",
    "project manager",
    "electrician",
    "software developer",
    "warehouse clerk",
    "buyer",
    "sales agent",
    "porter",
    "payroll officer",
    "driver",
    "caretaker",
    "librarian",
    "designer",
)
_TEAMS = (
    "Finance",
    "Facilities",
    "Purchasing",
    "Information Technology",
    "Human Resources",
    "Transport",
    "Front Desk",
    "Catering",
)
_SKILLS = (
    "bookkeeping",
    "stock control",
    "spreadsheet modelling",
    "customer service",
    "Python and SQL",
    "budgeting",
    "contract negotiation",
    "forklift licence",
    "technical drawing",
    "copy editing",
    "event planning",
    "fluent French",
)
_TOPICS = {
    "lunch on Friday": "the new noodle place on the corner takes bookings for eight. Could you tell me by Thursday "
    "whether you will come?",
    "parking permits": "the permits for next year are ready. Please bring your licence plate number to the front desk.",
    "quarterly figures": "the sales figures of the quarter are in the shared folder. Revenue is up by four percent.",
    "train tickets": "I have booked two seats on the 8:15 train. We meet under the big clock, and the return is open "
    "until Sunday.",
    "moving desks": "your desk moves to the third floor on Monday. Please pack your drawers by Friday noon, and "
    "label the boxes.",
    "book club": "we read the second half until the next meeting. I can lend you my copy, it is only slightly "
    "coffee-stained.",
    "contract draft": "please find my comments on the draft. Clause 7 still lacks a date, and the delivery terms "
    "need a second look.",
    "football tickets": "I have two spare tickets for Saturday's match, row F. First come, first served; they were "
    "35 each.",
}


def staff_list(dice: Random, people: tuple[Person, ...]) -> Draft:
    rows = [("Name", "Job", "Team", "Phone", "E-mail", "Home address", "Start date")]
    for person in dice.sample(people, dice.randint(10, 40)):
        row = (
            person.name,
            dice.choice(_JOBS),
            dice.choice(_TEAMS),
            person.phone,
            person.email,
            person.address,
            f"{_day(dice):%Y-%m-%d}",
        )
        rows.append(row)
    stem = dice.choice(("staff list", "Telephone_List", "employees", f"contacts {_day(dice).year}"))
    return Draft("pii", "staff-list", stem, "Staff list", (Table(tuple(rows)),), ("xlsx", "csv", "docx", "pdf"))


def payroll(dice: Random, people: tuple[Person, ...]) -> Draft:
    rows = [("Employee", "Number", "Gross pay", "Tax", "Net pay")]
    for person in dice.sample(people, dice.randint(8, 25)):
        gross = dice.randint(2400, 7900)
        tax = round(gross * dice.uniform(0.18, 0.33), 2)
        rows.append(
            (person.name, person.national_id.partition(": ")[2], f"{gross:.2f}", f"{tax:.2f}", f"{gross - tax:.2f}")
        )
    return Draft("pii", "payroll", f"payroll {_day(dice):%B %Y}", "Payroll", (Table(tuple(rows)),), ("xlsx", "csv"))


def customer_list(dice: Random, people: tuple[Person, ...]) -> Draft:
    rows = [("customer_id", "first_name", "last_name", "email", "phone", "street", "city", "postcode", "last_order")]
    for person in dice.sample(people, dice.randint(15, 60)):
        who = (f"{dice.randint(10000, 99999)}", person.first, person.last, person.email, person.phone)
        rows.append((*who, person.street, person.city, person.postcode, dice.choice(_GOODS)))
    stem = dice.choice(("customers", "newsletter export", "mailing_list", "orders_export"))
    return Draft("pii", "customer-list", stem, "Customers", (Table(tuple(rows)),), ("csv", "xlsx"))


def invoice(dice: Random, people: tuple[Person, ...]) -> Draft:
    buyer, clerk = dice.sample(people, 2)
    number, day, company = dice.randint(20000, 99999), _day(dice), dice.choice(_COMPANIES)
    rows, total = [("Item", "Quantity", "Price", "Amount")], 0
    for item in dice.sample(_GOODS, dice.randint(1, 6)):
        count, price = dice.randint(1, 12), dice.randint(9, 480)
        total += count * price
        rows.append((item, str(count), f"{price}.00", f"{count * price}.00"))
    parts: tuple[Part, ...] = (
        Paragraph(company),
        Paragraph(f"Bill to: {buyer.name}, {buyer.address}"),
        Paragraph(f"Invoice {number} of {day:%d %B %Y}, payable by {day + timedelta(days=30):%d %B %Y}"),
        Table(tuple(rows)),
        Paragraph(f"Total {total}.00. Questions? {clerk.name}, accounts, {clerk.phone}, {clerk.email}"),
    )
    return Draft(
        "pii",
        "invoice",
        dice.choice((f"INV-{number}", f"invoice_{number}", f"{company.split()[0]} {day:%Y-%m}")),
        "Invoice",
        parts,
        ("pdf", "docx", "html"),
    )


def curriculum_vitae(dice: Random, people: tuple[Person, ...]) -> Draft:
    person = dice.choice(people)
    first, second = dice.sample(_COMPANIES, 2)
    year = dice.randint(2004, 2016)
    parts: tuple[Part, ...] = (
        Paragraph(f"{person.address} | {person.phone} | {person.email}"),
        Heading("Profile"),
        Paragraph(
            f"Reliable {dice.choice(_JOBS)} with {dice.randint(4, 22)} years of experience in "
            f"{dice.choice(_TEAMS).lower()}."
        ),
        Heading("Experience"),
        Paragraph(
            f"{year}-{year + 4}: {dice.choice(_JOBS)}, {first}. Kept the books of two branches and trained new "
            "colleagues."
        ),
        Paragraph(
            f"{year + 4}-today: {dice.choice(_JOBS)}, {second}. "
            f"Lead a team of {dice.randint(3, 14)} and a yearly budget of {dice.randint(90, 900)},000."
        ),
        Heading("Skills"),
        Paragraph(", ".join(dice.sample(_SKILLS, 5))),
        Heading("References"),
        Paragraph(f"{dice.choice(people).name}, {first}"),
    )
    return Draft(
        "pii",
        "cv",
        dice.choice((f"CV {person.name}", f"resume_{person.last.lower()}")),
        person.name,
        parts,
        ("docx", "pdf"),
    )


def office_mail(dice: Random, people: tuple[Person, ...]) -> Draft:
    writer, reader = dice.sample(people, 2)
    topic = dice.choice(tuple(_TOPICS))
    greeting = dice.choice((f"Dear {reader.first},", f"Hi {reader.first},", f"Good morning {reader.formal},"))
    parts: tuple[Part, ...] = (
        Paragraph(greeting),
        Paragraph(_TOPICS[topic][0].upper() + _TOPICS[topic][1:]),
        Paragraph(dice.choice(("Best wishes,", "Cheers,", "Kind regards,"))),
        Paragraph(
            f"{writer.name}\n{dice.choice(_JOBS).capitalize()}, {dice.choice(_COMPANIES)}\n"
            f"{writer.phone} | {writer.email}\n{writer.address}"
        ),
    )
    return Draft(
        "pii", "office-mail", dice.choice((topic, f"RE {topic}", f"FW {topic}")), topic.capitalize(), parts, ("eml",)
    )


def tenancy_letter(dice: Random, people: tuple[Person, ...]) -> Draft:
    tenant, agent = dice.sample(people, 2)
    day = _day(dice)
    parts: tuple[Part, ...] = (
        Paragraph(f"{tenant.name}, {tenant.address}"),
        Paragraph(f"{day:%d %B %Y}"),
        Paragraph(f"Dear {tenant.formal},"),
        Paragraph(
            f"The rent for {tenant.street} changes to {dice.randint(780, 2900)} a month "
            f"from {day + timedelta(days=60):%d %B %Y}. The deposit stays as it is. "
            f"The boiler is serviced on {day + timedelta(days=20):%d %B}, and someone must be at home between 9 and 12."
        ),
        Paragraph(f"Please sign and return one copy. {agent.name}, {dice.choice(_COMPANIES)}, {agent.phone}"),
    )
    return Draft(
        "pii",
        "tenancy-letter",
        dice.choice((f"letter {tenant.last}", f"rent notice {day:%Y}")),
        "Notice",
        parts,
        ("docx", "pdf", "txt"),
    )


def club_members(dice: Random, people: tuple[Person, ...]) -> Draft:
    club = dice.choice(("Chess Club", "Rowing Club", "Community Choir", "Allotment Society", "Photography Circle"))
    rows = [("Member", "Phone", "E-mail", "Fee paid")]
    rows += [
        (person.name, person.phone, person.email, dice.choice(("yes", "no")))
        for person in dice.sample(people, dice.randint(9, 30))
    ]
    return Draft(
        "pii",
        "club-members",
        f"{club} members",
        f"{club} members",
        (Table(tuple(rows)),),
        ("xlsx", "csv", "html", "txt"),
    )


def on_call_rota(dice: Random, people: tuple[Person, ...]) -> Draft:
    """Health workers with their numbers: much of a hospital, nothing of a patient."""
    start = _day(dice)
    rows = [("Date", "Department", "On call", "Phone", "E-mail")]
    for offset, person in enumerate(dice.sample(people, 14)):
        department = dice.choice(CONDITIONS).specialty
        rows.append(
            (f"{start + timedelta(days=offset):%a %d %b}", department, f"Dr. {person.name}", person.phone, person.email)
        )
    hospital = dice.choice(HOSPITALS)
    return Draft(
        "pii",
        "on-call-rota",
        f"rota {start:%b %Y}",
        f"{hospital}: on-call rota",
        (Table(tuple(rows)),),
        ("xlsx", "docx", "pdf", "csv"),
    )


TEMPLATES: tuple[Callable[[Random, tuple[Person, ...]], Draft], ...] = (
    office_mail,
    staff_list,
    invoice,
    office_mail,
    customer_list,
    curriculum_vitae,
    tenancy_letter,
    club_members,
    payroll,
    on_call_rota,
)


def _day(dice: Random) -> date:
    return date(2015, 2, 2) + timedelta(days=dice.randrange(3_600))
