"""Office files, mail, PDF, pictures and DICOM go in; other libraries open what comes out, and nobody is in it."""

import datetime
import email
import email.policy
import io
import zipfile
from email.message import EmailMessage

import docx
import numpy
import openpyxl
import pptx
import pydicom
import pypdfium2
from openpyxl.comments import Comment
from PIL import Image, ImageDraw, ImageFont
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.uid import CTImageStorage, ExplicitVRLittleEndian, generate_uid
from reportlab.pdfgen import canvas

from tests.deidentification.conftest import Make
from tests.deidentification.test_formats import assert_nobody_in, copy_of

LINES = (
    "Patient: Mary Thompson",
    "Date of birth: 5 March 1947",
    "MRN 4839201, phone 613-555-0142",
    "Seen by Dr. Alan Becker on 12 March 2021.",
    "She takes metformin for diabetes.",
)
TEXT = "\n".join(LINES)


def unpacked(data: bytes) -> str:
    """Every part of a zip as text, names of parts included."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "\n".join(name + archive.read(name).decode("utf-8", "replace") for name in archive.namelist())


def drawn(ground: str = "white", ink: str = "black", mode: str = "RGB") -> Image.Image:
    picture = Image.new(mode, (1000, 400), ground)
    draw = ImageDraw.Draw(picture)
    for row, line in enumerate(LINES):
        draw.text((30, 30 + 68 * row), line, fill=ink, font=ImageFont.load_default(34))
    return picture


def darkest(grey: Image.Image) -> int:
    return int(numpy.asarray(grey).min())


def word_file() -> bytes:
    document = docx.Document()
    paragraph = document.add_paragraph("Patient: Ma")
    paragraph.add_run("ry Thomp").bold = True
    paragraph.add_run("son")
    document.add_paragraph(TEXT)
    document.sections[0].header.paragraphs[0].text = "Mary Thompson"
    document.core_properties.author = "Alan Becker"
    document.core_properties.title = "Mary Thompson"
    document.add_comment(paragraph.runs, text="Call Mary Thompson", author="Alan Becker", initials="AB")
    picture = io.BytesIO()
    drawn().save(picture, "PNG")
    document.add_picture(picture)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def with_tracked_change(data: bytes) -> bytes:
    """An old revision, an embedded file and a thumbnail, as Word keeps them."""
    old = "<w:del w:id='9' w:author='Alan Becker'><w:r><w:delText>Mary Thompson</w:delText></w:r></w:del></w:p>"
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(file, "w") as changed:
        for name in archive.namelist():
            content = archive.read(name)
            if name == "word/document.xml":
                content = content.replace(b"</w:p>", old.encode(), 1)
            changed.writestr(name, content)
        changed.writestr("word/embeddings/thompson.bin", "Mary Thompson")
        changed.writestr("docProps/thumbnail.txt", "Mary Thompson")
    return file.getvalue()


def test_word_loses_people_properties_comments_and_old_revisions(make: Make) -> None:
    made = copy_of(make("surrogate"), with_tracked_change(word_file()), "a.docx")
    assert_nobody_in(unpacked(made))
    document = docx.Document(io.BytesIO(made))
    assert "She takes metformin for diabetes." in document.paragraphs[1].text
    assert document.paragraphs[0].runs[1].bold, "the make-up of a paragraph stays"
    assert "embeddings" not in unpacked(made)


def test_excel_keeps_its_cells(make: Make) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Thompson"
    sheet.append(["Last name", "First name", "DOB", "MRN", "Diagnosis"])
    sheet.append(["Thompson", "Mary", datetime.date(1947, 3, 5), 4839201, "diabetes"])
    sheet.append(["Thompson", "Peter", datetime.date(1962, 11, 30), 7741920, "asthma"])
    sheet["A2"].comment = Comment("Mary Thompson called", "Alan Becker")
    file = io.BytesIO()
    book.save(file)
    made = copy_of(make("surrogate"), file.getvalue(), "a.xlsx")
    assert_nobody_in(unpacked(made))
    rows = [[cell.value for cell in row] for row in openpyxl.load_workbook(io.BytesIO(made)).active or ()]
    assert rows[0] == ["Last name", "First name", "DOB", "MRN", "Diagnosis"]
    assert [row[4] for row in rows] == ["Diagnosis", "diabetes", "asthma"]
    assert rows[1][0] != rows[2][0], "two people of one surname are two people"
    assert isinstance(rows[1][3], int) and "7741920" not in str(rows)


def test_powerpoint(make: Make) -> None:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Case: Mary Thompson"
    slide.placeholders[1].text = TEXT
    slide.notes_slide.notes_text_frame.text = "Ask Mary Thompson, 613-555-0142"
    file = io.BytesIO()
    show.save(file)
    made = copy_of(make("tag"), file.getvalue(), "a.pptx")
    assert_nobody_in(unpacked(made))
    assert pptx.Presentation(io.BytesIO(made)).slides[0].shapes.title.text == "Case: [PATIENT 1]"


def test_mail_with_attachments(make: Make) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"] = "Alan Becker <alan.becker@ward.example>", "Mary Thompson <mary.thompson@post.example>"
    mail["Subject"], mail["X-Patient"], mail["Message-ID"] = "Results of Mary Thompson", "Thompson", "<thompson@x>"
    mail.set_content(TEXT)
    mail.add_attachment(TEXT.encode(), maintype="text", subtype="plain", filename="thompson.txt")
    mail.add_attachment(b"\x7fELF" + bytes(200), maintype="application", subtype="x-elf", filename="thompson")
    made = email.message_from_bytes(copy_of(make("tag"), mail.as_bytes(), "a.eml"), policy=email.policy.default)
    parts = [part for part in made.walk() if not part.is_multipart()]
    assert_nobody_in(str(made) + "".join(str(part.get_content()) for part in parts))
    assert [part.get_filename() for part in parts] == [None, "attachment-1.txt"]
    assert "was left out" in str(parts[0].get_content())
    assert set(made.keys()) <= {"From", "To", "Subject", "Content-Type", "MIME-Version", "Content-Transfer-Encoding"}


def test_pdf_has_pictures_of_pages_and_clean_text(make: Make) -> None:
    file = io.BytesIO()
    page = canvas.Canvas(file)
    page.setTitle("Mary Thompson")
    page.setAuthor("Alan Becker")
    for row, line in enumerate(LINES):
        page.drawString(60, 760 - 24 * row, line)
    page.setFillColorRGB(1, 1, 1)
    page.drawString(60, 400, "Hidden: Mary Thompson, MRN 4839201")  # white on white
    page.save()
    made = copy_of(make("tag"), file.getvalue(), "a.pdf")
    document = pypdfium2.PdfDocument(made)
    text = document[0].get_textpage().get_text_range()
    assert_nobody_in(text + str(document.get_metadata_dict()))
    assert "metformin for diabetes" in text and "[PATIENT 1]" in text
    # Were the page still there behind its picture, it would have more than a picture and invisible words.
    assert {found.type for found in document[0].get_objects()} <= {1, 3}
    assert b"Thompson" not in made
    shown = document[0].render(scale=2).to_pil().convert("L")
    name = shown.crop((2 * 102, 2 * (842 - 772), 2 * 200, 2 * (842 - 756)))
    assert darkest(name) > 200, "no ink where the name was"


def test_picture_gets_boxes_and_loses_its_metadata(make: Make) -> None:
    exif = Image.Exif()
    exif[0x010E] = "Mary Thompson"
    file = io.BytesIO()
    drawn().save(file, "JPEG", exif=exif, quality=92)
    made = copy_of(make("tag"), file.getvalue(), "a.jpg")
    assert b"Thompson" not in made
    picture = Image.open(io.BytesIO(made)).convert("L")
    assert not picture.getexif() and picture.size == (1000, 400)
    assert darkest(picture.crop((165, 30, 420, 75))) > 150, "the name is covered"
    assert darkest(picture.crop((30, 30, 140, 75))) < 60, "its label is not"


def scan_of(number: int, study: str) -> bytes:
    meta = FileMetaDataset()
    meta.TransferSyntaxUID, meta.MediaStorageSOPClassUID = ExplicitVRLittleEndian, CTImageStorage
    meta.MediaStorageSOPInstanceUID = generate_uid()
    dataset = FileDataset("", {}, file_meta=meta, preamble=b"Thompson".ljust(128, b"\0"))
    dataset.SOPClassUID, dataset.SOPInstanceUID = CTImageStorage, meta.MediaStorageSOPInstanceUID
    dataset.StudyInstanceUID, dataset.Modality = study, "CT"
    dataset.PatientName, dataset.PatientID, dataset.PatientBirthDate = "Thompson^Mary", "4839201", "19470305"
    dataset.StudyDate, dataset.ReferringPhysicianName = "20210312", "Becker^Alan"
    within = Dataset()
    within.PatientName, within.CodeMeaning = "Thompson^Mary", "Chest of Mary Thompson"
    dataset.ProcedureCodeSequence = [within]
    dataset.private_block(0x0011, "Ward", create=True).add_new(1, "LO", "Mary Thompson")
    pixels = numpy.array(drawn("black", "white", "L"))
    dataset.Rows, dataset.Columns = pixels.shape
    dataset.SamplesPerPixel, dataset.PhotometricInterpretation, dataset.PixelRepresentation = 1, "MONOCHROME2", 0
    dataset.BitsAllocated = dataset.BitsStored = 8
    dataset.HighBit, dataset.InstanceNumber = 7, number
    dataset.PixelData = pixels.tobytes()
    file = io.BytesIO()
    dataset.save_as(file, enforce_file_format=True)
    return file.getvalue()


def test_dicom_by_the_basic_profile(make: Make) -> None:
    study = generate_uid()
    copies = [pydicom.dcmread(io.BytesIO(copy_of(make("tag"), scan_of(at, study), "a.dcm"))) for at in (1, 2)]
    for made in copies:
        assert_nobody_in(str(made) + str(made.file_meta) + str(made.preamble))
        assert (made.PatientIdentityRemoved, made.Modality) == ("YES", "CT")
        assert made.pixel_array[30:75, 165:420].max() < 100, "the name in the pixels is covered"
        assert made.pixel_array[30:75, 30:140].max() > 200
    assert copies[0].StudyInstanceUID == copies[1].StudyInstanceUID != study, "files of a study stay together"
    assert copies[0].SOPInstanceUID != copies[1].SOPInstanceUID
