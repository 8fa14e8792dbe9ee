"""A text -> the language that it is written in, by its small words and its letters; None for what is no prose."""

import re
from collections import Counter
from collections.abc import Iterable

from core.languages import JUDGED, UNKNOWN

SAMPLE = 6_000  # characters
_PARTS = 3
_LEAST_WORDS = 12
_LEAST_HITS = 5
_LEAST_SHARE = 0.10
_LEAST_DIFFERENT = 5  # small words of a language that is not judged
_LEAST_LETTERS = 20
_WORD = re.compile(r"[^\W\d_]+")
_SMALL_WORDS = {
    "en": "the of and to in is was for that with on as by at from this be are it his her which not had were an or but",
    "fr": "le la les de des du et est un une dans pour que qui sur avec pas au aux ce cette il elle par sont ne se son",
    "es": "el la los las de del y que en un una por con no se para es al su lo como más fue ha sus este pero muy",
    "de": "der die das und in den von zu mit ist des im nicht ein eine auf für dem sich auch als es an bei wird war",
    "it": "il di che la e un una per con non del della sono è nel al gli dei alla da si più anche ha le i delle lo",
    "pt": "o a de que e do da em um uma para com não os no na por mais as dos das foi ao ele são se como mas à é",
    "nl": "de het een van en in is dat op te zijn met voor niet aan er die ook als maar bij om wordt naar uit werd",
    "sv": "och i att det som en på är av för med den till inte har de om ett var men så från vid kan hon han",
    "da": "og i at det er en til af på for med den der ikke har de som et han var men om fra hun blev være jeg",
    "no": "og i det er på en til som for av med at ikke den har de om et han var men fra hun ble være jeg etter",
    "fi": "ja on ei se että hän oli ovat mutta kun tai joka myös kuin niin olla ole sen mitä vain sitä jos nyt",
    "pl": "i w na z do nie się jest to że o od za po przez jak ale dla ma co tym był są oraz jego czy także",
    "cs": "a v se na je že s z do o to i pro ve by po ale jako za od jsou byl není které který jeho při také",
    "sk": "a v sa na je že s z do o to i pre vo by po ale ako za od sú bol nie ktoré ktorý jeho pri aj",
    "hu": "a az és hogy nem is egy van meg volt ez csak de mint ki még már vagy el lehet ha azt sem után",
    "ro": "și în de la a cu pe nu este un o care din pentru că mai au fost sau ca al se prin după sunt ale",
    "tr": "ve bir bu da de için ile olarak çok daha ne var gibi olan kadar sonra ama değil her en o ben mi",
    "hr": "i u je na se da za su s od o koji nije bi kao što ali iz to ne biti sam po ili do bio",
    "id": "yang dan di ini dengan untuk tidak dari dalam itu pada adalah akan ke juga oleh ada sebagai telah atau",
    "vi": "và là của có không được cho trong một với các này người những đã để khi từ đến như cũng",
    "tl": "ang ng sa na mga at ay hindi ito siya kung para may ako niya nang ko si mo kay",
    "sw": "ya na wa kwa ni katika la za cha kuwa hii hiyo alikuwa lakini pia yake kama au watu",
    "ca": "el la els les de del i que en un una per amb no es al va són més com als seu però aquest",
    "ga": "an na agus ar is i ag go le bhí sé sí ní tá don mar atá faoi sa leis",
}
# Labels of forms, which have few small words.
_LABELS = {
    "it": "paziente cognome nascita nata nato indirizzo telefono diagnosi terapia farmaci ricovero visita medico",
    "pt": "nascimento morada endereço telefone diagnóstico medicação internamento consulta doente paciente nome",
    "nl": "patiënt geboortedatum geboren adres telefoon diagnose medicatie opname huisarts voornaam achternaam",
    "sv": "patienten födelsedatum född adress telefon diagnos läkemedel läkare personnummer förnamn efternamn",
    "da": "patienten fødselsdato født adresse telefon diagnose medicin læge indlagt fornavn efternavn",
    "no": "pasient pasienten fødselsdato født adresse telefon diagnose medisiner lege innlagt fornavn etternavn",
    "fi": "potilas syntymäaika osoite puhelin diagnoosi lääkitys lääkäri etunimi sukunimi henkilötunnus",
    "pl": "pacjent pacjentka urodzenia adres telefon rozpoznanie leki lekarz imię nazwisko",
    "cs": "pacient pacientka narození adresa telefon diagnóza léky lékař jméno příjmení",
    "tr": "hasta doğum tarihi adres telefon tanı ilaçlar doktor adı soyadı",
    "ro": "pacient pacienta nașterii adresa telefon diagnostic medicamente medic nume prenume",
    "hu": "beteg született születési lakcím telefon diagnózis gyógyszerek orvos neve",
}


def _by_word() -> dict[str, tuple[str, ...]]:
    """Without single letters, which are everywhere: in tables, lists and programs."""
    languages: dict[str, tuple[str, ...]] = {}
    for table in (_SMALL_WORDS, _LABELS):
        for language, words in table.items():
            for word in words.split():
                if len(word) > 1:
                    languages[word] = (*languages.get(word, ()), language)
    return languages


_LANGUAGES_OF = _by_word()
_SCRIPTS = (
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("ka", re.compile("[\u10a0-\u10ff]")),
    ("hy", re.compile("[\u0530-\u058f]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ta", re.compile("[\u0980-\u0dff]")),
)
_BEYOND_LATIN = re.compile("[\u0370-\u1cff\u2e80-\ud7af]")
_UKRAINIAN = re.compile("[іїєґ]")
_SENTENCE = re.compile(r"[a-z\u00df-\u024f,]{2}[.!?](?:\s|$)")
_PROSE_WORDS, _PROSE_SENTENCES, _PROSE_SMALL, _PROSE_SHARE = 40, 3, 0.7, 0.03


def language_of(texts: Iterable[str]) -> str | None:
    """Of the beginning, the middle and the end of a text in several parts."""
    return _language(_sample(texts))


def _sample(texts: Iterable[str]) -> str:
    parts: list[str] = []
    room = SAMPLE
    for text in texts:
        if room <= 0:
            break
        if len(text) <= room:
            parts.append(text)
        else:
            length = room // _PARTS
            places = (0, (len(text) - length) // 2, len(text) - length)
            parts += [text[place : place + length] for place in places]
        room -= len(text)
    return "\n".join(parts)


def _language(sample: str) -> str | None:
    foreign = len(_BEYOND_LATIN.findall(sample)) if not sample.isascii() else 0
    words = _WORD.findall(sample)
    if foreign >= _LEAST_LETTERS and foreign * 2 > sum(map(len, words)):
        return _by_script(sample)
    if len(words) < _LEAST_WORDS:
        return None
    hits: Counter[str] = Counter()
    different: Counter[str] = Counter()
    for word, times in Counter(map(str.lower, words)).items():
        for language in _LANGUAGES_OF.get(word, ()):
            hits[language] += times
            different[language] += 1
    known = max((hits[language] for language in JUDGED), default=0)
    best, most = hits.most_common(1)[0] if hits else ("", 0)
    if most >= max(_LEAST_HITS, _LEAST_SHARE * len(words)):
        if best in JUDGED or most < 1.2 * known:
            return max(sorted(JUDGED), key=lambda language: hits[language])
        return best if different[best] >= _LEAST_DIFFERENT else None
    return UNKNOWN if most < _PROSE_SHARE * len(words) and _is_prose(sample, words) else None


def _by_script(sample: str) -> str:
    counts = {language: len(letters.findall(sample)) for language, letters in _SCRIPTS}
    if counts["ja"]:
        return "ja"
    best = max(counts, key=lambda language: counts[language])
    return "uk" if best == "ru" and len(_UKRAINIAN.findall(sample)) * 50 > counts["ru"] else best


def _is_prose(sample: str, words: list[str]) -> bool:
    """Sentences of mostly small letters; a list of names, a table or a program is none."""
    small = sum(word.islower() for word in words)
    return (
        len(words) >= _PROSE_WORDS
        and small >= _PROSE_SMALL * len(words)
        and len(_SENTENCE.findall(sample)) >= _PROSE_SENTENCES
        and not any(mark in sample for mark in ("{", "};", "</", "=="))
    )
