"""Names in French and Spanish texts with offices, streets, firms and diseases beside them."""

import pytest

from screening.screen import Screen

PEOPLE = {"first_name", "last_name", "initials", "health_professional_name"}
FRENCH = " Le tribunal a rejeté la demande, et la partie qui succombe est condamnée aux dépens de cette instance."
SPANISH = " El tribunal ha desestimado la demanda y la parte que ha sido vencida debe pagar las costas de este proceso."


def words_of_people(screen: Screen, text: str) -> set[str]:
    spans = [span for span in screen.spans(text) if span.characteristic in PEOPLE]
    return {word for span in spans for word in text[span.start : span.end].replace(".", " ").split()}


@pytest.mark.parametrize(
    ("text", "people"),
    [
        (
            "Les observations de la SCP Gatineau, Fattaccini et Rebeyrol, avocat de Mme Odile Karpinski.",
            "Odile Karpinski",
        ),
        ("Le siège est 47 avenue Simon Bolivar ; M. Gaspard Lhermite demeure à Lyon.", "Gaspard Lhermite"),
        ("La décision est publiée au recueil Lebon.", ""),
        ("Il a joué dans le film Vamps, puis Mme Odile Karpinski a parlé.", "Odile Karpinski"),
        ("Les sociétés Altran, Verdier et Orsini ont fait appel avec M. Lhermite.", "Lhermite"),
        ("L’agent Sanjay Ghulam a été entendu par le juge.", "Sanjay Ghulam"),
        ("Mme İ.B. et son fiancé H.E. ont été entendus, et l'avocat de H.E. a plaidé.", "İ B H E"),
        ("M. X... demande que Mme A soit entendue.", "X A"),
        ("Mme Odile Notaire et M. Notaire ont été entendus.", "Odile Notaire"),
        ("Mme Maria de Fátima Carvalho a été entendue.", "Maria de Fátima Carvalho"),
        ("Les Levasseur ont été entendus, puis Gaspard Levasseur a parlé.", "Levasseur Gaspard"),
    ],
)
def test_french(screen: Screen, text: str, people: str) -> None:
    assert words_of_people(screen, text + FRENCH) == set(people.split())


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("El Coronel Roque Presti firmó la orden.", "Roque Presti"),
        ("La denuncia llegó al Fiscal Anselmo Iturralde.", "Anselmo Iturralde"),
        ("Vive en la Avenida General Paz con Anselmo Iturralde.", "Anselmo Iturralde"),
        ("La MUTUA ASEPEYO fue representada por el Sr. Iturralde.", "Iturralde"),
        ("Presenta una enfermedad de Kikuchi según la Dra. Iturralde.", "Iturralde"),
        ("La señora M.A.R.S. presentó la demanda contra el banco.", "M A R S"),
        ("Don Anselmo Rey y la Sra. Rey comparecieron.", "Anselmo Rey"),
        ("Doña Cayetana de Zulueta compareció.", "Cayetana de Zulueta"),
        ("Fue trasladado a la Comisaría n.º 22 de Moreno.", ""),
        ("Bogotá D. C., seis de marzo.", ""),
        ("El capitán del buque Peresvet oyó a Anselmo Iturralde.", "Anselmo Iturralde"),
        ("La causa Anselmo Iturralde c/ Cayetana Zulueta fue archivada.", "Anselmo Iturralde Cayetana Zulueta"),
        ("Anselmo Iturralde vive en c/ Zulueta, 18.", "Anselmo Iturralde"),
    ],
)
def test_spanish(screen: Screen, text: str, people: str) -> None:
    assert words_of_people(screen, text + SPANISH) == set(people.split())


def test_a_case_in_capitals_is_no_street(screen: Screen) -> None:
    text = "Autos PEDRO GARCÍA C/ LUIS PÉREZ SOBRE DAÑOS." + SPANISH
    assert {"PEDRO", "GARCÍA", "LUIS", "PÉREZ"} <= words_of_people(screen, text)


def test_small_letters_are_names_only_where_nothing_has_capitals(screen: Screen) -> None:
    chat = "hola, soy la hermana de lucia carranza, que ayer no pudo ir a la cita con la doctora y ahora tiene fiebre"
    assert {"lucia", "carranza"} <= words_of_people(screen, chat)
    prose = "El Tribunal oyó a Ana Ruiz y a Luis Soto en Madrid. En la celda había\nun camastro\ny luz. Luego salió."
    assert "camastro" not in words_of_people(screen, prose)


def test_a_last_name_is_found_where_it_recurs_alone_and_behind_initials(screen: Screen) -> None:
    text = (
        "M. Mehmet Yılmazer fut interpellé. Le parquet requit la condamnation de Yılmazer et de E. Cinmenoğlu." + FRENCH
    )
    assert words_of_people(screen, text) == {"Mehmet", "Yılmazer", "E", "Cinmenoğlu"}
    text = "Se trató la hepatitis C. Medicado con aspirina, el paciente mejoró de su infección por E. coli." + SPANISH
    assert words_of_people(screen, text) == set()
